import { createDice, type Dice } from '../../generator/tests/random-documents/dice.ts';
import { createSampler, isJsonObject, type JsonObject, type JsonValue, readSchema } from '../../specs/src/index.ts';
import { type Location, listLocations, pointerTo, valueAt } from './locations.ts';
import { type Mutant, mutantsAt } from './mutations.ts';
import { createOracle, type Decision, type Oracle } from './oracle.ts';
import type { Subject } from './subject.ts';

/**
 * A value that the type checker should accept or reject. `form`: how the test code writes the value; TypeScript checks
 * excess properties only in a literal.
 */
export type Case = {
  kind: string;
  pointer: string;
  value: JsonValue;
  form: 'variable' | 'literal';
  accepts: boolean;
};

const perPlaceAndKind = 20;
const longestValue = 20_000;
const maxSamples = 60;

/** Creates at most `atMost` cases for the input or output of a model: valid values, and mutations of them. */
export function makeCases(subject: Subject, atMost: number): readonly Case[] {
  const oracle = createOracle(subject);
  const published = subject.published.filter((one) => oracle.isValid(one));
  const samples = makeSamples(subject, oracle);
  const cases = new Map<string, Case>();
  const counts = new Map<string, number>();
  const add = (one: Case): void => {
    // The router only accepts objects as input, even if the schema accepts other values.
    const isRelevant = subject.direction === 'output' || isJsonObject(one.value) || !one.accepts;
    const key = `${one.form}${JSON.stringify(one.value)}`;
    if (isRelevant && !cases.has(key)) cases.set(key, one);
  };
  const addWhole = (kind: string, value: JsonValue): void => {
    if (looksMisspelt(value, subject)) return;
    add({ kind, pointer: '', value, form: 'variable', accepts: true });
    if (oracle.isDeclared(value)) add({ kind, pointer: '', value, form: 'literal', accepts: true });
  };
  const addMutant = (location: Location, { kind, value }: Mutant): void => {
    const pointer = pointerTo(location.path);
    const count = counts.get(`${kind} ${pointer}`) ?? 0;
    const text = JSON.stringify(value);
    const isKnown = cases.has(`variable${text}`) || cases.has(`literal${text}`);
    // ajv ignores members named `__proto__`.
    if (location.path.includes('__proto__') || count >= perPlaceAndKind || text.length > longestValue || isKnown)
      return;
    const decision = oracle.decide(value);
    if (decision === undefined || isBeyondTypes(decision, { kind, value }, location, subject)) return;
    counts.set(`${kind} ${pointer}`, count + 1);
    // An open object also accepts excess properties in a literal.
    const isOpened = decision.accepts && kind === 'extra key' && oracle.isDeclared(value);
    const form = decision.accepts ? (isOpened ? 'literal' : 'variable') : decision.as;
    const isTwoBranches = !decision.accepts && decision.isTwoBranches;
    add({ kind: isTwoBranches ? 'two branches match' : kind, pointer, value, form, accepts: decision.accepts });
  };
  for (const value of published) addWhole('published example', value);
  for (const value of samples) addWhole('sample', value);
  const starts = [...published, ...samples];
  const walked = new Set<string>();
  for (const { value, focus } of starts.flatMap((start) => slim(start, oracle))) {
    const key = `${focus} ${JSON.stringify(value)}`;
    if (walked.has(key)) continue;
    walked.add(key);
    for (const location of listLocations(value, subject.schema, subject.root)) {
      const [first] = location.path;
      if (focus !== undefined && first !== undefined && first !== focus) continue;
      const others = starts.flatMap((other) => valueAt(other, location.path) ?? []);
      for (const mutant of mutantsAt(location, others)) addMutant(location, mutant);
    }
  }
  return choose([...cases.values()], atMost);
}

/** Creates valid values from the document, and from copies of it that list the branches of unions in other orders. */
function makeSamples({ schema, root, direction }: Subject, oracle: Oracle): JsonValue[] {
  const samples = new Map<string, JsonValue>();
  const dice = createDice(1);
  let branches = 0;
  const countBranches = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(part)) branches += part.length;
      countBranches(part);
    }
  };
  countBranches(schema);
  countBranches(root['components'] ?? null);
  for (let turn = 0; turn <= Math.min(2 * branches, maxSamples); turn++) {
    // Schema and root are reordered in one call, so that references between them still match.
    const turned = turn === 0 ? { schema, root } : turnBranches({ schema, root }, dice);
    const sample = createSampler(readSchema(turned.root, turned.schema, direction));
    for (const prefer of ['small', 'full'] as const) {
      const value = sample({ random: () => dice.below(1000) / 1000, prefer, isValid: oracle.isValid });
      if (value !== undefined) samples.set(JSON.stringify(value), value);
    }
  }
  return [...samples.values()];
}

function turnBranches<T extends { schema: JsonValue; root: JsonObject }>(document: T, dice: Dice): T {
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if ((key !== 'anyOf' && key !== 'oneOf') || !Array.isArray(value)) return value;
    const from = dice.below(value.length);
    return [...value.slice(from), ...value.slice(0, from)];
  });
}

/** Returns a smaller value for each member: the member itself and the required ones. Mutations of it are easier to read. */
function slim(whole: JsonValue, oracle: Oracle): { value: JsonValue; focus: string | undefined }[] {
  if (!isJsonObject(whole) || Object.keys(whole).length < 4) return [{ value: whole, focus: undefined }];
  const pick = (keep: (name: string) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => keep(name)));
  const required = new Set(Object.keys(whole).filter((name) => !oracle.isValid(pick((other) => other !== name))));
  return Object.keys(whole).map((focus) => {
    const slimmed = pick((name) => required.has(name) || name === focus);
    return { value: oracle.isValid(slimmed) ? slimmed : whole, focus };
  });
}

/** Chooses at most `atMost` cases: about equally many of each kind, spread evenly over the locations. */
function choose(all: readonly Case[], atMost: number): readonly Case[] {
  if (all.length <= atMost) return all;
  const byKind = Map.groupBy(all, ({ kind }) => kind);
  let room = atMost;
  let kinds = byKind.size;
  return [...byKind.values()]
    .sort((left, right) => left.length - right.length)
    .flatMap((list) => {
      const share = Math.min(list.length, Math.ceil(room / kinds--));
      room -= share;
      return Array.from({ length: share }, (_, index) => list[Math.floor((index * list.length) / share)] ?? []).flat();
    });
}

function isBeyondTypes(
  decision: NonNullable<Decision>,
  { kind, value }: Mutant,
  { nodes }: Location,
  subject: Subject,
): boolean {
  if (decision.accepts) return looksMisspelt(value, subject);
  const rests = nodes.map(({ additionalProperties }) => additionalProperties).filter((rest) => rest !== undefined);
  // If no value is valid for the schema of additional properties, the object is closed, but its type isn't.
  if (kind === 'extra key' && rests.some((rest) => isJsonObject(rest) && hasNoValue(rest, subject))) return true;
  // A literal may have the keys of any member of a union. So if one member is open, TypeScript doesn't reject any key.
  return decision.as === 'literal' && rests.some((rest) => rest === true || isJsonObject(rest));
}

function hasNoValue(schema: JsonObject, subject: Subject): boolean {
  const inner = { ...subject, schema };
  return makeSamples(inner, createOracle(inner)).length === 0;
}

// TypeScript rejects a value that shares no key with the type, even if the value isn't a literal.
function looksMisspelt(whole: JsonValue, { schema, root }: Subject): boolean {
  return listLocations(whole, schema, root).some(({ value, nodes }) => {
    if (!isJsonObject(value) || Object.keys(value).length === 0) return false;
    const rests = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];
    if (nodes.some((node) => rests.some((keyword) => (node[keyword] ?? false) !== false))) return false;
    const known = nodes.flatMap(({ properties, required }) => [
      ...(isJsonObject(properties) ? Object.keys(properties) : []),
      ...(Array.isArray(required) ? required.map(String) : []),
    ]);
    return known.length > 0 && !known.some((name) => Object.hasOwn(value, name));
  });
}
