/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Answer } from './ask.js';
import type { Work } from './connection.js';
import type { Cancellation, EndedState, QueueState } from './queue-state.js';
import type { QueuedAddresses } from './router-error.js';
/** One request of the queue, wherever it was submitted. */
export type QueuedCall = {
    readonly model: string;
    readonly queued: QueuedAddresses;
    readonly key?: string | undefined;
    readonly chargesOnPolicyRejection?: string | undefined;
    /** Who submitted it, where that is known. */
    readonly owner?: string;
};
/** Reads the status once. */
export declare function readStatus(call: QueuedCall, work: Work): Promise<QueueState>;
/** Every state that was read, until the request is no longer pending. An answer that says nothing of it ends no waiting. */
export declare function readStates(call: QueuedCall, work: Work): AsyncGenerator<QueueState, void, void>;
/** Waits for the result as the service tells, and collects it. Where the status said so, the request `ended` without one. */
export declare function collect(call: QueuedCall, ended: EndedState | undefined, work: Work): Promise<Answer>;
export declare function cancelQueued(call: QueuedCall, work: Work): Promise<Cancellation>;
/**
 * A submit or status body. Members that nobody knows are ignored. What is left out is known from the submission, or documented: what
 * was admitted is paid for. A state of another request, as caches mix them up, leads away from none.
 */
export declare function readState({ body, facts, call: { model, queued } }: Answer, { baseUrl, credential }: Work): QueueState | string;
