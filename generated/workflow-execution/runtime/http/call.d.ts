/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Clock, type TimeLimit } from './clock.js';
import { type Access, type Credential } from './credential.js';
import { type Debug, type GivenHeaders, type Part, type Transport } from './observers.js';
import type { Redactor } from './redactor.js';
export type Client<Identity> = {
    /** Base URL without a trailing slash, and without the prefix that all paths share. */
    readonly baseUrl: string;
    readonly credential: Credential;
    readonly headers: GivenHeaders;
    readonly fetch: Transport | undefined;
    readonly clock: Clock;
    readonly parts: Part[];
    readonly maxAttempts: number;
    readonly maxWaitMs: number;
    /** Tokens left for the retries of all calls: at most `maxBudget`; a retry costs `retryCost`. */
    readonly budget: {
        left: number;
    };
    readonly maxResponseBytes: number;
    readonly fail: (identity: Identity, failure: Failure) => Error;
};
export type CallState = {
    readonly attempts?: number;
    /** True if an attempt may have started a run. */
    readonly mayHaveRun?: boolean;
    readonly status?: number | undefined;
    readonly requestId?: string | undefined;
};
export type Failure = CallState & {
    readonly message: string;
    readonly cause?: unknown;
    readonly isRetryable?: boolean;
} & ({
    readonly kind: 'local' | 'network' | 'aborted';
} | {
    readonly kind: 'timeout';
    readonly deadlineMs: number;
});
export type ClientOptions<Observers> = {
    readonly headers?: GivenHeaders | undefined;
    /** Replaces the platform's `fetch`. Called as `fetch(url, init)`. */
    readonly fetch?: Transport | undefined;
    /** Maximum number of failed or unclear attempts. Retries that the service requests don't count. Default: 4. */
    readonly maxAttempts?: number | undefined;
    readonly observers?: Observers | undefined;
    /** Logs every attempt, without bodies. Default: the variable `MODEL_ROUTER_DEBUG` or `WORKFLOW_EXECUTION_DEBUG`. */
    readonly debug?: Debug | undefined;
    /** Replaces time and randomness in tests. */
    readonly clock?: Clock | undefined;
};
/** Reads the options that both clients share. `defaults`: the numeric options. Throws for invalid and unknown ones. */
export declare function readClientOptions<Numbers extends Readonly<Record<string, number>>>(name: string, defaults: Numbers, { headers, fetch, clock, observers, debug, ...given }: ClientOptions<object>): any;
export declare const maxBudget = 500;
export declare const retryCost = 14;
export type CallOptions = {
    /** Stops waiting and retrying. Accepted work may continue and may be billed. */
    readonly signal?: AbortSignal | undefined;
    /** Deadline for the whole call, including all waits. */
    readonly deadlineMs?: number | undefined;
    /** Overrides the client's option for this call. */
    readonly maxWaitMs?: number | undefined;
    readonly maxAttempts?: number | undefined;
    /** Timeout of a single attempt. */
    readonly attemptTimeoutMs?: number | undefined;
    /** Added to the client's headers. */
    readonly headers?: GivenHeaders | undefined;
};
export type Call<Owner extends Client<never>> = TimeLimit & {
    readonly id: string;
    readonly client: Owner;
    readonly deadlineMs: number;
    readonly maxAttempts: number;
    readonly maxWaitMs: number;
    readonly attemptTimeoutMs: number | undefined;
    readonly headers: GivenHeaders;
    readonly secrets: Set<string>;
    /** Removes `secrets`, and the latest secrets of the client, from a text. */
    readonly redact: Redactor;
    /** Credential of all attempts, read once. */
    access: Access | undefined;
};
export type Method = {
    readonly defaultMs: number;
    readonly options?: readonly string[];
};
export declare const readDeadlineMs = 120000;
/** 20 minutes: the service holds a run for at most 10 minutes, and its result may have to be collected afterwards. */
export declare const runDeadlineMs = 1200000;
export declare const queueDeadlineMs = 86400000;
/** Starts a call. Throws for options that the method doesn't have. */
export declare function startCall<Identity, Owner extends Client<Identity>>(client: Owner, identity: Identity, { defaultMs, options: ownOptions }: Method, options?: CallOptions): Call<Owner>;
export declare function performCall<Identity extends object, Owner extends Client<Identity>, Result>(client: Owner, identity: Identity, method: Method, options: CallOptions | undefined, work: (call: Call<Owner>) => Promise<Result>): Promise<Result>;
