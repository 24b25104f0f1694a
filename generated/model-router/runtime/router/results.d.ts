/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { RouterCall } from './connection.js';
import type { Answer } from './policy.js';
import type { ResponseFacts } from './response-facts.js';
import { type CallIdentity } from './router-error.js';
/** A finished run: its output, decoded by the media type of the response, and facts from the headers. */
export type RunResult<Output> = ResponseFacts & {
    readonly data: Output;
    /** Text of the JSON, because `data` rounds integers beyond 2^53, such as 64-bit seeds. */
    readonly text?: string;
    /** From the response, in lower case and without parameters. */
    readonly mediaType: string;
    /** The response, whose body has already been read. */
    readonly response: Response;
    /** Idempotency key of a run. Absent if the call had no key, and for queued requests. */
    readonly idempotencyKey?: string;
    /** Removes the call from the pending calls. Only needed with `settle: 'manual'`, and for a stream that is not read. */
    readonly settle: () => Promise<void>;
    /** Always false here: the output has the model's own format. Other results are a `ConvertedResult`. */
    readonly mayBeUnconverted: false;
};
/** A different provider may have served the run. If its output could not be converted, it has that provider's format. */
export type ConvertedResult<Output, Unconverted = unknown> = RunResult<Output> | (Omit<RunResult<Unconverted>, 'mayBeUnconverted'> & {
    readonly mayBeUnconverted: true;
});
/** Returns the result of a call. Ends its record: now, after its stream is read, or when the caller settles it. */
export declare function toResult<Result extends ConvertedResult<unknown>>(answer: Answer, settle: 'manual' | undefined, call: RouterCall): Promise<Result>;
/** How a stored call ended: with an outcome (`finish`), without a run (`discard`), or with an unknown outcome (`release`). */
export type RecordEnding = 'finish' | 'discard' | 'release';
export declare function endRecord(key: string | undefined, ending: RecordEnding, call: RouterCall): Promise<void>;
/**
 * Changes the store after a response. An error must not lose the result: the call is then listed as pending. Waits at most
 * ten seconds, and at most one after the call was aborted or its deadline passed. The change continues in any case.
 */
export declare function changeStore(change: () => Promise<void>, { clock, signal, endsAt }: RouterCall): Promise<void>;
/** Waits at most a minute for the key store. If the call ends first, calls `undo` with a later result. */
export declare function waitForStore<Result>(work: Promise<Result>, identity: CallIdentity, call: RouterCall, undo?: (result: Result) => void): Promise<Result>;
