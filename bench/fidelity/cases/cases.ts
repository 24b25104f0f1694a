import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { JsonSchema } from '../oracle/json-schema.ts';
import { createOracle, type Oracle } from '../oracle/oracle.ts';
import type { Subject } from '../subject.ts';
import { makeBases } from './bases.ts';
import { type Case, type Collection, createCollection } from './collection.ts';
import { listLocations, valueAt } from './locations.ts';
import { mutantsAt } from './mutations.ts';
import { define } from './sample.ts';

export type CaseSet = {
  cases: readonly Case[];
  /** Published values that their own schema refuses. */
  selfRefuted: readonly JsonValue[];
  /** Whether any valid value was found. */
  reached: boolean;
};

export function makeCases(subject: Subject, schema: JsonSchema, atMost: number): CaseSet {
  const oracle = createOracle(schema);
  const published = [...subject.published, ...publishedBeside(schema)];
  const bases = makeBases(schema, oracle);
  const collected = createCollection({ oracle, schema, direction: subject.direction });
  for (const value of published.filter((one) => oracle.isValid(one))) collected.addWhole('published example', value);
  for (const value of bases) collected.addWhole('sample', value);
  const starts = [...published.filter((one) => oracle.isValid(one)), ...bases];
  const walked = new Set<string>();
  for (const { value, focus } of starts.flatMap((start) => slimmed(start, oracle))) {
    const key = `${focus} ${JSON.stringify(value)}`;
    if (!walked.has(key)) mutateAll({ value, focus, starts }, schema, collected);
    walked.add(key);
  }
  return {
    cases: collected.cases(atMost),
    selfRefuted: published.filter((one) => !oracle.isValid(one)),
    reached: starts.length > 0,
  };
}

function publishedBeside(schema: JsonSchema): JsonValue[] {
  if (!isJsonObject(schema)) return [];
  const examples = schema['examples'];
  const reference = schema['$ref'];
  const definitions = schema['$defs'];
  const own = Array.isArray(examples) ? examples : [];
  if (typeof reference !== 'string' || !isJsonObject(definitions)) return [...own];
  const target = definitions[reference.slice('#/$defs/'.length)];
  return [...own, ...(isJsonObject(target) && Array.isArray(target['examples']) ? target['examples'] : [])];
}

type Start = { value: JsonValue; focus: string | undefined; starts: readonly JsonValue[] };

function mutateAll({ value, focus, starts }: Start, schema: JsonSchema, collected: Collection): void {
  for (const location of listLocations(value, schema)) {
    const [first] = location.path;
    if (focus !== undefined && first !== undefined && first !== focus) continue;
    const others = starts.map((other) => valueAt(other, location.path)).filter((other) => other !== undefined);
    for (const mutant of mutantsAt(location, others)) collected.addMutant(location, mutant);
  }
}

/** Each optional member alone with the required ones: the same changes in smaller values. */
function slimmed(whole: JsonValue, oracle: Oracle): { value: JsonValue; focus: string | undefined }[] {
  if (!isJsonObject(whole) || Object.keys(whole).length < 4) return [{ value: whole, focus: undefined }];
  const pick = (keep: (name: string) => boolean): JsonObject => {
    const picked: JsonObject = {};
    for (const [name, value] of Object.entries(whole)) if (keep(name)) define(picked, name, value);
    return picked;
  };
  const required = new Set(Object.keys(whole).filter((name) => !oracle.isValid(pick((other) => other !== name))));
  return Object.keys(whole).map((focus) => {
    const slim = pick((name) => required.has(name) || name === focus);
    return { value: oracle.isValid(slim) ? slim : whole, focus };
  });
}
