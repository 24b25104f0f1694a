import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';
import { type Absent, besides, createAbsentIn, present } from './sides.ts';

/** A schema of an OpenAPI 3.0 or 3.1 document as a self-contained JSON Schema 2020-12. */
export type JsonSchema = boolean | JsonObject;

const asTheyAre = new Set(
  `enum const required minLength maxLength minItems maxItems minProperties maxProperties minimum maximum multipleOf
   uniqueItems pattern minContains maxContains dependentRequired examples default`.split(/\s+/),
);
const oneSchema = new Set(
  'additionalProperties unevaluatedProperties unevaluatedItems propertyNames contains not if then else'.split(' '),
);
const schemasByName = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const typeWords = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']);

/**
 * The bench's own reading of both dialects, 3.1 keywords in 3.0 documents included: `nullable` admits null only in 3.0, and not in
 * inputs next to an enum that lacks it;
 * siblings of `$ref` apply; a dangling reference accepts everything; members of the other side are left out. Unusable
 * keywords are ignored, as a validator ignores unknown ones.
 */
export function toJsonSchema(raw: JsonValue, root: JsonObject, direction: 'input' | 'output'): JsonSchema {
  const names = new Map<string, string>();
  const pending: [name: string, target: JsonValue, absent: Absent][] = [];
  const find = (reference: string): JsonValue | undefined =>
    reference.startsWith('#') ? resolveTarget(decodeURIComponent(reference.slice(1)), root) : undefined;
  const refer = (reference: string, absent: Absent): string | undefined => {
    const target = find(reference);
    if (target === undefined) return undefined;
    const key = JSON.stringify([decodeURIComponent(reference), absent && [...absent]]);
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = `s${names.size}`;
    names.set(key, name);
    pending.push([name, target, absent]);
    return name;
  };
  const absentIn = createAbsentIn(find, direction === 'input' ? 'readOnly' : 'writeOnly');
  const hasNullable = String(root['openapi']).startsWith('3.0');
  const context = (absent: Absent): Context => ({
    ...{ refer, absentIn, absent, hasNullable },
    isInput: direction === 'input',
  });
  const converted = convert(raw, context(absentIn(raw)));
  const definitions: JsonObject = {};
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    definitions[next[0]] = convert(next[1], context(next[2]));
  }
  return isJsonObject(converted) && names.size > 0 ? { ...converted, $defs: definitions } : converted;
}

function resolveTarget(fragment: string, root: JsonObject): JsonValue | undefined {
  return /^(\/|$)/.test(fragment) ? resolvePointer(root, fragment) : findAnchored(root, fragment);
}

function findAnchored(value: JsonValue, anchor: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && [value['$anchor'], value['$dynamicAnchor']].includes(anchor)) return value;
  for (const part of Object.values(value)) {
    const found = findAnchored(part, anchor);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Context = {
  readonly refer: (reference: string, absent: Absent) => string | undefined;
  readonly absentIn: (raw: JsonValue) => Absent;
  readonly absent: Absent;
  readonly hasNullable: boolean;
  readonly isInput: boolean;
};
type Keyword = { keyword: string; value: JsonValue; raw: JsonObject };

/** A schema of a member or item. */
function convertInner(raw: JsonValue, context: Context): JsonSchema {
  return convert(raw, { ...context, absent: context.absent && context.absentIn(raw) });
}

function convert(raw: JsonValue, context: Context): JsonSchema {
  if (typeof raw === 'boolean') return raw;
  if (!isJsonObject(raw)) return true;
  const made: JsonObject = {};
  for (const [keyword, value] of Object.entries(raw))
    Object.assign(made, convertKeyword({ keyword, value: present(keyword, value, context.absent), raw }, context));
  if (raw['example'] !== undefined) made['examples'] = [raw['example'], ...listAt(made, 'examples')];
  if (raw['nullable'] !== true || !context.hasNullable) return made;
  const { examples, default: standard, ...assertions } = made;
  if (Object.keys(assertions).length === 0) return made;
  const listed = 'const' in assertions ? [assertions['const']] : assertions['enum'];
  if (context.isInput && Array.isArray(listed) && !listed.includes(null)) return made;
  return {
    ...(examples === undefined ? {} : { examples }),
    ...(standard === undefined ? {} : { default: standard }),
    anyOf: [assertions, { type: 'null' }],
  };
}

function convertKeyword({ keyword, value, raw }: Keyword, context: Context): JsonObject {
  switch (keyword) {
    case '$ref':
    case '$dynamicRef':
      return convertReference(value, context);
    case 'type':
      return convertType(value);
    case 'items':
      return Array.isArray(value) ? convertOldTuple(value, raw, context) : { items: convertInner(value, context) };
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return convertExclusive(keyword, value, raw);
    case 'dependencies':
      return isJsonObject(value) ? convertDependencies(value, context) : {};
    default:
      return convertPlain(keyword, value, context);
  }
}

function convertReference(value: JsonValue, { refer, absent }: Context): JsonObject {
  const name = typeof value === 'string' ? refer(value, absent) : undefined;
  return name === undefined ? {} : { $ref: `#/$defs/${name}` };
}

function convertType(value: JsonValue): JsonObject {
  const words = Array.isArray(value) ? value : [value];
  const usable = words.length > 0 && words.every((word) => typeof word === 'string' && typeWords.has(word));
  return usable ? { type: words } : {};
}

function convertOldTuple(items: readonly JsonValue[], { additionalItems }: JsonObject, context: Context): JsonObject {
  const rest = additionalItems === undefined ? {} : { items: convertInner(additionalItems, context) };
  return items.length === 0 ? rest : { prefixItems: items.map((one) => convertInner(one, context)), ...rest };
}

// Older dialects had one keyword for both.
function convertDependencies(value: JsonObject, context: Context): JsonObject {
  const lists: JsonObject = {};
  const schemas: JsonObject = {};
  for (const [name, part] of Object.entries(value)) {
    if (Array.isArray(part)) lists[name] = part;
    else schemas[name] = convert(part, context);
  }
  return { dependentRequired: lists, dependentSchemas: schemas };
}

function convertExclusive(keyword: string, value: JsonValue, raw: JsonObject): JsonObject {
  const bound = typeof value === 'boolean' ? raw[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'] : value;
  return value !== false && typeof bound === 'number' ? { [keyword]: bound } : {};
}

function convertPlain(keyword: string, value: JsonValue, context: Context): JsonObject {
  if (asTheyAre.has(keyword)) return isUsable(keyword, value) ? { [keyword]: value } : {};
  const inner = (one: JsonValue): JsonSchema => {
    if (keyword === 'not' || keyword === 'if') return convert(one, { ...context, absent: undefined });
    return besides.has(keyword) ? convert(one, context) : convertInner(one, context);
  };
  if (oneSchema.has(keyword)) return { [keyword]: inner(value) };
  if (schemasByName.has(keyword) && isJsonObject(value))
    return { [keyword]: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)])) };
  const isList = schemaLists.has(keyword) && Array.isArray(value) && value.length > 0;
  return isList ? { [keyword]: value.map(inner) } : {};
}

function isUsable(keyword: string, value: JsonValue): boolean {
  if (keyword === 'enum') return Array.isArray(value) && value.length > 0;
  if (keyword === 'required') return Array.isArray(value) && value.every((name) => typeof name === 'string');
  if (keyword === 'examples') return Array.isArray(value);
  if (/^(min|max|exclusive|multiple)/.test(keyword)) return typeof value === 'number';
  return true;
}

function listAt(holder: JsonObject, key: string): readonly JsonValue[] {
  const value = holder[key];
  return Array.isArray(value) ? value : [];
}
