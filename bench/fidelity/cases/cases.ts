import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { JsonSchema } from '../oracle/json-schema.ts';
import type { Oracle, Verdict } from '../oracle/oracle.ts';
import type { Subject } from '../subject.ts';
import { makeBases } from './bases.ts';
import { type Location, listLocations, pointerTo } from './locations.ts';
import { type Mutant, mutantsAt } from './mutations.ts';
import { define } from './sample.ts';

/** One question to the type checker. A fresh literal is also refused for keys that its type does not know. */
export type Case = {
  kind: string;
  pointer: string;
  value: JsonValue;
  form: 'variable' | 'literal';
  accepts: boolean;
};
export type CaseSet = {
  cases: readonly Case[];
  /** Published whole values that their own schema refuses. */
  selfRefuted: readonly JsonValue[];
  /** Whether any valid value was found. */
  reached: boolean;
};

const perPlaceAndKind = 20;
const casesAtMost = 400;
const longestValue = 20_000;

export function makeCases(subject: Subject, schema: JsonSchema, oracle: Oracle): CaseSet {
  const published = [...subject.published, ...publishedBeside(schema)];
  const bases = makeBases(schema, oracle);
  const collected = new Collected(subject, oracle);
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
    cases: collected.cases(),
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

function mutateAll({ value, focus, starts }: Start, schema: JsonSchema, collected: Collected): void {
  for (const location of listLocations(value, schema)) {
    const [first] = location.path;
    if (focus !== undefined && first !== undefined && first !== focus) continue;
    const others = starts.flatMap((other) => valueAt(other, location.path));
    for (const mutant of mutantsAt(location, others)) collected.addMutant(location, mutant);
  }
}

function valueAt(whole: JsonValue, path: Location['path']): JsonValue[] {
  let value: JsonValue | undefined = whole;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step];
    else value = isJsonObject(value) && typeof step === 'string' ? value[step] : undefined;
    if (value === undefined) return [];
  }
  return [value];
}

/** Each member alone beside the required ones: the same changes in smaller values. */
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

/** Cases of one subject without repetitions. */
class Collected {
  readonly #subject: Subject;
  readonly #oracle: Oracle;
  readonly #cases = new Map<string, Case>();
  readonly #counts = new Map<string, number>();

  constructor(subject: Subject, oracle: Oracle) {
    this.#subject = subject;
    this.#oracle = oracle;
  }

  /** Where there are too many, all kinds keep their share. */
  cases(): readonly Case[] {
    const byKind = new Map<string, Case[]>();
    for (const one of this.#cases.values()) byKind.set(one.kind, [...(byKind.get(one.kind) ?? []), one]);
    const kept: Case[] = [];
    for (let index = 0; kept.length < Math.min(this.#cases.size, casesAtMost); index++) {
      for (const list of byKind.values()) kept.push(...list.slice(index, index + 1));
    }
    return kept;
  }

  addWhole(kind: string, value: JsonValue): void {
    if (!this.#mayBeAsked(value, { accepts: true })) return;
    this.#add({ kind, pointer: '', value, form: 'variable', accepts: true });
    if (this.#oracle.isDeclared(value))
      this.#add({ kind: `${kind} as literal`, pointer: '', value, form: 'literal', accepts: true });
  }

  addMutant({ path }: Location, { kind, value }: Mutant): void {
    const place = `${kind} ${pointerTo(path, 'any')}`;
    const count = this.#counts.get(place) ?? 0;
    if (count >= perPlaceAndKind) return;
    const text = JSON.stringify(value);
    if (text.length > longestValue || this.#cases.has(`variable${text}`) || this.#cases.has(`literal${text}`)) return;
    const verdict = this.#oracle.judge(value);
    if (verdict === undefined || !this.#mayBeAsked(value, verdict)) return;
    this.#counts.set(place, count + 1);
    this.#add({
      kind: kindOf(kind, verdict),
      pointer: pointerTo(path),
      value,
      form: this.#formOf(kind, value, verdict),
      accepts: verdict.accepts,
    });
  }

  // The router takes objects only, whether a schema says so or not.
  #mayBeAsked(value: JsonValue, verdict: NonNullable<Verdict>): boolean {
    return this.#subject.direction === 'output' || isJsonObject(value) || !verdict.accepts;
  }

  // Where a document opens an object, a key too many may also stand in a literal.
  #formOf(kind: string, value: JsonValue, verdict: NonNullable<Verdict>): Case['form'] {
    if (!verdict.accepts) return verdict.as;
    return kind === 'extra key' && this.#oracle.isDeclared(value) ? 'literal' : 'variable';
  }

  #add(one: Case): void {
    const key = `${one.form}${JSON.stringify(one.value)}`;
    if (!this.#cases.has(key)) this.#cases.set(key, one);
  }
}

function kindOf(kind: string, verdict: NonNullable<Verdict>): string {
  return !verdict.accepts && verdict.because === 'two-branches' ? 'two branches match' : kind;
}
