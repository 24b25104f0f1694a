import { canonicalText, type JsonObject, type JsonValue } from '../json.ts';
import {
  type CanonicalSchema,
  isNothing,
  isOfTypes,
  type JsonTypeName,
  type SchemaWithDefinitions,
} from './canonical-schema.ts';
import type { Random } from './formats.ts';
import { linearPattern, type Matcher } from './linear-pattern.ts';
import { type ChoiceBudget, listChoices, readTypes } from './sample-choices.ts';
import {
  isWithinLimits,
  largest,
  type ReadPattern,
  readLimits,
  sampleNumber,
  sampleString,
  smallest,
} from './sample-scalar.ts';

export type SampleOptions = {
  /** Returns numbers in [0, 1). The same sequence gives the same sample. */
  readonly random: Random;
  /**
   * `full` includes optional members where possible. `call` has the required members, or the first member if none is required, and
   * one item in each list.
   */
  readonly prefer: 'full' | 'small' | 'call';
  /** Checks a value. Samples are always valid. */
  readonly isValid: (value: JsonValue) => boolean;
  /** Documented values to try first. */
  readonly examples?: readonly JsonValue[];
};
/** Returns a valid value of the schema; undefined if none was found. */
export type Sampler = (options: SampleOptions) => JsonValue | undefined;

const maxDepth = 24;
const maxOptionalDepth = 3;
const maxMembers = 1000; // Limited, because a document may require any number of members at every level.
const maxExamples = 50;
const maxChoices = 24; // Combinations of branches tried for one value.
/** Maximum numbers for all attempts at a sample: visited parts of schemas, and created values and characters of texts. */
const budgetOfSample = { parts: 300_000, values: 30_000, characters: 1_000_000 };
/** While fewer values are left, optional members are omitted. */
const valuesForRequired = 15_000;
/**
 * Settings of each attempt. `first`: index of the alternative to try first. `takesExamples`: use examples of the schema.
 * `flipsOptional`: include the optional members that are normally omitted, and omit the others.
 */
const attempts: readonly (readonly [first: number, takesExamples: boolean, flipsOptional: boolean])[] = [
  [0, true, false],
  [0, false, false],
  [0, false, true],
  ...[1, 2, 3, 4, 5].flatMap((first) => [[first, false, false] as const, [first, false, true] as const]),
];

/**
 * Creates a sampler for a schema. Samples use valid examples of the schema and are limited in size, even for a
 * recursive schema. If a value isn't valid, the sampler tries other branches and values.
 */
export function createSampler(source: SchemaWithDefinitions): Sampler {
  const patterns = new Map<string, Matcher | undefined>();
  const readPattern: ReadPattern = (pattern) => {
    if (!patterns.has(pattern)) patterns.set(pattern, linearPattern(pattern));
    return patterns.get(pattern);
  };
  const failed = new Set<SampleOptions['prefer']>();
  return (options) => {
    const { prefer, isValid, examples = [] } = options;
    const example = examples.slice(0, maxExamples).find(isValid);
    if (example !== undefined) return example;
    if (failed.has(prefer)) return undefined; // A further attempt would take as long and also fail.
    const sample = search(options);
    if (sample === undefined) failed.add(prefer);
    return sample;
  };
  function search({ random, prefer, isValid }: SampleOptions): JsonValue | undefined {
    const budget = { ...budgetOfSample };
    for (const [firstAlternative, takesExamples, flipsOptional] of attempts) {
      const walk: Walk = {
        source,
        random,
        readPattern,
        firstAlternative,
        takesExamples,
        skip: 0,
        takesOptional: (prefer === 'full') !== flipsOptional,
        isCall: prefer === 'call',
        budget,
        ids: new Map(),
      };
      const value = sampleAt([source.schema], { depth: 0, inside: new Set() }, walk);
      if (value !== undefined && isValid(value)) return value;
    }
    return undefined;
  }
}

type Walk = {
  readonly source: SchemaWithDefinitions;
  readonly random: Random;
  readonly readPattern: ReadPattern;
  readonly firstAlternative: number;
  readonly takesExamples: boolean;
  readonly takesOptional: boolean;
  readonly isCall: boolean;
  /** What is left of `budgetOfSample`. */
  readonly budget: ChoiceBudget & { values: number; characters: number };
  /** A number for each schema, to build keys. */
  readonly ids: Map<CanonicalSchema, number>;
  /** Number of values already rejected at this location; changes the random numbers, so that the next value differs. */
  skip: number;
};
/** A location in the sample. `inside`: the definitions and the goals (as keys) of the enclosing values. */
type Place = { readonly depth: number; readonly inside: ReadonlySet<string> };
/** Schemas that one value must satisfy. */
type Goals = readonly CanonicalSchema[];

/** Creates a value that satisfies all goals. */
function sampleAt(goals: Goals, place: Place, walk: Walk): JsonValue | undefined {
  walk.budget.values -= 1;
  if (walk.budget.values < 0 || walk.budget.characters < 0 || place.depth > maxDepth) return undefined;
  const { definitions } = walk.source;
  const key = identifyGoals(goals, walk);
  const isDeep = place.depth >= maxOptionalDepth;
  // The smallest value never nests a value of the same schemas, so stop at a repetition.
  if (isDeep && place.inside.has(key)) return undefined;
  const inside = isDeep ? place.inside : new Set<string>();
  let choices = 0;
  for (const schemas of listChoices(goals, {
    definitions,
    budget: walk.budget,
    firstAlternative: walk.firstAlternative,
    inside,
  })) {
    const types = readTypes(schemas);
    const refs = schemas.flatMap(({ ref }) => ref ?? []);
    const within = { ...place, inside: new Set([...place.inside, ...refs, key]) };
    for (const value of listCandidates(schemas, types, within, walk)) {
      const isAccepted =
        value !== undefined && isOfTypes(value, types) && isWithinLimits(value, schemas, walk.readPattern);
      if (isAccepted) return value;
      if (walk.budget.values < 0) return undefined;
    }
    choices += 1;
    walk.budget.values -= 1;
    if (choices === maxChoices) break;
  }
  return undefined;
}

/** Returns a key for goals that doesn't depend on the references leading to them. */
function identifyGoals(goals: Goals, { source, ids }: Walk): string {
  const identify = (schema: CanonicalSchema): number => {
    const target =
      Object.keys(schema).length === 1 && schema.ref !== undefined ? source.definitions.get(schema.ref) : undefined;
    const known = ids.get(target ?? schema) ?? ids.size;
    ids.set(target ?? schema, known);
    return known;
  };
  return [...new Set(goals.map(identify))].sort().join();
}

function* listCandidates(
  schemas: Goals,
  types: readonly JsonTypeName[] | undefined,
  place: Place,
  walk: Walk,
): Generator<JsonValue | undefined> {
  const listed = schemas.flatMap((schema) => (schema.enum === undefined ? [] : [schema.enum]));
  if (walk.takesExamples) {
    const given = schemas.map((schema) => schema.examples?.[0] ?? schema.default).find((one) => (one ?? null) !== null);
    if (given !== undefined && listed.every((list) => includesValue(list, given))) yield given;
  }
  const [first, ...others] = listed;
  if (first !== undefined) {
    const choices = first.filter((value) => others.every((list) => includesValue(list, value)));
    const start = Math.floor(drawNumber(walk) * choices.length);
    yield* [...choices.slice(start), ...choices.slice(0, start)];
    return;
  }
  for (const type of types === undefined
    ? guessTypes(schemas)
    : types.toSorted((one) => (one === 'null' ? 1 : -1)).toReversed())
    yield* listOfType(type, schemas, place, walk);
}

const isScalar = (value: JsonValue): boolean => typeof value !== 'object' || value === null;
function includesValue(list: readonly JsonValue[], value: JsonValue): boolean {
  return list.some((one) => one === value || (!isScalar(one) && canonicalText(one) === canonicalText(value)));
}

const drawNumber = ({ random, skip }: Walk): number => (random() + skip * 0.618034) % 1;

/** Returns the type that the keywords are about, followed by all other types. */
function guessTypes(schemas: Goals): JsonTypeName[] {
  const isObject = schemas.some(
    (one) => one.properties ?? one.required ?? one.additionalProperties ?? one.patternProperties,
  );
  const isArray = schemas.some((one) => one.items ?? one.prefixItems ?? one.contains ?? one.minItems);
  const isNumber = ['minimum', 'maximum', 'multipleOf'].some((keyword) => readLimits(schemas, keyword).length > 0);
  const guess = isObject ? 'object' : isArray ? 'array' : isNumber ? 'number' : 'string';
  return [...new Set<JsonTypeName>([guess, 'string', 'number', 'object', 'array', 'boolean', 'null'])];
}

function* listOfType(type: JsonTypeName, schemas: Goals, place: Place, walk: Walk): Generator<JsonValue | undefined> {
  switch (type) {
    case 'object':
      yield sampleObject(schemas, place, walk, walk.takesOptional && place.depth < maxOptionalDepth);
      yield sampleObject(schemas, place, walk, !walk.takesOptional && place.depth < maxOptionalDepth);
      return;
    case 'array':
      yield sampleArray(schemas, place, walk, walk.takesOptional || walk.isCall);
      yield sampleArray(schemas, place, walk, false);
      return;
    case 'integer':
    case 'number':
      yield sampleNumber(schemas, type === 'integer', () => drawNumber(walk));
      return;
    case 'boolean': {
      const first = drawNumber(walk) < 0.5;
      yield first;
      yield !first;
      return;
    }
    case 'null':
      yield null;
      return;
    case 'string': {
      const text = sampleString(schemas, () => drawNumber(walk), walk.readPattern);
      walk.budget.characters -= text?.length ?? 0;
      yield text;
    }
  }
}

const createChildPlace = ({ depth, inside }: Place): Place => ({ depth: depth + 1, inside });

function sampleObject(schemas: Goals, place: Place, walk: Walk, takesOptional: boolean): JsonObject | undefined {
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const dependents = schemas.flatMap(({ dependentRequired = [] }) => [...dependentRequired]);
  const described = new Set(schemas.flatMap(({ properties = [] }) => [...properties].map(([name]) => name)));
  const minProperties = largest(readLimits(schemas, 'minProperties'));
  const least = Math.max(required.size, minProperties);
  const most = smallest(readLimits(schemas, 'maxProperties'));
  if (minProperties > maxMembers || least > most) return undefined;
  // The loop also visits names that are added while it runs.
  for (const name of required)
    for (const [when, names] of dependents) if (when === name) for (const one of names) required.add(one);
  const goalsOf = createMemberGoals(schemas, walk);
  const members = new Map<string, JsonValue>();
  const add = (name: string): boolean => {
    const value = members.get(name) ?? sampleAt(goalsOf(name), createChildPlace(place), walk);
    if (value === undefined) return false;
    members.set(name, value);
    return true;
  };
  const addOptional = (name: string): void => {
    const needed = dependents.flatMap(([when, names]) => (when === name ? names : []));
    const isFull = Number.isFinite(most) && new Set([...members.keys(), ...required, name]).size > most;
    if (!isFull && needed.every((one) => members.has(one) || required.has(one))) add(name);
  };
  const order = [...described].filter((name) => takesOptional || required.has(name));
  if (order.length === 0 && required.size === 0 && walk.isCall) order.push(...[...described].slice(0, 1));
  for (const name of new Set([...order, ...required])) {
    if (required.has(name)) {
      if (!add(name)) return undefined;
    } else if (walk.budget.values > valuesForRequired) addOptional(name);
  }
  if (members.size >= least) return Object.fromEntries(members);
  let missed = 0;
  for (const name of listFurtherNames(schemas, described, walk)) {
    const before = members.size;
    if (!members.has(name)) addOptional(name);
    missed = members.size > before ? 0 : missed + 1;
    if (members.size >= least || walk.budget.values < 0 || missed > maxNameAttempts) break;
  }
  return members.size >= least ? Object.fromEntries(members) : undefined;
}

/** Finds the schemas of a member by its name. */
function createMemberGoals(schemas: Goals, { readPattern }: Walk): (name: string) => Goals {
  const named = new Map<string, CanonicalSchema[]>();
  for (const { properties = [] } of schemas)
    for (const [name, part] of properties) {
      const known = named.get(name);
      if (known === undefined) named.set(name, [part]);
      else known.push(part);
    }
  const others = schemas.filter((schema) => schema.patternProperties ?? schema.additionalProperties);
  const unevaluated = schemas.flatMap(({ unevaluatedProperties }) => unevaluatedProperties ?? []);
  return (name) => {
    const goals = [...(named.get(name) ?? [])];
    for (const { properties, patternProperties = [], additionalProperties } of others) {
      const matching = [...patternProperties].filter(([pattern]) => readPattern(pattern)?.(name) === true);
      goals.push(...matching.map(([, part]) => part));
      const isAdditional = matching.length === 0 && properties?.has(name) !== true;
      if (isAdditional && additionalProperties !== undefined) goals.push(additionalProperties);
    }
    return goals.length > 0 ? goals : unevaluated;
  };
}

const maxNameAttempts = 40;

/** Yields additional names for members of an object. */
function* listFurtherNames(schemas: Goals, described: Iterable<string>, walk: Walk): Generator<string> {
  yield* described;
  const patterns = schemas.flatMap(({ patternProperties = [] }) => [...patternProperties].map(([pattern]) => pattern));
  const names = schemas.flatMap(({ propertyNames }) => (propertyNames === undefined ? [] : [propertyNames]));
  const text: CanonicalSchema = { type: ['string'] };
  const nowhere: Place = { depth: 1, inside: new Set() };
  const skipped = walk.skip;
  for (let tried = 0; tried < maxNameAttempts; tried++) {
    walk.skip = tried;
    const pattern = patterns[Math.floor(tried / 2) % (patterns.length + 1)];
    const limits = new Map<string, JsonValue>(pattern === undefined ? [] : [['pattern', pattern]]);
    // Every second name is longer, because the shortest text of a pattern may be the only one of its length.
    if (tried % 2 === 1) limits.set('minLength', tried + 2);
    const ofPattern: Goals = pattern === undefined ? [] : [{ limits }];
    const name =
      names.length + ofPattern.length > 0 ? sampleAt([...names, ...ofPattern, text], nowhere, walk) : undefined;
    walk.skip = skipped;
    if (typeof name === 'string') yield name;
    if (names.length === 0) yield `member_${tried}`;
  }
  if (names.length === 0) for (let tried = maxNameAttempts; tried < maxMembers; tried++) yield `member_${tried}`;
}

function sampleArray(schemas: Goals, place: Place, walk: Walk, takesOptional: boolean): JsonValue[] | undefined {
  const least = largest([0, ...schemas.map(({ minItems = 0 }) => minItems)]);
  const most = smallest(schemas.map(({ maxItems = Number.POSITIVE_INFINITY }) => maxItems));
  const prefixes = schemas.map(({ prefixItems = [] }) => prefixItems.length);
  const prefix = largest([0, ...prefixes]);
  const containsGoals = schemas.flatMap((schema) => {
    const [[count = 1], [most]] = [readLimits([schema], 'minContains'), readLimits([schema], 'maxContains')];
    return schema.contains === undefined ? [] : [{ contains: schema.contains, count, most }];
  });
  const contained = containsGoals.reduce((sum, { count }) => Math.max(sum, count), 0);
  const isOpen = !schemas.some(({ items }) => items !== undefined && isNothing(items));
  const isDeep = place.depth >= (walk.isCall ? 2 : 1) * maxOptionalDepth; // Limits recursive schemas.
  const full = takesOptional && !isDeep ? (isOpen ? Math.max(1, prefix) : prefix) : 0;
  const shortest = Math.min(Math.max(full, least, contained), most);
  if (shortest > maxMembers || shortest < Math.max(least, contained)) return undefined;
  const isUnique = schemas.some(({ limits }) => limits?.get('uniqueItems') === true);
  // The items for `contains` may have to come after the items of a tuple.
  for (let offset = 0; offset <= (contained === 0 ? 0 : Math.min(prefix, most - contained)); offset++) {
    const length = Math.max(shortest, offset + contained);
    const list: JsonValue[] = [];
    const seen = new Set<string>();
    for (let index = 0; index < length; index++) {
      const goalsOfContains = containsGoals.flatMap(({ contains, count, most: limit }) => {
        if (index >= offset && index < offset + count) return [contains];
        return limit === undefined ? [] : [{ not: contains }];
      });
      const itemGoals = schemas.flatMap(({ prefixItems, items }) => prefixItems?.[index] ?? items ?? []);
      const goals =
        itemGoals.length > 0 ? itemGoals : schemas.flatMap(({ unevaluatedItems }) => unevaluatedItems ?? []);
      const item = sampleItem(
        [...goals, ...goalsOfContains],
        createChildPlace(place),
        walk,
        isUnique ? seen : undefined,
      );
      if (item === undefined) break;
      list.push(item);
    }
    if (list.length >= Math.max(least, offset + contained)) return list;
  }
  return undefined;
}

const maxItemAttempts = 12;

/** Creates an item that differs from the items in `seen`. */
function sampleItem(goals: Goals, place: Place, walk: Walk, seen: Set<string> | undefined): JsonValue | undefined {
  if (seen === undefined) return sampleAt(goals, place, walk);
  const skipped = walk.skip;
  for (let tried = 0; tried < maxItemAttempts; tried++) {
    const item = sampleAt(goals, place, walk);
    walk.skip += 1;
    const text = item === undefined ? undefined : canonicalText(item);
    if (item === undefined || text === undefined || seen.has(text)) continue;
    seen.add(text);
    walk.skip = skipped;
    return item;
  }
  walk.skip = skipped;
  return undefined;
}
