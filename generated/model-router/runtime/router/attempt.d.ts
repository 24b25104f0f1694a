/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { GuardedResponse } from '../http/guard-stream.js';
import { type ReadBody } from '../http/read-body.js';
import type { KnownCategory } from './categories.js';
import type { Connection } from './connection.js';
import { type CallIdentity } from './failures.js';
import type { ResponseEvent } from './observers.js';
import type { AttemptOutcome, Repetition } from './outcome.js';
import { type ResponseFacts } from './response-facts.js';
import type { RouterError } from './router-error.js';
export type Call = CallIdentity & {
    readonly repetition: Repetition;
    /** `GET` by default. */
    readonly method?: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Whether a status, with its body, is a result and no error; 200 by default. */
    readonly isSuccess?: (status: number, body: Answer['body']) => boolean;
    /** Of one attempt; a minute by default. */
    readonly timeoutMs?: number;
    /** Of a body; the client's `maxResponseBytes` by default. */
    readonly maxBytes?: number;
    /** Leaves the body of a success to the caller. */
    readonly stream?: boolean;
    /** Of a queued request: what the status said that it ended with. */
    readonly endsWith?: KnownCategory | undefined;
    readonly time: Deadline;
    /** Of the first attempt's credential, which all attempts of a key have to use. */
    readonly owner?: string;
};
export type Deadline = {
    readonly signal: AbortSignal;
    /** By the elapsed time of the clock; nothing is sent or waited for after it. */
    readonly endsAt: number;
    /** As the caller gave it, for the error. */
    readonly deadlineMs: number;
    /** The shortest time between two questions about a queued request, in milliseconds. */
    readonly pollEvery?: number | undefined;
    /** For how long the call may wait before it is admitted. */
    readonly maxWaitMs: number;
    readonly maxAttempts: number;
    readonly attemptTimeoutMs?: number | undefined;
    /** Added to those of the client. */
    readonly headers: Readonly<Record<string, string>>;
};
export type Answer = {
    readonly response: Response;
    readonly status: number;
    readonly body: ReadBody | {
        readonly kind: 'stream';
    };
    readonly facts: ResponseFacts;
    readonly attempts: number;
    /** Of a stream: sets what is done when it was read to its end, or was not. */
    readonly whenRead?: GuardedResponse['whenRead'] | undefined;
};
/** What one attempt of a call ended in. */
export type Attempt = {
    readonly kind: 'success';
    readonly answer: Answer;
} | {
    readonly kind: 'failure';
    readonly outcome: AttemptOutcome;
    /** Whether it may be repeated is known only afterwards. */
    readonly error: (isRetryable: boolean) => RouterError;
    readonly event: ResponseEvent;
};
/** Sends a call once. */
export declare function exchange(call: Call, { attempts, credential }: {
    attempts: number;
    credential: Readonly<Record<string, string>>;
}, connection: Connection): Promise<Attempt>;
