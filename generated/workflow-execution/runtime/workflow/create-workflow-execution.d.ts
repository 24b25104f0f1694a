/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock } from '../http/clock.js';
import { type Secret } from '../http/credential.js';
import { type MiddlewareOf, type PartOf } from '../http/middleware.js';
import { type Transport } from '../http/send.js';
import { type Settled } from '../http/settled.js';
import { type JobWorkflow } from './read-answer.js';
import { WorkflowError } from './workflow-error.js';
export type WorkflowExecutionOptions = {
    /** Without `/api/v2`; `WORKFLOW_EXECUTION_URL` of the environment by default. */
    readonly baseUrl?: string | undefined;
    /**
     * Sent as `Authorization: Bearer`; some deployments need none. A function is asked before every attempt.
     * `WORKFLOW_EXECUTION_TOKEN` of the environment by default.
     */
    readonly token?: Secret | undefined;
    /** Sent with every request. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** Replaces the platform's `fetch`, and is called as that is: with an address and options. */
    readonly fetch?: Transport | undefined;
    /** How often a call is sent while it fails; 4 by default. Waits that the service asks for do not count. */
    readonly maxAttempts?: number | undefined;
    readonly observers?: WorkflowObservers | undefined;
    /** @deprecated Use `observers`. */
    readonly hooks?: WorkflowObservers | undefined;
    /** Replaces time and chance in tests. */
    readonly clock?: Clock | undefined;
};
/** Names follow the semantic conventions of OpenTelemetry. Bodies and credentials are never part of an event. */
export type WorkflowObservers = {
    readonly [Name in keyof Events]?: ((event: Events[Name]) => void) | undefined;
};
type Events = {
    onStart: WorkflowCallEvent;
    onEnd: WorkflowCallEvent & {
        readonly durationMs: number /** Absent after a success. */;
        readonly error?: WorkflowError;
    };
    onRequest: WorkflowEvent;
    onResponse: WorkflowEvent;
    onRetry: WorkflowEvent & {
        readonly waitMs: number;
        /** Why it was not the last attempt, such as `500 upstream_error` or `network`. */
        readonly reason: string;
    };
};
/** @deprecated Use `WorkflowObservers`. */
export type WorkflowHooks = WorkflowObservers;
export type WorkflowCallEvent = {
    readonly callId: string;
    readonly operation: 'workflow';
    readonly jobId: string;
};
export type WorkflowEvent = WorkflowCallEvent & {
    /** 1 for the first attempt. */
    readonly attempt: number;
    readonly attributes: {
        readonly 'http.request.method': 'GET';
        readonly 'url.full': string;
        readonly 'http.request.resend_count': number;
        /** Absent when no response arrived, and before it does. */
        readonly 'http.response.status_code'?: number;
    };
};
type AttemptFacts = Omit<WorkflowEvent, 'attributes'>;
export type WorkflowMiddleware = MiddlewareOf<AttemptFacts>;
export type WorkflowCallOptions = {
    readonly signal?: AbortSignal | undefined;
    /** For the whole call with all its waits, in milliseconds; 5 minutes by default. */
    readonly deadlineMs?: number | undefined;
};
type Methods = {
    /** The workflow behind a job. Branch on `format`: how the job was submitted decides it. Throws a `WorkflowError`. */
    getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<JobWorkflow>;
};
export type WorkflowExecution = Methods & {
    /** Adds what sees every attempt: a middleware, or observers. The first one that was added is the outermost. */
    use(...parts: readonly PartOf<AttemptFacts, WorkflowObservers>[]): void;
    /** The same methods; each resolves to `{ ok: true, … }` or `{ ok: false, error }`. */
    readonly safe: {
        getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<Settled<JobWorkflow, WorkflowError>>;
    };
};
export declare function createWorkflowExecution(options?: WorkflowExecutionOptions): WorkflowExecution;
export {};
