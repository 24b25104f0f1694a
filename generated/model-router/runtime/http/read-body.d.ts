/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** A body, read by its own media type. */
export type Body = {
    /** `broken`: not the JSON it claims to be, broken off, too long, or the page of something in front of the API. A `stream` is not read. */
    readonly kind: 'json' | 'text' | 'bytes' | 'empty' | 'stream' | 'broken';
    /** The decoded value. */
    readonly value?: unknown;
    /** As it came, unless it is bytes. */
    readonly text?: string;
    /** As it came, as far as it came. */
    readonly bytes?: Uint8Array;
    /** What is wrong with a broken one. */
    readonly why?: string;
    readonly cause?: unknown;
    /** Asking again would give the same. */
    readonly isFinal?: boolean;
};
/** Rejects as the platform does when the connection breaks before the body ends. */
export declare function readBody(response: Response, maxBytes: number): Promise<Body>;
/** A request or a response. */
type WithBody = Pick<Response, 'body' | 'arrayBuffer'>;
/** The parts of a body. */
export type Chunks = {
    /** The next one; undefined at the end. */
    next(): Promise<Uint8Array | undefined>;
    /** Drops the rest. */
    cancel(): void;
};
/** The parts of a body on any platform: a web stream, a stream of Node, or all at once where a body is not a stream. */
export declare function chunksOf(response: WithBody): Chunks;
/** Undefined for more than `maxBytes`, counted after decompression. */
export declare function readBytes(response: WithBody, maxBytes: number): Promise<Uint8Array | undefined>;
/** Lower case, without parameters; empty when the header is missing. A proxy may send it twice. */
export declare function readMediaType(headers: Headers): string;
type JsonObject = Readonly<Record<string, unknown>>;
export declare function isObject(value: unknown): value is JsonObject;
/** The JSON object that a body is; empty for any other body, so that its members are undefined. */
export declare function toObject({ kind, value }: Body): JsonObject;
/** The first characters of an unexpected body, for an error. */
export declare function quoteBody({ value, text }: Body, redact: (text: string) => string): string;
export {};
