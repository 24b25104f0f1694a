/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { Failure } from '../http/call.js';
import { type Body } from '../http/read-body.js';
import { type Redactor } from '../http/redactor.js';
import type { Category, QueuedAddresses, ResponseFacts } from './response-facts.js';
import { RouterError, type RouterOperation } from './router-error.js';
/** The call that an error describes. */
export type CallIdentity = {
    readonly operation: RouterOperation;
    readonly model?: string | undefined;
    readonly idempotencyKey?: string | undefined;
    readonly queued?: QueuedAddresses | undefined;
    /** From the model's facts; undefined means possibly charged. */
    readonly chargesOnPolicyRejection?: string | undefined;
    /** True if the router checks the input before it calls a provider. */
    readonly inputAuthored?: boolean | undefined;
    /** True if an earlier call with this key may have reached a provider. */
    readonly mayHaveRun?: boolean | undefined;
};
/** Part of a response that errors contain. */
export type Answered = {
    readonly status: number;
    readonly body: Body;
    readonly facts: ResponseFacts;
    readonly category: Category;
    readonly response?: Response;
};
export declare const isBilled: ({ operation }: CallIdentity) => boolean;
/** Creates the error of a call that ended without a decisive response. */
export declare function fail(identity: CallIdentity, failure: Failure): RouterError;
/** Creates the error of a call that the client rejects. */
export declare const refuse: (identity: CallIdentity, message: string, cause?: unknown) => RouterError;
/** Converts an error of the key store into an error of the client. */
export declare function fromStore<Result>(work: Promise<Result>, identity: CallIdentity): Promise<Result>;
export type AnsweredOptions = {
    readonly redact: Redactor;
    readonly attempts: number;
    readonly isRetryable?: boolean;
    /** True if an earlier attempt may have reached a provider. */
    readonly mayHaveRun?: boolean;
    /** Reason why a success can't be used. */
    readonly broken?: string | undefined;
    readonly cause?: unknown;
};
/** Creates the error of an unsuccessful response, or of a success that is unreadable or violates the API. */
export declare function failAnswered(identity: CallIdentity, answered: Answered, options: AnsweredOptions): RouterError;
export declare const newRun = "a new key starts a new run, which may be billed";
