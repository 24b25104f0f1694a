/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Workflow Execution API. Made by switchyard 0.1.0; edits are lost.
 */

import type { OperationDescriptor } from "./runtime/descriptor.js";

/** Every operation of the API, as data. */
export declare const operations: {
  readonly readJobWorkflow: OperationDescriptor<"GET", "/api/v2/jobs/{id}/workflow">;
};
