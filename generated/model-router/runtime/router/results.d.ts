/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type CallIdentity } from './failures.js';
import type { Answer, RouterCall } from './policy.js';
import type { ResponseFacts } from './response-facts.js';
/** A finished run: the output, decoded by the response's own media type, and the facts of the headers. */
export type RunResult<Output> = ResponseFacts & {
    readonly data: Output;
    /** For JSON, the body as it came: `data` rounds integers beyond 2^53, such as seeds of 64 bits. */
    readonly text?: string;
    /** From the response, in lower case and without parameters. */
    readonly mediaType: string;
    /** Its body is used up. */
    readonly response: Response;
    /** The key of a run; absent without one and for a queued request. */
    readonly idempotencyKey?: string;
    /**
     * Says that you have the result, so that its key can be forgotten. Only needed with `settle: 'manual'`, and for a stream that is not
     * read to its end; it does nothing where the key is forgotten already.
     */
    readonly settle: () => Promise<void>;
    /** False: no other provider was involved, so the output is the model's own. */
    readonly mayBeUnconverted: false;
};
/** Another provider served the run. Where its output could not be converted, it is in that provider's own shape. */
export type ConvertedResult<Output, Unconverted = unknown> = RunResult<Output> | (Omit<RunResult<Unconverted>, 'mayBeUnconverted'> & {
    readonly mayBeUnconverted: true;
});
/**
 * A result, whose call is over in the store: at once, or when a stream was read to its end, or when the caller settles it. Until then
 * the key collects the same result again. An output departs from its schema now and then; that is never an error here.
 */
export declare function toResult(answer: Answer, settle: 'manual' | undefined, call: RouterCall): Promise<ConvertedResult<unknown>>;
/**
 * How a call leaves the store: with its outcome known, with nothing that was run, given up by its caller, or with an unknown outcome, to be
 * resumed.
 */
export type Leaving = 'done' | 'unspent' | 'aborted' | 'open';
type StoredIdentity = Pick<CallIdentity, 'idempotencyKey' | 'queued'>;
/** The same after the response, when a failure of the store must not cost the result. */
export declare const leaveLate: (identity: StoredIdentity, how: Leaving, call: RouterCall) => Promise<void>;
/**
 * A change of the store that comes after the response. One that fails, throws at once or hangs must not cost the result: the call is then
 * listed as pending although it is not, and its key leads to the same result.
 */
export declare function kept(change: () => Promise<void>, { client: { hasOwnKeys } }: RouterCall): Promise<void>;
export {};
