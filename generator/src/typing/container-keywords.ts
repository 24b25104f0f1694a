import type { CanonicalSchema } from '../../../specs/src/index.ts';
import { intersect, intersectAll, readUnlistedType } from './intersect.ts';
import type { TypingState } from './named-types.ts';
import {
  type ArrayType,
  allButArrays,
  allButObjects,
  anyObject,
  classify,
  type Field,
  joinTypes,
  listMembers,
  matchesPattern,
  measureType,
  type NamePattern,
  neverType,
  type ObjectType,
  readDocs,
  type TsType,
  unevaluatedType,
  unknownType,
} from './ts-type.ts';

/** Returns the type that the object keywords allow. Values that aren't objects are allowed too, unless the schema excludes them. */
export function readObjectKeywords(schema: CanonicalSchema, state: TypingState): TsType | undefined {
  const { type, properties, required, additionalProperties, patternProperties } = schema;
  if (!properties && !required && !additionalProperties && !patternProperties) return undefined;
  const object = readObject(schema, state);
  for (const field of object.fields.values()) {
    if (field.required && field.type.kind === 'never') return joinTypes(allButObjects);
  }
  return type?.length === 1 && type[0] === 'object' ? object : joinTypes([object, ...allButObjects]);
}

function readObject(schema: CanonicalSchema, state: TypingState): ObjectType {
  const named = readPatterns(schema, state);
  const rest = readRest(schema, named, state);
  const required = new Set(schema.required);
  const fields = new Map<string, Field>();
  for (const [name, property] of [...(schema.properties ?? []), ...named.exact]) {
    if (fields.has(name)) continue;
    const exact = named.exact.get(name);
    const schemas = exact === undefined || exact === property ? [property] : [property, exact];
    const type = intersectAll([...schemas.map(state.readType), ...listMatchingTypes(name, named)], state);
    fields.set(name, { name, required: required.has(name), type, docs: readDocs(property) });
  }
  for (const name of required) {
    if (fields.has(name)) continue;
    const type = readUnlistedType(name, { patterns: named.patterns, rest }, state);
    const isDescribed = rest !== unevaluatedType || named.patterns.some((pattern) => matchesPattern(pattern, name));
    fields.set(name, { name, required: true, type, docs: {}, ...(isDescribed ? {} : { unevaluated: true }) });
  }
  return { kind: 'object', fields, patterns: named.patterns, rest, inexact: named.inexpressible.length > 0 };
}

function listMatchingTypes(name: string, { patterns, every }: NamedByPattern): TsType[] {
  const types = patterns.filter((one) => matchesPattern(one, name)).map(({ type }) => type);
  return types.length > 0 || every === undefined ? types : [every];
}

type NamedByPattern = {
  /** Schemas of patterns that match exactly one name, by this name. */
  readonly exact: ReadonlyMap<string, CanonicalSchema>;
  readonly patterns: readonly NamePattern[];
  /** Type of members whose name pattern matches every name. */
  readonly every: TsType | undefined;
  /** Types of members whose name pattern can't be expressed in TypeScript. */
  readonly inexpressible: readonly TsType[];
};

function readPatterns({ patternProperties }: CanonicalSchema, state: TypingState): NamedByPattern {
  const exact = new Map<string, CanonicalSchema>();
  const some: NamePattern[] = [];
  const inexpressible: TsType[] = [];
  let every: TsType | undefined;
  for (const [expression, schema] of patternProperties ?? []) {
    const names = parseNamePattern(expression);
    if (names === undefined) inexpressible.push(state.readType(schema));
    else if (names.isWhole) exact.set(names.starts, schema);
    else if (names.starts === '' && names.ends === '') {
      every = intersect(every ?? unknownType, state.readType(schema), state);
    } else some.push({ starts: names.starts, ends: names.ends, type: state.readType(schema) });
  }
  const patterns = some.map((one) => ({ ...one, type: intersect(one.type, every ?? unknownType, state) }));
  return { exact, patterns, every, inexpressible };
}

/**
 * Parses a regular expression that only fixes the start or end of names, or matches exactly one name. Returns undefined
 * for other expressions. Never runs the expression, because the document could contain one that takes unbounded time.
 */
function parseNamePattern(written: string): { starts: string; ends: string; isWhole?: true } | undefined {
  const expression = written.replace('(.*)', '.*');
  const parts = /^(\^?)((?:[^\\^$.|?*+()[\]{}]|\\[-.$/])*)(?:\.[*+])?(\$?)$/.exec(expression);
  if (parts === null) return undefined;
  const [, start = '', middle = '', end = ''] = parts;
  const text = middle.replaceAll('\\', '');
  const isOpen = /\.[*+]\$?$/.test(expression);
  if (/\.\+\$?$/.test(expression)) return undefined; // `.+` requires a character, but `${string}` doesn't.
  if (start === '^' && end === '$' && !isOpen) return { starts: text, ends: '', isWhole: true };
  if (start === '^') return { starts: text, ends: '' };
  if (text === '') return { starts: '', ends: '' };
  return end === '$' && !isOpen ? { starts: '', ends: text } : undefined;
}

function readRest({ additionalProperties }: CanonicalSchema, named: NamedByPattern, state: TypingState): TsType {
  const { every, inexpressible } = named;
  if (every !== undefined) return every;
  if (additionalProperties === undefined) return inexpressible.length === 0 ? unevaluatedType : unknownType;
  return joinTypes([state.readType(additionalProperties), ...inexpressible]);
}

/** Returns a type that allows only the members listed by `propertyNames`; undefined if the names can't be listed. */
export function readPropertyNames({ propertyNames }: CanonicalSchema, state: TypingState): TsType | undefined {
  const names = propertyNames === undefined ? undefined : findNames(state.readType(propertyNames), state);
  if (names === undefined) return undefined;
  const fields = names.map((name) => [name, { name, required: false, type: unknownType, docs: {} }] as const);
  return joinTypes([{ ...anyObject, fields: new Map(fields), rest: neverType }, ...allButObjects]);
}

function findNames(type: TsType, state: TypingState): string[] | undefined {
  const found = listMembers(type).map((member) => {
    if (member.kind === 'reference') {
      const expanded = state.expand(member.name);
      return expanded === undefined || expanded.kind === 'reference' ? undefined : findNames(expanded, state);
    }
    if (member.kind === 'literal') return typeof member.value === 'string' ? [member.value] : [];
    // Names are strings, so other values accepted by the schema don't matter.
    return member.kind === 'never' || ![undefined, 'string'].includes(classify(member)) ? [] : undefined;
  });
  return found.includes(undefined) ? undefined : found.flatMap((names) => names ?? []);
}

/** Returns the type that the array keywords allow. Values that aren't arrays are allowed too, unless the schema excludes them. */
export function readArrayKeywords(schema: CanonicalSchema, state: TypingState): TsType | undefined {
  const { type, prefixItems, items } = schema;
  if (prefixItems === undefined && items === undefined) return undefined;
  const array = readArray(schema, items === undefined ? unknownType : state.readType(items), state);
  if (array === undefined) return joinTypes(allButArrays);
  return type?.length === 1 && type[0] === 'array' ? array : joinTypes([array, ...allButArrays]);
}

/** Maximum number of items of a tuple that are printed one by one. */
const maxListedItems = 16;

/** Maximum fixed length of a list that is printed as a tuple. */
const maxTupleLength = 8;
/** Item types with more parts than this number aren't repeated in a tuple. */
const maxRepeatedParts = 20;

// Ignores `maxItems` unless the length is fixed: `string[]` reads better than sixteen optional strings.
function readList({ minItems = 0, maxItems }: CanonicalSchema, rest: TsType, { arrayLengths }: TypingState): ArrayType {
  const isRepeated = arrayLengths.areIncluded && minItems > 0 && measureType(rest) <= maxRepeatedParts;
  const isFixed = isRepeated && minItems === maxItems && minItems <= maxTupleLength;
  if (isFixed) return { kind: 'array', prefix: Array(minItems).fill(rest), required: minItems, rest: neverType };
  const inexact = minItems > (isRepeated ? 1 : 0) || maxItems !== undefined;
  return { kind: 'array', prefix: isRepeated ? [rest] : [], required: isRepeated ? 1 : 0, rest, inexact };
}

function readArray(schema: CanonicalSchema, rest: TsType, state: TypingState): ArrayType | undefined {
  const { prefixItems, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (prefixItems === undefined && rest.kind !== 'never') return readList(schema, rest, state);
  if (minItems > maxItems) return undefined;
  const items = (prefixItems ?? []).slice(0, maxItems).map(state.readType);
  // The array must end before the first item that accepts no value.
  const end = items.findIndex((item) => item.kind === 'never');
  const prefix = end < 0 ? items : items.slice(0, end);
  if (rest.kind === 'never' || end >= 0 || maxItems <= prefix.length) {
    return minItems > prefix.length ? undefined : { kind: 'array', prefix, required: minItems, rest: neverType };
  }
  // Items after `prefixItems` are printed one by one if the array can only have a few items.
  const hasFewItems = maxItems <= maxListedItems;
  const least = minItems <= maxListedItems ? minItems : 0;
  const length = Math.max(prefix.length, hasFewItems ? maxItems : least);
  const counted = Array.from({ length }, (_, index) => prefix[index] ?? rest);
  const required = Math.min(minItems, length);
  if (hasFewItems) return { kind: 'array', prefix: counted, required, rest: neverType };
  const inexact = minItems > length || maxItems < Number.POSITIVE_INFINITY;
  return { kind: 'array', prefix: counted, required, rest, inexact };
}
