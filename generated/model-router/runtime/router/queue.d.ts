/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { OutputOptions, PollOptions } from './options.js';
import { type Answer, type Connection, type RouterCall } from './policy.js';
import { type QueuedAddresses, type QueueState } from './response-facts.js';
import { type ConvertedResult } from './results.js';
import type { AnyModel } from './router-types.js';
/** One request of the queue, wherever it was submitted. */
export type QueuedCall = {
    readonly model: AnyModel;
    readonly queued: QueuedAddresses;
    readonly idempotencyKey?: string | undefined;
};
export type Admitted = {
    readonly queued: QueuedCall;
    readonly state: QueueState;
    readonly replayed: boolean;
};
export type QueueOptions = PollOptions & OutputOptions & {
    readonly onStatus?: ((state: QueueState) => void) | undefined;
    readonly cancelOnAbort?: boolean | undefined;
};
/** The admitted request in the answer to a submission. */
export declare function readAdmitted(answer: Answer, model: AnyModel, call: RouterCall): Admitted | string;
/**
 * The output of a request; from the `first` state on, `onStatus` sees its states before. Without a result, a request that ended is over in
 * the store; any other one stays there, to be resumed.
 */
export declare function collectOrLeave(given: QueuedCall, options: QueueOptions, call: RouterCall, first?: QueueState): Promise<ConvertedResult<unknown>>;
/** A queued request, by its addresses. */
export declare function createHandle(client: Connection, queued: QueuedCall, replayed: boolean): any;
