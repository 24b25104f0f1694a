/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { Failure } from '../http/call.js';
import { type ClientError, type Settled } from '../http/client-error.js';
/** The codes of the API documents. The service may add more. */
export declare const knownCodes: readonly ["invalid_workflow", "workflow_format_ui", "missing_asset", "hash_mismatch", "blob_not_found", "idempotency_key_reuse", "queue_full", "insufficient_credits", "not_found", "unauthorized", "forbidden", "deployment_not_ready", "deployment_stopped", "rate_limited", "upstream_error"];
export type KnownCode = (typeof knownCodes)[number];
type Every = {
    readonly jobId: string;
    /** True if the same call may succeed later. */
    readonly isRetryable: boolean;
    readonly attempts: number;
};
type Answered = Every & {
    readonly status: number;
    readonly retryAfterMs: number | undefined;
};
/** The members of an error, by kind. */
export type WorkflowErrorFacts = ({
    readonly kind: 'workflow';
    /** Undefined for an unknown code, which is in `rawCode`. */
    readonly code: KnownCode | undefined;
    readonly rawCode: string;
    /** `code` and `rawCode`, with the names of the Model Router client. */
    readonly category: {
        readonly known: KnownCode | undefined;
        readonly body: string;
    };
    /** Missing if the service sent none, or null. */
    readonly details?: Readonly<Record<string, unknown>>;
    /** Unknown members of the error body. */
    readonly unknownMembers: Readonly<Record<string, unknown>>;
} & Answered)
/** The status is an error, and the body is not one of the API: HTML, plain text, truncated or empty. */
 | ({
    readonly kind: 'opaque';
    readonly excerpt: string;
} & Answered)
/**
 * The status is a success, but the body is not a workflow. The body is not shown, because workflows may contain
 * credentials.
 */
 | ({
    readonly kind: 'decode';
} & Answered) | ({
    readonly kind: 'network';
} & Every) | ({
    readonly kind: 'timeout';
    readonly deadlineMs: number;
} & Every) | ({
    readonly kind: 'aborted';
} & Every)
/** The call was rejected before anything was sent. */
 | ({
    readonly kind: 'local';
} & Every);
/** The only error that the client throws; `kind` determines its members. */
export type WorkflowError = Error & WorkflowErrorFacts;
export declare const WorkflowError: ClientError<WorkflowErrorFacts>;
/** True for an error of this client, or of another copy of it. */
export declare function isWorkflowError(value: unknown): value is WorkflowError;
/** Returns the error of a call as a value: `{ ok: true, …result }` or `{ ok: false, error }`. */
export declare const safe: <Result extends object>(call: Promise<Result>) => Promise<Settled<Result, WorkflowError>>;
/** Creates the error of a call that ended without a decisive response. */
export declare function fail({ jobId }: {
    readonly jobId: string;
}, failure: Failure): WorkflowError;
export declare const writeMessage: (jobId: string, message: string) => string;
export {};
