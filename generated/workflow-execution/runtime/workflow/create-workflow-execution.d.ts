/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type CallOptions, type ClientOptions } from '../http/call.js';
import { type Secret } from '../http/credential.js';
import { type MiddlewareOf, type ObserversOf, type OutgoingOf, type PartOf, type RequestEventOf, type ResponseEventOf } from '../http/observers.js';
import { WorkflowError } from './workflow-error.js';
export type WorkflowExecutionOptions = ClientOptions<WorkflowObservers> & {
    /** Without `/api/v2`; `WORKFLOW_EXECUTION_URL` of the environment by default. */
    readonly baseUrl?: string | undefined;
    /**
     * Sent as `Authorization: Bearer`; some deployments need none. A function is called once for each call, and again after a 401.
     * `WORKFLOW_EXECUTION_TOKEN` of the environment by default.
     */
    readonly token?: Secret | undefined;
};
type WorkflowByFormat = 
/** As saved in the editor, with its layout and nodes that only the editor uses. */
{
    readonly format: 'save';
    readonly workflow: Readonly<Record<string, unknown>>;
}
/** The prompt graph that ran. */
 | {
    readonly format: 'api';
    readonly workflow: Readonly<Record<string, unknown>>;
}
/** A later format; `rawFormat` names it. */
 | {
    readonly format: 'unknown';
    readonly rawFormat: string;
    readonly workflow: unknown;
};
/** The workflow behind a job. The answer for a job changes when its saved workflow does, so nothing is kept by job id. */
export type JobWorkflow = WorkflowByFormat & {
    /** The answer as it came: `workflow` rounds integers beyond 2^53, such as seeds of 64 bits. */
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
/** Without a deadline a call ends after 2 minutes. */
export type WorkflowCallOptions = CallOptions;
export type WorkflowExecution = {
    /** The workflow behind a job. Branch on `format`: how the job was submitted decides it. Throws a `WorkflowError`. */
    getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<JobWorkflow>;
    /** Adds a middleware or observers, which see every attempt. The first one that was added is the outermost. */
    use(...parts: readonly WorkflowPart[]): void;
};
export declare function createWorkflowExecution(options?: WorkflowExecutionOptions): WorkflowExecution;
export {};
