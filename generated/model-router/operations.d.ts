/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Client and types of the Model Router API. Made by switchyard 0.1.0; edits are lost.
 */

import type { OperationDescriptor } from "./runtime/descriptor.js";

/** Every operation of the API, as data. */
export declare const operations: {
  readonly listModels: OperationDescriptor<"GET", "/v2/models">;
  readonly readModel: OperationDescriptor<"GET", "/v2/models/{provider}/{model}">;
  readonly runModel: OperationDescriptor<"POST", "/v2/models/{provider}/{model}">;
  readonly readSchemaDocument: OperationDescriptor<"GET", "/v2/models/{provider}/{model}/openapi.json">;
  readonly submitRequest: OperationDescriptor<"POST", "/v2/models/{provider}/{model}/requests">;
  readonly collectRequest: OperationDescriptor<"GET", "/v2/models/{provider}/{model}/requests/{request_id}">;
  readonly readStatus: OperationDescriptor<"GET", "/v2/models/{provider}/{model}/requests/{request_id}/status">;
  readonly cancelRequest: OperationDescriptor<"PUT", "/v2/models/{provider}/{model}/requests/{request_id}/cancel">;
};
