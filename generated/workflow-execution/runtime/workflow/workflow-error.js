/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { createErrorClass, hasBrand } from '../http/client-error.js';
/** The codes that the API documents name; later ones are kept as they come (WX-COD-27). */
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
/** Whether a value is an error of this client, or of another copy of it. */
export function isWorkflowError(value) {
    return hasBrand(value, 'WorkflowError');
}
/** The error of a call; one that the client itself refused where no kind is given. */
export function fail({ jobId, attempts = 0 }, message, { cause, isOpen: _, redact = String, ...more } = {}) {
    const facts = { kind: 'local', jobId, attempts, isRetryable: false, ...more };
    // Each caller gives what its kind has.
    return new WorkflowError(redact(`workflow of job ${jobId}: ${message}`), facts, cause);
}
