/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost.
 */

import { createModelRouterFor } from "./runtime/router/index.js";

export { createMemoryKeyStore, fieldErrors, isRouterError, knownCategories, RouterError, safe } from "./runtime/router/index.js";
export const createModelRouter = /* @__PURE__ */ createModelRouterFor({ brand: "Service", apiKeyHeader: "X-API-Key" });

export { operations } from './operations.js';

export const errorTypes = {
  invalid_input: { meaning: "Refused before the model; a malformed body or cursor, input against the schema, or a key that cannot be used." },
  content_policy_violation: { meaning: "The provider refused the content." },
  provider_error: { meaning: "The provider failed, or answered something that is no result." },
  provider_timeout: { meaning: "The provider missed its own deadline." },
  insufficient_credits: { meaning: "The workspace has too few credits for the run." },
  model_not_found: { meaning: "The id, or its provider, names no model that can be run." },
  unauthorized: { meaning: "No usable credential." },
  forbidden: { meaning: "The credential is good, but not for this model or operation." },
  concurrency_limit_exceeded: { meaning: "As many calls in flight as the workspace may have, committed spend at its cap, or a running call with the same key; wait for one to finish." },
  client_disconnected: { meaning: "The caller hung up before a result was there." },
  internal_error: { meaning: "The router failed." },
  deadline_exceeded: { meaning: "The router would not hold the connection any longer." },
  not_enabled: { meaning: "The caller has no use of the router." },
  service_unavailable: { meaning: "Something the router depends on is down for a while." },
  rate_limited: { meaning: "The quota of the current window is used up." },
  cancelled: { meaning: "Withdrawn from the queue before there was a result, by the cancel route or an operator. Final, and no word about billing." },
  queue_timeout: { meaning: "Not started within the time that the queue allows." },
  request_not_found: { meaning: "The caller has no such request under this model." },
};
