/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type CallOptions, type ClientOptions } from '../http/call.js';
import { type Secret } from '../http/credential.js';
import { type MiddlewareOf, type ObserversOf, type OutgoingOf, type PartOf, type RequestEventOf, type ResponseEventOf } from '../http/observers.js';
import { WorkflowError } from './workflow-error.js';
export type WorkflowExecutionOptions = ClientOptions<WorkflowObservers> & {
    /** Base URL without `/api/v2`. Default: the variable `WORKFLOW_EXECUTION_URL`. */
    readonly baseUrl?: string | undefined;
    /**
     * Sent as `Authorization: Bearer`; some deployments need none. A function is called once for each call, and again after a 401.
     * Default: the variable `WORKFLOW_EXECUTION_TOKEN`.
     */
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
/** Options of a workflow call. Default deadline: 2 minutes. */
export type WorkflowCallOptions = CallOptions;
export type WorkflowExecution = {
    /** Reads the workflow of a job. Its `format` depends on how the job was submitted. Rejects with a `WorkflowError`. */
    getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<JobWorkflow>;
    /** Adds middleware or observers for every attempt. The first middleware is the outermost. */
    use(...parts: readonly WorkflowPart[]): void;
};
export declare function createWorkflowExecution(options?: WorkflowExecutionOptions): WorkflowExecution;
export {};
