/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Clock, type WaitEnd } from './clock.js';
import { type Access, type Credential } from './credential.js';
import { type Debug } from './debug-log.js';
import { type Part } from './observers.js';
import type { Redactor } from './redactor.js';
import type { GivenHeaders, Transport } from './transport.js';
/** State shared by all calls of a client. `Identity` describes a call in errors. */
export type Client<Identity> = {
    /** Base URL without a trailing slash, and without the common beginning of all paths. */
    readonly baseUrl: string;
    readonly credential: Credential;
    readonly headers: GivenHeaders;
    /** Default: the platform's `fetch`. */
    readonly fetch: Transport | undefined;
    readonly clock: Clock;
    /** Middleware and observers. `use` adds to the list. */
    readonly parts: Part[];
    readonly maxAttempts: number;
    /** Maximum wait of a call before it is admitted. */
    readonly maxWaitMs: number;
    /** Number of retries left, for all calls together. */
    readonly budget: {
        left: number;
    };
    /** Maximum body size in bytes. */
    readonly maxResponseBytes: number;
    /** Maximum time without a byte of a stream. */
    readonly idleTimeoutMs: number;
    /** Creates the error of a call. */
    readonly fail: (identity: Identity, failure: Failure) => Error;
};
/** Progress of a call when it failed. */
export type CallState = {
    readonly attempts?: number;
    /** The service may be working on the call. */
    readonly isOpen?: boolean;
    /** Set if the response broke off later. */
    readonly status?: number | undefined;
    readonly requestId?: string | undefined;
};
/** Why a call failed without a decisive response. */
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
/** The options of both clients. */
export type ClientOptions<Observers> = {
    /** Sent with every request. */
    readonly headers?: GivenHeaders | undefined;
    /** Replaces the platform's `fetch`, and is called with an address and options. */
    readonly fetch?: Transport | undefined;
    /** Maximum number of attempts while the outcome is unclear or failed. Waits that the service asks for don't count. Default: 4. */
    readonly maxAttempts?: number | undefined;
    readonly observers?: Observers | undefined;
    /**
     * True writes every attempt to `console.debug`; a function gets the lines. They have no bodies and no credentials. Default: the
     * variable `MODEL_ROUTER_DEBUG` or `WORKFLOW_EXECUTION_DEBUG`.
     */
    readonly debug?: Debug | undefined;
    /** Replaces time and chance in tests. */
    readonly clock?: Clock | undefined;
};
/** Reads the options that both clients share. `defaults` has the numbers with their defaults. Throws for unknown options and for NaN. */
export declare function readClientOptions<Numbers extends Readonly<Record<string, number>>>(name: string, defaults: Numbers, { headers, fetch, clock, observers, debug, ...given }: ClientOptions<object>): any;
export declare const maxBudget = 500;
export declare const repetitionPrice = 14;
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
/** One call of a method. */
export type Call<Owner extends Client<never>> = {
    readonly id: string;
    readonly client: Owner;
    readonly signal: AbortSignal | undefined;
    readonly deadlineMs: number;
    /** Deadline on the elapsed time of the clock. */
    readonly endsAt: number;
    readonly maxAttempts: number;
    readonly maxWaitMs: number;
    readonly attemptTimeoutMs: number | undefined;
    readonly headers: GivenHeaders;
    /** What ends an attempt that is under way, if it differs: the answer may be needed after the end of the call. */
    readonly attemptEnd?: WaitEnd;
    /** The secrets that its attempts sent. */
    readonly secrets: Set<string>;
    /** Removes these secrets, and the client's latest ones, from a text. */
    readonly redact: Redactor;
    /** Credential of the attempts, read once for all of them. */
    access: Access | undefined;
};
/** The default deadline of a method, and the names of its own options. */
export type Method = {
    readonly defaultMs: number;
    readonly options?: readonly string[];
};
export declare const readMs = 120000;
/** 20 minutes: the service holds a run for at most ten minutes, then its result is collected. */
export declare const runMs = 1200000;
export declare const queueMs = 86400000;
/** Starts a call. Throws for options that the method does not have. */
export declare function startCall<Identity, Owner extends Client<Identity>>(client: Owner, identity: Identity, { defaultMs, options: own }: Method, options?: CallOptions): Call<Owner>;
/** Performs one call of a method. Observers see its start and its end. */
export declare function performCall<Identity extends object, Owner extends Client<Identity>, Result>(client: Owner, identity: Identity, method: Method, options: CallOptions | undefined, work: (call: Call<Owner>) => Promise<Result>): Promise<Result>;
