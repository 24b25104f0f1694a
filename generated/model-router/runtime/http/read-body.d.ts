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
}
/** Of another media type than is due. */
 | {
    readonly kind: 'unexpected';
    readonly mediaType: string;
    readonly text: string;
}
/** Longer than the limit; the rest is not read. */
 | {
    readonly kind: 'oversized';
    readonly maxBytes: number;
};
/** Rejects as the platform does when the connection breaks before the body ends. */
export declare function readBody(response: Response, maxBytes: number): Promise<ReadBody>;
export declare function joinChunks(chunks: readonly Uint8Array[]): Promise<Uint8Array>;
/** Whether a media type is one of those that are documented, of which one may be `image/*`. */
export declare function isMediaType(mediaType: string, documented: readonly string[]): boolean;
/** Lower case, without parameters; empty when the header is missing. */
export declare function readMediaType(headers: Headers): string;
type JsonObject = Readonly<Record<string, unknown>>;
export declare function isObject(value: unknown): value is JsonObject;
/** The JSON object that a body is; empty for any other body, so that its members are undefined. */
export declare function toObject(body: ReadBody | {
    readonly kind: 'stream';
}): JsonObject;
/** The first characters of a body that nobody expected, for an error. */
export declare function quoteBody(body: ReadBody | {
    readonly kind: 'stream';
}, redact: (text: string) => string): string;
export {};
