import {
  type CanonicalSchema,
  isJsonObject,
  isNothing,
  type JsonValue,
  nothing,
  printJsonSchema,
} from '../../../specs/src/index.ts';
import { type Limits, mergeLimits } from './compare-limits.ts';
import { childOf, childPointer, combine, type Located, partsOf, rawSchema, type SchemaPart } from './located-schema.ts';

/** A type; `number` is `integer` and `fraction`, so that sets of types can be compared. Null is held apart. */
export type NodeType = 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object';
export type Union = { readonly isExclusive: boolean; readonly members: readonly Located[]; readonly pointer: string };

/** All assertions and annotations of a place, with references followed and `allOf` merged. */
export type SchemaNode = {
  readonly parts: readonly SchemaPart[];
  readonly isNever: boolean;
  readonly acceptsNull: boolean;
  /** Undefined for all. */
  readonly types: ReadonlySet<NodeType> | undefined;
  readonly enum: readonly JsonValue[] | undefined;
  readonly limits: Limits;
  readonly properties: ReadonlyMap<string, Located>;
  /** The pointer of the `required` that lists a name. */
  readonly required: ReadonlyMap<string, string>;
  readonly additional: Located | undefined;
  readonly patterns: ReadonlyMap<string, Located>;
  readonly items: Located | undefined;
  readonly prefix: readonly Located[];
  readonly unions: readonly Union[];
  /** Keywords that are compared as JSON. */
  readonly constraints: ReadonlyMap<string, JsonValue>;
  readonly annotations: ReadonlyMap<string, JsonValue>;
};

export function readNode(located: Located): SchemaNode {
  const { parts: own, isNever: isClosed } = partsOf(located);
  const acceptsNull = !isClosed && own.every((part) => partAcceptsNull(part));
  const parts = own.flatMap((part) => withoutNullUnions(part, []));
  const schemas = parts.map(({ schema }) => schema);
  const [types, values] = [typesOf(schemas), enumOf(schemas)];
  // Contradicting types or lists of values leave no value to accept.
  const isNever = isClosed || (!acceptsNull && (types?.size === 0 || values?.length === 0));
  return {
    parts,
    isNever,
    acceptsNull,
    types,
    enum: values,
    limits: mergeLimits(schemas),
    properties: membersOf(parts, 'properties'),
    required: new Map(
      parts.flatMap((part) => (part.schema.required ?? []).map((name) => [name, childPointer(part, 'required')])),
    ),
    additional: combine([...childrenOf(parts, 'additionalProperties'), ...childrenOf(parts, 'unevaluatedProperties')]),
    patterns: membersOf(parts, 'patternProperties'),
    items: combine(childrenOf(parts, 'items')),
    prefix: prefixOf(parts),
    unions: parts.flatMap(unionsOf),
    constraints: firstOfEach(schemas.map(constraintsOf)),
    annotations: firstOfEach(schemas.map(annotationsOf)),
  };
}

/** The node with unions that list only values or types replaced by one list; undefined when a union says more. */
export function foldUnions(node: SchemaNode): SchemaNode | undefined {
  const folded = node.parts.flatMap((part) => unionsOf(part).map((union) => foldUnion(union, part)));
  const lists = folded.filter((part) => part !== undefined);
  if (lists.length < folded.length) return undefined;
  const rest = node.parts.map(({ schema: { anyOf, oneOf, ...schema }, ...part }) => ({ ...part, schema }));
  const parts = [...rest, ...lists];
  const schemas = parts.map(({ schema }) => schema);
  return { ...node, parts, types: typesOf(schemas), enum: enumOf(schemas), unions: [] };
}

function foldUnion({ members, isExclusive, pointer }: Union, { document }: SchemaPart): SchemaPart | undefined {
  const lists = members.map(listOf);
  const values = lists.flatMap((list) => list?.values ?? []);
  const types = lists.flatMap((list) => list?.types ?? []);
  // An exclusive union refuses what two alternatives have in common.
  const overlaps = (all: readonly JsonValue[]): boolean =>
    isExclusive && new Set(all.map((one) => JSON.stringify(one))).size < all.length;
  if (lists.every((list) => list?.values !== undefined) && !overlaps(values))
    return { schema: { enum: values }, pointer, document, isFolded: true };
  if (lists.every((list) => list?.types !== undefined) && !overlaps(types))
    return { schema: { type: namesOf(new Set(types)) }, pointer, document, isFolded: true };
  return undefined;
}

function listOf(member: Located): { values?: readonly JsonValue[]; types?: readonly NodeType[] } | undefined {
  const { parts, isNever } = partsOf(member);
  const schemas = parts.map(({ schema }) => schema);
  const isList = schemas.every((schema) => assertionsOf(schema).every((keyword) => /^(?:type|enum)$/.test(keyword)));
  if (isNever || schemas.length === 0 || !isList) return undefined;
  const [values, types] = [enumOf(schemas), typesOf(schemas)];
  if (values !== undefined) return { values };
  return types === undefined ? undefined : { types: [...types] };
}

const annotationKeywords = new Set(['description', 'default', 'examples', 'deprecated', 'discriminator']);

/** The keywords of a schema that validators check. */
export function assertionsOf(schema: CanonicalSchema): string[] {
  return Object.keys(schema).filter((keyword) => !annotationKeywords.has(keyword));
}

/** The pointer of the first of the keywords that the newer document has, else the older one. */
export function keywordPointer(keywords: readonly string[], now: SchemaNode, old: SchemaNode): string | undefined {
  for (const { parts } of [now, old]) {
    for (const keyword of keywords) {
      const part = parts.find(({ schema }) => hasKeyword(schema, keyword));
      if (part !== undefined) return part.isFolded ? part.pointer : childPointer(part, rawKeyword(keyword, part));
    }
  }
  return undefined;
}

function hasKeyword(schema: CanonicalSchema, keyword: string): boolean {
  return Object.hasOwn(schema, keyword) || schema.limits?.has(keyword) || constraintsOf(schema).has(keyword);
}

// The canonical schema has one spelling for both.
function rawKeyword(keyword: string, part: SchemaPart): string {
  const raw = rawSchema(part);
  const other = { enum: 'const', examples: 'example' }[keyword];
  return other !== undefined && isJsonObject(raw) && Object.hasOwn(raw, other) ? other : keyword;
}

/** The members of both sets. */
export function common<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): Set<T> {
  return new Set([...one].filter((member) => other.has(member)));
}

function typesOf(schemas: readonly CanonicalSchema[]): ReadonlySet<NodeType> | undefined {
  const declared = schemas.flatMap(({ type, enum: values }) => {
    if (type !== undefined) return [new Set(type.flatMap(typesOfName))];
    return values === undefined ? [] : [new Set(values.flatMap(typesOfValue))];
  });
  return declared.length === 0 ? undefined : declared.reduce(common);
}

function typesOfName(name: string): NodeType[] {
  if (name === 'number') return ['integer', 'fraction'];
  return name === 'integer' || name === 'boolean' || name === 'string' || name === 'array' || name === 'object'
    ? [name]
    : [];
}

function typesOfValue(value: JsonValue): NodeType[] {
  if (value === null) return [];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return [Number.isInteger(value) ? 'integer' : 'fraction'];
  return typesOfName(typeof value);
}

/** The type names of JSON Schema for a set of types. */
export function namesOf(
  types: ReadonlySet<NodeType>,
): ('boolean' | 'integer' | 'number' | 'string' | 'array' | 'object')[] {
  return [...types].flatMap((type) => {
    if (type === 'fraction') return ['number'];
    return type === 'integer' && types.has('fraction') ? [] : [type];
  });
}

function enumOf(schemas: readonly CanonicalSchema[]): readonly JsonValue[] | undefined {
  const lists = schemas.flatMap(({ enum: values }) => (values === undefined ? [] : [values]));
  const [first, ...others] = lists;
  const keys = others.map((list) => new Set(list.map((value) => JSON.stringify(value))));
  const types = typesOf(schemas);
  const values = first?.filter(
    (value) =>
      value !== null &&
      typesOfValue(value).every((type) => types?.has(type) ?? true) &&
      keys.every((set) => set.has(JSON.stringify(value))),
  );
  const isEveryBoolean =
    values?.includes(true) && values.includes(false) && values.every((value) => typeof value === 'boolean');
  return isEveryBoolean ? undefined : values;
}

function membersOf(parts: readonly SchemaPart[], keyword: 'properties' | 'patternProperties'): Map<string, Located> {
  const found = new Map<string, Located>();
  for (const part of parts) {
    for (const [name, schema] of part.schema[keyword] ?? []) {
      const [known, member] = [found.get(name), childOf(part, schema, keyword, name)];
      found.set(name, (known === undefined ? undefined : combine([known, member])) ?? member);
    }
  }
  return found;
}

function childrenOf(
  parts: readonly SchemaPart[],
  keyword: 'additionalProperties' | 'unevaluatedProperties' | 'items',
): Located[] {
  return parts.flatMap((part) => {
    const schema = part.schema[keyword];
    return schema === undefined ? [] : [childOf(part, schema, keyword)];
  });
}

function prefixOf(parts: readonly SchemaPart[]): Located[] {
  const length = Math.max(0, ...parts.map(({ schema }) => schema.prefixItems?.length ?? 0));
  return Array.from({ length }, (_, index) => index).flatMap((index) => {
    const items = parts.flatMap((part) => {
      const schema = part.schema.prefixItems?.[index];
      return schema === undefined ? [] : [childOf(part, schema, 'prefixItems', index)];
    });
    return combine(items) ?? [];
  });
}

function unionsOf(part: SchemaPart): Union[] {
  return (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const listed = part.schema[keyword];
    if (listed === undefined) return [];
    const members = listed.map((schema, index) => childOf(part, schema, keyword, index));
    const pointer = childPointer(part, keyword);
    return [{ isExclusive: keyword === 'oneOf', members: members.filter(({ schema }) => !isNothing(schema)), pointer }];
  });
}

function constraintsOf(schema: CanonicalSchema): Map<string, JsonValue> {
  const { not, conditional, contains, dependentRequired, dependentSchemas, propertyNames, unevaluatedItems } = schema;
  const parts = { not, conditional, contains, dependentRequired, dependentSchemas, propertyNames, unevaluatedItems };
  const limits = new Map([...(schema.limits ?? [])].filter(([keyword]) => /^m(?:in|ax)Contains$/.test(keyword)));
  const present: CanonicalSchema = Object.fromEntries(
    Object.entries({ ...parts, limits }).filter(([, part]) => part !== undefined),
  );
  const printed = printJsonSchema(present, { annotated: true, nameOf: (name) => name });
  return new Map(isJsonObject(printed) ? Object.entries(printed) : []);
}

function annotationsOf({
  description,
  default: fallback,
  examples,
  deprecated,
}: CanonicalSchema): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  if (description !== undefined) found.set('description', description);
  if (fallback !== undefined) found.set('default', fallback);
  if (examples !== undefined) found.set('examples', [...examples]);
  if (deprecated !== undefined) found.set('deprecated', deprecated);
  return found;
}

function firstOfEach(all: readonly ReadonlyMap<string, JsonValue>[]): Map<string, JsonValue> {
  return new Map([...all].reverse().flatMap((one) => [...one]));
}

const maxNestedUnions = 20;

function partAcceptsNull(part: SchemaPart, depth = 0): boolean {
  const { type, enum: values } = part.schema;
  if (type !== undefined && !type.includes('null')) return false;
  if (values !== undefined && !values.includes(null)) return false;
  return unionsOf(part).every(({ members }) => members.some((member) => acceptsNull(member, depth + 1)));
}

function acceptsNull(member: Located, depth: number): boolean {
  const { parts, isNever } = partsOf(member);
  return depth < maxNestedUnions && !isNever && parts.every((part) => partAcceptsNull(part, depth));
}

// Alternatives that are only null are in `acceptsNull`; a single other alternative applies without condition.
function withoutNullUnions(part: SchemaPart, parents: readonly string[]): SchemaPart[] {
  // A schema that contains itself adds nothing the second time.
  if (parents.includes(part.pointer)) return [];
  const inlined: SchemaPart[] = [];
  let schema = part.schema;
  for (const { isExclusive, members } of unionsOf(part)) {
    const keyword = isExclusive ? 'oneOf' : 'anyOf';
    const left = members.filter((member) => !isNullOnly(member));
    const [only] = left;
    const { [keyword]: listed = [], ...rest } = schema;
    if (left.length === 1 && only !== undefined) {
      schema = rest;
      inlined.push(...partsOf(only).parts.flatMap((one) => withoutNullUnions(one, [...parents, part.pointer])));
    } else if (left.length < members.length) {
      // The others keep their index, which is part of their pointers.
      const kept = new Set(left.map((member) => member.schema));
      schema = { ...rest, [keyword]: listed.map((one) => (kept.has(one) ? one : nothing)) };
    }
  }
  return [{ ...part, schema }, ...inlined];
}

function isNullOnly(member: Located): boolean {
  return partsOf(member).parts.some(({ schema: { type, enum: values } }) => {
    return type?.join() === 'null' || (values?.length === 1 && values[0] === null);
  });
}
