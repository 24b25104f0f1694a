/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Workflow Execution API. Made by switchyard 0.1.0; edits are lost.
 */


export type * from "./runtime/workflow/index.js";
export { createWorkflowExecution, isWorkflowError, knownCodes, safe, WorkflowError } from "./runtime/workflow/index.js";

export type { components, paths } from './api.js';
export { operations } from './operations.js';
export type { OperationDescriptor } from "./runtime/descriptor.js";

/** The known errors, by the word that an answer names. The set is open: others may come. */
export declare const errorCodes: {
  readonly invalid_workflow: { readonly status: 422; readonly meaning: string };
  readonly workflow_format_ui: { readonly status: 422; readonly meaning: string };
  readonly missing_asset: { readonly status: 422; readonly meaning: string };
  readonly hash_mismatch: { readonly status: 409; readonly meaning: string };
  readonly blob_not_found: { readonly status: 404; readonly meaning: string };
  readonly idempotency_key_reuse: { readonly status: 422; readonly meaning: string };
  readonly queue_full: { readonly status: 429; readonly meaning: string };
  readonly insufficient_credits: { readonly status: 402; readonly meaning: string };
  readonly not_found: { readonly status: 404; readonly meaning: string };
  readonly unauthorized: { readonly status: 401; readonly meaning: string };
  readonly forbidden: { readonly status: 403; readonly meaning: string };
  readonly deployment_not_ready: { readonly status: 429; readonly meaning: string };
  readonly deployment_stopped: { readonly status: 422; readonly meaning: string };
  readonly rate_limited: { readonly status: 429; readonly meaning: string };
  readonly upstream_error: { readonly status: 500; readonly meaning: string };
};
