/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type CallOptions, type ClientOptions } from '../http/call.js';
import { type ClientError, type Settled } from '../http/client-error.js';
import { type Secret } from '../http/credential.js';
import { type MiddlewareOf, type ObserversOf, type OutgoingOf, type PartOf, type RequestEventOf, type ResponseEventOf } from '../http/observers.js';
export type { Settled } from '../http/client-error.js';
/** The error codes that the API documents. The service may add more. */
export declare const knownCodes: readonly ["invalid_workflow", "workflow_format_ui", "missing_asset", "hash_mismatch", "blob_not_found", "idempotency_key_reuse", "queue_full", "insufficient_credits", "not_found", "unauthorized", "forbidden", "deployment_not_ready", "deployment_stopped", "rate_limited", "upstream_error"];
export type KnownCode = (typeof knownCodes)[number];
type CommonFacts = {
    readonly jobId: string;
    /** True if the same call may succeed later. */
    readonly isRetryable: boolean;
    readonly attempts: number;
};
type WithAnswer = CommonFacts & {
    readonly status: number;
    readonly retryAfterMs: number | undefined;
};
export type WorkflowErrorFacts = ({
    readonly kind: 'workflow';
    /** Undefined if the code is unknown; `rawCode` always has it. */
    readonly code: KnownCode | undefined;
    readonly rawCode: string;
    /** `code` and `rawCode`, under the names that the Model Router client uses. */
    readonly category: {
        readonly known: KnownCode | undefined;
        readonly body: string;
    };
    /** Missing if the service sent none, or null. */
    readonly details?: Readonly<Record<string, unknown>>;
    /** Unknown members of the error body. */
    readonly unknownMembers: Readonly<Record<string, unknown>>;
} & WithAnswer)
/** The status is an error, but the body is not from the API: HTML, plain text, truncated or empty. */
 | ({
    readonly kind: 'opaque';
    readonly excerpt: string;
} & WithAnswer)
/** A success whose body is not a workflow. The body is not shown, because workflows may contain credentials. */
 | ({
    readonly kind: 'decode';
} & WithAnswer) | ({
    readonly kind: 'network';
} & CommonFacts) | ({
    readonly kind: 'timeout';
    readonly deadlineMs: number;
} & CommonFacts) | ({
    readonly kind: 'aborted';
} & CommonFacts)
/** The call was rejected before anything was sent. */
 | ({
    readonly kind: 'local';
} & CommonFacts);
/** The only error that the client throws; `kind` determines its members. */
export type WorkflowError = Error & WorkflowErrorFacts;
export declare const WorkflowError: ClientError<WorkflowErrorFacts>;
/** True for an error of this client, or of another copy of its package. */
export declare function isWorkflowError(value: unknown): value is WorkflowError;
/** Returns the error of a call as a value: `{ ok: true, …result }` or `{ ok: false, error }`. */
export declare const safe: <Result extends object>(call: Promise<Result>) => Promise<Settled<Result, WorkflowError>>;
export type WorkflowExecutionOptions = ClientOptions<WorkflowObservers> & {
    /** Base URL without `/api/v2`. Default: the variable `WORKFLOW_EXECUTION_URL`. */
    readonly baseUrl?: string | undefined;
    /** Bearer token. A function is called for each call and after a 401. Default: variable `WORKFLOW_EXECUTION_TOKEN`. */
    readonly token?: Secret | undefined;
};
type WorkflowByFormat = 
/** Workflow of the editor, with its layout and nodes that only the editor uses. */
{
    readonly format: 'save';
    readonly workflow: Readonly<Record<string, unknown>>;
}
/** Prompt graph that ran. */
 | {
    readonly format: 'api';
    readonly workflow: Readonly<Record<string, unknown>>;
}
/** Format that this client doesn't support. */
 | {
    readonly format: 'unknown';
    readonly rawFormat: string;
    readonly workflow: unknown;
};
/** Workflow of a job. It changes with the saved workflow, so the client doesn't cache it. */
export type JobWorkflow = WorkflowByFormat & {
    /** Text of the response, because `workflow` rounds integers beyond 2^53, such as 64-bit seeds. */
    readonly text: string;
};
type CallFacts = {
    readonly operation: 'workflow';
    readonly jobId: string;
};
export type WorkflowCallEvent = CallFacts & {
    readonly callId: string;
};
export type WorkflowEvent = ResponseEventOf<CallFacts>;
export type WorkflowObservers = ObserversOf<CallFacts, RequestEventOf<CallFacts>, WorkflowEvent, WorkflowError>;
type Outgoing = OutgoingOf<RequestEventOf<CallFacts>>;
export type WorkflowMiddleware = MiddlewareOf<Outgoing>;
export type WorkflowPart = PartOf<Outgoing, WorkflowObservers>;
/** Default deadline: 2 minutes. */
export type WorkflowCallOptions = CallOptions;
export type WorkflowExecution = {
    /** Reads the workflow of a job. Its `format` depends on how the job was submitted. Rejects with a `WorkflowError`. */
    getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<JobWorkflow>;
    /** Adds middleware or observers for every attempt. The first middleware is the outermost. */
    use(...parts: readonly WorkflowPart[]): void;
};
export declare function createWorkflowExecution(options?: WorkflowExecutionOptions): WorkflowExecution;
