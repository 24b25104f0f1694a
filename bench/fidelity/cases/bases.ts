import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { JsonSchema } from '../oracle/json-schema.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { define, type SamplePlan, sample } from './sample.ts';
import { readUnion } from './schema-view.ts';

const plansAtMost = 80;

/** Valid values of a schema: minimal and full, for every branch of every reachable union. */
export function makeBases(schema: JsonSchema, oracle: Oracle): JsonValue[] {
  const bases = new Map<string, JsonValue>();
  const keep = (value: JsonValue): void => {
    bases.set(JSON.stringify(value), value);
  };
  const seen = new Set<string>();
  const ids = new Map<JsonObject, number>();
  const pending: ReadonlyMap<JsonObject, number>[] = [new Map()];
  for (let count = 0; pending.length > 0 && count < plansAtMost; count++) {
    const branches = pending.shift() ?? new Map();
    const made = makeAlong(schema, oracle, branches);
    made.values.forEach(keep);
    for (const next of furtherBranches(made.unions, branches)) {
      const key = joinBranches(next, ids);
      if (!seen.has(key)) pending.push(next);
      seen.add(key);
    }
  }
  return [...bases.values()];
}

function joinBranches(branches: ReadonlyMap<JsonObject, number>, ids: Map<JsonObject, number>): string {
  const numberUnion = (union: JsonObject): number => {
    const id = ids.get(union) ?? ids.size;
    ids.set(union, id);
    return id;
  };
  return [...branches]
    .map(([union, index]) => `${numberUnion(union)}:${index}`)
    .sort()
    .join();
}

/** The same branches with another branch of one union; unions reachable only behind it are varied with it. */
function furtherBranches(
  met: ReadonlySet<JsonObject>,
  branches: ReadonlyMap<JsonObject, number>,
): ReadonlyMap<JsonObject, number>[] {
  if (branches.size >= 3) return [];
  return [...met]
    .filter((union) => !branches.has(union))
    .flatMap((union) => (readUnion(union) ?? []).map((_, index) => new Map([...branches, [union, index]])));
}

function makeAlong(schema: JsonSchema, oracle: Oracle, branches: ReadonlyMap<JsonObject, number>) {
  const values: JsonValue[] = [];
  const unions = new Set<JsonObject>();
  const attempt = (plan: Omit<SamplePlan, 'branches'>): JsonValue | undefined => {
    const made = sample(schema, { ...plan, branches });
    for (const union of made?.unions ?? []) unions.add(union);
    return made?.value;
  };
  const minimal = [true, false]
    .map((examples) => attempt({ extent: 'minimal', examples }))
    .find((value) => value !== undefined && oracle.isValid(value));
  if (minimal !== undefined) values.push(minimal);
  const fulls = [true, false].map((examples) => attempt({ extent: 'full', examples }));
  const full = fulls.find((value) => value !== undefined && oracle.isValid(value));
  if (full !== undefined) values.push(full);
  else if (minimal !== undefined && fulls[0] !== undefined) values.push(grow(minimal, fulls[0], oracle));
  return { values, unions };
}

/** Adds members of `full` as long as the value stays valid. */
function grow(minimal: JsonValue, full: JsonValue, oracle: Oracle): JsonValue {
  if (!isJsonObject(minimal) || !isJsonObject(full)) return minimal;
  let grown = minimal;
  for (const [name, value] of Object.entries(full)) {
    const next = { ...grown };
    define(next, name, value);
    if (oracle.isValid(next)) grown = next;
  }
  return grown;
}
