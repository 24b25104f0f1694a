import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { JsonSchema } from '../oracle/json-schema.ts';
import { createOracle, type Decision, type Oracle } from '../oracle/oracle.ts';
import { makeBases } from './bases.ts';
import { type Location, listLocations, pointerTo, valueAt } from './locations.ts';
import type { Mutant } from './mutations.ts';

/** One value for the type checker. A fresh literal is also refused for excess properties. */
export type Case = {
  kind: string;
  pointer: string;
  value: JsonValue;
  form: 'variable' | 'literal';
  accepts: boolean;
};
/** Cases of one side of a model, without repetitions. */
export type Collection = {
  addWhole(kind: string, value: JsonValue): void;
  addMutant(location: Location, mutant: Mutant): void;
  /** Above the limit every kind keeps its share, spread over the locations. */
  cases(atMost: number): readonly Case[];
};

const perPlaceAndKind = 20;
const longestValue = 20_000;

type Side = { direction: 'input' | 'output'; schema: JsonSchema; oracle: Oracle };

export function createCollection({ oracle, schema, direction }: Side): Collection {
  const cases = new Map<string, Case>();
  const counts = new Map<string, number>();
  const add = (one: Case): void => {
    const key = `${one.form}${JSON.stringify(one.value)}`;
    if (!cases.has(key)) cases.set(key, one);
  };
  // The router takes objects only, whether a schema says so or not.
  const mayBeAsked = (value: JsonValue, accepts: boolean): boolean =>
    direction === 'output' || isJsonObject(value) || !accepts;
  return {
    addWhole(kind, value) {
      if (!mayBeAsked(value, true)) return;
      add({ kind, pointer: '', value, form: 'variable', accepts: true });
      if (oracle.isDeclared(value))
        add({ kind: `${kind} as literal`, pointer: '', value, form: 'literal', accepts: true });
    },
    addMutant({ path, nodes }, { kind, value }) {
      // The validator ignores this member, which would set a prototype in its own code.
      if (path.includes('__proto__')) return;
      const place = `${kind} ${pointerTo(path, 'any')}`;
      const count = counts.get(place) ?? 0;
      const text = JSON.stringify(value);
      const isKnown = cases.has(`variable${text}`) || cases.has(`literal${text}`);
      if (count >= perPlaceAndKind || text.length > longestValue || isKnown) return;
      const decision = oracle.decide(value);
      if (decision === undefined || !mayBeAsked(value, decision.accepts)) return;
      if (isBeyondTypes(decision, { kind, value, schema, nodes })) return;
      counts.set(place, count + 1);
      // An open object accepts excess properties in a literal, too.
      const opened = (): boolean => kind === 'extra key' && oracle.isDeclared(value);
      add({
        kind: isUntyped(nodes, valueAt(value, path))
          ? 'no object where only members are described'
          : chooseKind(kind, decision),
        pointer: pointerTo(path),
        value,
        form: chooseForm(decision, opened),
        accepts: decision.accepts,
      });
    },
    cases: (atMost) => chosen([...cases.values()], atMost),
  };
}

function chosen(all: readonly Case[], atMost: number): readonly Case[] {
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

// The deliberate exception: TypeScript refuses a value that shares no key with the type, fresh or not.
function looksMisspelt(whole: JsonValue, schema: JsonSchema): boolean {
  return listLocations(whole, schema).some(({ value, nodes }) => {
    if (!isJsonObject(value) || Object.keys(value).length === 0) return false;
    const isTold = nodes.some((node) => opening.some((keyword) => (node[keyword] ?? false) !== false));
    const known = nodes.flatMap(({ properties, required }) => [
      ...(isJsonObject(properties) ? Object.keys(properties) : []),
      ...(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
    ]);
    return known.length > 0 && !isTold && !known.some((name) => Object.hasOwn(value, name));
  });
}

function isBeyondTypes(
  decision: NonNullable<Decision>,
  { kind, value, schema, nodes }: { kind: string; value: JsonValue; schema: JsonSchema; nodes: readonly JsonObject[] },
): boolean {
  if (!decision.accepts && kind === 'extra key' && isClosedByContradiction(nodes, schema)) return true;
  return decision.accepts ? looksMisspelt(value, schema) : decision.as === 'literal' && isOpenElsewhere(nodes);
}

// In a union a literal may have the keys of every member, so an open member hides that the others are closed.
function isOpenElsewhere(nodes: readonly JsonObject[]): boolean {
  return nodes.some(({ additionalProperties }) => additionalProperties === true || isJsonObject(additionalProperties));
}

// No value fits the schema of further members, so the object is closed implicitly.
function isClosedByContradiction(nodes: readonly JsonObject[], schema: JsonSchema): boolean {
  const $defs = isJsonObject(schema) ? (schema['$defs'] ?? {}) : {};
  return nodes.some(({ additionalProperties: rest }) => {
    if (!isJsonObject(rest)) return false;
    const whole = { ...rest, $defs };
    return makeBases(whole, createOracle(whole)).length === 0;
  });
}

const opening = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];

// Without `type`, keywords of objects do not constrain other values.
function isUntyped(nodes: readonly JsonObject[], value: JsonValue | undefined): boolean {
  const speaks = (keyword: string): boolean => nodes.some((node) => node[keyword] !== undefined);
  return !isJsonObject(value) && !speaks('type') && (speaks('properties') || speaks('additionalProperties'));
}

function chooseForm(decision: NonNullable<Decision>, opened: () => boolean): Case['form'] {
  if (!decision.accepts) return decision.as;
  return opened() ? 'literal' : 'variable';
}

function chooseKind(kind: string, decision: NonNullable<Decision>): string {
  return !decision.accepts && decision.because === 'two-branches' ? 'two branches match' : kind;
}
