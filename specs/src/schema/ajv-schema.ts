import type { Schema } from '../documents/read-document.ts';
import { parseReference } from '../documents/references.ts';
import { SpecError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, quoteJson, resolvePointer } from '../json.ts';
import { workKeyword } from './bounded-ajv.ts';
import type { Side } from './canonical-schema.ts';
import { type Hidden, hiddenMembers, withoutMembers } from './hidden-members.ts';
import { linearPattern } from './linear-pattern.ts';
import { type KeywordKind, keywordsOfValue, schemaKeywords, testedKeywords } from './raw-keywords.ts';

/** A part that cannot be read makes the schema unusable (`reject`), or accepts every value (`accept`). */
export type OnUnreadable = 'reject' | 'accept';
export type AjvSchemaSource = {
  /** The document; its version tells the dialect. */
  root: JsonObject;
  unreadable?: OnUnreadable | undefined;
  /** The side whose members the schema keeps; without it, those of both. */
  side?: Side | undefined;
};

const maxParts = 2_000; // ten times what a published document has; compiling more takes seconds
class TooManyParts extends SpecError {}

const combiningKeywords = ['$ref', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/**
 * The raw schema for ajv: JSON Schema 2020-12 with the keywords of validation only, OpenAPI 3.0 keywords translated, and what
 * references lead to in `$defs`. It shares no code with the canonical schema, so that each shows mistakes of the other. With
 * `unreadable: 'reject'`, throws SpecError on references that lead nowhere or outside the document and on malformed keywords.
 */
export function toAjvSchema(schema: Schema, source: AjvSchemaSource): Schema {
  const names = new Map<string, string>();
  const pending: [name: string, pointer: string, hidden: Hidden][] = [];
  let parts = 0;
  const readPart = (part: JsonValue, hidden: Hidden): Schema => {
    parts += 1;
    if (parts > maxParts) throw new TooManyParts(`schema cannot be compiled: it has more than ${maxParts} parts`);
    return convertSchema(part, hidden, conversion);
  };
  const nameDefinition = (reference: string, hidden: Hidden): string => {
    const pointer = parseReference(reference);
    const key = JSON.stringify([pointer, hidden && [...hidden].sort()]);
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = `part-${names.size}`;
    names.set(key, name);
    pending.push([name, pointer, hidden]);
    return name;
  };
  const orAccept = <T>(otherwise: T, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (source.unreadable === 'accept' && error instanceof SpecError && !(error instanceof TooManyParts))
        return otherwise;
      throw error;
    }
  };
  const conversion: Conversion = {
    isOldDialect: String(source.root['openapi']).startsWith('3.0'),
    nameDefinition,
    hiddenIn: (value) => hiddenMembers(value, source.root, source.side),
    convert: (value, hidden) => orAccept(true, () => readPart(value, hidden)),
    convertKeyword: (entry, hidden) => orAccept(anyName(entry[0]), () => convertKeyword(entry, hidden, conversion)),
  };

  const converted = conversion.convert(schema, conversion.hiddenIn(schema));
  const definitions: JsonObject = {};
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const [name, pointer, hidden] = next;
    definitions[name] = orAccept(true, () => conversion.convert(targetAt(source.root, pointer), hidden));
  }
  if (typeof converted === 'boolean' || names.size === 0) return converted;
  return { ...converted, $defs: definitions };
}

type KeywordEntry = [keyword: string, value: JsonValue];
type Conversion = {
  isOldDialect: boolean;
  nameDefinition: (reference: string, hidden: Hidden) => string;
  hiddenIn: (value: JsonValue) => Hidden;
  convert: (value: JsonValue, hidden: Hidden) => Schema;
  convertKeyword: (entry: KeywordEntry, hidden: Hidden) => KeywordEntry[];
};

// A member whose name no pattern can be asked about is not additional.
function anyName(keyword: string): KeywordEntry[] {
  return keyword === 'patternProperties' ? [[keyword, { '': true }]] : [];
}

function targetAt(root: JsonObject, pointer: string): JsonValue {
  const target = resolvePointer(root, pointer);
  if (target === undefined) throw new SpecError(`#${pointer} does not exist`);
  return target;
}

function convertSchema(schema: JsonValue, hidden: Hidden, conversion: Conversion): Schema {
  if (typeof schema === 'boolean') return schema;
  if (!isJsonObject(schema)) throw new SpecError(`a schema must be an object or a boolean; got ${quoteJson(schema)}`);
  const converted: JsonObject = Object.fromEntries(
    Object.entries(schema).flatMap((entry) => conversion.convertKeyword(entry, hidden)),
  );
  lengthenArrays(converted);
  converted[workKeyword] = 1 + Object.values(converted).reduce<number>((sum, value) => sum + countEntries(value), 0);
  if (!conversion.isOldDialect) return converted;
  const bounded = withNumericBounds(converted);
  return schema['nullable'] === true ? withNull(bounded) : bounded;
}

// ajv lets an empty array pass `contains` where another item of the same loop contained a match.
function lengthenArrays(schema: JsonObject): void {
  const { contains, minContains = 1, minItems = 0 } = schema;
  if (contains === undefined || typeof minContains !== 'number' || typeof minItems !== 'number') return;
  if (minContains > minItems) schema['minItems'] = minContains;
}

function countEntries(value: JsonValue): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 1;
}

function convertKeyword([keyword, value]: KeywordEntry, hidden: Hidden, conversion: Conversion): KeywordEntry[] {
  if (keyword === '$ref' && typeof value === 'string')
    return [[keyword, `#/$defs/${conversion.nameDefinition(value, hidden)}`]];
  if (keyword === '$dynamicRef' && typeof value === 'string')
    throw new SpecError('dynamic references are not supported');
  const kind = schemaKeywords.get(keyword);
  if (kind === undefined) return [];
  checkKeywordValue(keyword, value);
  const shown = hidden === undefined ? value : withoutMembers(keyword, value, hidden);
  const isVerbatim = hidden === undefined || testedKeywords.has(keyword);
  const inside = (part: JsonValue): Schema => {
    if (isVerbatim) return conversion.convert(part, undefined);
    return conversion.convert(part, keywordsOfValue.has(keyword) ? hidden : conversion.hiddenIn(part));
  };
  return [[keyword, convertValue(kind, shown, inside)]];
}

function convertValue(kind: KeywordKind, value: JsonValue, convert: (part: JsonValue) => Schema): JsonValue {
  switch (kind) {
    case 'value':
      return value;
    case 'schema':
      return convert(value);
    case 'schema-list':
      if (!Array.isArray(value)) throw new SpecError(`a list of schemas is expected; got ${quoteJson(value)}`);
      return value.map(convert);
    case 'schemas-by-name':
      if (!isJsonObject(value)) throw new SpecError(`schemas by name are expected; got ${quoteJson(value)}`);
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner)]));
  }
}

// A boolean is the keyword of OpenAPI 3.0, a number that of 3.1, which documents of 3.0 use as well.
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
  if (combiningKeywords.some((keyword) => Object.hasOwn(schema, keyword))) return { anyOf: [schema, { type: 'null' }] };
  const type = schema['type'];
  if (type === undefined) return schema;
  const types = Array.isArray(type) ? type : [type];
  return { ...schema, type: types.includes('null') ? types : [...types, 'null'] };
}

const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const isType = (value: JsonValue): boolean => typeof value === 'string' && typeNames.includes(value);
const numeric = 'multipleOf maximum minimum maxLength minLength maxItems minItems maxContains minContains';

const isWellFormed: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ['type', (value) => (Array.isArray(value) ? value.every(isType) : isType(value))],
  ['enum', Array.isArray],
  ['required', (value) => Array.isArray(value) && value.every((name) => typeof name === 'string')],
  ['pattern', isPattern],
  ['patternProperties', (value) => isJsonObject(value) && Object.keys(value).every(isPattern)],
  ...`${numeric} maxProperties minProperties`
    .split(' ')
    .map((keyword) => [keyword, (value: JsonValue) => typeof value === 'number'] as const),
]);

function checkKeywordValue(keyword: string, value: JsonValue): void {
  if (isWellFormed.get(keyword)?.(value) !== false) return;
  throw new SpecError(`schema cannot be compiled: ${keyword} cannot be ${quoteJson(value)}`);
}

/** Whether a pattern is run; what is left to the server counts as unreadable. */
export function isPattern(value: JsonValue): boolean {
  return typeof value === 'string' && linearPattern(value) !== undefined;
}
