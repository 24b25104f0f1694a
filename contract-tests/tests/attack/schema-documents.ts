import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { Random } from './attack-class.ts';

export type Schemas = {
  input?: JsonValue;
  output?: JsonValue;
  components?: Record<string, JsonValue>;
  /** Beside body and responses. */
  operation?: JsonObject;
  root?: JsonObject;
  media?: string;
};

/** A schema document around its schemas, as a router serves it. */
export function makeDocument(
  id: string,
  { input, output = {}, components = {}, operation = {}, root = {}, media = 'application/json' }: Schemas,
): JsonObject {
  return {
    openapi: '3.0.4',
    info: { title: id, version: '1' },
    paths: {
      [`/v2/models/${id}`]: {
        post: {
          operationId: 'runModel',
          ...operation,
          requestBody: { required: true, content: { 'application/json': { schema: input ?? { type: 'object' } } } },
          responses: { 200: { description: 'Result', content: { [media]: { schema: output } } } },
        },
      },
    },
    components: { schemas: components },
    'x-service-input-schema-authored': true,
    'x-service-output-schema-authored': true,
    ...root,
  };
}

export const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
export const many = (count: number, make: (index: number) => [string, JsonValue]): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));

export type Make = (id: string, random: Random) => string;
export const printed =
  (make: (id: string, random: Random) => Schemas): Make =>
  (id, random) =>
    JSON.stringify(makeDocument(id, make(id, random)));
