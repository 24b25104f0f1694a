/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Workflow Execution API. Made by switchyard 0.1.0; edits are lost.
 */

export { createWorkflowExecution, isWorkflowError, knownCodes, safe, WorkflowError } from "./runtime/workflow/index.js";

export { operations } from './operations.js';

export const errorCodes = {
  invalid_workflow: { status: 422, meaning: "The workflow cannot be run as submitted." },
  workflow_format_ui: { status: 422, meaning: "The workflow is in the editor's format and not in the one for running." },
  missing_asset: { status: 422, meaning: "The workflow names an asset that is not there." },
  hash_mismatch: { status: 409, meaning: "The bytes do not have the hash that was given for them." },
  blob_not_found: { status: 404, meaning: "No blob has this hash." },
  idempotency_key_reuse: { status: 422, meaning: "The key was used before." },
  queue_full: { status: 429, meaning: "No more jobs are taken now; comes with Retry-After." },
  insufficient_credits: { status: 402, meaning: "The account has too few credits." },
  not_found: { status: 404, meaning: "Nothing of this id for this caller." },
  unauthorized: { status: 401, meaning: "The credential is missing or not valid." },
  forbidden: { status: 403, meaning: "The caller is known, but not allowed to do this." },
  deployment_not_ready: { status: 429, meaning: "On what is scoped to a deployment. It can still become ready; try again after Retry-After." },
  deployment_stopped: { status: 422, meaning: "On what is scoped to a deployment. Final until an operator acts; do not try again." },
  rate_limited: { status: 429, meaning: "The account has sent more requests than its rate allows; comes with Retry-After." },
  upstream_error: { status: 500, meaning: "Something behind the service failed. Every operation can; the message is general and fit for display." },
};
