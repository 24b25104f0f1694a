import type { CanonicalSchema, JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { TypeName } from '../model/identifiers.ts';

/** Assertions among the limits; the others inform. */
const assertions = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['format', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains'],
]);

export type Conversion = {
  /** Whether what is told to people stays: descriptions, defaults, examples. */
  readonly annotated: boolean;
  /** The word for a definition behind `#/$defs/`. */
  readonly nameOf: (name: TypeName) => string;
};
type Convert = (schema: CanonicalSchema) => JsonValue;
type Entries = [keyword: string, value: JsonValue][];

/** A canonical schema as JSON Schema 2020-12. */
export function toJsonSchema(schema: CanonicalSchema, conversion: Conversion): JsonValue {
  if (Object.keys(schema).length === 0) return true;
  if (schema.not !== undefined && Object.keys(schema).length === 1 && Object.keys(schema.not).length === 0)
    return false;
  const convert: Convert = (part) => toJsonSchema(part, conversion);
  const entries: Entries = [];
  if (schema.ref !== undefined) entries.push(['$ref', `#/$defs/${conversion.nameOf(schema.ref)}`]);
  if (schema.type !== undefined) entries.push(['type', one(schema.type)]);
  if (schema.enum !== undefined) entries.push(['enum', [...schema.enum]]);
  addLimits(entries, schema, conversion);
  addObjectWords(entries, schema, convert);
  addItemWords(entries, schema, convert);
  addBranches(entries, schema, convert);
  if (conversion.annotated) addAnnotations(entries, schema);
  // Entries, because a member may be called `__proto__`.
  return Object.fromEntries(entries);
}

function one(list: readonly string[]): JsonValue {
  const [only] = list;
  return list.length === 1 && only !== undefined ? only : [...list];
}

function addLimits(entries: Entries, { limits }: CanonicalSchema, { annotated }: Conversion): void {
  for (const [keyword, value] of limits ?? []) if (annotated || assertions.has(keyword)) entries.push([keyword, value]);
}

function addObjectWords(entries: Entries, schema: CanonicalSchema, convert: Convert): void {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties, propertyNames } = schema;
  if (properties !== undefined) entries.push(['properties', byName(properties, convert)]);
  if (patternProperties !== undefined) entries.push(['patternProperties', byName(patternProperties, convert)]);
  if (additionalProperties !== undefined) entries.push(['additionalProperties', convert(additionalProperties)]);
  if (propertyNames !== undefined) entries.push(['propertyNames', convert(propertyNames)]);
  if (schema.required !== undefined) entries.push(['required', [...schema.required]]);
  if (schema.dependentRequired !== undefined) {
    const lists = [...schema.dependentRequired].map(([name, others]): [string, JsonValue] => [name, [...others]]);
    entries.push(['dependentRequired', Object.fromEntries(lists)]);
  }
  if (schema.dependentSchemas !== undefined)
    entries.push(['dependentSchemas', byName(schema.dependentSchemas, convert)]);
  if (unevaluatedProperties !== undefined) entries.push(['unevaluatedProperties', convert(unevaluatedProperties)]);
}

function byName(schemas: ReadonlyMap<string, CanonicalSchema>, convert: Convert): JsonObject {
  return Object.fromEntries([...schemas].map(([name, schema]) => [name, convert(schema)]));
}

function addItemWords(entries: Entries, schema: CanonicalSchema, convert: Convert): void {
  if (schema.prefixItems !== undefined) entries.push(['prefixItems', schema.prefixItems.map(convert)]);
  if (schema.items !== undefined) entries.push(['items', convert(schema.items)]);
  if (schema.contains !== undefined) entries.push(['contains', convert(schema.contains)]);
  if (schema.unevaluatedItems !== undefined) entries.push(['unevaluatedItems', convert(schema.unevaluatedItems)]);
}

function addBranches(entries: Entries, schema: CanonicalSchema, convert: Convert): void {
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    if (branches !== undefined) entries.push([keyword, branches.map(convert)]);
  }
  if (schema.not !== undefined) entries.push(['not', convert(schema.not)]);
  if (schema.conditional === undefined) return;
  const { test, yes, no } = schema.conditional;
  entries.push(['if', convert(test)]);
  if (yes !== undefined) entries.push(['then', convert(yes)]);
  if (no !== undefined) entries.push(['else', convert(no)]);
}

function addAnnotations(entries: Entries, { description, examples, deprecated, ...schema }: CanonicalSchema): void {
  if (description !== undefined) entries.push(['description', description]);
  if (schema.default !== undefined) entries.push(['default', schema.default]);
  if (examples !== undefined) entries.push(['examples', [...examples]]);
  if (deprecated !== undefined) entries.push(['deprecated', deprecated]);
}
