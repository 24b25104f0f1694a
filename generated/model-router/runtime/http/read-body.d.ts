/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** A body, read by its own media type. */
export type ReadBody = {
    readonly kind: 'json';
    readonly value: unknown;
} | {
    readonly kind: 'text';
    readonly text: string;
} | {
    readonly kind: 'bytes';
    readonly bytes: Uint8Array;
} | {
    readonly kind: 'empty';
}
/** Said to be JSON and is not: truncated, or written by a proxy. */
 | {
    readonly kind: 'malformed';
    readonly text: string;
    readonly cause: unknown;
};
/** Rejects as the platform does when the connection breaks before the body ends. */
export declare function readBody(response: Response, redact: (text: string) => string): Promise<ReadBody>;
/** Lower case, without parameters; empty when the header is missing. */
export declare function readMediaType(headers: Headers): string;
type JsonObject = Readonly<Record<string, unknown>>;
export declare function isObject(value: unknown): value is JsonObject;
/** The JSON object that a body is; empty for any other body, so that its members are undefined. */
export declare function toObject(body: ReadBody | {
    readonly kind: 'stream';
}): JsonObject;
/** The first characters of a body that nobody expected, for an error. */
export declare function quoteBody(body: ReadBody, redact: (text: string) => string): string;
export {};
