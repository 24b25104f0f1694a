/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Call, type Client, type Failure } from './call.js';
import { type Body } from './read-body.js';
import { type Redactor } from './redactor.js';
import { type GivenHeaders } from './transport.js';
/** A request, and how it may be sent again until its outcome is known. */
export type Policy<Identity, Result> = {
    readonly identity: Identity;
    /** What the events of an attempt have in addition to the attempt. */
    readonly facts: object;
    readonly method?: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    readonly headers?: GivenHeaders;
    readonly body?: string;
    /** For one attempt; a minute by default. */
    readonly timeoutMs?: number;
    /** Largest body; the client's `maxResponseBytes` by default. */
    readonly maxBytes?: number;
    /** Leaves the body of a 200 or 201 to the caller. */
    readonly isStream?: boolean | undefined;
    /** False where sending it again could start a second run. */
    readonly isRepeatable?: boolean;
    /** Sending it may start a run. */
    readonly isBilled?: boolean;
    /** The service works on it already, so that waiting for it costs nothing. */
    readonly isAdmitted?: boolean;
    /** An attempt without an answer does not count. */
    readonly isPoll?: boolean;
    /** When nothing may be sent with its key any more, by the wall clock, and the error for it. */
    readonly expiry?: {
        readonly at: number;
        readonly message: string;
    } | undefined;
    /** Waits for a place, for `limitMs` at most; returns a function that leaves it. */
    readonly enter?: ((limitMs: number) => Promise<() => void>) | undefined;
    /** What an answer means. */
    readonly decide: (answer: Answer, progress: Progress) => Decision<Result>;
};
/** The state of a call that is being sent. */
export type Progress = {
    /** How often it was sent. */
    attempts: number;
    /** An attempt is under way, or may have reached what is billed: nothing that comes later takes that back. */
    isOpen: boolean;
    mayHaveRun: boolean;
};
/** A response with its body, of which a stream can be ended. */
export type Answer = {
    readonly response: Response;
    readonly body: Body;
    readonly end: (why?: unknown) => void;
};
/** An attempt without an answer. */
export type Loss = {
    readonly message: string;
    readonly cause: unknown;
    /** Nothing reached the service. */
    readonly isUnsent: boolean;
    /** Sending it again would end in the same way. */
    readonly isFinal: boolean;
} & ({
    readonly kind: 'network' | 'local';
} | {
    readonly kind: 'timeout';
    readonly deadlineMs: number;
});
/** The next attempt. One that the server told to make uses up no attempt. Without `ms`, back off. */
export type NextAttempt = {
    readonly isTold: boolean;
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
/** Sends a call until its outcome is known. Rejects with errors of its client only. */
export declare function send<Identity, Result>(call: Call<Client<Identity>>, policy: Policy<Identity, Result>): Promise<Result>;
/** The error of a call of which a wait ended with `error`. */
export declare function explainEnd<Identity>(error: unknown, identity: Identity, state: Pick<Failure, 'attempts' | 'isOpen' | 'status' | 'requestId'>, { client, signal, deadlineMs: wholeMs, redact }: Call<Client<Identity>>): unknown;
/** Why an attempt has no answer. */
export declare function explainLoss(lost: unknown, isSent: boolean, redact: Redactor): Loss;
