/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type ReadBody } from '../http/read-body.js';
import { WorkflowError } from './workflow-error.js';
/** The workflow behind a job. The answer for a job changes when its saved workflow does, so nothing is kept by job id. */
export type JobWorkflow = 
/** As saved in the editor, with its layout and nodes that only the editor knows. */
{
    readonly format: 'save';
    readonly workflow: Readonly<Record<string, unknown>>;
}
/** The prompt graph that ran. */
 | {
    readonly format: 'api';
    readonly workflow: Readonly<Record<string, unknown>>;
}
/** A shape of later days; `rawFormat` names it. As nothing is known of it, no workflow can be read before its format is. */
 | {
    readonly format: 'unknown';
    readonly rawFormat: string;
    readonly workflow: unknown;
};
export type AnsweredCall = {
    readonly jobId: string;
    readonly status: number;
    readonly body: ReadBody;
    readonly retryAfterSeconds: number | undefined;
    readonly attempts: number;
};
/** Undefined when the body is no job workflow. */
export declare function readJobWorkflow(body: ReadBody): JobWorkflow | undefined;
export declare function readFailure({ body, ...answered }: AnsweredCall, redact: (text: string) => string): WorkflowError;
