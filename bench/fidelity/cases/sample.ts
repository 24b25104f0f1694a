import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { JsonSchema } from '../oracle/json-schema.ts';
import { openView, type View } from './schema-view.ts';

/** How a value is sampled from a schema. */
export type SamplePlan = {
  /** All members, or the required ones only. */
  extent: 'full' | 'minimal';
  /** The branch to take, by union; the first one that is not null otherwise. */
  branches: ReadonlyMap<JsonObject, number>;
  /** Whether published values are used. */
  examples: boolean;
};
export type Sample = { value: JsonValue /** Unions on the way. */; unions: ReadonlySet<JsonObject> };

const fullDownTo = 5;
const deepest = 14;

/** A value that the schema is likely to accept; undefined when there is none. The oracle decides. */
export function sample(root: JsonSchema, plan: SamplePlan): Sample | undefined {
  const unions = new Set<JsonObject>();
  const value = make([root], { root, plan, unions, depth: 0 });
  return value === undefined ? undefined : { value, unions };
}

type Making = { root: JsonSchema; plan: SamplePlan; unions: Set<JsonObject>; depth: number };

function make(schemas: readonly JsonSchema[], making: Making): JsonValue | undefined {
  if (making.depth > deepest) return undefined;
  const view = openView(schemas, making.root, (union) => making.plan.branches.get(union) ?? firstBranch(union));
  if (view.impossible) return undefined;
  for (const union of view.unions) making.unions.add(union);
  if (view.enums !== undefined)
    return view.enums.find((one) => view.types?.every((word) => !fits(one, [word])) !== true);
  const published = making.plan.examples
    ? view.examples.find((one) => fits(one, view.types) && isScalar(one))
    : undefined;
  return published ?? makeOfType(typeFor(view), view, making);
}

function firstBranch(union: JsonObject): number {
  const branches = union['oneOf'] ?? union['anyOf'];
  if (!Array.isArray(branches)) return 0;
  const index = branches.findIndex((branch) => JSON.stringify(branch) !== '{"type":["null"]}' && branch !== false);
  return Math.max(index, 0);
}

function typeFor(view: View): string {
  const isObject = view.members.size > 0 || view.required.size > 0;
  const types =
    view.types ?? (isObject ? ['object'] : view.items.length + view.prefix.length > 0 ? ['array'] : ['string']);
  if (isObject && types.includes('object')) return 'object';
  return types.find((word) => word !== 'null') ?? 'null';
}

function makeOfType(type: string, view: View, making: Making): JsonValue | undefined {
  switch (type) {
    case 'object':
      return makeObject(view, making);
    case 'array':
      return makeArray(view, making);
    case 'string':
      return 'text'.padEnd(view.bounds.get('minLength') ?? 0, 't').slice(0, view.bounds.get('maxLength') ?? 10_000);
    case 'number':
    case 'integer':
      return makeNumber(view.bounds, type);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function makeNumber(bounds: ReadonlyMap<string, number>, type: string): number {
  const above = bounds.get('exclusiveMinimum');
  const below = bounds.get('exclusiveMaximum');
  const step = bounds.get('multipleOf') ?? (type === 'integer' ? 1 : undefined);
  const low = bounds.get('minimum') ?? (above === undefined ? undefined : above + (step ?? 0.001));
  const high = bounds.get('maximum') ?? (below === undefined ? undefined : below - (step ?? 0.001));
  const wanted = low ?? Math.min(high ?? 1, 1);
  return step === undefined ? wanted : Math.ceil(wanted / step) * step;
}

function makeArray(view: View, making: Making): JsonValue[] | undefined {
  const inner = { ...making, depth: making.depth + 1 };
  const least = view.bounds.get('minItems') ?? 0;
  const most = view.bounds.get('maxItems') ?? 1000;
  const full = making.plan.extent === 'full' && making.depth < fullDownTo;
  const made: JsonValue[] = [];
  const count = Math.min(most, Math.max(least, full ? Math.max(view.prefix.length, 1) : 0));
  for (let index = 0; index < count; index++) {
    const item = make(view.prefix[index] ?? view.items, inner);
    if (item === undefined) return index >= least ? made : undefined;
    made.push(typeof item === 'number' && view.prefix.length === 0 && index > 0 ? item + index : item);
  }
  return made;
}

function makeObject(view: View, making: Making): JsonObject | undefined {
  const inner = { ...making, depth: making.depth + 1 };
  const full = making.plan.extent === 'full' && making.depth < fullDownTo;
  const made: JsonObject = {};
  for (const name of new Set([...view.required, ...(full ? view.members.keys() : [])])) {
    const value = make(view.members.get(name) ?? view.rest, inner);
    if (value !== undefined) define(made, name, value);
    else if (view.required.has(name)) return undefined;
  }
  if ((full || view.bounds.get('minProperties') !== undefined) && view.rest.length > 0) {
    const extra = make(view.rest, inner);
    if (extra !== undefined) made['otherKey'] = extra;
  }
  return made;
}

/** Sets a member, also one named `__proto__`. */
export function define(holder: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

export function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}

export function nameType(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function fits(value: JsonValue, types: readonly string[] | undefined): boolean {
  const name = nameType(value);
  return types === undefined || types.some((word) => word === name || (word === 'integer' && Number.isInteger(value)));
}
