import type { CanonicalSchema, SchemaWithDefinitions } from './canonical-schema.ts';

/** The part of a value that the schemas of a keyword describe. */
export type PartKind =
  /** The same value, always. */
  | 'included'
  /** The same value, where a branch is taken. */
  | 'branch'
  /** The same value, which need not be valid. */
  | 'tested'
  /** A member of the value, the name of one, or an item. */
  | 'child';

/** The keywords that hold schemas, how they hold them, and what these describe; all but references. In the order in which they are printed. */
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

type Named = ReadonlyMap<string, CanonicalSchema>;
type Held = Named | readonly CanonicalSchema[] | CanonicalSchema;
const isNamed = (held: Held): held is Named => held instanceof Map;
const isList = (held: Held): held is readonly CanonicalSchema[] => Array.isArray(held);

/** Kinds of parts that are checked against the same value as their schema. */
export const kindsOfValue: readonly PartKind[] = ['included', 'branch'];

/** Calls `visit` with each schema that a keyword holds, what it describes, and the steps of a pointer to it. */
export function visitParts(
  schema: CanonicalSchema,
  visit: (part: CanonicalSchema, kind: PartKind, steps: readonly string[]) => void,
  kinds: readonly PartKind[] = ['included', 'branch', 'tested', 'child'],
): void {
  for (const [keyword, , kind] of partKeywords) {
    const held: Held | undefined = schema[keyword];
    if (held === undefined || !kinds.includes(kind)) continue;
    const parts = isNamed(held) || isList(held) ? held.entries() : [[undefined, held] as const];
    for (const [key, part] of parts) visit(part, kind, key === undefined ? [keyword] : [keyword, String(key)]);
  }
}

/** The schema with each schema that a keyword holds replaced. */
export function mapParts(
  schema: CanonicalSchema,
  replace: (part: CanonicalSchema, kind: PartKind) => CanonicalSchema,
): CanonicalSchema {
  const mapHeld = (held: Held, kind: PartKind): Held => {
    if (isNamed(held)) return new Map([...held].map(([name, part]) => [name, replace(part, kind)]));
    return isList(held) ? held.map((part) => replace(part, kind)) : replace(held, kind);
  };
  const parts = partKeywords.flatMap(([keyword, , kind]) => {
    const held: Held | undefined = schema[keyword];
    return held === undefined ? [] : [[keyword, mapHeld(held, kind)]];
  });
  return { ...schema, ...Object.fromEntries(parts) };
}

/** The schema and every schema within it; references are not followed. */
export function schemasWithin(schema: CanonicalSchema): ReadonlySet<CanonicalSchema> {
  const found = new Set([schema]);
  // Entries added during the loop are visited too.
  for (const one of found) visitParts(one, (part) => found.add(part));
  return found;
}

/** Parts left to be read; several calls may share one. */
export type PartBudget = { parts: number };

/**
 * The schema, what it refers to, and their parts of these kinds, all of the same value: each once, before those that it leads to.
 * Parts beyond the budget are left out.
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
