import {
  bundleJsonSchema,
  type CanonicalSchema,
  isJsonObject,
  type JsonValue,
  printJsonSchema,
} from '../../../specs/src/index.ts';
import { isWithin, mergeLimits } from './compare-limits.ts';
import {
  childPointer,
  combine,
  combineAll,
  type Located,
  listParts,
  locateChild,
  rawSchema,
  type SchemaPart,
} from './located-schema.ts';
import { sameJson } from './schema-change.ts';
import { common, type NodeType, readEnum, readTypes } from './types-and-values.ts';
import { foldUnions, listAssertions, listUnions, partAcceptsNull, withoutNullUnions } from './unions.ts';

export type SchemaNode = ReturnType<typeof readNode>;
type Types = ReturnType<typeof readTypes>;

/** All assertions and annotations of a place, with references followed and `allOf` merged. */
export function readNode(located: Located) {
  const { parts: own, isNever: isClosed } = listParts(located);
  const acceptsNull = !isClosed && own.every((part) => partAcceptsNull(part));
  const parts: readonly SchemaPart[] = own.flatMap((part) => withoutNullUnions(part, []));
  const schemas = parts.map(({ schema }) => schema);
  const [types, limits] = [readTypes(schemas), mergeLimits(schemas)];
  const values: readonly JsonValue[] | undefined = readEnum(schemas)?.filter((value) =>
    [...limits].every((limit) => limit[0] === 'pattern' || isWithin(value, limit)),
  );
  // Contradicting types or lists of values leave no value to accept.
  const isNever = isClosed || (!acceptsNull && (types?.size === 0 || values?.length === 0));
  return {
    parts,
    isNever,
    acceptsNull,
    /** Undefined for all. */
    types,
    enum: values,
    limits,
    properties: readProperties(parts),
    /** The pointer of the `required` that lists a name. */
    required: new Map(
      parts.flatMap((part) => (part.schema.required ?? []).map((name) => [name, childPointer(part, 'required')])),
    ),
    additional: combineAll([
      ...readChildren(parts, 'additionalProperties'),
      ...readChildren(parts, 'unevaluatedProperties'),
    ]),
    patterns: readMembers(parts, 'patternProperties'),
    items: combineAll(readChildren(parts, 'items')),
    prefix: readPrefix(parts),
    unions: parts.flatMap(listUnions),
    /** Keywords that are compared as JSON. */
    constraints: effectiveConstraints(parts, types),
    annotations: firstOfEach(parts.map(readAnnotations)),
  };
}

/** The node with unions that list only values or types replaced by one list; undefined when a union says more. */
export function foldNode(node: SchemaNode): SchemaNode | undefined {
  const parts = foldUnions(node.parts);
  const schemas = parts?.map(({ schema }) => schema) ?? [];
  return parts && { ...node, parts, types: readTypes(schemas), enum: readEnum(schemas), unions: [] };
}

/** The pointer of the first of the keywords that the schema has. */
export function keywordPointer(keywords: readonly string[], { parts }: SchemaNode): string | undefined {
  for (const keyword of keywords) {
    const part = parts.find((one) => hasKeyword(one, keyword));
    if (part !== undefined) return part.isFolded ? part.pointer : childPointer(part, rawKeyword(keyword, part));
  }
  return undefined;
}

function hasKeyword(part: SchemaPart, keyword: string): boolean {
  const { schema } = part;
  if (keyword === 'title') return readAnnotations(part).has(keyword);
  return Object.hasOwn(schema, keyword) || schema.limits?.has(keyword) || readConstraints(part).has(keyword);
}

// The canonical schema has one spelling for both.
function rawKeyword(keyword: string, part: SchemaPart): string {
  const raw = rawSchema(part);
  const other = { enum: 'const', examples: 'example' }[keyword];
  return other !== undefined && isJsonObject(raw) && Object.hasOwn(raw, other) ? other : keyword;
}

/** Properties with the `additionalProperties` of those parts that do not list them: these apply as well. */
function readProperties(parts: readonly SchemaPart[]): Map<string, Located> {
  const found = readMembers(parts, 'properties');
  for (const part of parts) {
    const { additionalProperties, patternProperties, properties } = part.schema;
    if (additionalProperties === undefined || patternProperties !== undefined) continue;
    const rest = locateChild(part, additionalProperties, 'additionalProperties');
    if (listAssertions(rest.schema).length === 0) continue;
    for (const [name, property] of found) if (properties?.has(name) !== true) found.set(name, combine(property, rest));
  }
  return found;
}

function readMembers(parts: readonly SchemaPart[], keyword: 'properties' | 'patternProperties'): Map<string, Located> {
  const found = new Map<string, Located>();
  for (const part of parts) {
    for (const [name, schema] of part.schema[keyword] ?? []) {
      const [known, member] = [found.get(name), locateChild(part, schema, keyword, name)];
      found.set(name, known === undefined ? member : combine(known, member));
    }
  }
  return found;
}

function readChildren(
  parts: readonly SchemaPart[],
  keyword: 'additionalProperties' | 'unevaluatedProperties' | 'items',
): Located[] {
  return parts.flatMap((part) => {
    const schema = part.schema[keyword];
    return schema === undefined ? [] : [locateChild(part, schema, keyword)];
  });
}

function readPrefix(parts: readonly SchemaPart[]): Located[] {
  const length = Math.max(0, ...parts.map(({ schema }) => schema.prefixItems?.length ?? 0));
  return Array.from({ length }, (_, index) => index).flatMap((index) => {
    const items = parts.flatMap((part) => {
      const { prefixItems = [], items: rest } = part.schema;
      const schema = prefixItems[index];
      if (schema !== undefined) return [locateChild(part, schema, 'prefixItems', index)];
      return rest === undefined ? [] : [locateChild(part, rest, 'items')];
    });
    return combineAll(items) ?? [];
  });
}

const annotationKeywords = ['description', 'default', 'examples', 'deprecated'] as const;
const constraintKeywords = [
  'not',
  'conditional',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'unevaluatedItems',
  'limits',
] as const;

/** Each constraint with all that it refers to, so that equal ones have the same text. */
function readConstraints({ schema, document }: SchemaPart): Map<string, JsonValue> {
  const limits = new Map([...(schema.limits ?? [])].filter(([keyword]) => /^m(?:in|ax)Contains$/.test(keyword)));
  const all = { ...schema, limits };
  const found = constraintKeywords.flatMap((keyword) => {
    if (all[keyword] === undefined) return [];
    const printed = bundleJsonSchema({ [keyword]: all[keyword] }, document.reader.definitions());
    if (!isJsonObject(printed)) return keyword === 'not' ? [['not', !printed] as const] : [];
    const { $defs, ...constraints } = printed;
    return Object.entries(constraints).map(([name, value]) => {
      return [name, $defs !== undefined && isJsonObject(value) ? { ...value, $defs } : value] as const;
    });
  });
  return new Map(found);
}

/** The type that a constraint is about, if it is one, and when it refuses nothing. */
type Constraint = {
  readonly about?: NodeType;
  readonly isIdle: (value: JsonValue, schema: CanonicalSchema) => boolean;
};
const isTrue = (value: JsonValue): boolean => value === true;
const isEmpty = (value: JsonValue): boolean => isJsonObject(value) && Object.keys(value).length === 0;
const lacksContains = (_: JsonValue, { contains }: CanonicalSchema): boolean => contains === undefined;
const constraints: ReadonlyMap<string, Constraint> = new Map<string, Constraint>([
  ['not', { isIdle: (value) => value === false }],
  ['if', { isIdle: (_, { conditional }) => conditional?.yes === undefined && conditional?.no === undefined }],
  ['then', { isIdle: isTrue }],
  ['else', { isIdle: isTrue }],
  ['propertyNames', { about: 'object', isIdle: isTrue }],
  ['dependentSchemas', { about: 'object', isIdle: isEmpty }],
  ['dependentRequired', { about: 'object', isIdle: requiresNothing }],
  ['contains', { about: 'array', isIdle: isEmpty }],
  ['minContains', { about: 'array', isIdle: lacksContains }],
  ['maxContains', { about: 'array', isIdle: lacksContains }],
  ['unevaluatedItems', { about: 'array', isIdle: isTrue }],
]);

function requiresNothing(value: JsonValue): boolean {
  const lists = isJsonObject(value) ? Object.entries(value) : [];
  return lists.every(([name, others]) => sameJson(others, [name]) || sameJson(others, []));
}

/** The constraints that can refuse a value of the types; several of one keyword as a list. */
function effectiveConstraints(parts: readonly SchemaPart[], types: Types): Map<string, JsonValue> {
  const isEffective = (keyword: string, value: JsonValue, schema: CanonicalSchema): boolean => {
    const { about, isIdle = isEmpty } = constraints.get(keyword) ?? {};
    const { not } = schema;
    if (keyword === 'not' && not !== undefined && isOfOtherTypes(not, types)) return false;
    return (about === undefined || (types?.has(about) ?? true)) && !isIdle(value, schema);
  };
  const found = new Map<string, JsonValue>();
  for (const part of parts) {
    const effective = [...readConstraints(part)].filter(([keyword, value]) => isEffective(keyword, value, part.schema));
    for (const [keyword, value] of effective) {
      const known = found.get(keyword);
      found.set(keyword, known === undefined || sameJson(known, value) ? value : [known, value].flat());
    }
  }
  return found;
}

function isOfOtherTypes({ type }: CanonicalSchema, types: Types): boolean {
  if (type === undefined || types === undefined || type.includes('null')) return false;
  return common(readTypes([{ type }]) ?? types, types).size === 0;
}

function readAnnotations(part: SchemaPart): Map<string, JsonValue> {
  const some: CanonicalSchema = Object.fromEntries(
    Object.entries(part.schema).filter(([keyword]) => annotationKeywords.some((word) => word === keyword)),
  );
  const printed = printJsonSchema(some, { annotated: true, printName: (name) => name });
  const annotations = new Map(isJsonObject(printed) ? Object.entries(printed) : []);
  const raw = rawSchema(part);
  // The canonical schema has no title.
  if (isJsonObject(raw) && typeof raw['title'] === 'string') annotations.set('title', raw['title']);
  return annotations;
}

function firstOfEach(all: readonly ReadonlyMap<string, JsonValue>[]): Map<string, JsonValue> {
  return new Map([...all].reverse().flatMap((one) => [...one]));
}
