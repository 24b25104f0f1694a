/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** A body, read by its own media type. */
export type Body = {
    /** `broken`: invalid JSON, incomplete, too long, or the page of a proxy. A `stream` is left to the caller. */
    readonly kind: 'json' | 'text' | 'bytes' | 'empty' | 'stream' | 'broken';
    /** The decoded value. */
    readonly value?: unknown;
    /** The text of JSON or text. */
    readonly text?: string;
    /** The bytes that arrived. */
    readonly bytes?: Uint8Array;
    /** Why it is broken. */
    readonly why?: string;
    readonly cause?: unknown;
    /** Another attempt would get the same body. */
    readonly isFinal?: boolean;
};
/** Reads a body by its media type. Rejects as the platform does if the connection breaks before the body ends. */
export declare function readBody(response: Response, maxBytes: number): Promise<Body>;
/** A request or a response. */
type WithBody = Pick<Response, 'body' | 'arrayBuffer'>;
/** Yields the parts of a body on any platform: of a web stream, of a stream of Node, or all at once if a body is not a stream. */
export declare function readParts(response: WithBody): AsyncGenerator<Uint8Array, void, void>;
/** Returns the whole body, or undefined for more than `maxBytes`, counted after decompression. */
export declare function readBytes(response: WithBody, maxBytes: number): Promise<Uint8Array | undefined>;
/** Returns the media type in lower case, without parameters; empty if the header is missing. A proxy may send it twice. */
export declare function readMediaType(headers: Headers): string;
type JsonObject = Readonly<Record<string, unknown>>;
export declare function isObject(value: unknown): value is JsonObject;
/** Returns the JSON object of a body, or an empty one for any other body. */
export declare function toObject({ kind, value }: Body): JsonObject;
/** Returns the words of an error for a response that is not one of the API. `excerpt` is the start of its body. */
export declare function describeUnexpected({ status, headers }: Response, excerpt: string): string;
/** Returns the first characters of an unexpected body, for an error. */
export declare function quoteBody({ value, text }: Body, redact: (text: string) => string): string;
export {};
