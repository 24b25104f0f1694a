/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock } from './clock.js';
import type { Credential } from './credential.js';
import { type Part } from './observers.js';
import type { GivenHeaders, Transport } from './transport.js';
/** What is said of a failure beside its message. */
export type FailureFacts = {
    readonly cause?: unknown;
    /** Work may be under way. */
    readonly isOpen?: boolean | undefined;
    /** Takes secrets out of the message. */
    readonly redact?: (text: string) => string;
    readonly [fact: string]: unknown;
};
/** What every call of one client shares; resolved once from its options. */
export type Connection = {
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
    /** The error of the client for a call; `local` where no kind is given. */
    readonly fail: (call: object, message: string, facts?: FailureFacts) => Error;
};
/** What both clients take. */
export type ClientOptions<Observers> = {
    /** Sent with every request. */
    readonly headers?: GivenHeaders | undefined;
    /** Replaces the platform's `fetch`, and is called as that is: with an address and options. */
    readonly fetch?: Transport | undefined;
    /** How often a call is sent while its outcome is unclear or failed; 4 by default. Waits that the service asks for do not count. */
    readonly maxAttempts?: number | undefined;
    readonly observers?: Observers | undefined;
    /** @deprecated Use `observers`. */
    readonly hooks?: Observers | undefined;
    /** Replaces time and chance in tests. */
    readonly clock?: Clock | undefined;
};
/**
 * The part of a connection that both clients make alike, with the numbers that are `usual`. A misspelled option would change nothing,
 * and nobody would see it; not a number would compare as false everywhere: no attempt would be the last one.
 */
export declare function connectAs<Numbers extends Readonly<Record<string, number>>>(name: string, usual: Numbers, { headers, clock, observers, hooks, ...given }: Omit<ClientOptions<object>, 'fetch'>): Numbers & Pick<Connection, 'headers' | 'clock' | 'parts' | 'budget'>;
export declare const mostBudget = 500;
export declare const repetitionPrice = 14;
export type CallOptions = {
    /** Ends waiting and repeating. Work that was accepted may go on and may be billed. */
    readonly signal?: AbortSignal | undefined;
    /** For the whole call with all its waits, in milliseconds. */
    readonly deadlineMs?: number | undefined;
    /** As in the options of the client, for this call. */
    readonly maxWaitMs?: number | undefined;
    readonly maxAttempts?: number | undefined;
    /** For one attempt, in milliseconds. */
    readonly attemptTimeoutMs?: number | undefined;
    /** Added to those of the client. */
    readonly headers?: GivenHeaders | undefined;
};
/** What one call of a method works with: what its client shares, and its options. */
export type WorkOf<Shared, Options> = Shared & Options & {
    readonly callId: string;
    readonly signal: AbortSignal | undefined;
    readonly deadlineMs: number;
    /** By the elapsed time of the clock; nothing is sent or waited for after it. */
    readonly endsAt: number;
    readonly attemptTimeoutMs?: number | undefined;
};
/** What is special about a method. */
export type Method = {
    /** The names of its options beside those of every call, with a space between. */
    readonly takes?: string;
    /** Its deadline where none is given; a day by default. */
    readonly usualMs?: number;
};
/** What takes no longer than a request and its repetitions. */
export declare const reads: {
    usualMs: number;
};
/** Checks the options of a call: a misspelled one would change nothing, and nobody would see it. */
export declare function startWork<Shared extends Connection, Options>(shared: Shared, facts: object, options: (CallOptions & Options) | undefined, { takes, usualMs }?: Method): WorkOf<Shared, Options>;
export declare const keyIsOption = "a key is an option of its call, not a header";
export declare function namesKey(headers: object): boolean;
/** Does the calls of methods, whose start and end observers see. `facts` is what events and errors say of a call. */
export declare const watchCalls: <Shared extends Connection>(shared: Shared) => <Facts extends object, Options, Result>(facts: Facts, options: (CallOptions & Options) | undefined, run: (work: WorkOf<Shared, Options>, facts: Facts) => Promise<Result>, method?: Method) => Promise<Result>;
