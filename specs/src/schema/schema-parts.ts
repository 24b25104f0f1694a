import type { CanonicalSchema, Definitions, SchemaWithDefinitions } from './canonical-schema.ts';

/** The value that the schemas of a keyword apply to. */
export type PartKind =
  /** The same value, unconditionally. */
  | 'included'
  /** The same value, if the branch applies. */
  | 'branch'
  /** The same value, which is only tested (`not`, `if`): it may be valid although it fails this schema. */
  | 'tested'
  /** A member of the value, a member's name, or an item. */
  | 'child';

/** Keywords that contain schemas, in printing order: how they contain them, and the value that the schemas apply to. */
export const partKeywords = [
  ['properties', 'by-name', 'child'],
  ['patternProperties', 'by-name', 'child'],
  ['additionalProperties', 'one', 'child'],
  ['propertyNames', 'one', 'child'],
  ['dependentSchemas', 'by-name', 'branch'],
  ['unevaluatedProperties', 'one', 'child'],
  ['prefixItems', 'list', 'child'],
  ['items', 'one', 'child'],
  ['contains', 'one', 'child'],
  ['unevaluatedItems', 'one', 'child'],
  ['allOf', 'list', 'included'],
  ['anyOf', 'list', 'branch'],
  ['oneOf', 'list', 'branch'],
  ['not', 'one', 'tested'],
  ['if', 'one', 'tested'],
  ['then', 'one', 'branch'],
  ['else', 'one', 'branch'],
] as const satisfies readonly (readonly [keyof CanonicalSchema, 'by-name' | 'list' | 'one', PartKind])[];

type SchemasByName = ReadonlyMap<string, CanonicalSchema>;
type KeywordValue = SchemasByName | readonly CanonicalSchema[] | CanonicalSchema;
const isNamed = (value: KeywordValue): value is SchemasByName => value instanceof Map;
const isList = (value: KeywordValue): value is readonly CanonicalSchema[] => Array.isArray(value);

/** Kinds of parts that apply to the same value as the schema around them. */
export const kindsOfValue: readonly PartKind[] = ['included', 'branch'];

/** Calls `visit` with each schema inside a schema, the kind of value that it applies to, and the steps of its pointer. */
export function visitParts(
  schema: CanonicalSchema,
  visit: (part: CanonicalSchema, kind: PartKind, steps: readonly string[]) => void,
  kinds: readonly PartKind[] = ['included', 'branch', 'tested', 'child'],
): void {
  for (const [keyword, , kind] of partKeywords) {
    const value: KeywordValue | undefined = schema[keyword];
    if (value === undefined || !kinds.includes(kind)) continue;
    const parts = isNamed(value) || isList(value) ? value.entries() : [[undefined, value] as const];
    for (const [key, part] of parts) visit(part, kind, key === undefined ? [keyword] : [keyword, String(key)]);
  }
}

/** Replaces each schema inside a schema. */
export function mapParts(
  schema: CanonicalSchema,
  replace: (part: CanonicalSchema, kind: PartKind) => CanonicalSchema,
): CanonicalSchema {
  const mapValue = (value: KeywordValue, kind: PartKind): KeywordValue => {
    if (isNamed(value)) return new Map([...value].map(([name, part]) => [name, replace(part, kind)]));
    return isList(value) ? value.map((part) => replace(part, kind)) : replace(value, kind);
  };
  const parts = partKeywords.flatMap(([keyword, , kind]) => {
    const value: KeywordValue | undefined = schema[keyword];
    return value === undefined ? [] : [[keyword, mapValue(value, kind)]];
  });
  return { ...schema, ...Object.fromEntries(parts) };
}

/** Returns the schemas, every schema inside them, and every definition that they refer to, directly or indirectly. */
export function schemasReached(
  schemas: Iterable<CanonicalSchema>,
  definitions: Definitions,
): ReadonlySet<CanonicalSchema> {
  const found = new Set(schemas);
  // The loop also visits schemas that are added while it runs.
  for (const schema of found) {
    visitParts(schema, (part) => found.add(part));
    const target = schema.ref === undefined ? undefined : definitions.get(schema.ref);
    if (target !== undefined) found.add(target);
  }
  return found;
}

/** Number of parts that may still be read; several calls may share one budget. */
export type PartBudget = { parts: number };

/**
 * Returns the schemas that apply to the same value: the schema, those that it refers to, and their parts of these
 * kinds. Each is listed once, before the schemas that it leads to. Parts beyond the budget are skipped.
 */
export function schemasOfValue(
  { schema, definitions }: SchemaWithDefinitions,
  kinds: readonly PartKind[],
  budget: PartBudget,
): ReadonlySet<CanonicalSchema> {
  const found = new Set<CanonicalSchema>();
  const pending = [schema];
  for (let next = pending.pop(); next !== undefined && budget.parts > 0; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    budget.parts -= 1;
    const target = next.ref === undefined ? undefined : definitions.get(next.ref);
    const inner = target === undefined ? [] : [target];
    visitParts(next, (part) => inner.push(part), kinds);
    for (const part of inner.toReversed()) pending.push(part);
  }
  return found;
}
