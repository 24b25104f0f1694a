/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { ValidationFailure } from '../descriptor.js';
import type { Failure } from '../http/call.js';
import { type ClientError, type Settled } from '../http/client-error.js';
import { type Body } from '../http/read-body.js';
import { type Redactor } from '../http/redactor.js';
import type { ErrorCategory, QueuedAddresses, ResponseFacts } from './response-facts.js';
export type RouterOperation = 'run' | 'submit' | 'subscribe' | 'resume' | 'status' | 'result' | 'cancel' | 'listModels' | 'readModel' | 'readModelSchema' | 'listPending' | 'forget';
export type FieldFailure = ValidationFailure & {
    readonly input?: unknown;
};
type CommonFacts = {
    readonly operation: RouterOperation;
    /** Missing if the call is not about one model. */
    readonly model?: string;
    /** True if the same call with the same key may succeed. */
    readonly isRetryable: boolean;
    /** True if the call may be billed although it failed. */
    readonly mayBeBilled: boolean;
    /** Key of a billed call, for resuming or repeating it. */
    readonly idempotencyKey?: string;
    readonly queued?: QueuedAddresses;
    /** Number of times that the call was sent. */
    readonly attempts: number;
    /** Status of the response, including that of a stream that ended early. */
    readonly status?: number | undefined;
    readonly requestId?: string | undefined;
};
type WithAnswer = CommonFacts & {
    readonly status: number;
    /** Undefined if a proxy responded instead of the router. */
    readonly requestId: string | undefined;
    readonly category: ErrorCategory;
    readonly retryAfterMs: number | undefined;
    readonly facts: ResponseFacts;
    /** The body if it is JSON, including undocumented members such as `upstream_detail`. Credentials are redacted. */
    readonly body?: unknown;
};
export type RouterErrorFacts = 
/** The router answered with an error. `detail` is safe to show; branch on `category`. */
({
    readonly kind: 'router';
    readonly detail: string;
} & WithAnswer)
/** Fields of the input were rejected. */
 | ({
    readonly kind: 'validation';
    readonly fields: readonly FieldFailure[];
} & WithAnswer)
/** The status is an error, but the body is not from the router: HTML, plain text, truncated or empty. */
 | ({
    readonly kind: 'opaque';
    readonly excerpt: string;
} & WithAnswer)
/** The status is a success, but the body is unreadable or incomplete. `bytes`: the bytes that arrived. */
 | ({
    readonly kind: 'decode';
    readonly excerpt: string;
    readonly bytes?: Uint8Array;
} & WithAnswer)
/** No response. */
 | ({
    readonly kind: 'network';
} & CommonFacts)
/** The deadline of the call passed. */
 | ({
    readonly kind: 'timeout';
    readonly deadlineMs: number;
} & CommonFacts)
/** The caller's signal was aborted. A run may continue. */
 | ({
    readonly kind: 'aborted';
} & CommonFacts)
/** The client rejected the call; `attempts` is 0 if nothing was sent before. */
 | ({
    readonly kind: 'local';
} & CommonFacts);
/** The only error that the client throws; `kind` determines its members. */
export type RouterError = Error & RouterErrorFacts;
export declare const RouterError: ClientError<RouterErrorFacts>;
/** True for an error of this client, or of another copy of its package. */
export declare function isRouterError(value: unknown): value is RouterError;
/** Returns `{ ok: true, …result }` or `{ ok: false, error }`. Rejects for errors that are not of this client. */
export declare const safe: <Result extends object>(call: Promise<Result>) => Promise<Settled<Result, RouterError>>;
/** A failing field: an entry of a 422, or a failure of a validator. */
export type RefusedField = {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
};
/** Returns messages by path, such as `layers[0].kind`, from `fields` of an error or `detail` of a validator. */
export declare function fieldErrors(detail: readonly RefusedField[]): {
    [path: string]: string[];
};
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
export type AnswerFacts = {
    readonly status: number;
    readonly body: Body;
    readonly facts: ResponseFacts;
    readonly category: ErrorCategory;
    readonly response?: Response;
};
export declare const isBilled: ({ operation }: CallIdentity) => boolean;
export declare function createError(identity: CallIdentity, failure: Failure): RouterError;
export declare const createLocalError: (identity: CallIdentity, message: string, cause?: unknown) => RouterError;
/**
 * True if the outcome of the earlier call with this key is final: the response replays its failure, or is a 409 invalid_input,
 * because the result is gone or the key belongs to a different request.
 */
export declare const hasKnownOutcome: ({ status, category, facts, }: Pick<AnswerFacts, "status" | "category" | "facts">) => boolean;
/** Creates the error of an unsuccessful response, or of a success that is unreadable or violates the API. */
export declare function createErrorOfAnswer(identity: CallIdentity, answered: AnswerFacts, options: {
    readonly redact: Redactor;
    readonly attempts: number;
    readonly isRetryable?: boolean;
    /** Why the body of a successful response can't be used. */
    readonly broken?: string | undefined;
    readonly cause?: unknown;
}): RouterError;
export declare const newRunWarning = "a new key starts a new run, which may be billed";
export {};
