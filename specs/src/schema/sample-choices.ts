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
  /** Number of positions by which the branches of each union are rotated. */
  readonly firstAlternative: number;
  /** Definitions that contain the value; branches that refer to them come last. */
  readonly inside: ReadonlySet<string>;
};

/**
 * Yields lists of schemas without unions and conditions: one list for each way to choose branches, the most promising first. A value
 * that satisfies all schemas of a list probably satisfies the goals, but has to be checked.
 */
export function* listChoices(goals: readonly CanonicalSchema[], options: ChoiceOptions): Generator<CanonicalSchema[]> {
  yield* chooseBranches(goals, { known: new Set(), unions: [], depth: 0 }, options);
}

/** Maximum number of chosen branches, because negating conditions may produce new ones without end. */
const maxBranches = 500;

type ChosenBranches = {
  readonly known: ReadonlySet<CanonicalSchema>;
  readonly unions: readonly (readonly CanonicalSchema[])[];
  /** Number of branches chosen so far. */
  readonly depth: number;
};

function* chooseBranches(
  added: readonly CanonicalSchema[],
  chosen: ChosenBranches,
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
  // Too many branches: ends the attempt to create a sample.
  else if (depth > maxBranches) budget.parts = -1;
  else
    for (const branch of orderBranches(union, options))
      yield* chooseBranches([branch], { known, unions: rest, depth }, options);
}

function orderBranches(
  branches: readonly CanonicalSchema[],
  { firstAlternative, inside }: ChoiceOptions,
): CanonicalSchema[] {
  const from = firstAlternative % branches.length;
  const rotated = [...branches.slice(from), ...branches.slice(0, from)];
  const leadsBack = ({ ref }: CanonicalSchema): boolean => ref !== undefined && inside.has(ref);
  const rank = (branch: CanonicalSchema): number => (leadsBack(branch) ? 2 : isNull(branch) ? 1 : 0);
  return rotated.toSorted((one, other) => rank(one) - rank(other));
}

function listUnions(schema: CanonicalSchema, definitions: Definitions): (readonly CanonicalSchema[])[] {
  const { anyOf, oneOf, not, if: test, then: yes = {}, else: no = {}, discriminator, dependentSchemas = [] } = schema;
  const unions: (readonly CanonicalSchema[])[] = [];
  if (anyOf !== undefined) unions.push([...listDiscriminatedBranches(anyOf, discriminator), ...anyOf]);
  if (oneOf !== undefined) unions.push([...oneOf, ...listExclusiveBranches(oneOf)]);
  if (not !== undefined && !isNothing(schema)) unions.push(negate(not, definitions));
  if (test !== undefined) {
    const others = negate(test, definitions).map((part) => ({ allOf: [part, no] }));
    unions.push([{ allOf: [test, yes] }, ...others]);
  }
  for (const [name, part] of dependentSchemas) unions.push([part, forbidMember(name)]);
  return unions;
}

/** Returns the branches that a discriminator selects, each with the values that select it. */
function listDiscriminatedBranches(
  branches: readonly CanonicalSchema[],
  discriminator?: Discriminator,
): CanonicalSchema[] {
  return branches.flatMap((branch) => {
    const values = branch.ref === undefined ? undefined : discriminator?.values.get(branch.ref);
    if (values === undefined || discriminator === undefined || branch.properties !== undefined) return [];
    return [{ ...branch, properties: new Map([[discriminator.propertyName, { enum: values }]]) }];
  });
}

/** Returns the branches of a `oneOf`, each combined with the negation of the others; none for more than 8 branches. */
function listExclusiveBranches(oneOf: readonly CanonicalSchema[]): CanonicalSchema[] {
  if (oneOf.length > 8) return [];
  return oneOf.map((branch) => ({ allOf: [branch, ...oneOf.filter((one) => one !== branch).map((not) => ({ not }))] }));
}

const forbidMember = (name: string): CanonicalSchema => ({ properties: new Map([[name, nothing]]) });

const typeNames: readonly JsonTypeName[] = ['object', 'string', 'array', 'number', 'boolean', 'null'];

/**
 * Returns schemas of values that the schema probably rejects, one for each part of it; empty if it has no keywords. Rare
 * keywords aren't negated, so the check of the whole value has to reject wrong candidates.
 */
function negate(schema: CanonicalSchema, definitions: Definitions): CanonicalSchema[] {
  if (Object.keys(schema).length === 0) return [];
  const { type, required = [], properties = [], items, allOf = [], anyOf, ref } = schema;
  const target = ref === undefined ? undefined : definitions.get(ref);
  const negated = (not: CanonicalSchema): CanonicalSchema => ({ not });
  const otherTypes = typeNames.filter((name) => {
    return type?.includes(name) === false && !(name === 'number' && type.includes('integer'));
  });
  return [
    ...(schema.not === undefined ? [] : [schema.not]),
    ...required.map((name): CanonicalSchema => ({ type: ['object'], ...forbidMember(name) })),
    ...(type === undefined ? [] : [{ type: otherTypes }]),
    ...[...properties].map(
      ([name, part]): CanonicalSchema => ({
        type: ['object'],
        required: [name],
        properties: new Map([[name, negated(part)]]),
      }),
    ),
    ...(items === undefined ? [] : [{ type: ['array'], minItems: 1, prefixItems: [negated(items)] } as const]),
    ...(target === undefined ? allOf : [...allOf, target]).map(negated),
    ...(anyOf === undefined ? [] : [{ allOf: anyOf.map(negated) }]),
    {},
  ];
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
