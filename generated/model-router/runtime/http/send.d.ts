/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Call, type CallState, type Client } from './call.js';
import { type Body } from './read-body.js';
import { type Redactor } from './redactor.js';
import { type GivenHeaders } from './transport.js';
/** A request of a call, as each attempt sends it. */
export type CallRequest<Identity> = {
    readonly identity: Identity;
    readonly method?: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    readonly headers?: GivenHeaders;
    readonly body?: string | null;
    /** Timeout of an attempt. Default: a minute. */
    readonly timeoutMs?: number;
    /** Largest body in bytes. Default: the client's `maxResponseBytes`. */
    readonly maxBytes?: number;
    /** Leaves the body of a 200 or 201 to the caller. */
    readonly isStream?: boolean | undefined;
    /** Time by the wall clock after which the key must not be sent, and the error for it. */
    readonly expiry?: {
        readonly at: number;
        readonly message: string;
    } | undefined;
};
/** How a request is sent, and what its answers mean. */
export type Policy<Identity, Result> = CallRequest<Identity> & {
    /** Members that events of an attempt have in addition. */
    readonly facts: object;
    /** False if another attempt could start a second run. */
    readonly isRepeatable?: boolean;
    /** An attempt may start a run. */
    readonly isBilled?: boolean;
    /** The service already works on the call, so `maxWaitMs` and the retry budget don't apply. */
    readonly isAdmitted?: boolean;
    /** Attempts without a response don't count. */
    readonly isPoll?: boolean;
    /** Waits for a free place, for `limitMs` at most; returns a function that frees it. */
    readonly acquire?: ((limitMs: number) => Promise<() => void>) | undefined;
    readonly decide: (answer: Answer, progress: Progress) => Decision<Result>;
};
/** The state of a call that is being sent. */
export type Progress = {
    /** Number of attempts so far. */
    attempts: number;
    /** An attempt is under way. */
    isOpen: boolean;
    /** An earlier attempt may have started a run. Stays true. */
    mayHaveRun: boolean;
};
/** A response with its body. `end` closes the connection of a stream. */
export type Answer = {
    readonly response: Response;
    readonly body: Body;
    readonly end: (why?: unknown) => void;
};
/** An attempt without a response. */
export type Loss = {
    readonly message: string;
    readonly cause: unknown;
    /** Nothing reached the service. */
    readonly isUnsent: boolean;
    /** Another attempt would fail in the same way. */
    readonly isFinal: boolean;
} & ({
    readonly kind: 'network' | 'local';
} | {
    readonly kind: 'timeout';
    readonly deadlineMs: number;
});
/** The next attempt, after `ms` or a backoff. `isRequested`: the server asked for it, so it doesn't count against `maxAttempts`. */
export type NextAttempt = {
    readonly isRequested: boolean;
    readonly ms?: number | undefined;
};
export type Decision<Result> = {
    /** For observers. */
    readonly facts?: object | undefined;
    /** For observers: the category of an error. */
    readonly type?: string | undefined;
} & ({
    readonly result: Result;
} | {
    readonly error: Error;
    readonly next: NextAttempt | undefined;
    readonly mayHaveRun?: boolean;
    readonly isAdmitted?: boolean;
});
/** Sends a call until its outcome is known. Rejects only with errors of the client. */
export declare function send<Identity, Result>(call: Call<Client<Identity>>, policy: Policy<Identity, Result>): Promise<Result>;
/** Returns the error of a call for a deadline or an abort; every other error is returned itself. */
export declare function explainEnd<Identity>(error: unknown, identity: Identity, state: CallState, { client, signal, deadlineMs: wholeMs, redact }: Call<Client<Identity>>): unknown;
/** Explains why an attempt has no response. */
export declare function explainLoss(lost: unknown, isSent: boolean, redact: Redactor): Loss;
