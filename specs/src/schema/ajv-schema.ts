import type { Schema } from '../documents/read-document.ts';
import { parseReference } from '../documents/references.ts';
import { SpecError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, quoteJson, resolvePointer } from '../json.ts';
import { workKeyword } from './bounded-ajv.ts';
import type { Side } from './canonical-schema.ts';
import { createMarkSearch, type Hidden, hiddenMembers, type MarkSearch, withoutMembers } from './hidden-members.ts';
import { linearPattern } from './linear-pattern.ts';
import { innerSchemas, type KeywordKind, keywordsOfValue, schemaKeywords, testedKeywords } from './raw-keywords.ts';

/**
 * How to handle an unreadable part of a schema: throw an error (`reject`), or let the part accept every value
 * (`accept`).
 */
export type OnUnreadable = 'reject' | 'accept';
export type AjvSchemaSource = {
  /** The document that contains the schema; its OpenAPI version determines the schema dialect. */
  root: JsonObject;
  unreadable?: OnUnreadable | undefined;
  /** Keeps only members that may appear on this side (input or output). Default: both. */
  side?: Side | undefined;
};

const maxParts = 2_000; // Ten times the size of published documents. Compiling more takes seconds.
class TooManyParts extends SpecError {}

const combiningKeywords = ['$ref', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/**
 * Converts a raw schema for ajv: JSON Schema 2020-12 with only validation keywords, OpenAPI 3.0 keywords translated, and referenced
 * schemas in `$defs`. Shares no code with the canonical schema, so that each can reveal mistakes in the other. With
 * `unreadable: 'reject'`, throws SpecError for references without a target in the document and for malformed keywords.
 */
export function toAjvSchema(schema: Schema, source: AjvSchemaSource): Schema {
  const isOldDialect = String(source.root['openapi']).startsWith('3.0');
  const search = source.side && createMarkSearch(source.root, source.side);
  const conversion: Conversion = { ...source, isOldDialect, search, parts: 0, targets: new Map(), open: new Map() };
  const converted = convert(schema, hiddenMembers(schema, search), conversion);
  const definitions: JsonObject = {};
  // The loop also visits targets that are added while it runs.
  for (const { name, pointer, hidden } of conversion.targets.values())
    definitions[name] = acceptIfUnreadable(true, conversion, () => {
      const target = resolvePointer(source.root, pointer);
      if (target === undefined) throw new SpecError(`#${pointer} does not exist`);
      return convert(target, hidden, conversion);
    });
  if (typeof converted === 'boolean' || conversion.targets.size === 0) return converted;
  return { ...converted, $defs: definitions };
}

type Conversion = AjvSchemaSource & {
  readonly isOldDialect: boolean;
  readonly search: MarkSearch | undefined;
  /** Number of converted schemas. */
  parts: number;
  /** Targets of references, by pointer and hidden members. */
  readonly targets: Map<string, { readonly name: string; readonly pointer: string; readonly hidden: Hidden }>;
  /** True if a schema, or one that it refers to, has a pattern that is left to the server. */
  readonly open: Map<JsonValue, boolean>;
};
type KeywordEntry = [keyword: string, value: JsonValue];

function acceptIfUnreadable<T>(otherwise: T, { unreadable }: Conversion, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (unreadable === 'accept' && error instanceof SpecError && !(error instanceof TooManyParts)) return otherwise;
    throw error;
  }
}

function convert(value: JsonValue, hidden: Hidden, conversion: Conversion): Schema {
  conversion.parts += 1;
  if (conversion.parts > maxParts)
    throw new TooManyParts(`schema cannot be compiled: it has more than ${maxParts} parts`);
  return acceptIfUnreadable<Schema>(true, conversion, () => convertSchema(value, hidden, conversion));
}

function convertSchema(value: JsonValue, hidden: Hidden, conversion: Conversion): Schema {
  if (typeof value === 'boolean') return value;
  if (!isJsonObject(value)) throw new SpecError(`a schema must be an object or a boolean; got ${quoteJson(value)}`);
  const schema = hasUnreadPattern(value, conversion) ? withoutUnreadPatterns(value, conversion) : value;
  const entries = Object.entries(schema).flatMap((entry) => {
    return acceptIfUnreadable<KeywordEntry[]>([], conversion, () => convertKeyword(entry, hidden, conversion));
  });
  const converted: JsonObject = Object.fromEntries(entries);
  // Works around a bug in ajv: an empty array passes `contains` if an earlier array in the same loop contained a match.
  const { contains, minContains = 1, minItems = 0 } = converted;
  if (contains !== undefined && Number(minContains) > Number(minItems)) converted['minItems'] = minContains;
  const sizes = Object.values(converted).map((one) =>
    typeof one === 'object' && one !== null ? Object.keys(one).length : 1,
  );
  converted[workKeyword] = sizes.reduce((sum, size) => sum + size, 1);
  const bounded = withNumericBounds(converted);
  return conversion.isOldDialect && schema['nullable'] === true ? withNull(bounded, conversion) : bounded;
}

const isUnread = (pattern: JsonValue | undefined): boolean =>
  typeof pattern === 'string' && linearPattern(pattern) === undefined;

/** True if a schema, or one that it refers to, has a pattern that is left to the server. */
function hasUnreadPattern(schema: JsonValue, conversion: Conversion): boolean {
  const known = conversion.open.get(schema);
  if (!isJsonObject(schema) || known !== undefined) return known === true;
  conversion.open.set(schema, false); // In case the schema refers to itself.
  const { pattern, patternProperties, $ref } = schema;
  const target =
    typeof $ref === 'string' && $ref.startsWith('#') ? resolvePointer(conversion.root, $ref.slice(1)) : null;
  const parts = Object.entries(schema).flatMap(([keyword, value]) => innerSchemas(keyword, value));
  const isFound =
    isUnread(pattern) ||
    (isJsonObject(patternProperties) && Object.keys(patternProperties).some(isUnread)) ||
    [target ?? null, ...parts].some((part) => hasUnreadPattern(part, conversion));
  conversion.open.set(schema, isFound);
  return isFound;
}

/**
 * Removes patterns that only the server can check. The result accepts every value that could be valid for the server. So
 * it also weakens keywords, such as `not`, that would reject a value because a part with such a pattern accepts it.
 */
function withoutUnreadPatterns(schema: JsonObject, conversion: Conversion): JsonObject {
  const isOpen = (keyword: string): boolean =>
    innerSchemas(keyword, schema[keyword] ?? null).some((part) => hasUnreadPattern(part, conversion));
  const { pattern, patternProperties, oneOf, if: test, then: yes = true, else: no = true, ...rest } = schema;
  const weakened = { ...schema };
  const addedParts: JsonValue[] = [];
  if (isUnread(pattern)) delete weakened['pattern'];
  if (isJsonObject(patternProperties) && Object.keys(patternProperties).some(isUnread)) {
    const readPatterns = Object.entries(patternProperties).filter(([name]) => !isUnread(name));
    // A removed pattern could match every name, so no member counts as additional.
    weakened['patternProperties'] = Object.fromEntries([...readPatterns, ['', true]]);
  }
  if (isOpen('not')) delete weakened['not'];
  if (isOpen('contains')) delete weakened['maxContains'];
  if (oneOf !== undefined && isOpen('oneOf')) {
    delete weakened['oneOf'];
    addedParts.push({ anyOf: oneOf });
  }
  if (test !== undefined && isOpen('if')) {
    for (const keyword of ['if', 'then', 'else']) delete weakened[keyword];
    addedParts.push({ anyOf: [{ allOf: [test, yes] }, no] });
  }
  if (addedParts.length > 0)
    weakened['allOf'] = [...(Array.isArray(rest['allOf']) ? rest['allOf'] : []), ...addedParts];
  return weakened;
}

function convertKeyword([keyword, value]: KeywordEntry, hidden: Hidden, conversion: Conversion): KeywordEntry[] {
  if (keyword === '$ref' && typeof value === 'string') {
    const { targets } = conversion;
    const pointer = parseReference(value);
    const key = JSON.stringify([pointer, hidden && [...hidden].sort()]);
    const target = targets.get(key) ?? { name: `part-${targets.size}`, pointer, hidden };
    targets.set(key, target);
    return [[keyword, `#/$defs/${target.name}`]];
  }
  if (keyword === '$dynamicRef' && typeof value === 'string')
    throw new SpecError('dynamic references are not supported');
  const kind = schemaKeywords.get(keyword);
  if (kind === undefined) return [];
  if (!isWellFormed(keyword, value))
    throw new SpecError(`schema cannot be compiled: ${keyword} cannot be ${quoteJson(value)}`);
  const shownValue = hidden === undefined ? value : withoutMembers(keyword, value, hidden);
  const hiddenIn = (part: JsonValue): Hidden => {
    if (hidden === undefined || testedKeywords.has(keyword)) return undefined;
    return keywordsOfValue.has(keyword) ? hidden : hiddenMembers(part, conversion.search);
  };
  return [[keyword, convertValue(kind, shownValue, (part) => convert(part, hiddenIn(part), conversion))]];
}

function convertValue(kind: KeywordKind, value: JsonValue, convert: (part: JsonValue) => Schema): JsonValue {
  switch (kind) {
    case 'value':
      return value;
    case 'schema':
      return convert(value);
    case 'schema-list':
      if (!Array.isArray(value)) throw new SpecError(`expected a list of schemas; got ${quoteJson(value)}`);
      return value.map(convert);
    case 'schemas-by-name':
      if (!isJsonObject(value)) throw new SpecError(`expected an object with schemas; got ${quoteJson(value)}`);
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner)]));
  }
}

// The keyword is a boolean in OpenAPI 3.0 and a number in 3.1, but documents of both versions use both.
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

function withNull(schema: JsonObject, { side }: Conversion): JsonObject {
  const allowedValues = 'const' in schema ? [schema['const']] : schema['enum'];
  // Inputs may only be null if the enum lists null; outputs may always be null.
  if (side === 'input' && Array.isArray(allowedValues) && !allowedValues.includes(null)) return schema;
  if (combiningKeywords.some((keyword) => Object.hasOwn(schema, keyword))) return { anyOf: [schema, { type: 'null' }] };
  const type = schema['type'];
  if (type === undefined) return schema;
  const types = Array.isArray(type) ? type : [type];
  return { ...schema, type: types.includes('null') ? types : [...types, 'null'] };
}

const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const isType = (value: JsonValue): boolean => typeof value === 'string' && typeNames.includes(value);
const bounds = [
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minContains', 'maxContains', 'minProperties', 'maxProperties'],
];
const isListOfNames = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** True if the value of a keyword is well-formed. Schemas in it are checked when they are converted. */
function isWellFormed(keyword: string, value: JsonValue): boolean {
  switch (keyword) {
    case 'type':
      return Array.isArray(value) ? value.every(isType) : isType(value);
    case 'enum':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value) && value.length > 0;
    case 'required':
      return isListOfNames(value);
    case 'dependentRequired':
      return isJsonObject(value) && Object.values(value).every(isListOfNames);
    case 'pattern':
    case 'format':
      return typeof value === 'string';
    case 'uniqueItems':
      return typeof value === 'boolean';
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return typeof value === 'number' || typeof value === 'boolean'; // A boolean in OpenAPI 3.0.
    case 'multipleOf':
      return typeof value === 'number' && value > 0;
    default:
      return !bounds.includes(keyword) || typeof value === 'number';
  }
}
