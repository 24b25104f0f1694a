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
    /** `broken`: said to be JSON and is not, broken off, too long, or the page of something in front of the API. A `stream` is not read. */
    readonly kind: 'json' | 'text' | 'bytes' | 'empty' | 'stream' | 'broken';
    /** What a caller gets. */
    readonly value?: unknown;
    /** As it came, unless it is bytes. */
    readonly text?: string;
    /** As it came, as far as it came. */
    readonly bytes?: Uint8Array;
    /** What is wrong with a broken one. */
    readonly why?: string;
    readonly cause?: unknown;
    /** It will be so again. */
    readonly isFinal?: boolean;
};
/** Rejects as the platform does when the connection breaks before the body ends. */
export declare function readBody(response: Response, maxBytes: number): Promise<Body>;
/** The parts of a body. */
export type Chunks = {
    /** The next one; undefined at the end. */
    next(): Promise<Uint8Array | undefined>;
    /** Nobody wants the rest. */
    cancel(): void;
};
/** The parts of a body on any platform: a web stream, a stream of Node, or all at once where a body is no stream. */
export declare function chunksOf(response: Response): Chunks;
/** Undefined for more than `maxBytes`, as they are after decompression. Where it rejects, `chunks` has what came. */
export declare function readBytes(response: Response, maxBytes: number, chunks: Uint8Array[]): Promise<Uint8Array | undefined>;
export declare function joinChunks(chunks: readonly Uint8Array[]): Uint8Array;
/** Whether a media type is one of those that are documented, of which one may be `image/*`. */
export declare function isMediaType(mediaType: string, documented: readonly string[]): boolean;
/** Lower case, without parameters; empty when the header is missing. A proxy may send it twice. */
export declare function readMediaType(headers: Headers): string;
type JsonObject = Readonly<Record<string, unknown>>;
export declare function isObject(value: unknown): value is JsonObject;
/** The JSON object that a body is; empty for any other body, so that its members are undefined. */
export declare function toObject({ kind, value }: Body): JsonObject;
/** The first characters of a body that nobody expected, for an error. */
export declare function quoteBody({ value, text }: Body, redact: (text: string) => string): string;
export {};
