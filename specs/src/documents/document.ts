import type { JsonObject, JsonValue } from '../json.ts';

export type Schema = JsonObject | boolean;

/** The outline of one of our OpenAPI 3.1 documents; `listOperations` reads the operations. */
export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: JsonObject[];
  paths: Record<string, JsonObject>;
  components: Record<string, Record<string, JsonValue>>;
  security?: Record<string, string[]>[];
  [extension: string]: unknown;
};
