/** Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost. */

import { createModelRouterFor } from "./runtime/router/index.js";

export { createMemoryKeyStore, knownCategories, RouterError } from "./runtime/router/index.js";
export const createModelRouter = /* @__PURE__ */ createModelRouterFor({ brand: "Service", apiKeyHeader: "X-API-Key" });

export const operations = {
  listModels: {
    method: "GET",
    path: "/v2/models",
    parameters: [
      { name: "cursor", in: "query", required: false },
      { name: "limit", in: "query", required: false },
    ],
    requestMediaTypes: [],
    responses: { "200": ["application/json"], "400": ["application/json"], "401": ["application/json"], "403": ["application/json"], "503": ["application/json"], default: ["application/json"] },
    security: ["ApiKeyAuth", "BearerAuth"],
    credentialRequired: true,
  },
  readModel: {
    method: "GET",
    path: "/v2/models/{provider}/{model}",
    parameters: [
      { name: "provider", in: "path", required: true },
      { name: "model", in: "path", required: true },
    ],
    requestMediaTypes: [],
    responses: { "200": ["application/json"], "401": ["application/json"], "403": ["application/json"], "404": ["application/json"], "503": ["application/json"], default: ["application/json"] },
    security: ["ApiKeyAuth", "BearerAuth"],
    credentialRequired: true,
  },
  runModel: {
    method: "POST",
    path: "/v2/models/{provider}/{model}",
    parameters: [
      { name: "provider", in: "path", required: true },
      { name: "model", in: "path", required: true },
      { name: "Idempotency-Key", in: "header", required: false },
      { name: "model_provider", in: "query", required: false },
      { name: "strict_mode", in: "query", required: false },
      { name: "fallback_provider", in: "query", required: false },
    ],
    requestMediaTypes: ["application/json"],
    responses: { "200": ["application/json", "*/*", "application/octet-stream"], "400": ["application/json"], "401": ["application/json"], "403": ["application/json"], "404": ["application/json"], "409": ["application/json"], "413": ["application/json"], "422": ["application/json"], "429": ["application/json"], "502": ["application/json"], "503": ["application/json"], "504": ["application/json"], default: ["application/json"] },
    security: ["ApiKeyAuth", "BearerAuth"],
    credentialRequired: true,
  },
  readSchemaDocument: {
    method: "GET",
    path: "/v2/models/{provider}/{model}/openapi.json",
    parameters: [
      { name: "provider", in: "path", required: true },
      { name: "model", in: "path", required: true },
      { name: "If-None-Match", in: "header", required: false },
    ],
    requestMediaTypes: [],
    responses: { "200": ["application/json"], "304": [], "401": ["application/json"], "403": ["application/json"], "404": ["application/json"], "500": ["application/json"], "503": ["application/json"], default: ["application/json"] },
    security: ["ApiKeyAuth", "BearerAuth"],
    credentialRequired: true,
  },
  submitRequest: {
    method: "POST",
    path: "/v2/models/{provider}/{model}/requests",
    parameters: [
      { name: "provider", in: "path", required: true },
      { name: "model", in: "path", required: true },
      { name: "Idempotency-Key", in: "header", required: false },
    ],
    requestMediaTypes: ["application/json"],
    responses: { "201": ["application/json"], "400": ["application/json"], "401": ["application/json"], "402": ["application/json"], "403": ["application/json"], "404": ["application/json"], "409": ["application/json"], "413": ["application/json"], "422": ["application/json"], "503": ["application/json"], default: ["application/json"] },
    security: ["ApiKeyAuth", "BearerAuth"],
    credentialRequired: true,
  },
  collectRequest: {
    method: "GET",
    path: "/v2/models/{provider}/{model}/requests/{request_id}",
    parameters: [
      { name: "provider", in: "path", required: true },
      { name: "model", in: "path", required: true },
      { name: "request_id", in: "path", required: true },
    ],
    requestMediaTypes: [],
    responses: { "200": ["application/json", "*/*", "application/octet-stream"], "202": ["application/json"], "401": ["application/json"], "403": ["application/json"], "404": ["application/json"], "409": ["application/json"], "410": ["application/json"], "422": ["application/json"], "503": ["application/json"], "504": ["application/json"], default: ["application/json"] },
    security: ["ApiKeyAuth", "BearerAuth"],
    credentialRequired: true,
  },
  readStatus: {
    method: "GET",
    path: "/v2/models/{provider}/{model}/requests/{request_id}/status",
    parameters: [
      { name: "provider", in: "path", required: true },
      { name: "model", in: "path", required: true },
      { name: "request_id", in: "path", required: true },
    ],
    requestMediaTypes: [],
    responses: { "200": ["application/json"], "401": ["application/json"], "403": ["application/json"], "404": ["application/json"], "410": ["application/json"], "503": ["application/json"], default: ["application/json"] },
    security: ["ApiKeyAuth", "BearerAuth"],
    credentialRequired: true,
  },
  cancelRequest: {
    method: "PUT",
    path: "/v2/models/{provider}/{model}/requests/{request_id}/cancel",
    parameters: [
      { name: "provider", in: "path", required: true },
      { name: "model", in: "path", required: true },
      { name: "request_id", in: "path", required: true },
    ],
    requestMediaTypes: [],
    responses: { "202": ["application/json"], "400": ["application/json"], "401": ["application/json"], "403": ["application/json"], "404": ["application/json"], "409": ["application/json"], "503": ["application/json"], default: ["application/json"] },
    security: ["ApiKeyAuth", "BearerAuth"],
    credentialRequired: true,
  },
};

export const errorTypes = {
  invalid_input: { meaning: "Refused before the model; a malformed body or cursor, input against the schema, or a key that cannot be used." },
  content_policy_violation: { meaning: "The provider refused the content." },
  provider_error: { meaning: "The provider failed, or answered something that is no result." },
  provider_timeout: { meaning: "The provider missed its own deadline." },
  insufficient_credits: { meaning: "The workspace has too few credits for the run." },
  model_not_found: { meaning: "The id, or its provider, names no model that can be run." },
  unauthorized: { meaning: "No usable credential." },
  forbidden: { meaning: "The credential is good, but not for this model or operation." },
  concurrency_limit_exceeded: { meaning: "As many calls in flight as the workspace may have, or a call with the same key." },
  client_disconnected: { meaning: "The caller hung up before a result was there." },
  internal_error: { meaning: "The router failed." },
  deadline_exceeded: { meaning: "The router would not hold the connection any longer." },
  not_enabled: { meaning: "The caller has no use of the router." },
  service_unavailable: { meaning: "Something the router depends on is down for a while." },
  rate_limited: { meaning: "The quota of the current window is used up." },
  cancelled: { meaning: "Withdrawn from the queue before there was a result. Final, and no word about billing." },
  queue_timeout: { meaning: "Not started within the time that the queue allows." },
  request_not_found: { meaning: "The caller has no such request under this model." },
};
