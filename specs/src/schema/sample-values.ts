import type { JsonObject, JsonValue } from '../json.ts';
import {
  type CanonicalSchema,
  type Definitions,
  isNothing,
  isNull,
  type JsonTypeName,
  type SchemaWithDefinitions,
} from './canonical-schema.ts';
import { flattenSchema } from './flatten-schema.ts';
import { pick, type Random } from './formats.ts';
import { readLimit, sampleNumber, sampleString } from './sample-scalar.ts';
import type { PartBudget } from './schema-parts.ts';

export type SampleOptions = {
  /** Numbers in [0, 1); the same sequence gives the same samples. */
  readonly random: Random;
  /**
   * Whether the first samples hold optional properties too. For a call they have the required ones, else the first, and one item in
   * each list.
   */
  readonly prefer: 'full' | 'small' | 'call';
};

const maxDepth = 24;
const maxOptionalDepth = 3;
const maxNestedUnions = 24; // a union may be a branch of itself
const maxMembers = 1000; // a document may ask for any number of members at every level
const maxValues = 20_000;
const maxCharacters = 1_000_000;
const maxParts = 100_000; // merged for the schemas of one sample
const branches = [0, 1, 2];

/**
 * Values of the schema's shape: with and without its examples, full and small, with other branches of its unions. Each is bounded in
 * size, also for a recursive schema. A sample can be invalid, for conditions and negations are not solved: check it before use.
 */
export function* sampleValues(source: SchemaWithDefinitions, { random, prefer }: SampleOptions): Generator<JsonValue> {
  const isFull = prefer === 'full';
  for (const branch of branches) {
    for (const [takesExamples, takesOptional] of [
      [true, isFull],
      [false, isFull],
      [false, !isFull],
    ] as const) {
      const { schema, definitions } = source;
      const isCall = prefer === 'call';
      const walk = { definitions, random, branch, takesExamples, takesOptional, isCall };
      const budgets = { values: maxValues, characters: maxCharacters, parts: maxParts };
      yield sampleAt(schema, { ...walk, ...budgets, chosen: new Map() }, 0);
    }
  }
}

type Walk = {
  readonly definitions: Definitions;
  readonly random: Random;
  readonly branch: number;
  readonly takesExamples: boolean;
  readonly takesOptional: boolean;
  readonly isCall: boolean;
  /** What each schema was resolved to. */
  readonly chosen: Map<CanonicalSchema, CanonicalSchema>;
  /** Values and characters left for all levels. */
  values: number;
  characters: number;
} & PartBudget;

function sampleAt(schema: CanonicalSchema, walk: Walk, depth: number): JsonValue {
  walk.values -= 1;
  if (walk.values < 0) return null;
  const flat = resolveSchema(schema, walk);
  const given = givenValue(flat, walk);
  if (given !== undefined) return given;
  if (depth > maxDepth) return null;
  switch (chooseType(flat)) {
    case 'object':
      return sampleObject(flat, walk, depth);
    case 'array':
      return sampleArray(flat, walk, depth);
    case 'integer':
    case 'number':
      return sampleNumber(flat, walk.random);
    case 'boolean':
      return walk.random() < 0.5;
    case 'null':
      return null;
    case 'string': {
      if (walk.characters < 0) return null;
      const text = sampleString(flat, walk.random);
      walk.characters -= text.length;
      return text;
    }
  }
}

/** The schema with its parts merged and a branch of its unions chosen; once for each schema. */
function resolveSchema(schema: CanonicalSchema, walk: Walk): CanonicalSchema {
  const known = walk.chosen.get(schema);
  if (known !== undefined) return known;
  const chosen = chooseBranch(schema, walk);
  walk.chosen.set(schema, chosen);
  return chosen;
}

function chooseBranch(schema: CanonicalSchema, walk: Walk, unions = 0): CanonicalSchema {
  const { definitions } = walk;
  const flat = flattenSchema({ schema, definitions }, walk);
  const { anyOf, oneOf, ...own } = flat;
  const listed = anyOf ?? oneOf ?? [];
  if (listed.length === 0 || unions > maxNestedUnions) return flat;
  const notNull = listed.filter((branch) => !isNull(flattenSchema({ schema: branch, definitions }, walk)));
  const choices = notNull.length > 0 ? notNull : listed;
  return chooseBranch({ ...own, allOf: [choices[walk.branch % choices.length] ?? {}] }, walk, unions + 1);
}

function givenValue(schema: CanonicalSchema, { random, takesExamples }: Walk): JsonValue | undefined {
  if (schema.enum !== undefined) return pick(random, schema.enum) ?? null;
  return takesExamples ? (schema.examples?.[0] ?? schema.default ?? undefined) : undefined;
}

function chooseType(schema: CanonicalSchema): JsonTypeName {
  if (schema.type !== undefined) return schema.type.find((name) => name !== 'null') ?? 'null';
  if (schema.properties ?? schema.required ?? schema.additionalProperties) return 'object';
  if (schema.items ?? schema.prefixItems) return 'array';
  return schema.limits?.has('minimum') || schema.limits?.has('maximum') ? 'number' : 'string';
}

function sampleObject(schema: CanonicalSchema, walk: Walk, depth: number): JsonObject {
  const { properties = new Map<string, CanonicalSchema>(), additionalProperties: rest = {} } = schema;
  const required = new Set(schema.required);
  const takesOptional = walk.takesOptional && depth < maxOptionalDepth;
  const described = [...properties.keys()].filter((name) => takesOptional || required.has(name));
  const names = [...new Set([...described, ...required])];
  if (names.length === 0 && walk.isCall) names.push(...[...properties.keys()].slice(0, 1));
  const least = Math.min(readLimit(schema, 'minProperties') ?? 0, maxMembers);
  while (names.length < least) names.push(`member_${names.length}`);
  // What comes after the last value would make the sample no more valid.
  return Object.fromEntries(
    names.flatMap((name) => (walk.values < 0 ? [] : [[name, sampleAt(properties.get(name) ?? rest, walk, depth + 1)]])),
  );
}

function sampleArray(schema: CanonicalSchema, walk: Walk, depth: number): JsonValue[] {
  const { prefixItems: prefix = [], items, minItems: least = 0, maxItems: most = Number.POSITIVE_INFINITY } = schema;
  // An optional array deep inside stays empty, so that a recursive schema ends.
  if (depth >= (walk.isCall ? 2 : 1) * maxOptionalDepth && least === 0 && prefix.length === 0) return [];
  const full = items === undefined || isNothing(items) ? prefix.length : Math.max(1, prefix.length);
  const length = Math.min(Math.max(walk.takesOptional || walk.isCall ? full : 0, least), most, maxMembers);
  const sampleItem = (index: number): JsonValue => sampleAt(prefix[index] ?? items ?? {}, walk, depth + 1);
  const list = Array.from({ length }).flatMap((_, index) => (walk.values < 0 ? [] : [sampleItem(index)]));
  if (schema.limits?.get('uniqueItems') !== true) return list;
  const distinct = new Map(list.map((item) => [JSON.stringify(item), item]));
  for (let trial = 0; distinct.size < length && trial < 4 * length && walk.values > 0; trial += 1) {
    const item = sampleItem(distinct.size);
    distinct.set(JSON.stringify(item), item);
  }
  return [...distinct.values()];
}
