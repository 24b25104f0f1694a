import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Location } from './locations.ts';
import { define, isScalar } from './sample.ts';
import { includes, readUnion } from './schema-view.ts';

/** One change of a valid value. The oracle decides whether the result is valid. */
export type Mutant = { kind: MutationKind; value: JsonValue };
export type MutationKind =
  | 'key removed'
  | 'null'
  | 'wrong type'
  | 'wrong structure'
  | 'listed value'
  | 'outside enum'
  | 'outside const'
  | 'published value'
  | 'array item'
  | 'tuple'
  | 'extra key'
  | 'branches mixed';

type Mutation = (location: Location, others: readonly JsonValue[]) => Mutant[];

const listedAtMost = 16;
const mixedAtMost = 24;

/** All single changes at a location; `others` are the values at this location in other valid values. */
export function mutantsAt(location: Location, others: readonly JsonValue[]): Mutant[] {
  return mutations.flatMap((mutation) => mutation(location, others));
}

const mutations: readonly Mutation[] = [
  ({ value, change }) =>
    isJsonObject(value)
      ? Object.keys(value).map((name) => ({ kind: 'key removed', value: change(without(value, name)) }))
      : [],
  ({ value, change }) => (value === null ? [] : [{ kind: 'null', value: change(null) }]),
  changeType,
  changeStructure,
  listedValues,
  otherValues,
  publishedValues,
  changeItems,
  changeTuple,
  addKey,
  mixBranches,
];

function changeType({ value, change }: Location): Mutant[] {
  if (!isScalar(value)) return [];
  const wrong: JsonValue[] = typeof value === 'string' ? [7, true] : typeof value === 'number' ? ['text'] : ['text', 7];
  return wrong.map((one) => ({ kind: 'wrong type', value: change(one) }));
}

function changeStructure({ value, change }: Location): Mutant[] {
  const wrong: JsonValue[] = isScalar(value)
    ? [[value]]
    : Array.isArray(value)
      ? ['text', { length: 1 }]
      : ['text', [value]];
  return wrong.map((one) => ({ kind: 'wrong structure', value: change(one) }));
}

function enumsAt(nodes: readonly JsonObject[]): JsonValue[] {
  return nodes.flatMap((node) => ('const' in node ? [node['const'] ?? null] : toList(node['enum'])));
}

function listedValues({ value, nodes, change }: Location): Mutant[] {
  const listed = enumsAt(nodes);
  const chosen = [...listed.slice(0, listedAtMost), ...listed.slice(listedAtMost).slice(-1)];
  return chosen.filter((one) => !includes([value], one)).map((one) => ({ kind: 'listed value', value: change(one) }));
}

function otherValues({ value, nodes, change }: Location): Mutant[] {
  const listed = enumsAt(nodes);
  if (listed.length === 0 || !isScalar(value)) return [];
  const kind = nodes.some((node) => 'const' in node) ? 'outside const' : 'outside enum';
  const others: JsonValue[] = [];
  if (listed.some((one) => typeof one === 'string')) others.push('not listed', '');
  if (listed.some((one) => typeof one === 'number')) others.push(987_654);
  if (listed.some((one) => typeof one === 'boolean')) others.push(true, false);
  return others.filter((one) => !includes(listed, one)).map((one) => ({ kind, value: change(one) }));
}

function publishedValues({ value, nodes, change }: Location): Mutant[] {
  return nodes
    .flatMap((node) => [...toList(node['examples']), ...('default' in node ? [node['default'] ?? null] : [])])
    .filter((one) => !includes([value], one))
    .slice(0, 4)
    .map((one) => ({ kind: 'published value', value: change(one) }));
}

function changeItems({ value, change }: Location): Mutant[] {
  if (!Array.isArray(value)) return [];
  const [first] = value;
  const wrong: JsonValue[] = typeof first === 'string' ? [7] : ['text'];
  return [
    ...[...wrong, null, {}].map((one): Mutant => ({ kind: 'array item', value: change([...value, one]) })),
    { kind: 'array item', value: change([]) },
    ...(first === undefined ? [] : [{ kind: 'array item', value: change([...value, first]) } satisfies Mutant]),
  ];
}

function changeTuple({ value, nodes, change }: Location): Mutant[] {
  if (!Array.isArray(value) || !nodes.some((node) => 'prefixItems' in node)) return [];
  const changed: JsonValue[][] = [
    value.slice(0, -1),
    value.slice(0, 1),
    [...value, 'text'],
    [...value, 7],
    [...value].reverse(),
    ...value.map((item, index) => value.with(index, typeof item === 'string' ? 7 : 'text')),
  ];
  return changed.map((one) => ({ kind: 'tuple', value: change(one) }));
}

function addKey({ value, nodes, change }: Location): Mutant[] {
  if (!isJsonObject(value)) return [];
  const isTyped = nodes.some(({ additionalProperties }) => isJsonObject(additionalProperties));
  const extras: JsonValue[] = isTyped ? ['text', 7, { nested: true }] : ['text'];
  return extras.map((extra) => ({ kind: 'extra key', value: change({ ...value, unheardOf: extra }) }));
}

function mixBranches({ value, nodes, change }: Location, others: readonly JsonValue[]): Mutant[] {
  if (!isJsonObject(value) || !nodes.some((node) => readUnion(node) !== undefined)) return [];
  const mixed = new Map<string, JsonValue>();
  for (const other of others) {
    if (!isJsonObject(other)) continue;
    const foreign = Object.keys(other).filter((name) => !Object.hasOwn(value, name));
    if (foreign.length === 0) continue;
    for (const names of [foreign, ...foreign.slice(0, 4).map((name) => [name])]) {
      const whole = { ...value };
      for (const name of names) define(whole, name, other[name] ?? null);
      mixed.set(JSON.stringify(whole), whole);
    }
  }
  return [...mixed.values()].slice(0, mixedAtMost).map((one) => ({ kind: 'branches mixed', value: change(one) }));
}

function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

function toList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
