import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';

/** A schema before and after a change. Input and output of the tested model have it as a required member `x`. */
export type HandPair = {
  readonly name: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly components: readonly [before: JsonObject, after: JsonObject];
  /** Values of the member that callers send and services return. */
  readonly values: readonly JsonValue[];
};

type Changes = Readonly<Record<string, JsonValue>>;

/** Returns a pair for each change of a schema. `$defs` in a schema become the components of its document. */
export function pairs(
  subject: string,
  before: JsonObject,
  changes: Changes,
  values: readonly JsonValue[] = [],
): HandPair[] {
  return Object.entries(changes).map(([name, after]) => {
    const [[old, components], [now, others]] = [split(before), split(after)];
    return {
      name: `${subject}: ${name}`,
      before: old,
      after: now,
      components: [components, others ?? components],
      values,
    };
  });
}

function split(schema: JsonValue): [schema: JsonValue, components: JsonObject] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [schema, {}];
  const { $defs = {}, ...rest } = schema;
  return [rest, Object(JSON.parse(JSON.stringify($defs)))];
}

export const text = { type: 'string' };
export const number = { type: 'number' };
export const integer = { type: 'integer' };
export const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
});
export const closed = (properties: JsonObject, ...required: string[]): JsonObject => ({
  ...object(properties, ...required),
  additionalProperties: false,
});
export const list = (items: JsonValue, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
export const map = (of: JsonValue): JsonObject => ({ type: 'object', additionalProperties: of });
export const oneOf = (...branches: JsonValue[]): JsonObject => ({ oneOf: branches });
export const anyOf = (...branches: JsonValue[]): JsonObject => ({ anyOf: branches });
export const tagged = (kind: string, properties: JsonObject = {}, ...required: string[]): JsonObject =>
  object({ kind: { const: kind }, ...properties }, 'kind', ...required);
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
