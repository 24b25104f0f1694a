/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type ReadBody } from '../http/read-body.js';
import { type Category } from './categories.js';
import { type ResponseFacts } from './response-facts.js';
import { type QueuedAddresses, RouterError, type RouterOperation } from './router-error.js';
/** Who calls what, for the error. */
export type CallIdentity = {
    readonly operation: RouterOperation;
    readonly model?: string | undefined;
    readonly key?: string | undefined;
    readonly queued?: QueuedAddresses | undefined;
    /** What the model's facts say about a refusal by content policy; undefined counts as possibly charged. */
    readonly chargesOnPolicyRejection?: string | undefined;
    /** Whether the router checks the input before any provider sees it; undefined counts as no. */
    readonly inputAuthored?: boolean | undefined;
    /** What the response of a run may be, where that is known. */
    readonly mediaTypes?: readonly string[] | undefined;
    /** An earlier attempt may have reached a provider. */
    readonly mayHaveRun?: boolean | undefined;
};
type Redact = (text: string) => string;
export type Answered = {
    readonly status: number;
    readonly body: ReadBody;
    readonly facts: ResponseFacts;
    readonly category: Category;
    /** Of a redirect. */
    readonly location?: string | undefined;
};
/** Refused by the client itself. */
export declare function localFailure(call: CallIdentity, message: string, { cause, attempts }?: {
    cause?: unknown;
    attempts?: number;
}): RouterError;
/** The key store did not do what a call needs. */
export declare function storeFailure(call: CallIdentity, message: string, cause: unknown): RouterError;
/** What a lost attempt says of the connection: whether nothing was sent, and whether it will be so again. */
export declare function readLoss(cause: unknown): {
    readonly isUnsent: boolean;
    readonly isFinal: boolean;
};
/** No response, or one that broke off: the work may have been accepted, unless no attempt got a connection. */
export declare function lostFailure(call: CallIdentity, { attempts, redact, timeoutMs }: {
    attempts: number;
    redact: Redact;
    timeoutMs?: number | undefined;
}, cause: unknown): RouterError;
/** The signal was aborted, or the time for the whole call is over. */
export declare function stoppedFailure(call: CallIdentity, { attempts, deadlineMs, reason }: {
    attempts: number;
    deadlineMs?: number;
    reason?: string;
}, cause?: unknown): RouterError;
/** A response that is no success, or a success that cannot be read. */
export declare function answeredFailure(call: CallIdentity, answered: Answered, { attempts, isRetryable, isSuccess, redact, }: {
    attempts: number;
    isRetryable: boolean;
    isSuccess: boolean;
    redact: Redact;
}): RouterError;
/** A success whose body is readable and breaks a promise of the API. */
export declare function protocolFailure(call: CallIdentity, { status, facts, attempts }: {
    status: number;
    facts: ResponseFacts;
    attempts: number;
}, message: string): RouterError;
/** A queued request that completed without a result. Whether it was billed is open, also after a cancellation. */
export declare function endedFailure(call: CallIdentity, { category, facts }: {
    category: Category;
    facts: ResponseFacts;
}, cause?: unknown): RouterError;
export declare function categorise(headers: Headers, body: ReadBody | {
    kind: 'stream';
}, { brand, redact }: {
    brand: string;
    redact: Redact;
}): Category;
export {};
