/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Call, type CallState, type Client } from './call.js';
import { type GivenHeaders } from './observers.js';
import { type Body } from './read-body.js';
import { type Redactor } from './redactor.js';
export type CallRequest<Identity> = {
    readonly identity: Identity;
    readonly method?: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    readonly headers?: GivenHeaders;
    readonly body?: string | null;
    /** Timeout of an attempt. Default: one minute. */
    readonly timeoutMs?: number;
    readonly maxBytes?: number;
    /** True to let the caller read the body of a 200 or 201. */
    readonly isStream?: boolean | undefined;
    /** Wall-clock time after which the key must not be sent, and a function that returns the resulting error. */
    readonly expiry?: {
        readonly at: number;
        readonly refuse: (progress: Progress, cause?: unknown) => Error;
    } | undefined;
};
/**
 * Decides when a call is retried. `keyed` and `unkeyed` calls are billed, and `unkeyed` ones are never retried. `read` is
 * free. `poll`, `collect` and `cancel` concern an admitted request; lost responses to a `poll` use up no attempt.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'poll' | 'collect' | 'cancel';
/** Defines how a request is sent and how its responses are interpreted. */
export type Policy<Identity, Result> = CallRequest<Identity> & {
    readonly facts: object;
    readonly repetition: Repetition;
    /** True if the service already works on the call, so that `maxWaitMs` and the retry budget don't apply. */
    readonly isAdmitted?: boolean | undefined;
    /** Waits for a free slot, at most `limitMs`. Returns a function that releases it. */
    readonly acquire?: ((limitMs: number) => Promise<() => void>) | undefined;
    readonly decide: (received: ReceivedResponse, progress: Progress) => Decision<Result>;
};
export type Progress = {
    attempts: number;
    /** True if an attempt of a billed call was sent whose outcome is unknown, so that it may have started a run. */
    mayHaveRun: boolean;
};
/** A response with its body. `end` closes the connection of a stream. */
export type ReceivedResponse = {
    readonly response: Response;
    readonly body: Body;
    readonly end: (why?: unknown) => void;
};
/** The next attempt, after `ms` or a backoff. If the server requested it, it doesn't count against `maxAttempts`. */
export type NextAttempt = {
    readonly isRequested: boolean;
    readonly ms?: number | undefined;
};
/** `facts` and `type` (the error category) are for observers. */
export type Decision<Result> = {
    readonly facts?: object | undefined;
    readonly type?: string | undefined;
} & ({
    readonly result: Result;
} | {
    readonly error: Error;
    readonly next: NextAttempt | undefined;
    readonly mayHaveRun?: boolean;
    readonly isAdmitted?: boolean;
});
/** Sends a call, with retries, until its outcome is known. Only rejects with errors of the client. */
export declare function send<Identity, Result>(call: Call<Client<Identity>>, policy: Policy<Identity, Result>): Promise<Result>;
/** Converts a passed deadline or an abort to an error of the client; returns any other error unchanged. */
export declare function explainEnd<Identity>(error: unknown, identity: Identity, state: CallState, { client, signal, deadlineMs: wholeMs, redact }: Call<Client<Identity>>): unknown;
type LostAttempt = {
    readonly message: string;
    readonly cause: unknown;
    /** True if the server can't have received the request. */
    readonly isUnsent?: boolean;
    /** True if another attempt would fail in the same way. */
    readonly isFinal?: boolean;
} & ({
    readonly kind: 'network' | 'local';
} | {
    readonly kind: 'timeout';
    readonly deadlineMs: number;
});
/** Explains why an attempt got no response. `isSent`: the request was passed to `fetch`. */
export declare function explainLostAttempt(lost: unknown, isSent: boolean, redact: Redactor): LostAttempt;
export {};
