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

/** Every keyword that holds schemas, but for references and conditions. */
const partKinds = {
  properties: 'child',
  patternProperties: 'child',
  dependentSchemas: 'branch',
  allOf: 'included',
  anyOf: 'branch',
  oneOf: 'branch',
  prefixItems: 'child',
  items: 'child',
  contains: 'child',
  unevaluatedItems: 'child',
  additionalProperties: 'child',
  unevaluatedProperties: 'child',
  propertyNames: 'child',
  not: 'tested',
} as const satisfies Record<string, PartKind>;
export type PartKeyword = keyof typeof partKinds | 'if' | 'then' | 'else';

/** The keywords by what they hold. */
export const namedParts = ['properties', 'patternProperties', 'dependentSchemas'] as const;
export const listedParts = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
export const singleParts = [
  'items',
  'contains',
  'unevaluatedItems',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
] as const;

const everyKind: readonly PartKind[] = ['included', 'branch', 'tested', 'child'];
/** Of parts that can decide whether the same value is valid. */
export const kindsOfValue: readonly PartKind[] = ['included', 'branch'];

type Visit = (part: CanonicalSchema, keyword: PartKeyword, key: string | number | undefined) => void;

/** Calls `visit` with each schema that a keyword holds, and its name or index there. */
export function visitParts(schema: CanonicalSchema, visit: Visit, kinds: readonly PartKind[] = everyKind): void {
  const isWanted = (keyword: keyof typeof partKinds): boolean => kinds.includes(partKinds[keyword]);
  for (const keyword of namedParts.filter(isWanted))
    for (const [name, part] of schema[keyword] ?? []) visit(part, keyword, name);
  for (const keyword of listedParts.filter(isWanted))
    for (const [index, part] of schema[keyword]?.entries() ?? []) visit(part, keyword, index);
  for (const keyword of singleParts.filter(isWanted)) {
    const part = schema[keyword];
    if (part !== undefined) visit(part, keyword, undefined);
  }
  if (schema.conditional !== undefined) visitCondition(schema.conditional, visit, kinds);
}

function visitCondition(
  { test, yes, no }: NonNullable<CanonicalSchema['conditional']>,
  visit: Visit,
  kinds: readonly PartKind[],
): void {
  if (kinds.includes('tested')) visit(test, 'if', undefined);
  if (yes !== undefined && kinds.includes('branch')) visit(yes, 'then', undefined);
  if (no !== undefined && kinds.includes('branch')) visit(no, 'else', undefined);
}

/** The schema with each schema that a keyword holds replaced. */
export function mapParts(
  schema: CanonicalSchema,
  replace: (part: CanonicalSchema, kind: PartKind) => CanonicalSchema,
): CanonicalSchema {
  const made = { ...schema };
  for (const keyword of namedParts) {
    const kind = partKinds[keyword];
    const parts = schema[keyword];
    if (parts !== undefined) made[keyword] = new Map([...parts].map(([name, part]) => [name, replace(part, kind)]));
  }
  for (const keyword of listedParts) {
    const parts = schema[keyword];
    if (parts !== undefined) made[keyword] = parts.map((part) => replace(part, partKinds[keyword]));
  }
  for (const keyword of singleParts) {
    const part = schema[keyword];
    if (part !== undefined) made[keyword] = replace(part, partKinds[keyword]);
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
