/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type CallOptions, type Connection, type WorkOf } from './connection.js';
import type { Credential } from './credential.js';
import { type Sent } from './send.js';
/** A request that is sent until its outcome is known. */
export type Sending = {
    /** What events of an attempt say of its call. */
    readonly facts: object;
    /** `GET` by default. */
    readonly method?: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Of one attempt; a minute by default. */
    readonly timeoutMs?: number;
    /** Of a body; the client's `maxResponseBytes` by default. */
    readonly maxBytes?: number;
    /** Leaves the body of a success to the caller. */
    readonly stream?: boolean | undefined;
    /** Of the first attempt's credential, which all attempts of a key have to use. */
    readonly owner?: string;
    readonly queued?: unknown;
    /** How often it was sent. */
    attempts: number;
    /** The service works on it, so that waiting for it costs nothing. */
    isAdmitted: boolean;
};
/**
 * What follows an attempt that failed; nothing where it is final. As `isTold` by the server, a repetition uses up no attempt.
 * Without `seconds`, back off.
 */
export type NextStep = {
    readonly isTold: boolean;
    readonly seconds?: number | undefined;
} | undefined;
/** What one attempt came to. */
export type Verdict<Result> = {
    /** For observers. */
    readonly event: {
        readonly facts?: object | undefined;
        readonly attributes: {
            readonly [name: string]: string | number;
        };
    };
} & ({
    readonly result: Result;
} | {
    readonly error: Error;
    readonly next: NextStep;
});
/** What an API makes of attempts. */
export type Dialect<Result> = {
    readonly read: (sent: Exclude<Sent, {
        kind: 'unsendable';
    }>) => Verdict<Result>;
    /** Waits for a place, for so long at most; what it gives leaves the place. */
    readonly enter?: ((limitMs: number) => Promise<() => void>) | undefined;
};
type Work = WorkOf<Connection, CallOptions>;
/** Sends a request until its outcome is known. Throws errors of its client only. */
export declare function perform<Result>(call: Sending, dialect: Dialect<Result>, work: Work): Promise<Result>;
/** What a call throws where a wait of it ended with `error`. */
export declare function explainEnd(error: unknown, call: {
    readonly attempts?: number;
}, work: Work): unknown;
/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
export declare function readCredential(call: object, work: Work): ReturnType<Credential['current']>;
/** The code of a cause, and what it says of the connection: whether nothing was sent, and whether it will be so again. */
export declare function explainCause(cause: unknown): {
    code: string;
    isUnsent: boolean;
    isFinal: boolean;
};
/** The same of a lost attempt, in words and with its kind. */
export declare function explainLoss({ cause, timeoutMs }: Extract<Sent, {
    kind: 'lost';
}>): ReturnType<typeof explainCause> & {
    readonly text: string;
    readonly kind: {
        readonly kind: 'network' | 'timeout';
        readonly deadlineMs?: number;
    };
};
export {};
