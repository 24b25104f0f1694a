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
import { type Part } from './observers.js';
import type { Redactor } from './redactor.js';
import type { GivenHeaders, Transport } from './transport.js';
/** What every call of one client shares; resolved once from its options. `Identity` is who calls what, for errors. */
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
    /** What the calls of the client may repeat together. */
    readonly budget: {
        left: number;
    };
    /** More of a body is not read. */
    readonly maxResponseBytes: number;
    /** How long a stream may give nothing. */
    readonly idleTimeoutMs: number;
    /** The error of the client. */
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
    /** Of a response that broke off later. */
    readonly status?: number | undefined;
    readonly requestId?: string | undefined;
} & ({
    readonly kind: 'local' | 'network' | 'aborted';
} | {
    readonly kind: 'timeout';
    readonly deadlineMs: number;
});
/** What both clients take. */
export type ClientOptions<Observers> = {
    /** Sent with every request. */
    readonly headers?: GivenHeaders | undefined;
    /** Replaces the platform's `fetch`, and is called as that is: with an address and options. */
    readonly fetch?: Transport | undefined;
    /** How often a call is sent while its outcome is unclear or failed; 4 by default. Waits that the service asks for do not count. */
    readonly maxAttempts?: number | undefined;
    readonly observers?: Observers | undefined;
    /** Replaces time and chance in tests. */
    readonly clock?: Clock | undefined;
};
/**
 * The part of a client that both make alike, with the numbers that are `usual`. A misspelled option would change nothing, and its writer
 * would not see it; not a number would compare as false everywhere: no attempt would be the last one.
 */
export declare function readClientOptions<Numbers extends Readonly<Record<string, number>>>(name: string, usual: Numbers, { headers, clock, observers, ...given }: Omit<ClientOptions<object>, 'fetch'>): any;
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
export type Call<Of extends Client<never>> = {
    readonly id: string;
    readonly client: Of;
    /** What events say of it. */
    readonly facts: object;
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
    /** Takes them out of a text, and the latest ones of the client. */
    readonly redact: Redactor;
    /** What its attempts are let in by, read once for all of them. */
    access: Access | undefined;
};
/** What is special about a method. */
export type Method = {
    /** The names of its options beside those of every call. */
    readonly options?: readonly string[];
    /** Its deadline where none is given. */
    readonly usualMs: number;
};
/** What takes no longer than a request and its repetitions. */
export declare const readMs: number;
/** A run: the service may hold one for ten minutes, and it is collected then. */
export declare const runMs: number;
/** What may wait in a queue. */
export declare const queueMs: number;
/** Begins a call, and refuses options that it does not have: a misspelled one would change nothing, and its writer would not see it. */
export declare function startCall<Identity extends object, Of extends Client<Identity>>(client: Of, identity: Identity, options: CallOptions, { options: own, usualMs }: Method): Call<Of>;
/** Does a call, whose start and end observers see. `begin` gives it. */
export declare function watchCall<Begun extends Call<Client<never>>, Result>(begin: () => Begun, work: (call: Begun) => Promise<Result>): Promise<Result>;
export declare const keyIsOption = "a key is an option of its call, not a header";
export declare function namesKey(headers: object): boolean;
