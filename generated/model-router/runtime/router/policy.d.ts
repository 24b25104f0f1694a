/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { CallRequest, Policy } from '../http/send.js';
import type { RouterCall } from './connection.js';
import { type Answered, type CallIdentity } from './failures.js';
import { type KnownCategory } from './response-facts.js';
/**
 * Decides when a call is repeated. `keyed`, `unkeyed`: a billed call with an idempotency key, and one without, which is
 * never repeated. `read`: a free GET. `poll`: reads the state of an admitted request. `collect`: reads the result of a
 * queued request. `cancel`: cancels one.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'poll' | 'collect' | 'cancel';
/** A request to the router, and the responses to expect. */
export type Question<Result> = CallRequest<CallIdentity> & {
    readonly repetition: Repetition;
    /** Statuses of a success. Default: 200. */
    readonly successes?: readonly number[];
    /** Returns the result, or a description of the expected body. */
    readonly parse: (answer: Answer) => Result | string;
    /** True if the response is the output of a model. */
    readonly isOutput?: boolean;
    /** Undefined if unknown. */
    readonly outputMediaTypes?: readonly string[] | undefined;
    /** Category that a queued request ended with, from its status. */
    readonly endsWith?: KnownCategory | undefined;
};
export type Answer = Answered & {
    readonly identity: CallIdentity;
    readonly url: string;
    readonly response: Response;
    readonly end: (why?: unknown) => void;
    readonly attempts: number;
};
/** Returns how a request is sent and how its responses are interpreted. */
export declare function createPolicy<Result extends object>(question: Question<Result>, call: RouterCall): Policy<CallIdentity, Result>;
