import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  resolvePointer,
  type Schema,
} from '../../../specs/src/index.ts';

type Source = { readonly root: JsonObject; readonly depth: number };
const depthLimit = 12;

/**
 * A small value made from a schema: what the author gave (const, default, example, first enum member), else the least
 * that type, bounds and required members ask for. Not always valid (a pattern is not solved): check it before use.
 */
export function sampleValue(schema: Schema | JsonValue | undefined, root: JsonObject, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > depthLimit) return 'sample';
  const source = { root, depth: depth + 1 };
  const given = givenValue(schema);
  if (given !== undefined) return given;
  const reference = schema['$ref'];
  if (typeof reference === 'string') return sampleOfReference(reference, source);
  const composed = composedSchema(schema, source);
  if (composed !== undefined) return sampleValue(composed, root, source.depth);
  return (sampleByType[typeOf(schema)] ?? sampleText)(schema, source);
}

function givenValue(schema: JsonObject): JsonValue | undefined {
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['example'] !== undefined) return schema['example'];
  for (const list of [schema['examples'], schema['enum']]) {
    if (Array.isArray(list) && list[0] !== undefined) return list[0];
  }
  return schema['default'] === null ? undefined : schema['default'];
}

function sampleOfReference(reference: string, { root, depth }: Source): JsonValue {
  const target = reference.startsWith('#/') ? resolvePointer(root, decodeURI(reference.slice(1))) : undefined;
  return sampleValue(target, root, depth);
}

/** `allOf` and the first of `oneOf` or `anyOf` laid over the schema itself. */
function composedSchema(schema: JsonObject, source: Source): JsonObject | undefined {
  const parts = [
    ...listOf(schema['allOf']),
    ...listOf(schema['oneOf']).slice(0, 1),
    ...listOf(schema['anyOf']).slice(0, 1),
  ];
  if (parts.length === 0) return undefined;
  const { allOf: _all, oneOf: _one, anyOf: _any, ...own } = schema;
  return parts.map((part) => followed(part, source)).reduce<JsonObject>(mergeSchemas, own);
}

function followed(schema: JsonValue, { root }: Source): JsonObject {
  if (!isJsonObject(schema)) return {};
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const target = reference.startsWith('#/') ? resolvePointer(root, decodeURI(reference.slice(1))) : undefined;
  return isJsonObject(target) ? target : {};
}

function mergeSchemas(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...objectOf(one['properties']), ...objectOf(other['properties']) };
  const required = [...listOf(one['required']), ...listOf(other['required'])];
  return { ...one, ...other, ...(Object.keys(properties).length > 0 ? { properties, required } : {}) };
}

const sampleByType: Readonly<Record<string, (schema: JsonObject, source: Source) => JsonValue>> = {
  object: sampleObject,
  array: (schema, { root, depth }) => {
    const count = numberOf(schema['minItems']) ?? 0;
    return Array.from({ length: Math.min(count, 20) }, () => sampleValue(schema['items'], root, depth));
  },
  integer: (schema) => leastNumber(schema, 1),
  number: (schema) => leastNumber(schema, 1),
  boolean: () => true,
  null: () => null,
  string: sampleText,
};

function sampleObject(schema: JsonObject, { root, depth }: Source): JsonValue {
  const properties = objectOf(schema['properties']);
  const names = listOf(schema['required']).filter((name) => typeof name === 'string');
  return Object.fromEntries(names.map((name) => [name, sampleValue(properties[name], root, depth)]));
}

function leastNumber(schema: JsonObject, otherwise: number): number {
  const step = numberOf(schema['multipleOf']) ?? 1;
  const above = numberOf(schema['exclusiveMinimum']);
  const from = numberOf(schema['minimum']) ?? (above === undefined ? undefined : above + step);
  if (from !== undefined) return Math.ceil(from / step) * step;
  return Math.min(otherwise * step, numberOf(schema['maximum']) ?? otherwise * step);
}

const textByFormat: Readonly<Record<string, string>> = {
  uri: 'https://example.com/input.png',
  url: 'https://example.com/input.png',
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'person@example.com',
};

function sampleText(schema: JsonObject): JsonValue {
  const text = textByFormat[String(schema['format'])] ?? 'sample';
  const padded = text.padEnd(Math.min(numberOf(schema['minLength']) ?? 0, 10_000), 'x');
  return padded.slice(0, numberOf(schema['maxLength']) ?? padded.length);
}

function typeOf(schema: JsonObject): string {
  const declared = Array.isArray(schema['type']) ? schema['type'].find((one) => one !== 'null') : schema['type'];
  if (typeof declared === 'string' && Object.hasOwn(sampleByType, declared)) return declared;
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const numberOf = (value: JsonValue | undefined): number | undefined => (typeof value === 'number' ? value : undefined);
