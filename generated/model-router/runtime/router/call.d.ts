/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { ReadBody } from '../http/read-body.js';
import type { Connection } from './connection.js';
import { type CallIdentity } from './failures.js';
import { type Repetition } from './outcome.js';
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
    /** Leaves the body of a success to the caller. */
    readonly stream?: boolean;
    readonly time: Deadline;
    /** Of the first attempt's credential, which all attempts of a key have to use. */
    readonly owner?: string;
};
export type Deadline = {
    readonly signal: AbortSignal;
    /** Milliseconds since the epoch; nothing is sent or waited for after it. */
    readonly endsAt: number;
    /** As the caller gave it, for the error. */
    readonly deadlineMs: number;
};
export type Answer = {
    readonly response: Response;
    readonly status: number;
    readonly body: ReadBody | {
        readonly kind: 'stream';
    };
    readonly facts: ResponseFacts;
    readonly attempts: number;
};
/** The deadline of a call that begins now. */
export declare function startDeadline({ signal, deadlineMs, }: {
    readonly signal?: AbortSignal;
    readonly deadlineMs?: number;
}, { clock }: Connection, usualMs?: number): Deadline;
/** Sends a call until its outcome is known, as the table of retry outcomes says. Throws a `RouterError`. */
export declare function perform(call: Call, connection: Connection): Promise<Answer>;
/** What a call throws where a wait of it ended with `error`. */
export declare function explainEnd(error: unknown, call: CallIdentity & {
    time: Deadline;
}, attempts: number): unknown;
/** Who a call belongs to, where it is asked for before anything is sent. */
export declare function readOwner(call: CallIdentity, time: Deadline, connection: Connection): Promise<string>;
export declare function anotherOwner(call: CallIdentity, attempts: number): RouterError;
