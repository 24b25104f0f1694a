/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { CallRequest, Policy, Repetition } from '../http/send.js';
import type { RouterCall } from './connection.js';
import { type KnownCategory } from './response-facts.js';
import { type AnswerFacts, type CallIdentity } from './router-error.js';
export type RequestSpec<Result> = CallRequest<CallIdentity> & {
    readonly repetition: Repetition;
    /** Statuses that mean success. Default: 200. */
    readonly successes?: readonly number[];
    /** Returns the result, or a description of the expected body. */
    readonly parse: (answer: Answer) => Result | string;
    readonly isOutput?: boolean;
    readonly outputMediaTypes?: readonly string[] | undefined;
    /** Category that a queued request ended with, from its status. */
    readonly endsWith?: KnownCategory | undefined;
};
export type Answer = AnswerFacts & {
    readonly identity: CallIdentity;
    readonly url: string;
    readonly response: Response;
    readonly end: (why?: unknown) => void;
    readonly attempts: number;
};
/** Completes a specification: how the request is sent, and how its responses are interpreted. */
export declare function createPolicy<Result extends object>(spec: RequestSpec<Result>, call: RouterCall): Policy<CallIdentity, Result>;
