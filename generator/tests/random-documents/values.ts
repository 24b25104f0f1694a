import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';
import type { Dice } from './dice.ts';

const odd: readonly JsonValue[] = [null, 'p', 'text', 3, 1, 3.5, true, [], {}, ['p'], [3, 3], { zz: 1 }, { a: 1 }];

/** Returns a value that the schema probably accepts. Callers have to check whether the value is valid. */
export function sample(schema: JsonValue | undefined, document: JsonObject, dice: Dice, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > 8) return dice.pick(odd);
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return dice.pick(schema['enum']);
  const inner = (part: JsonValue | undefined): JsonValue => sample(part, document, dice, depth + 1);
  const parts = listParts(schema, document, dice).map(inner);
  const type = Array.isArray(schema['type']) ? dice.pick(schema['type']) : schema['type'];
  const isObject = type === 'object' || (type === undefined && isJsonObject(schema['properties']));
  if (isObject) return Object.assign({}, ...parts.filter(isJsonObject), sampleMembers(schema, inner, dice));
  if (type === 'array') return sampleItems(schema, inner, dice);
  if (parts.length > 0) return parts.every(isJsonObject) ? Object.assign({}, ...parts) : dice.pick(parts);
  return sampleScalar(type, dice);
}

function listParts(schema: JsonObject, document: JsonObject, dice: Dice): JsonValue[] {
  const { $ref, allOf } = schema;
  const target = typeof $ref === 'string' ? resolvePointer(document, $ref.slice(1)) : undefined;
  const chosen = [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? [dice.pick(list)] : []));
  return [...(target === undefined ? [] : [target]), ...(Array.isArray(allOf) ? allOf : []), ...chosen];
}

function sampleMembers(schema: JsonObject, inner: (part: JsonValue | undefined) => JsonValue, dice: Dice): JsonObject {
  const { properties, required, additionalProperties } = schema;
  const described = isJsonObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const chosen = Object.keys(described).filter((name) => needed.includes(name) || dice.chance(0.5));
  const more = isJsonObject(additionalProperties) && dice.chance(0.5) ? ['more'] : [];
  return Object.fromEntries(
    [...new Set([...needed, ...chosen, ...more])].map((name) => [name, inner(described[name] ?? additionalProperties)]),
  );
}

function sampleItems(schema: JsonObject, inner: (part: JsonValue | undefined) => JsonValue, dice: Dice): JsonValue[] {
  const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  const rest = schema['items'] === false ? 0 : dice.below(3);
  return [...first.map(inner), ...Array.from({ length: rest }, () => inner(schema['items']))];
}

function sampleScalar(type: JsonValue | undefined, dice: Dice): JsonValue {
  const scalars: Record<string, readonly JsonValue[]> = {
    string: ['p', 'q', 'text', ''],
    integer: [1, 3, 0],
    number: [1, 2.5, 3],
    boolean: [true, false],
    null: [null],
  };
  return dice.pick((typeof type === 'string' ? scalars[type] : undefined) ?? odd);
}

/** Returns copies of a value with one change each. `donors`: other values, whose members may be added. */
export function mutate(value: JsonValue, donors: readonly JsonValue[], dice: Dice): JsonValue[] {
  const mutants = odd.filter(() => dice.chance(0.3));
  if (Array.isArray(value)) {
    mutants.push(value.slice(0, -1), [...value, dice.pick(odd)], [...value, ...value]);
    value.forEach((item, index) => {
      mutants.push(...mutate(item, donors, dice).map((mutant) => value.with(index, mutant)));
    });
  }
  if (isJsonObject(value)) {
    const donor = dice.pick(donors);
    mutants.push({ ...value, zz: dice.pick(odd) }, { ...value, 'x-y': dice.pick(odd) });
    mutants.push({ ...value, [dice.pick(['a', 'b', 'c', 'd', 'kind'])]: dice.pick(odd) });
    if (isJsonObject(donor)) mutants.push({ ...donor, ...value }, { ...value, ...donor });
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...others } = value;
      mutants.push(others, ...mutate(member, donors, dice).map((mutant) => ({ ...value, [name]: mutant })));
    }
  }
  return mutants.length > 80 ? mutants.filter(() => dice.chance(80 / mutants.length)) : mutants;
}
