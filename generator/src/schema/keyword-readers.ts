import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { TypeName } from '../model/identifiers.ts';
import { anything, type CanonicalSchema, type Discriminator, type JsonTypeName } from './canonical-schema.ts';
import { complain, type Place, type ReadSchema, within } from './place.ts';

/** One keyword's share of the canonical schema; nothing when the value is unusable, which is then complained about. */
type KeywordReader = (value: JsonValue, place: Place, read: ReadSchema) => CanonicalSchema | undefined;

/** Assertions beyond what types express. */
export const limitKeywords: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['format', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains', 'contentEncoding', 'contentMediaType'],
]);

const typeNames = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
] as const satisfies JsonTypeName[];

/** Keywords that are not listed say nothing: documents hold many of their own (`step`, `limit_description` …). */
export const readers: ReadonlyMap<string, KeywordReader> = new Map<string, KeywordReader>([
  ['$ref', readReference],
  // A document is read as a whole, so that there is but one place for it to lead to.
  ['$dynamicRef', readReference],
  ['type', readType],
  ['enum', readEnum],
  ['const', (value) => ({ enum: [value] })],
  ['allOf', (value, place, read) => withBranches(value, place, read, (allOf) => ({ allOf }))],
  ['anyOf', (value, place, read) => withBranches(value, place, read, (anyOf) => ({ anyOf }))],
  ['oneOf', (value, place, read) => withBranches(value, place, read, (oneOf) => ({ oneOf }))],
  ['not', (value, place, read) => ({ not: read(value, place) })],
  ['dependentRequired', readDependentRequired],
  [
    'dependentSchemas',
    (value, place, read) => withMembers(value, place, read, (dependentSchemas) => ({ dependentSchemas })),
  ],
  // Before 2019 one word for both.
  ['dependencies', readDependencies],
  ['propertyNames', (value, place, read) => ({ propertyNames: read(value, place) })],
  ['contains', (value, place, read) => ({ contains: read(value, place) })],
  ['unevaluatedItems', (value, place, read) => ({ unevaluatedItems: read(value, place) })],
  ['properties', (value, place, read) => withMembers(value, place, read, (properties) => ({ properties }))],
  [
    'patternProperties',
    (value, place, read) => withMembers(value, place, read, (patternProperties) => ({ patternProperties })),
  ],
  ['additionalProperties', (value, place, read) => ({ additionalProperties: read(value, place) })],
  ['unevaluatedProperties', (value, place, read) => ({ unevaluatedProperties: read(value, place) })],
  ['required', readRequired],
  ['items', (value, place, read) => (Array.isArray(value) ? undefined : { items: readItems(value, place, read) })],
  ['prefixItems', (value, place, read) => withBranches(value, place, read, (prefixItems) => ({ prefixItems }))],
  ['minItems', (value) => (isCount(value) ? { minItems: value } : undefined)],
  ['maxItems', (value) => (isCount(value) ? { maxItems: value } : undefined)],
  ['discriminator', readDiscriminator],
  ['description', (value) => (typeof value === 'string' && value.trim() !== '' ? { description: value } : undefined)],
  ['default', (value) => ({ default: value })],
  ['example', (value) => ({ examples: [value] })],
  ['examples', (value) => (Array.isArray(value) && value.length > 0 ? { examples: value } : undefined)],
  ['deprecated', (value) => (value === true ? { deprecated: true } : undefined)],
]);

function readReference(value: JsonValue, place: Place): CanonicalSchema | undefined {
  if (typeof value !== 'string') {
    complain(place, 'reference-malformed', 'this reference is no text; the part accepts any value');
    return undefined;
  }
  const resolved = place.document.references.resolve(value);
  if (resolved.kind === 'found') {
    place.document.refer(resolved.target);
    return { ref: resolved.target.name };
  }
  // A model's document stands alone; following its word to a file or another host would be its choice, not ours.
  if (resolved.kind === 'external') {
    complain(
      place,
      'reference-external',
      `${quote(value)} leads out of the document and is not followed; the part accepts any value`,
    );
  } else {
    complain(place, 'reference-dangling', `${quote(value)} leads nowhere; the part accepts any value`);
  }
  return undefined;
}

function readType(value: JsonValue, place: Place): CanonicalSchema | undefined {
  const words = Array.isArray(value) ? value : [value];
  const type = words.flatMap((word) => typeNames.filter((name) => name === word));
  if (type.length < words.length) complain(place, 'type-unknown', `${quote(value)} is not a type of JSON Schema`);
  return type.length < words.length || type.length === 0 ? undefined : { type };
}

function readEnum(value: JsonValue, place: Place): CanonicalSchema | undefined {
  if (Array.isArray(value) && value.length > 0) return { enum: value };
  complain(place, 'enum-malformed', 'an enum that lists no values says nothing');
  return undefined;
}

function readRequired(value: JsonValue, place: Place): CanonicalSchema | undefined {
  if (Array.isArray(value)) return { required: [...new Set(value.filter((name) => typeof name === 'string'))] };
  complain(place, 'required-malformed', 'required is no list of names and says nothing');
  return undefined;
}

function readDependentRequired(value: JsonValue, place: Place): CanonicalSchema | undefined {
  if (isJsonObject(value) && Object.values(value).every((names) => Array.isArray(names))) {
    const isName = (name: JsonValue): name is string => typeof name === 'string';
    const lists = Object.entries(value).map(([name, names]) => {
      return [name, Array.isArray(names) ? names.filter(isName) : []] as const;
    });
    return { dependentRequired: new Map(lists) };
  }
  complain(place, 'required-malformed', 'dependentRequired is no set of lists of names and says nothing');
  return undefined;
}

function readDependencies(value: JsonValue, place: Place, read: ReadSchema): CanonicalSchema | undefined {
  if (!isJsonObject(value)) return readDependentRequired(value, place);
  const lists = Object.entries(value).filter(([, part]) => Array.isArray(part));
  const schemas = Object.entries(value).filter(([, part]) => !Array.isArray(part));
  return {
    ...(lists.length === 0 ? {} : readDependentRequired(Object.fromEntries(lists), place)),
    ...(schemas.length === 0
      ? {}
      : { dependentSchemas: new Map(schemas.map(([name, part]) => [name, read(part, within(place, name))])) }),
  };
}

function readItems(value: JsonValue, place: Place, read: ReadSchema): CanonicalSchema {
  if (isJsonObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key))) {
    complain(
      place,
      'items-numbered',
      'items holds numbered members instead of a schema; they say nothing about the items',
    );
    return anything;
  }
  return read(value, place);
}

function readDiscriminator(value: JsonValue, place: Place): CanonicalSchema | undefined {
  if (!isJsonObject(value) || typeof value['propertyName'] !== 'string' || !isJsonObject(value['mapping']))
    return undefined;
  const values = new Map<TypeName, string[]>();
  for (const [wire, word] of Object.entries(value['mapping'])) {
    const name = typeof word === 'string' ? place.document.references.find(word) : undefined;
    if (name !== undefined) values.set(name, [...(values.get(name) ?? []), wire]);
  }
  const discriminator: Discriminator = { propertyName: value['propertyName'], values };
  return { discriminator };
}

function withBranches(
  value: JsonValue,
  place: Place,
  read: ReadSchema,
  make: (branches: CanonicalSchema[]) => CanonicalSchema,
): CanonicalSchema | undefined {
  if (Array.isArray(value) && value.length > 0)
    return make(value.map((branch, index) => read(branch, within(place, index))));
  complain(place, 'schema-malformed', 'a list of schemas is expected here');
  return undefined;
}

function withMembers(
  value: JsonValue,
  place: Place,
  read: ReadSchema,
  make: (members: Map<string, CanonicalSchema>) => CanonicalSchema,
): CanonicalSchema | undefined {
  if (isJsonObject(value)) {
    return make(new Map(Object.entries(value).map(([name, member]) => [name, read(member, within(place, name))])));
  }
  complain(place, 'schema-malformed', 'schemas by property name are expected here');
  return undefined;
}

function isCount(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function quote(value: JsonValue): string {
  return JSON.stringify(value).slice(0, 200);
}
