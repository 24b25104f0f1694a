/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Workflow Execution API. Made by switchyard 0.1.0; edits are lost.
 */

import type { paths } from './api.js';
import type { PathsClient, PathsClientOptions } from './runtime/paths-client.js';

export type WorkflowExecutionClient = PathsClient<paths>;
export declare function createWorkflowExecutionWithoutRetries(options: PathsClientOptions): WorkflowExecutionClient;
