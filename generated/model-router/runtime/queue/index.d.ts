/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type CallOptions } from '../http/call.js';
import { type RouterOf } from '../router/connection.js';
import type { As, OutputOptions, RunOptions, SubmitOptions } from '../router/options.js';
import type { QueuedAddresses } from '../router/response-facts.js';
import type { RunResult } from '../router/results.js';
import { type DataOf, type InputFor, type ModelOrImportedId, type OutputFor } from '../router/router-types.js';
import { type Cancellation, type FollowOptions, type PollOptions, type QueueState } from './requests.js';
export type { Cancellation, FollowOptions, PollOptions, QueueState } from './requests.js';
export type SubscribeOptions<Given extends As = As> = FollowOptions & RunOptions<Given>;
export type QueuedRequest<Output> = AsyncIterable<QueueState> & {
    readonly requestId: string;
    readonly addresses: QueuedAddresses;
    readonly idempotencyKey?: string;
    /** True if an earlier submission with the same key was admitted. */
    readonly replayed: boolean;
    status(options?: CallOptions): Promise<QueueState>;
    /** Polls the status, and yields each state until the request is no longer pending. */
    states(options?: PollOptions): AsyncIterable<QueueState>;
    /** Waits for the output. Rejects if the request ends without one. */
    result<Given extends As = undefined>(options?: PollOptions & OutputOptions<Given>): Promise<RunResult<DataOf<Output, Given>>>;
    cancel(options?: CallOptions): Promise<Cancellation>;
};
/** Puts a run into the queue and returns immediately. */
export declare function submit<Models, Model extends ModelOrImportedId<Models>>(router: RouterOf<Models>, target: Model, input: InputFor<Models, Model>, options?: SubmitOptions): Promise<QueuedRequest<OutputFor<Models, Model>>>;
/** Submits a run, follows its status, and collects the output. */
export declare function subscribe<Models, Model extends ModelOrImportedId<Models>, Given extends As = undefined>(router: RouterOf<Models>, target: Model, input: InputFor<Models, Model>, options?: SubscribeOptions<Given>): Promise<RunResult<DataOf<OutputFor<Models, Model>, Given>>>;
/** Returns the handle of a request that was submitted elsewhere, from its URLs or its id. */
export declare function queued<Models, Model extends ModelOrImportedId<Models>>(router: RouterOf<Models>, target: Model, request: QueuedAddresses | string): QueuedRequest<OutputFor<Models, Model>>;
