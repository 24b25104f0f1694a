import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { addLimits, type Limits } from './limits.ts';
import { child, combine, isAnnotation, type Located, partsOf, type SchemaPart } from './schema-parts.ts';

/** Types with `number` told as whole and fractional, so that sets of them can be compared; null stands apart. */
export type TypeWord = 'boolean' | 'whole' | 'fraction' | 'string' | 'array' | 'object';
export type Union = { readonly isExclusive: boolean; readonly members: readonly Located[]; readonly pointer: string };

/** A schema with its references followed and its `allOf` merged: everything it asks for, keyword by keyword. */
export type SchemaNode = {
  readonly parts: readonly SchemaPart[];
  readonly isNever: boolean;
  readonly acceptsNull: boolean;
  /** Undefined for all. */
  readonly types: ReadonlySet<TypeWord> | undefined;
  readonly enum: readonly JsonValue[] | undefined;
  readonly limits: Limits;
  readonly properties: ReadonlyMap<string, Located>;
  readonly required: ReadonlyMap<string, string>;
  readonly additional: Located | undefined;
  readonly patterns: ReadonlyMap<string, Located>;
  readonly items: Located | undefined;
  readonly prefix: readonly Located[];
  readonly unions: readonly Union[];
  /** Keywords that are compared as they stand. */
  readonly constraints: ReadonlyMap<string, Located>;
  readonly annotations: ReadonlyMap<string, JsonValue>;
};

const constraintKeywords = ['not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'dependentRequired'];
const moreConstraintKeywords = ['dependentSchemas', 'propertyNames', 'unevaluatedItems'];

export function readNode(located: Located, root: JsonObject): SchemaNode {
  const { parts: own, isNever: isClosed } = partsOf(located, root);
  const acceptsNull = !isClosed && own.every((part) => partAcceptsNull(part, root));
  const parts = own.flatMap((part) => withoutNullUnions(part, root, []));
  const objects = parts.map(({ schema }) => schema);
  const [types, values] = [typesOf(objects), enumOf(objects)];
  // What asks for two types at once, or for none of the values it lists, accepts nothing.
  const isNever = isClosed || (!acceptsNull && (types?.size === 0 || values?.length === 0));
  return {
    parts,
    isNever,
    acceptsNull,
    types,
    enum: values,
    limits: objects.reduce(addLimits, new Map()),
    properties: members(parts, 'properties'),
    required: requiredOf(parts),
    additional: combine([...single(parts, 'additionalProperties'), ...single(parts, 'unevaluatedProperties')]),
    patterns: members(parts, 'patternProperties'),
    items: combine(single(parts, 'items')),
    prefix: prefixOf(parts),
    unions: parts.flatMap(unionsOf),
    constraints: new Map(
      [...constraintKeywords, ...moreConstraintKeywords].flatMap((keyword) => {
        const found = combine(single(parts, keyword));
        return found === undefined ? [] : [[keyword, found] as const];
      }),
    ),
    annotations: annotationsOf(objects),
  };
}

/** The same with other parts that say no alternatives. */
export function withParts(node: SchemaNode, parts: readonly SchemaPart[]): SchemaNode {
  const objects = parts.map(({ schema }) => schema);
  return { ...node, parts, types: typesOf(objects), enum: enumOf(objects), unions: [] };
}

/** Where a keyword of a place is said: in the newer document, else in the older one. */
export function placeOf(keywords: readonly string[], now: SchemaNode, old: SchemaNode): string | undefined {
  for (const { parts } of [now, old]) {
    for (const keyword of keywords) {
      const part = parts.find(({ schema }) => Object.hasOwn(schema, keyword));
      if (part !== undefined) return part.isFolded ? part.pointer : child(part, keyword);
    }
  }
  return undefined;
}

export function typesOf(parts: readonly JsonObject[]): ReadonlySet<TypeWord> | undefined {
  let types: Set<TypeWord> | undefined;
  for (const part of parts) {
    const said = part['type'] === undefined ? typesOfValues(part) : wordsOf(part['type']);
    if (said === undefined) continue;
    types = types === undefined ? said : common(types, said);
  }
  return types;
}

/** Those that are in both. */
export function common<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): Set<T> {
  return new Set([...one].filter((member) => other.has(member)));
}

function wordsOf(type: JsonValue): Set<TypeWord> {
  return new Set((Array.isArray(type) ? type : [type]).flatMap(wordsOfName));
}

function wordsOfName(name: JsonValue): TypeWord[] {
  if (name === 'integer') return ['whole'];
  if (name === 'number') return ['whole', 'fraction'];
  return name === 'boolean' || name === 'string' || name === 'array' || name === 'object' ? [name] : [];
}

/** The words of JSON Schema for them. */
export function namesOf(types: ReadonlySet<TypeWord>): string[] {
  return [...types].flatMap((word) => {
    if (word === 'fraction') return ['number'];
    return word === 'whole' ? (types.has('fraction') ? [] : ['integer']) : [word];
  });
}

function typesOfValues(part: JsonObject): Set<TypeWord> | undefined {
  const values = valuesOf(part);
  if (values === undefined) return undefined;
  return new Set(values.filter((value) => value !== null).map(wordOfValue));
}

function wordOfValue(value: JsonValue): TypeWord {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'whole' : 'fraction';
  return typeof value === 'string' || typeof value === 'boolean'
    ? typeof value === 'string'
      ? 'string'
      : 'boolean'
    : 'object';
}

function valuesOf(part: JsonObject): readonly JsonValue[] | undefined {
  if (Object.hasOwn(part, 'const')) return [part['const'] ?? null];
  return Array.isArray(part['enum']) ? part['enum'] : undefined;
}

export function enumOf(parts: readonly JsonObject[]): readonly JsonValue[] | undefined {
  const lists = parts.flatMap((part) => {
    const values = valuesOf(part);
    return values === undefined ? [] : [values.filter((value) => value !== null)];
  });
  const [first, ...others] = lists;
  const keys = others.map((list) => new Set(list.map((value) => JSON.stringify(value))));
  const types = typesOf(parts);
  const values = first?.filter(
    (value) => (types?.has(wordOfValue(value)) ?? true) && keys.every((set) => set.has(JSON.stringify(value))),
  );
  const isEveryBoolean =
    values?.includes(true) && values.includes(false) && values.every((value) => typeof value === 'boolean');
  return isEveryBoolean ? undefined : values;
}

function members(parts: readonly SchemaPart[], keyword: string): Map<string, Located> {
  const found = new Map<string, Located[]>();
  for (const part of parts) {
    const value = part.schema[keyword];
    for (const [name, schema] of isJsonObject(value) ? Object.entries(value) : []) {
      found.set(name, [...(found.get(name) ?? []), { schema, pointer: child(part, keyword, name) }]);
    }
  }
  return new Map(
    [...found].flatMap(([name, all]) =>
      combine(all)?.pointer === undefined ? [] : [[name, combine(all) ?? { schema: true, pointer: '' }]],
    ),
  );
}

function single(parts: readonly SchemaPart[], keyword: string): Located[] {
  return parts.flatMap((part) => {
    const schema = part.schema[keyword];
    return schema === undefined ? [] : [{ schema, pointer: child(part, keyword) }];
  });
}

function requiredOf(parts: readonly SchemaPart[]): Map<string, string> {
  return new Map(
    parts.flatMap((part) => {
      const names = part.schema['required'];
      return (Array.isArray(names) ? names : []).flatMap((name): [string, string][] =>
        typeof name === 'string' ? [[name, child(part, 'required')]] : [],
      );
    }),
  );
}

function prefixOf(parts: readonly SchemaPart[]): Located[] {
  const lists = parts.map((part) => {
    const items = part.schema['prefixItems'];
    return Array.isArray(items)
      ? items.map((schema, index) => ({ schema, pointer: child(part, 'prefixItems', index) }))
      : [];
  });
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => index).flatMap((index) => {
    const found = combine(lists.flatMap((list) => list[index] ?? []));
    return found === undefined ? [] : [found];
  });
}

function unionsOf(part: SchemaPart): Union[] {
  return (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const list = part.schema[keyword];
    if (!Array.isArray(list)) return [];
    const members = list
      .map((schema, index) => ({ schema, pointer: child(part, keyword, index) }))
      .filter(({ schema }) => schema !== false);
    return [{ isExclusive: keyword === 'oneOf', members, pointer: child(part, keyword) }];
  });
}

function annotationsOf(parts: readonly JsonObject[]): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(part)) {
      if (isAnnotation(keyword) && !found.has(keyword)) found.set(keyword, value);
    }
  }
  return found;
}

function partAcceptsNull(part: SchemaPart, root: JsonObject, depth = 0): boolean {
  const { type } = part.schema;
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).includes('null')) return false;
  const values = valuesOf(part.schema);
  if (values !== undefined && !values.includes(null)) return false;
  return unionsOf(part).every(({ members: all }) => all.some((member) => acceptsNull(member, root, depth + 1)));
}

function acceptsNull(member: Located, root: JsonObject, depth: number): boolean {
  const { parts, isNever } = partsOf(member, root);
  return depth < 20 && !isNever && parts.every((part) => partAcceptsNull(part, root, depth));
}

/** Alternatives that are only null say what `acceptsNull` says; a single one that is left holds outright. */
function withoutNullUnions(part: SchemaPart, root: JsonObject, within: readonly string[]): SchemaPart[] {
  // A schema that leads back to itself says nothing more the second time.
  if (within.includes(part.pointer)) return [];
  const inside = [...within, part.pointer];
  const rest: Record<string, JsonValue> = { ...part.schema };
  const inlined: SchemaPart[] = [];
  for (const union of unionsOf(part)) {
    const keyword = union.isExclusive ? 'oneOf' : 'anyOf';
    const left = union.members.filter((member) => !isNullAlone(member, root));
    const [only] = left;
    if (left.length === 1 && only !== undefined) {
      delete rest[keyword];
      inlined.push(...partsOf(only, root).parts.flatMap((one) => withoutNullUnions(one, root, inside)));
    } else if (left.length < union.members.length) rest[keyword] = withoutMembers(part.schema[keyword], union, left);
  }
  return [{ schema: rest, pointer: part.pointer }, ...inlined];
}

// What is left keeps its place in the list, which pointers count.
function withoutMembers(list: JsonValue | undefined, { members: all }: Union, left: readonly Located[]): JsonValue {
  const gone = new Set(all.filter((member) => !left.includes(member)).map(({ schema }) => schema));
  return Array.isArray(list) ? list.map((schema) => (gone.has(schema) ? false : schema)) : [];
}

function isNullAlone(member: Located, root: JsonObject): boolean {
  return partsOf(member, root).parts.some(({ schema }) => {
    const values = valuesOf(schema);
    return schema['type'] === 'null' || (values?.length === 1 && values[0] === null);
  });
}
