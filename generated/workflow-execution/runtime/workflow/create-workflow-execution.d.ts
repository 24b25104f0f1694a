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
import { type Fetch } from '../http/send.js';
import { type JobWorkflow } from './read-answer.js';
export type WorkflowExecutionOptions = {
    /** Without `/api/v2`. */
    readonly baseUrl: string;
    /** Sent as `Authorization: Bearer`; some deployments need none. A function is asked before every attempt. */
    readonly token?: Secret;
    /** Sent with every request. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Replaces the platform's `fetch`. */
    readonly fetch?: Fetch;
    /** How often a call is sent while it fails; 4 by default. Waits that the service asks for do not count. */
    readonly maxAttempts?: number;
    readonly observers?: WorkflowObservers;
    /** @deprecated Use `observers`. */
    readonly hooks?: WorkflowObservers;
    /** Replaces time and chance in tests. */
    readonly clock?: Clock;
};
/** Names follow the semantic conventions of OpenTelemetry. Bodies and credentials are never part of an event. */
export type WorkflowObservers = {
    readonly onResponse?: (event: WorkflowEvent) => void;
    readonly onRetry?: (event: WorkflowEvent & {
        readonly waitMs: number;
    }) => void;
};
/** @deprecated Use `WorkflowObservers`. */
export type WorkflowHooks = WorkflowObservers;
export type WorkflowEvent = {
    readonly jobId: string;
    readonly attributes: {
        readonly 'http.request.method': 'GET';
        readonly 'url.full': string;
        readonly 'http.request.resend_count': number;
        /** Absent when no response arrived. */
        readonly 'http.response.status_code'?: number;
    };
};
export type WorkflowCallOptions = {
    readonly signal?: AbortSignal;
    /** For the whole call with all its waits, in milliseconds; 5 minutes by default. */
    readonly deadlineMs?: number;
};
export type WorkflowExecution = {
    /** The workflow behind a job. Branch on `format`: how the job was submitted decides it. Throws a `WorkflowError`. */
    getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<JobWorkflow>;
};
export declare function createWorkflowExecution(options: WorkflowExecutionOptions): WorkflowExecution;
