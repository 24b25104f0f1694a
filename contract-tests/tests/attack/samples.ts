import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';
import type { Random } from './attack-class.ts';

const odd: readonly JsonValue[] = [
  null,
  '',
  'a',
  0,
  -0,
  1,
  2.5,
  true,
  [],
  {},
  ['a'],
  [1, 1],
  [0, -0],
  { a: 1 },
  { zz: 1 },
  '__proto__',
];

/** A value that a schema may well accept. */
export function sample(schema: JsonValue | undefined, document: JsonObject, random: Random, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > 9) return random.one(odd);
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return random.one(schema['enum']);
  const inner = (part: JsonValue | undefined): JsonValue => sample(part, document, random, depth + 1);
  const { $ref } = schema;
  if (typeof $ref === 'string') return inner(resolvePointer(document, decodeURIComponent($ref.slice(1))));
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => {
    const list = schema[word];
    return Array.isArray(list) && list.length > 0 ? (word === 'allOf' ? list : [random.one(list)]) : [];
  });
  const values = parts.map(inner);
  const type = Array.isArray(schema['type']) ? random.one(schema['type']) : schema['type'];
  if (type === 'object')
    return { ...Object.assign({}, ...values.filter(isJsonObject)), ...sampleMembers(schema, inner, random) };
  if (type === 'array') return sampleItems(schema, inner, random);
  if (values.length > 0) return values.every(isJsonObject) ? Object.assign({}, ...values) : random.one(values);
  if (type === 'string') return random.one(['a', 'b', 'abc', '']);
  if (type === 'integer' || type === 'number') return random.one([0, 1, 3, 2.5, 6]);
  return type === 'boolean' ? random.chance(0.5) : random.one(odd);
}

function sampleMembers(
  schema: JsonObject,
  inner: (part: JsonValue | undefined) => JsonValue,
  random: Random,
): JsonObject {
  const { properties, required, additionalProperties } = schema;
  const known = isJsonObject(properties) ? properties : {};
  const asked = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const names = [
    ...asked,
    ...Object.keys(known).filter(() => random.chance(0.6)),
    ...(random.chance(0.2) ? ['more'] : []),
  ];
  return Object.fromEntries(
    names.map((name) => [name, inner(Object.hasOwn(known, name) ? known[name] : additionalProperties)]),
  );
}

function sampleItems(
  schema: JsonObject,
  inner: (part: JsonValue | undefined) => JsonValue,
  random: Random,
): JsonValue[] {
  const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  const rest = Array.from({ length: random.below(4) }, () => inner(schema['items'] ?? schema['contains']));
  return [...first.map(inner), ...rest];
}

/** The same value with one thing about it changed. */
export function mutate(value: JsonValue, random: Random): JsonValue {
  if (random.chance(0.2)) return random.one(odd);
  if (Array.isArray(value)) {
    const at = random.below(value.length);
    if (value.length === 0 || random.chance(0.3)) return [...value, random.one([...odd, ...value])];
    return random.chance(0.3) ? value.toSpliced(at, 1) : value.with(at, mutate(value[at] ?? null, random));
  }
  if (!isJsonObject(value)) return random.one(odd);
  const names = Object.keys(value);
  const name = random.pick(names);
  if (name === undefined || random.chance(0.3))
    return Object.fromEntries([
      ...Object.entries(value),
      [random.one(['a', 'b', 'x-a', '__proto__', 'toString']), random.one(odd)],
    ]);
  const others = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(random.chance(0.3) ? others : [...others, [name, mutate(value[name] ?? null, random)]]);
}
