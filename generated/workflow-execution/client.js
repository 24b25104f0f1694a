/** Client and types of the Workflow Execution API. Made by switchyard 0.1.0; edits are lost. */

import { createPathsClient } from './runtime/paths-client.js';

export function createWorkflowExecutionClient(options) {
  return createPathsClient(options);
}
