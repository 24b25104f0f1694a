/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { CallOptions } from '../http/call.js';
import { type AnyRunOptions, type BilledRequest } from '../router/billed.js';
import { type Connection, type RouterCall } from '../router/connection.js';
import type { StoredCall } from '../router/key-store.js';
import type { OutputOptions, SubmitOptions } from '../router/options.js';
import { type ErrorCategory, type QueuedAddresses, type ResponseFacts } from '../router/response-facts.js';
import { type ConvertedResult } from '../router/results.js';
import type { AnyModel } from '../router/router-types.js';
export type PollOptions = CallOptions & {
    /** Minimum milliseconds between two polls; a longer `Retry-After` applies. Default: half a second, then growing. */
    readonly pollEveryMs?: number | undefined;
};
/** Result of `cancel`. The request may be billed in any case. */
export type Cancellation = {
    /** `requested`: the status will show whether the request was cancelled. `already-completed`: nothing changed. */
    readonly outcome: 'requested' | 'already-completed';
    readonly status: string;
};
type AnyState = {
    /** Status from the service; unknown values count as pending. */
    readonly status: string;
    readonly addresses: QueuedAddresses;
    readonly facts: ResponseFacts;
};
export type QueueState = (AnyState & {
    readonly kind: 'pending' /** Number of requests ahead. */;
    readonly position?: number;
}) | (AnyState & {
    readonly kind: 'succeeded';
})
/** Failed, cancelled or timed out. It may be billed. */
 | (AnyState & {
    readonly kind: 'ended';
    readonly category: ErrorCategory;
});
export type QueuedCall = {
    readonly model: AnyModel;
    readonly queued: QueuedAddresses;
    readonly idempotencyKey?: string | undefined;
};
export type SubmittedRequest = {
    readonly request: QueuedCall;
    readonly state: QueueState;
    readonly replayed: boolean;
};
export type FollowOptions = PollOptions & {
    readonly onStatus?: ((state: QueueState) => void) | undefined;
};
export declare function enqueue(model: AnyModel, input: unknown, options: SubmitOptions, call: RouterCall): Promise<SubmittedRequest>;
export declare function submitOnce(request: Omit<BilledRequest<SubmittedRequest>, 'parse'>, options: AnyRunOptions, call: RouterCall, stored?: StoredCall): Promise<SubmittedRequest>;
export declare function readStatus(request: QueuedCall, call: RouterCall): Promise<QueueState>;
/** Polls the status, and yields each state until the request is no longer pending. */
export declare function readStates(request: QueuedCall, options: PollOptions, call: RouterCall): AsyncGenerator<QueueState, void, void>;
export declare function cancelRequest(request: QueuedCall, call: RouterCall): Promise<Cancellation>;
/**
 * Returns the output of a request. If its `first` state is given, polls the status until the request ends, and calls
 * `onStatus`. If there is no output, the call stays in the store so that it can be resumed, unless the request has ended.
 */
export declare function collectResult<Result extends ConvertedResult<unknown>>(given: QueuedCall, options: FollowOptions & OutputOptions, call: RouterCall, first?: QueueState): Promise<Result>;
export declare function buildRequestUrls(client: Connection, model: string, requestId: string): QueuedAddresses;
export {};
