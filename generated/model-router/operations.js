/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost.
 */

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
