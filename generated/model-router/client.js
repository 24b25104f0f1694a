/** Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost. */

import { createPathsClient } from './runtime/paths-client.js';

export function createModelRouterClient(options) {
  return createPathsClient(options, "X-API-Key");
}
