/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { OperationDescriptor } from './descriptor.js';
/** A body that the API does not document for its status, such as a page of a proxy. Status and headers are in `response`. */
export type UnexpectedBody = {
    /**
     * `undocumented`: of another media type. `malformed`: said to be JSON, and is not. `truncated`: the connection broke before the end,
     * or the body is longer than 256 MiB.
     * `empty`: nothing where a body was due.
     */
    readonly unexpected: 'undocumented' | 'malformed' | 'truncated' | 'empty';
    /** In lower case and without parameters; empty without the header. */
    readonly mediaType: string;
    /** The body as UTF-8, as far as it came. */
    readonly text: string;
    readonly cause?: unknown;
};
type Answer = {
    readonly response: Response;
} & ({
    readonly data: unknown;
} | {
    readonly error: unknown;
});
/**
 * The outcome of a response: `data` for a documented success, `error` for all else, a body that breaks off included. Rejects only
 * where the caller gave up.
 */
export declare function readAnswer(response: Response, { operation, signal }: {
    operation: OperationDescriptor | undefined;
    signal: AbortSignal;
}): Promise<Answer>;
export {};
