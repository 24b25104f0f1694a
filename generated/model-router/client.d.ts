/** Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost. */

import type { paths } from './api.js';
import type { ApiKeyOption, PathsClient, PathsClientOptions } from './runtime/paths-client.js';

export type ModelRouterClient = PathsClient<paths>;
export declare function createModelRouterClient(options: PathsClientOptions & ApiKeyOption): ModelRouterClient;
