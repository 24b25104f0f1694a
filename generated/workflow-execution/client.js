/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Workflow Execution API. Made by switchyard 0.1.0; edits are lost.
 */

import { createPathsClient } from './runtime/paths-client.js';

export function createWorkflowExecutionWithoutRetries(options) {
  return createPathsClient(options);
}
