import { isJsonObject, type JsonObject, type JsonValue, type Schema } from '../../../specs/src/index.ts';
import { pick, type Random } from '../random.ts';
import { mergedSchema } from './merged-schema.ts';
import { sampleNumber, sampleString } from './sample-scalar.ts';

export type Sampling = {
  root: JsonObject;
  random: Random;
  /** Whether examples and defaults inside the schema are taken, optional members filled, and which branch of a union. */
  takeExamples: boolean;
  fillOptional: boolean;
  branch: number;
};

const depthLimit = 24;
const optionalDepthLimit = 3;
const branchLimit = 24; // a union may be a branch of itself
const memberLimit = 1000; // a document may ask for any number, and that at every level
const valueLimit = 20_000;
const characterLimit = 1_000_000;

/** A value of the schema's shape; whoever needs it to be valid checks it, for schemas can contradict themselves. */
export function sampleValue(schema: Schema, sampling: Sampling): JsonValue {
  return sampleAt(schema, { ...sampling, values: valueLimit, characters: characterLimit }, 0);
}

/** With what is left of the values and characters that all levels share. */
type Supply = Sampling & { values: number; characters: number };

function sampleAt(schema: JsonValue | undefined, sampling: Supply, depth: number): JsonValue {
  sampling.values -= 1;
  if (sampling.values < 0) return null;
  const merged = chooseBranch(mergedSchema(sampling.root, schema), sampling);
  const fixed = fixedValue(merged, sampling);
  if (fixed !== undefined) return fixed;
  if (depth > depthLimit) return null;
  switch (typeOf(merged)) {
    case 'object':
      return sampleObject(merged, sampling, depth);
    case 'array':
      return sampleArray(merged, sampling, depth);
    case 'integer':
    case 'number':
      return sampleNumber(merged, sampling.random);
    case 'boolean':
      return sampling.random() < 0.5;
    case 'null':
      return null;
    default:
      return sampleText(merged, sampling);
  }
}

function sampleText(schema: JsonObject, sampling: Supply): JsonValue {
  if (sampling.characters < 0) return null;
  const text = sampleString(schema, sampling.random);
  sampling.characters -= text.length;
  return text;
}

function chooseBranch(schema: JsonObject, sampling: Sampling, unions = 0): JsonObject {
  const { anyOf, oneOf, ...own } = schema;
  const list = Array.isArray(anyOf) ? anyOf : oneOf;
  if (!Array.isArray(list) || list.length === 0 || unions > branchLimit) return schema;
  const solid = list.filter((branch) => mergedSchema(sampling.root, branch)['type'] !== 'null');
  const choices = solid.length > 0 ? solid : list;
  const chosen = choices[sampling.branch % choices.length];
  return chooseBranch(mergedSchema(sampling.root, { ...own, allOf: [chosen ?? {}] }), sampling, unions + 1);
}

function fixedValue(schema: JsonObject, { random, takeExamples }: Sampling): JsonValue | undefined {
  if (schema['const'] !== undefined) return schema['const'];
  const allowed = schema['enum'];
  if (Array.isArray(allowed)) return pick(random, allowed) ?? null;
  if (!takeExamples) return undefined;
  const examples = schema['examples'];
  return schema['example'] ?? (Array.isArray(examples) ? examples[0] : undefined) ?? schema['default'] ?? undefined;
}

function typeOf(schema: JsonObject): JsonValue | undefined {
  const type = schema['type'];
  if (Array.isArray(type)) return type.find((name) => name !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return 'object';
  if (schema['additionalProperties'] !== undefined) return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array';
  return schema['minimum'] !== undefined || schema['maximum'] !== undefined ? 'number' : undefined;
}

function sampleObject(schema: JsonObject, sampling: Supply, depth: number): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const rest = schema['additionalProperties'];
  const sampleMember = (name: string): [string, JsonValue] => {
    const member = Object.hasOwn(properties, name) ? properties[name] : rest;
    return [name, sampleAt(member, sampling, depth + 1)];
  };
  const required = new Set(listOf(schema['required']).filter((name) => typeof name === 'string'));
  const takesOptional = sampling.fillOptional && depth < optionalDepthLimit;
  const described = Object.keys(properties).filter((name) => takesOptional || required.has(name));
  const names = [...new Set([...described, ...required])];
  const wanted = Math.min(Number(schema['minProperties'] ?? 0), memberLimit);
  while (names.length < wanted) names.push(`member_${names.length}`);
  return Object.fromEntries(names.map(sampleMember));
}

function sampleArray(schema: JsonObject, sampling: Supply, depth: number): JsonValue[] {
  const prefix = listOf(schema['prefixItems']);
  const items = schema['items'];
  const least = Number(schema['minItems'] ?? 0);
  const most = Number(schema['maxItems'] ?? Number.POSITIVE_INFINITY);
  const usual = items === undefined || items === false ? prefix.length : Math.max(1, prefix.length);
  const length = Math.min(Math.max(usual, least), most, memberLimit);
  // An optional list deep inside ends here, or a recursive schema would never end.
  if (depth >= optionalDepthLimit && least === 0 && prefix.length === 0) return [];
  return Array.from({ length }, (_, index) => sampleAt(prefix[index] ?? items, sampling, depth + 1));
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
