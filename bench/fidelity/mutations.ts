import { isJsonObject, type JsonObject, type JsonValue } from '../../specs/src/index.ts';
import { type Location, listAt } from './locations.ts';

/** A valid value with one change. The oracle decides whether the changed value is valid. */
export type Mutant = { kind: MutationKind; value: JsonValue };
type MutationKind =
  | 'key removed'
  | 'null'
  | 'wrong type'
  | 'wrong structure'
  | 'listed value'
  | 'outside enum'
  | 'published value'
  | 'array item'
  | 'tuple'
  | 'extra key'
  | 'branches mixed';

const maxListed = 16;
const maxMixed = 24;

/** Returns all mutants with one change at a location. `others`: the values at this location in other valid values. */
export function mutantsAt(location: Location, others: readonly JsonValue[]): Mutant[] {
  const { value, nodes, change } = location;
  const mutants: Mutant[] = [];
  const add = (kind: MutationKind, ...values: readonly JsonValue[]): void => {
    mutants.push(...values.map((one) => ({ kind, value: change(one) })));
  };
  const isUnchanged = (one: JsonValue): boolean => JSON.stringify(one) === JSON.stringify(value);
  const listed = nodes.flatMap((node) => ('const' in node ? [node['const'] ?? null] : listAt(node, 'enum')));
  const known = nodes.flatMap((node) => [
    ...listAt(node, 'examples'),
    ...['example', 'default'].flatMap((keyword) => node[keyword] ?? []),
  ]);
  if (value !== null) add('null', null);
  add(
    'listed value',
    ...[...listed.slice(0, maxListed), ...listed.slice(maxListed).slice(-1)].filter((one) => !isUnchanged(one)),
  );
  add('published value', ...known.filter((one) => !isUnchanged(one)).slice(0, 4));
  if (Array.isArray(value)) {
    changeList(location, value, add);
  } else if (isJsonObject(value)) {
    add('wrong structure', 'text', [value]);
    add('key removed', ...Object.keys(value).map((name) => without(value, name)));
    const isTyped = nodes.some(({ additionalProperties }) => isJsonObject(additionalProperties));
    const extras: JsonValue[] = isTyped ? ['text', 7, { nested: true }] : ['text'];
    add('extra key', ...extras.map((extra) => ({ ...value, unheardOf: extra })));
    if (nodes.some((node) => 'anyOf' in node || 'oneOf' in node)) add('branches mixed', ...mix(value, others));
  } else {
    add('wrong structure', [value]);
    if (typeof value === 'string') add('wrong type', 7, true);
    else add('wrong type', ...(typeof value === 'number' ? ['text'] : ['text', 7]));
    const outside: JsonValue[] = [];
    if (listed.some((one) => typeof one === 'string')) outside.push('not listed', '');
    if (listed.some((one) => typeof one === 'number')) outside.push(987_654);
    if (listed.some((one) => typeof one === 'boolean')) outside.push(true, false);
    add('outside enum', ...outside.filter((one) => !listed.includes(one)));
  }
  return mutants;
}

type Add = (kind: MutationKind, ...values: readonly JsonValue[]) => void;

function changeList({ nodes }: Location, value: readonly JsonValue[], add: Add): void {
  const [first] = value;
  add('wrong structure', 'text', { length: 1 });
  add('array item', [...value, typeof first === 'string' ? 7 : 'text'], [...value, null], [...value, {}], []);
  if (first !== undefined) add('array item', [...value, first]);
  if (!nodes.some((node) => 'prefixItems' in node)) return;
  add('tuple', value.slice(0, -1), value.slice(0, 1), [...value, 'text'], [...value, 7], [...value].reverse());
  add('tuple', ...value.map((item, index) => value.with(index, typeof item === 'string' ? 7 : 'text')));
}

/** Returns copies of the value with additional keys from other valid values, all at once and one by one. */
function mix(value: JsonObject, others: readonly JsonValue[]): JsonValue[] {
  const mixed = new Map<string, JsonValue>();
  for (const other of others.filter(isJsonObject)) {
    const foreign = Object.entries(other).filter(([name]) => !Object.hasOwn(value, name));
    for (const entries of [foreign, ...foreign.slice(0, 4).map((one) => [one])]) {
      if (entries.length === 0) continue;
      const whole = Object.fromEntries([...Object.entries(value), ...entries]);
      mixed.set(JSON.stringify(whole), whole);
    }
  }
  return [...mixed.values()].slice(0, maxMixed);
}

function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
