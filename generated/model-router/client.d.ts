/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost.
 */

import type { paths } from './api.js';
import type { ApiKeyOption, PathsClient, PathsClientOptions } from './runtime/paths-client.js';

export type ModelRouterClient = PathsClient<paths>;
export declare function createModelRouterWithoutRetries(options: PathsClientOptions & ApiKeyOption): ModelRouterClient;
