/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock } from './clock.js';
import { type Access, type Credential } from './credential.js';
import { type Debug } from './debug-log.js';
import { type Part } from './observers.js';
import type { Redactor } from './redactor.js';
import type { GivenHeaders, Transport } from './transport.js';
/** The state that every call of a client shares; resolved once from its options. `Identity` names a call in errors. */
export type Client<Identity> = {
    /** Without a slash at its end, and without the part that every path begins with. */
    readonly baseUrl: string;
    readonly credential: Credential;
    readonly headers: GivenHeaders;
    readonly fetch: Transport;
    readonly clock: Clock;
    /** Middleware and observers; the list grows with what the program adds later. */
    readonly parts: Part[];
    readonly maxAttempts: number;
    /** How long a call may wait before it is admitted. */
    readonly maxWaitMs: number;
    /** The repetitions that the calls of the client may make together. */
    readonly budget: {
        left: number;
    };
    /** Largest body that is read. */
    readonly maxResponseBytes: number;
    /** How long a stream may give nothing. */
    readonly idleTimeoutMs: number;
    /** Makes the error of the client. */
    readonly fail: (identity: Identity, failure: Failure) => Error;
};
/** Why a call failed that no answer decided. */
export type Failure = {
    readonly message: string;
    readonly cause?: unknown;
    /** How often it was sent. */
    readonly attempts?: number;
    readonly isRetryable?: boolean;
    /** Work may be under way at the service. */
    readonly isOpen?: boolean;
    /** For a response that broke off later. */
    readonly status?: number | undefined;
    readonly requestId?: string | undefined;
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
    /** Replaces the platform's `fetch`, and is called in the same way: with an address and options. */
    readonly fetch?: Transport | undefined;
    /** How often a call is sent while its outcome is unclear or failed; 4 by default. Waits that the service asks for do not count. */
    readonly maxAttempts?: number | undefined;
    readonly observers?: Observers | undefined;
    /**
     * True writes every attempt to `console.debug`, a function takes the lines; without bodies and credentials. By default the variable
     * `MODEL_ROUTER_DEBUG` or `WORKFLOW_EXECUTION_DEBUG` of the environment decides.
     */
    readonly debug?: Debug | undefined;
    /** Replaces time and chance in tests. */
    readonly clock?: Clock | undefined;
};
/**
 * Reads the options that both clients share; `usual` has the numbers and their defaults. A misspelled option would have no effect that
 * its writer sees, and NaN would compare as false everywhere, so both are refused.
 */
export declare function readClientOptions<Numbers extends Readonly<Record<string, number>>>(name: string, usual: Numbers, { headers, clock, observers, debug, ...given }: Omit<ClientOptions<object>, 'fetch'>): any;
export declare const mostBudget = 500;
export declare const repetitionPrice = 14;
export type CallOptions = {
    /** Ends waiting and repeating. Work that was accepted may go on and may be billed. */
    readonly signal?: AbortSignal | undefined;
    /** For the whole call with all its waits. */
    readonly deadlineMs?: number | undefined;
    /** As in the options of the client, for this call. */
    readonly maxWaitMs?: number | undefined;
    readonly maxAttempts?: number | undefined;
    /** For one attempt. */
    readonly attemptTimeoutMs?: number | undefined;
    /** Added to those of the client. */
    readonly headers?: GivenHeaders | undefined;
};
/** One call of a method. */
export type Call<Owner extends Client<never>> = {
    readonly id: string;
    readonly client: Owner;
    readonly signal: AbortSignal | undefined;
    readonly deadlineMs: number;
    /** By the elapsed time of the clock; nothing is sent or waited for after it. */
    readonly endsAt: number;
    readonly maxAttempts: number;
    readonly maxWaitMs: number;
    readonly attemptTimeoutMs: number | undefined;
    readonly headers: GivenHeaders;
    /** The secrets that its attempts sent. */
    readonly secrets: Set<string>;
    /** Takes them and the latest ones of the client out of a text. */
    readonly redact: Redactor;
    /** The credential of its attempts, read once for all of them. */
    access: Access | undefined;
};
/** The deadline of a method by default, and the names of its options other than those of every call. */
export type Method = {
    readonly usualMs: number;
    readonly options?: readonly string[];
};
/** For what takes no longer than a request and its repetitions. */
export declare const readMs: number;
/** For a run: the service may hold one for ten minutes, and it is collected then. */
export declare const runMs: number;
/** For what may wait in a queue. */
export declare const queueMs: number;
/** Begins a call. Throws for options that the method does not have. */
export declare function startCall<Identity, Owner extends Client<Identity>>(client: Owner, identity: Identity, { usualMs, options: own }: Method, options?: CallOptions): Call<Owner>;
/** Does one call of a method, whose start and end observers see. */
export declare function performCall<Identity extends object, Owner extends Client<Identity>, Result>(client: Owner, identity: Identity, method: Method, options: CallOptions | undefined, work: (call: Call<Owner>) => Promise<Result>): Promise<Result>;
export declare const keyIsOption = "a key is an option of its call, not a header";
export declare function namesKey(headers: object): boolean;
