import type { Schema } from './document.ts';
import { SpecError } from './errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { resolvePointer } from './json-pointer.ts';
import { checkKeywordValue } from './keyword-value.ts';
import { pointerOf } from './references.ts';

export type OpenApiVersion = '3.0' | '3.1';
/** What comes of a part that says nothing intelligible: the whole schema is refused, or that part lets everything pass. */
export type OnUnreadable = 'refuse' | 'pass';
export type StandaloneSource = { root: JsonObject; openapi: OpenApiVersion; unreadable?: OnUnreadable };

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
 * translated, each local reference a member of `$defs`. Unless such parts are to pass, throws SpecError on a reference
 * that leads nowhere or outside, a keyword whose value is of no use to it, and what is no schema where one is wanted.
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
  const readOr = <T>(otherwise: T, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (source.unreadable === 'pass' && error instanceof SpecError) return otherwise;
      throw error;
    }
  };
  const conversion: Conversion = {
    openapi: source.openapi,
    nameOf,
    convert: (value) => readOr(true, () => convertSchema(value, conversion)),
    convertKeyword: (keyword, value) => readOr([], () => convertKeyword(keyword, value, conversion)),
  };

  const converted = conversion.convert(schema);
  const definitions: JsonObject = {};
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const [name, pointer] = next;
    definitions[name] = readOr(true, () => conversion.convert(targetAt(source.root, pointer)));
  }
  if (typeof converted === 'boolean' || names.size === 0) return converted;
  return { ...converted, $defs: definitions };
}

type Entry = [keyword: string, value: JsonValue];
type Conversion = {
  openapi: OpenApiVersion;
  nameOf: (reference: string) => string;
  convert: (value: JsonValue) => Schema;
  convertKeyword: (keyword: string, value: JsonValue) => Entry[];
};

function targetAt(root: JsonObject, pointer: string): JsonValue {
  const target = resolvePointer(root, pointer);
  if (target === undefined) throw new SpecError(`nothing lies at #${pointer}`);
  return target;
}

function convertSchema(schema: JsonValue, conversion: Conversion): Schema {
  if (typeof schema === 'boolean') return schema;
  if (!isJsonObject(schema))
    throw new SpecError(`a schema must be an object or a boolean; got ${JSON.stringify(schema)}`);
  const converted: JsonObject = Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => conversion.convertKeyword(keyword, value)),
  );
  if (conversion.openapi === '3.1') return converted;
  const bounded = withNumericBounds(converted);
  return schema['nullable'] === true ? withNull(bounded) : bounded;
}

function convertKeyword(keyword: string, value: JsonValue, conversion: Conversion): Entry[] {
  if (keyword === '$ref' && typeof value === 'string') return [[keyword, `#/$defs/${conversion.nameOf(value)}`]];
  if (keyword === '$dynamicRef' && typeof value === 'string')
    throw new SpecError('dynamic references are not supported');
  const place = schemaKeywords.get(keyword);
  if (place === undefined) return [];
  checkKeywordValue(keyword, value);
  return [[keyword, convertMember(place, value, conversion)]];
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
