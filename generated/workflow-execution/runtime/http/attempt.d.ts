/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { CallOptions, Connection, WorkOf } from './connection.js';
import type { Credential } from './credential.js';
import { type Body } from './read-body.js';
import { type GivenHeaders } from './transport.js';
/** A request that is sent until its outcome is known. */
export type Sending = {
    /** What events of an attempt say of its call. */
    readonly facts: object;
    /** `GET` by default. */
    readonly method?: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    readonly headers?: GivenHeaders;
    readonly body?: string;
    /** Of one attempt; a minute by default. */
    readonly timeoutMs?: number;
    /** Of a body; the client's `maxResponseBytes` by default. */
    readonly maxBytes?: number;
    /** Leaves the body of a 200 or 201 to the caller. */
    readonly stream?: boolean | undefined;
    /** Of a stream: what is done when it was read to its end, or was not. */
    whenRead?: (isWhole: boolean) => Promise<void>;
    /** Of the first attempt's credential, which all attempts of a key have to use. */
    readonly owner?: string;
    readonly queued?: unknown;
    /** How often it was sent. */
    attempts: number;
    /** An attempt is under way: nobody knows what becomes of it. */
    isOpen?: boolean;
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
/** A response with its body. */
export type Answer = {
    readonly response: Response;
    readonly body: Body;
};
/** What one attempt came to: `facts` and `type`, that of an error, are for observers. */
type Said = {
    readonly facts?: object | undefined;
    readonly type?: string | undefined;
};
export type Verdict<Result> = (Said & {
    readonly result: Result;
}) | Failure;
export type Failure = Said & {
    readonly error: Error;
    readonly next: NextStep;
};
/** What an API makes of attempts. */
export type Dialect<Result> = {
    readonly read: (answer: Answer) => Verdict<Result>;
    /** Of an attempt without an answer. */
    readonly lose: (cause: unknown) => Failure;
    /** Waits for a place, for so long at most; what it gives leaves the place. */
    readonly enter?: ((limitMs: number) => Promise<() => void>) | undefined;
};
export type Work = WorkOf<Connection, CallOptions>;
/** Sends a request once. Redirects are not followed: one would carry the credential to a place that nobody chose. */
export declare function attempt<Result>(call: Sending, { read, lose }: Dialect<Result>, work: Work): unknown;
/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
export declare function readCredential(call: object, work: Work): ReturnType<Credential['current']>;
export {};
