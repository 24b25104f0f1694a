import type { Schema } from './document.ts';
import { SpecError } from './errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { resolvePointer } from './json-pointer.ts';
import { pointerOf } from './references.ts';

export type OpenApiVersion = '3.0' | '3.1';
export type StandaloneSource = { root: JsonObject; openapi: OpenApiVersion };

/** What the value of a schema keyword holds. */
export type KeywordPlace = 'value' | 'schema' | 'schemas-by-name' | 'schema-list';
/** Keywords that decide validity; what is not listed is annotation or unknown. */
export const schemaKeywords: ReadonlyMap<string, KeywordPlace> = new Map([
  ...words('value', 'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength'),
  ...words('value', 'pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties'),
  ...words('value', 'required dependentRequired format'),
  ...words('schema', 'items contains additionalProperties propertyNames not if then else'),
  ...words('schema', 'unevaluatedItems unevaluatedProperties'),
  ...words('schemas-by-name', 'properties patternProperties dependentSchemas'),
  ...words('schema-list', 'allOf anyOf oneOf prefixItems'),
]);
const combining = ['$ref', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/**
 * One JSON Schema 2020-12 that needs no document around it: keywords of validation only, OpenAPI 3.0's own ones
 * translated, each local reference a member of `$defs`. Throws SpecError on a reference that leads nowhere or outside.
 */
export function standaloneSchema(schema: Schema, source: StandaloneSource): Schema {
  const names = new Map<string, string>();
  const pending: [name: string, pointer: string][] = [];
  const nameOf = (reference: string): string => {
    const pointer = pointerOf(reference);
    const known = names.get(pointer);
    if (known !== undefined) return known;
    const name = `part-${names.size}`;
    names.set(pointer, name);
    pending.push([name, pointer]);
    return name;
  };
  const convert = (value: JsonValue): Schema => convertSchema(value, { openapi: source.openapi, nameOf, convert });

  const converted = convert(schema);
  const definitions: JsonObject = {};
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const [name, pointer] = next;
    const target = resolvePointer(source.root, pointer);
    if (target === undefined) throw new SpecError(`nothing lies at #${pointer}`);
    definitions[name] = convert(target);
  }
  if (typeof converted === 'boolean' || names.size === 0) return converted;
  return { ...converted, $defs: definitions };
}

type Conversion = {
  openapi: OpenApiVersion;
  nameOf: (reference: string) => string;
  convert: (value: JsonValue) => Schema;
};

function convertSchema(schema: JsonValue, conversion: Conversion): Schema {
  if (typeof schema === 'boolean') return schema;
  if (!isJsonObject(schema))
    throw new SpecError(`a schema must be an object or a boolean; got ${JSON.stringify(schema)}`);
  const entries: [string, JsonValue][] = [];
  const reference = schema['$ref'];
  if (typeof reference === 'string') entries.push(['$ref', `#/$defs/${conversion.nameOf(reference)}`]);
  if (typeof schema['$dynamicRef'] === 'string') throw new SpecError('dynamic references are not supported');
  for (const [keyword, value] of Object.entries(schema)) {
    const place = schemaKeywords.get(keyword);
    if (place !== undefined) entries.push([keyword, convertMember(place, value, conversion)]);
  }
  const converted: JsonObject = Object.fromEntries(entries);
  if (conversion.openapi === '3.1') return converted;
  const bounded = withNumericBounds(converted);
  return schema['nullable'] === true ? withNull(bounded) : bounded;
}

function convertMember(place: KeywordPlace, value: JsonValue, { convert }: Conversion): JsonValue {
  switch (place) {
    case 'value':
      return value;
    case 'schema':
      return convert(value);
    case 'schema-list':
      if (!Array.isArray(value)) throw new SpecError(`a list of schemas is wanted; got ${JSON.stringify(value)}`);
      return value.map(convert);
    case 'schemas-by-name':
      if (!isJsonObject(value)) throw new SpecError(`schemas by name are wanted; got ${JSON.stringify(value)}`);
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner)]));
  }
}

// OpenAPI 3.0 says `exclusiveMinimum: true` beside `minimum`; a number there is the 3.1 keyword and meant.
function withNumericBounds(schema: JsonObject): JsonObject {
  const bounded = { ...schema };
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const flag = bounded[exclusive];
    if (typeof flag !== 'boolean') continue;
    delete bounded[exclusive];
    const bound = bounded[limit];
    if (!flag || bound === undefined) continue;
    delete bounded[limit];
    bounded[exclusive] = bound;
  }
  return bounded;
}

function withNull(schema: JsonObject): JsonObject {
  if (combining.some((keyword) => Object.hasOwn(schema, keyword))) return { anyOf: [schema, { type: 'null' }] };
  const type = schema['type'];
  if (type === undefined) return schema;
  const types = Array.isArray(type) ? type : [type];
  return { ...schema, type: types.includes('null') ? types : [...types, 'null'] };
}

function words(place: KeywordPlace, list: string): [string, KeywordPlace][] {
  return list.split(' ').map((word) => [word, place]);
}
