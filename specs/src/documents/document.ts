import type { JsonObject, JsonValue } from '../json.ts';

type Reference = { $ref: string };
export type Schema = JsonObject | boolean;
export type MediaTypeObject = {
  schema?: Schema;
  example?: JsonValue;
  examples?: Record<string, { value?: JsonValue }>;
};
export type HeaderObject = { description?: string; required?: boolean; schema?: Schema; example?: JsonValue };
export type ResponseObject = {
  description: string;
  headers?: Record<string, HeaderObject | Reference>;
  content?: Record<string, MediaTypeObject>;
  links?: Record<string, JsonObject>;
};
export type ParameterObject = {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: Schema;
  example?: JsonValue;
};
type SecurityRequirement = Record<string, string[]>;
export type OperationObject = {
  operationId: string;
  tags?: string[];
  parameters?: (ParameterObject | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, MediaTypeObject> } | Reference;
  responses: Record<string, ResponseObject | Reference>;
  security?: SecurityRequirement[];
};
/** An OpenAPI 3.1 document of ours, as data. */
export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: JsonObject[];
  paths: Record<string, Record<string, OperationObject | JsonValue>>;
  components: Record<string, Record<string, JsonValue>>;
  security?: SecurityRequirement[];
  [extension: string]: unknown;
};
