import type { JsonValue } from '../json.ts';
import {
  type CanonicalSchema,
  type Definitions,
  type Discriminator,
  isNothing,
  isNull,
  type JsonTypeName,
  nothing,
} from './canonical-schema.ts';

/** The remaining budget of one sample. */
export type ChoiceBudget = { parts: number };
export type ChoiceOptions = {
  readonly definitions: Definitions;
  readonly budget: ChoiceBudget;
  /** Number of branches by which the order of each union is rotated. */
  readonly turn: number;
  /** Definitions that contain the value; branches that refer back to them come last. */
  readonly inside: ReadonlySet<string>;
};

/**
 * Yields lists of schemas without unions and conditions: one list for each way to choose branches, the most promising first. A value
 * that satisfies all schemas of a list probably satisfies the goals, but not certainly.
 */
export function* listChoices(goals: readonly CanonicalSchema[], options: ChoiceOptions): Generator<CanonicalSchema[]> {
  yield* choose(goals, { known: new Set(), unions: [], depth: 0 }, options);
}

/** Maximum number of chosen branches, because negating conditions may produce new ones without end. */
const branchesAtMost = 500;

type Chosen = {
  readonly known: ReadonlySet<CanonicalSchema>;
  readonly unions: readonly (readonly CanonicalSchema[])[];
  /** Number of branches chosen so far. */
  readonly depth: number;
};

function* choose(
  added: readonly CanonicalSchema[],
  chosen: Chosen,
  options: ChoiceOptions,
): Generator<CanonicalSchema[]> {
  const { definitions, budget } = options;
  const known = new Set(chosen.known);
  const unions = [...chosen.unions];
  const pending = new Set(added);
  // The loop also visits schemas that are added while it runs.
  for (const schema of pending) {
    if (known.has(schema)) continue;
    budget.parts -= 1;
    if (isNothing(schema) || budget.parts < 0) return;
    known.add(schema);
    unions.push(...listUnions(schema, definitions));
    const target = schema.ref === undefined ? undefined : definitions.get(schema.ref);
    for (const part of [...(target === undefined ? [] : [target]), ...(schema.allOf ?? [])]) pending.add(part);
  }
  if (readTypes([...known])?.length === 0) return;
  const [union, ...rest] = unions;
  const depth = chosen.depth + 1;
  if (union === undefined) yield [...known];
  // Gives up on the whole sample.
  else if (depth > branchesAtMost) budget.parts = -1;
  else
    for (const branch of orderBranches(union, options))
      yield* choose([branch], { known, unions: rest, depth }, options);
}

function orderBranches(branches: readonly CanonicalSchema[], { turn, inside }: ChoiceOptions): CanonicalSchema[] {
  const from = turn % branches.length;
  const turned = [...branches.slice(from), ...branches.slice(0, from)];
  const leadsBack = ({ ref }: CanonicalSchema): boolean => ref !== undefined && inside.has(ref);
  const rank = (branch: CanonicalSchema): number => (leadsBack(branch) ? 2 : isNull(branch) ? 1 : 0);
  return turned.toSorted((one, other) => rank(one) - rank(other));
}

function listUnions(schema: CanonicalSchema, definitions: Definitions): (readonly CanonicalSchema[])[] {
  const { anyOf, oneOf, not, dependentSchemas = [] } = schema;
  return [
    ...(anyOf === undefined ? [] : [[...listTagged(anyOf, schema.discriminator), ...anyOf]]),
    ...(oneOf === undefined ? [] : [[...oneOf, ...listSole(oneOf)]]),
    ...(not === undefined || isNothing(schema) ? [] : [negate(not, definitions)]),
    ...(schema.if === undefined
      ? []
      : [
          [
            { allOf: [schema.if, schema.then ?? {}] },
            ...negate(schema.if, definitions).map((part) => ({ allOf: [part, schema.else ?? {}] })),
          ],
        ]),
    ...[...dependentSchemas].map(([name, part]) => [part, without(name)]),
  ];
}

/** Returns the branches that a discriminator selects, each with the values that select it. */
function listTagged(branches: readonly CanonicalSchema[], discriminator?: Discriminator): CanonicalSchema[] {
  return branches.flatMap((branch) => {
    const values = branch.ref === undefined ? undefined : discriminator?.values.get(branch.ref);
    if (values === undefined || discriminator === undefined || branch.properties !== undefined) return [];
    return [{ ...branch, properties: new Map([[discriminator.propertyName, { enum: values }]]) }];
  });
}

/** Returns the branches of a `oneOf`, each combined with the negation of the others. */
function listSole(oneOf: readonly CanonicalSchema[]): CanonicalSchema[] {
  if (oneOf.length > 8) return [];
  return oneOf.map((branch) => ({ allOf: [branch, ...oneOf.filter((one) => one !== branch).map((not) => ({ not }))] }));
}

const without = (name: string): CanonicalSchema => ({ properties: new Map([[name, nothing]]) });

const typeNames: readonly JsonTypeName[] = ['object', 'string', 'array', 'number', 'boolean', 'null'];

const isNamed = (name: string, { properties }: CanonicalSchema): boolean => properties?.has(name) === true;

/** Creates a schema of objects with a member whose name is accepted. */
function withMember(member: CanonicalSchema, takes: (name: string) => boolean): CanonicalSchema {
  const name = ['member', 'other_member', 'further_member'].find(takes) ?? 'member';
  return { type: ['object'], required: [name], properties: new Map([[name, member]]) };
}

/** Returns schemas of values that the schema refuses, one for each keyword; empty if it accepts every value. */
function negate(schema: CanonicalSchema, definitions: Definitions): CanonicalSchema[] {
  const { type, required = [], properties = [], items, not, allOf = [], anyOf, limits, ref } = schema;
  const target = ref === undefined ? undefined : definitions.get(ref);
  const limit = (keyword: string): number | undefined => {
    const value = limits?.get(keyword);
    return typeof value === 'number' ? value : undefined;
  };
  const bound = (own: JsonTypeName, keyword: string, value: JsonValue | undefined): CanonicalSchema[] =>
    value === undefined ? [] : [{ type: [own], limits: new Map([[keyword, value]]) }];
  const beyond = (keyword: string, by: number): number | undefined => {
    const value = limit(keyword);
    return value === undefined || value + by < 0 ? undefined : value + by;
  };
  const others = type === undefined ? [] : typeNames.filter((name) => !type.includes(name));
  const numbers = type?.includes('integer') === true ? others.filter((name) => name !== 'number') : others;
  const found: CanonicalSchema[] = [
    ...(not === undefined ? [] : [not]),
    ...required.map((name) => ({ type: ['object'] as const, ...without(name) })),
    ...(type === undefined ? [] : [{ type: numbers }]),
    ...[...properties].map(([name, part]) => ({
      type: ['object'] as const,
      required: [name],
      properties: new Map([[name, { not: part }]]),
    })),
    ...(items === undefined ? [] : [{ type: ['array'] as const, minItems: 1, prefixItems: [{ not: items }] }]),
    ...[...(schema.dependentRequired ?? [])].flatMap(([name, names]) =>
      names.map((one) => ({ type: ['object'] as const, required: [name], ...without(one) })),
    ),
    ...[...(schema.dependentSchemas ?? [])].map(([name, not]) => ({
      type: ['object'] as const,
      required: [name],
      not,
    })),
    ...(schema.additionalProperties === undefined
      ? []
      : [withMember({ not: schema.additionalProperties }, (name) => !isNamed(name, schema))]),
    ...(schema.propertyNames === undefined ? [] : [withMember({}, () => true)]),
    ...(limits?.get('uniqueItems') === true
      ? [{ type: ['array'] as const, minItems: 2, prefixItems: [{ enum: ['same'] }, { enum: ['same'] }] }]
      : []),
    ...allOf.map((part) => ({ not: part })),
    ...(target === undefined ? [] : [{ not: target }]),
    ...(anyOf === undefined ? [] : [{ allOf: anyOf.map((part) => ({ not: part })) }]),
    ...bound('number', 'exclusiveMaximum', limit('minimum')),
    ...bound('number', 'exclusiveMinimum', limit('maximum')),
    ...bound('number', 'maximum', limit('exclusiveMinimum')),
    ...bound('number', 'minimum', limit('exclusiveMaximum')),
    ...bound('string', 'minLength', beyond('maxLength', 1)),
    ...bound('string', 'maxLength', beyond('minLength', -1)),
    ...bound('object', 'minProperties', beyond('maxProperties', 1)),
    ...bound('object', 'maxProperties', beyond('minProperties', -1)),
    ...(schema.maxItems === undefined ? [] : [{ type: ['array'] as const, minItems: schema.maxItems + 1 }]),
    ...((schema.minItems ?? 0) === 0 ? [] : [{ type: ['array'] as const, maxItems: (schema.minItems ?? 1) - 1 }]),
  ];
  // These keywords aren't negated exactly; the check of the whole value rejects wrong candidates.
  const isOther = [schema.enum, schema.oneOf, schema.if, schema.contains, limits].some((one) => one !== undefined);
  const isOfObjects = schema.additionalProperties ?? schema.propertyNames ?? schema.patternProperties;
  return isOther || isOfObjects !== undefined || found.length > 0 ? [...found, {}] : [];
}

/** Returns the types that all schemas allow (an integer is also a number); undefined if no schema has a type. */
export function readTypes(schemas: readonly CanonicalSchema[]): JsonTypeName[] | undefined {
  let types: JsonTypeName[] | undefined;
  for (const { type } of schemas) {
    if (type === undefined) continue;
    const takes = (name: JsonTypeName): JsonTypeName[] => {
      if (type.includes(name)) return [name];
      if (name === 'integer' && type.includes('number')) return ['integer'];
      return name === 'number' && type.includes('integer') ? ['integer'] : [];
    };
    types = types === undefined ? [...type] : [...new Set(types.flatMap(takes))];
  }
  return types;
}
