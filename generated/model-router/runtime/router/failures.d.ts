/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Failure } from '../http/call.js';
import { type Body } from '../http/read-body.js';
import { type Redactor } from '../http/redactor.js';
import type { Category, EndedState, QueuedAddresses, ResponseFacts } from './response-facts.js';
import { RouterError, type RouterOperation } from './router-error.js';
/** The call that an error is about. */
export type CallIdentity = {
    readonly operation: RouterOperation;
    readonly model?: string | undefined;
    readonly idempotencyKey?: string | undefined;
    readonly queued?: QueuedAddresses | undefined;
    /** From the model's facts; undefined counts as possibly charged. */
    readonly chargesOnPolicyRejection?: string | undefined;
    /** True where the router checks the input before any provider sees it; undefined counts as no. */
    readonly inputAuthored?: boolean | undefined;
    /** An earlier call may have reached a provider with this key. */
    readonly mayHaveRun?: boolean | undefined;
};
/** A response, as far as an error shows it. */
export type Answered = {
    readonly status: number;
    readonly body: Body;
    readonly facts: ResponseFacts;
    readonly category: Category;
    readonly response?: Response;
};
export declare const isBilled: ({ operation }: CallIdentity) => boolean;
/** The error of a call that no answer decided. */
export declare function fail(identity: CallIdentity, failure: Failure): RouterError;
/** The error of what the client refuses itself. */
export declare const refuse: (identity: CallIdentity, message: string, cause?: unknown) => RouterError;
/** Turns an error of the key store into one of the client. */
export declare function fromStore<Result>(work: Promise<Result>, identity: CallIdentity): Promise<Result>;
export type AnsweredOptions = {
    readonly redact: Redactor;
    readonly attempts: number;
    readonly isRetryable?: boolean;
    /** An earlier attempt may have reached a provider. */
    readonly mayHaveRun?: boolean;
    /** What is wrong with a success. */
    readonly broken?: string | undefined;
    readonly cause?: unknown;
};
/** The error of a response that is not a success, or of a success that cannot be read or breaks a promise of the API. */
export declare function failAnswered(identity: CallIdentity, answered: Answered, options: AnsweredOptions): RouterError;
/** The error of a queued request that completed without a result. It may have been billed, also after a cancellation. */
export declare function failEnded(identity: CallIdentity, { category, facts }: EndedState, cause?: unknown): RouterError;
export declare const newRun = "a new key starts a new run, which may be billed";
