/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { createErrorClass, hasBrand, settle } from '../http/client-error.js';
/** The codes of the API documents. The service may add more. */
export const knownCodes = [
    'invalid_workflow',
    'workflow_format_ui',
    'missing_asset',
    'hash_mismatch',
    'blob_not_found',
    'idempotency_key_reuse',
    'queue_full',
    'insufficient_credits',
    'not_found',
    'unauthorized',
    'forbidden',
    'deployment_not_ready',
    'deployment_stopped',
    'rate_limited',
    'upstream_error',
];
export const WorkflowError = /* @__PURE__ */ createErrorClass('WorkflowError');
/** True for an error of this client, or of another copy of it. */
export function isWorkflowError(value) {
    return hasBrand(value, 'WorkflowError');
}
/** Returns the error of a call as a value: `{ ok: true, …result }` or `{ ok: false, error }`. */
export const safe = (call) => settle(call, isWorkflowError);
/** Creates the error of a call that ended without a decisive response. */
export function fail({ jobId }, failure) {
    const { message, cause, attempts = 0, isRetryable = false, isOpen: _, ...kind } = failure;
    return new WorkflowError(writeMessage(jobId, message), { jobId, attempts, isRetryable, ...kind }, cause);
}
export const writeMessage = (jobId, message) => `workflow of job ${jobId}: ${message}`;
