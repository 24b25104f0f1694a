/** Types and low-level client of the Workflow Execution API. Made by switchyard 0.1.0; edits are lost. */

import type { OperationDescriptor } from './runtime/descriptor.js';

export type { components, paths } from './api.js';
export type { OperationDescriptor } from './runtime/descriptor.js';

/** Every operation of the API, as data. */
export declare const operations: {
  readonly readJobWorkflow: OperationDescriptor<"GET", "/api/v2/jobs/{id}/workflow">;
};
