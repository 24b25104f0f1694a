/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export type Body = {
    /** `broken`: invalid JSON, incomplete, too long, or a proxy page. `stream`: the caller reads the body. */
    readonly kind: 'json' | 'text' | 'bytes' | 'empty' | 'stream' | 'broken';
    readonly value?: unknown;
    readonly text?: string;
    readonly bytes?: Uint8Array;
    readonly why?: string;
    readonly cause?: unknown;
    /** True if another attempt would get the same body. */
    readonly isFinal?: boolean;
};
/** Reads a body by its media type. Rejects with the platform's error if the connection breaks before the end. */
export declare function readBody(response: Response, maxBytes: number): Promise<Body>;
type BodySource = Pick<Response, 'body' | 'arrayBuffer'>;
/** Yields a body in chunks, from a web stream or a Node stream; in one chunk if the platform has no streams. */
export declare function readBodyChunks(response: BodySource): AsyncGenerator<Uint8Array, void, void>;
/** Returns the whole body, or undefined if it exceeds `maxBytes` after decompression. */
export declare function readBytes(response: BodySource, maxBytes: number): Promise<Uint8Array | undefined>;
/** Returns the media type in lower case, without parameters; empty if the header is missing. A proxy may repeat it. */
export declare function readMediaType(headers: Headers): string;
type JsonObject = Readonly<Record<string, unknown>>;
export declare function isObject(value: unknown): value is JsonObject;
export declare function toObject({ kind, value }: Body): JsonObject;
/** Describes a response that is not from the API. `excerpt`: the beginning of its body. */
export declare function describeUnexpected({ status, headers }: Response, excerpt: string): string;
export declare function quoteBody({ value, text }: Body, redact: (text: string) => string): string;
export {};
