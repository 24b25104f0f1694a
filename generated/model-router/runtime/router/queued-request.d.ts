/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Answer } from './ask.js';
import type { Connection, Work } from './connection.js';
import { type QueuedCall } from './queue.js';
import type { EndedState, QueueState } from './queue-state.js';
import { type RunResult } from './results.js';
import type { QueuedRequest } from './router-types.js';
export type Admitted = {
    readonly call: QueuedCall;
    readonly state: QueueState;
    readonly replayed: boolean;
};
/** What the answer to a submission says of the request. */
export declare function readAdmitted(answer: Answer, work: Work): Admitted | string;
/** Keeps where an admitted request is. */
export declare function admit(admitted: Admitted, work: Work): Promise<Admitted>;
/** Collects the output, which ends the call in the key store, or says why there is none: an answer does so better than a status. */
export declare function collectResult(call: QueuedCall, ended: EndedState | undefined, work: Work): Promise<RunResult<unknown>>;
/**
 * The output of a request; from the `first` state on, `onStatus` sees its states before. Without a result, a request that ended is forgotten;
 * any other one stays in the store, to be resumed.
 */
export declare function collectOrLeave(call: QueuedCall, work: Work, first?: QueueState): Promise<RunResult<unknown>>;
/** A queued request, by its addresses. */
export declare function createHandle(connection: Connection, { call, replayed }: Omit<Admitted, 'state'>): QueuedRequest<unknown>;
