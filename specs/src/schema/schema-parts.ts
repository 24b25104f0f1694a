import type { CanonicalSchema, SchemaWithDefinitions } from './canonical-schema.ts';

/** What the schemas of a keyword describe. */
export type PartKind =
  /** The same value, always. */
  | 'included'
  /** The same value, where a branch is taken. */
  | 'branch'
  /** The same value, which need not be valid. */
  | 'tested'
  /** A member of the value, the name of one, or an item. */
  | 'child';

/** The keywords that hold schemas by name, in a list, or one, with what these describe; all but references and conditions. */
export const namedParts = listParts({ properties: 'child', patternProperties: 'child', dependentSchemas: 'branch' });
export const listedParts = listParts({ allOf: 'included', anyOf: 'branch', oneOf: 'branch', prefixItems: 'child' });
export const singleParts = listParts({
  items: 'child',
  contains: 'child',
  unevaluatedItems: 'child',
  additionalProperties: 'child',
  unevaluatedProperties: 'child',
  propertyNames: 'child',
  not: 'tested',
});

function listParts<Keyword extends string>(parts: Readonly<Record<Keyword, PartKind>>): [Keyword, PartKind][] {
  return Object.entries(parts) as [Keyword, PartKind][]; // of the table
}

const everyKind: readonly PartKind[] = ['included', 'branch', 'tested', 'child'];
/** Of parts that can decide whether the same value is valid. */
export const kindsOfValue: readonly PartKind[] = ['included', 'branch'];

/** Calls `visit` with each schema that a keyword holds. */
export function visitParts(
  schema: CanonicalSchema,
  visit: (part: CanonicalSchema) => void,
  kinds: readonly PartKind[] = everyKind,
): void {
  for (const [keyword, kind] of namedParts)
    if (kinds.includes(kind)) for (const part of schema[keyword]?.values() ?? []) visit(part);
  for (const [keyword, kind] of listedParts)
    if (kinds.includes(kind)) for (const part of schema[keyword] ?? []) visit(part);
  const visitOne = (part: CanonicalSchema | undefined, kind: PartKind): void => {
    if (part !== undefined && kinds.includes(kind)) visit(part);
  };
  for (const [keyword, kind] of singleParts) visitOne(schema[keyword], kind);
  visitOne(schema.conditional?.test, 'tested');
  visitOne(schema.conditional?.yes, 'branch');
  visitOne(schema.conditional?.no, 'branch');
}

/** The schema with each schema that a keyword holds replaced. */
export function mapParts(
  schema: CanonicalSchema,
  replace: (part: CanonicalSchema, kind: PartKind) => CanonicalSchema,
): CanonicalSchema {
  const made = { ...schema };
  for (const [keyword, kind] of namedParts) {
    const parts = schema[keyword];
    if (parts !== undefined) made[keyword] = new Map([...parts].map(([name, part]) => [name, replace(part, kind)]));
  }
  for (const [keyword, kind] of listedParts) {
    const parts = schema[keyword];
    if (parts !== undefined) made[keyword] = parts.map((part) => replace(part, kind));
  }
  for (const [keyword, kind] of singleParts) {
    const part = schema[keyword];
    if (part !== undefined) made[keyword] = replace(part, kind);
  }
  if (schema.conditional === undefined) return made;
  const { test, yes, no } = schema.conditional;
  made.conditional = { test: replace(test, 'tested') };
  if (yes !== undefined) made.conditional.yes = replace(yes, 'branch');
  if (no !== undefined) made.conditional.no = replace(no, 'branch');
  return made;
}

/** What the schema says by itself. */
export function withoutIncluded({ ref, allOf, ...own }: CanonicalSchema): CanonicalSchema {
  return own;
}

/** The schema and every schema within it; references are not followed. */
export function schemasWithin(schema: CanonicalSchema): ReadonlySet<CanonicalSchema> {
  const found = new Set([schema]);
  // What is added while the set is walked is walked as well.
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
