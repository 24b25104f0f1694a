/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { CallOptions } from '../http/call.js';
import { type BilledRequest, type RunChoices } from '../router/billed.js';
import type { RouterCall } from '../router/connection.js';
import type { StoredCall } from '../router/key-store.js';
import type { OutputOptions, SubmitOptions } from '../router/options.js';
import { type Category, type QueuedAddresses, type ResponseFacts } from '../router/response-facts.js';
import { type ConvertedResult } from '../router/results.js';
import type { AnyModel } from '../router/router-types.js';
export type PollOptions = CallOptions & {
    /** The shortest time between two questions; a longer `Retry-After` decides. Grows from half a second by default. */
    readonly pollEveryMs?: number | undefined;
};
/** The answer to `cancel`. Neither outcome says anything about billing. */
export type Cancellation = {
    /** `requested`: the outcome is read from the status. `already-completed`: nothing changed. */
    readonly outcome: 'requested' | 'already-completed';
    /** As the service wrote it. */
    readonly status: string;
};
type AnyState = {
    /** As the service wrote it; unknown words count as pending. */
    readonly status: string;
    readonly addresses: QueuedAddresses;
    /** From the headers of the response, with the wait that it asks for. */
    readonly facts: ResponseFacts;
};
export type QueueState = (AnyState & {
    readonly kind: 'pending' /** Requests ahead; 0 is the front. */;
    readonly position?: number;
}) | (AnyState & {
    readonly kind: 'succeeded';
})
/** Failed, cancelled or timed out. A cancellation says nothing about billing. */
 | (AnyState & {
    readonly kind: 'ended';
    readonly category: Category;
});
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
/** Puts a run into the queue. */
export declare function enqueue(model: AnyModel, input: unknown, options: SubmitOptions, call: RouterCall): Promise<Admitted>;
/** Sends a submission, and keeps where the admitted request is. */
export declare function admit(request: Omit<BilledRequest<Admitted>, 'parse'>, options: RunChoices, call: RouterCall, stored?: StoredCall): Promise<Admitted>;
/** Reads the state of a request once. */
export declare const askStatus: (queued: QueuedCall, call: RouterCall) => Promise<QueueState>;
/** Every state that was read, until the request is no longer pending. An answer without one does not end the waiting. */
export declare function readStates(queued: QueuedCall, options: PollOptions, call: RouterCall): AsyncGenerator<QueueState, void, void>;
export declare function cancelRequest(queued: QueuedCall, call: RouterCall): Promise<Cancellation>;
/**
 * The output of a request; from the `first` state on, `onStatus` sees its states before. Without a result, a request that ended is over in
 * the store; any other one stays there, to be resumed.
 */
export declare function collectOrLeave(given: QueuedCall, options: QueueOptions, call: RouterCall, first?: QueueState): Promise<ConvertedResult<unknown>>;
/** The addresses that the API documents give to a request id. */
export declare function buildAddresses(baseUrl: string, model: string, requestId: string): QueuedAddresses;
export {};
