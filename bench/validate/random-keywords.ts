import type { JsonObject, JsonValue } from '../../specs/src/index.ts';

type Random = () => number;
type Schema = JsonObject | boolean;
type Draw = { random: Random; depth: number; last: Form };
type Form = (draw: Draw) => JsonObject;

// Not `constructor` or `__proto__`: ajv takes them for evaluated, and overlooks the second one among properties.
const names = ['a', 'b', 'ab', 'aab'];
// From 1e21 on, ajv finds no number to be a multiple of another.
const scalars: readonly JsonValue[] = [null, true, false, 0, 1, 2, 3, -1, 0.5, 1e20, '', 'a', 'ab', 'aab', 'é😀', '1'];
const patterns = ['^a', 'b$', '^(a+)+$', '^[ab]*$', '\\d', '^(?=a)', '😀', '^.$', '^\\S{2,3}$'];

const below = (random: Random, count: number): number => Math.floor(random() * count);
const oneOf = <T>(random: Random, choices: readonly [T, ...T[]] | readonly T[]): T => {
  const chosen = choices[below(random, choices.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
};
const some = <T>(random: Random, choices: readonly T[]): T[] => choices.filter(() => random() < 0.4);
const inner = (draw: Draw): Schema => drawSchema({ ...draw, depth: draw.depth - 1 });
const byName = (draw: Draw, keys: readonly string[]): JsonObject =>
  fromNames(some(draw.random, keys), () => inner(draw));
const listed = (draw: Draw): Schema[] => Array.from({ length: 1 + below(draw.random, 3) }, () => inner(draw));
const count = ({ random }: Draw): number => below(random, 4);

function fromNames<T extends JsonValue>(keys: readonly string[], make: (name: string) => T): JsonObject {
  return Object.fromEntries(keys.map((name) => [name, make(name)]));
}

const assertions: readonly Form[] = [
  ({ random }) => ({ type: oneOf(random, ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']) }),
  ({ random }) => ({
    type: oneOf(random, [
      ['object', 'array'],
      ['string', 'null'],
      ['integer', 'string'],
    ]),
  }),
  ({ random }) => ({ enum: Array.from({ length: 1 + below(random, 3) }, () => randomValue(random, 2)) }),
  ({ random }) => ({ const: randomValue(random, 2) }),
  (draw) => ({ minimum: count(draw) - 1 }),
  (draw) => ({ exclusiveMaximum: count(draw) }),
  ({ random }) => ({ multipleOf: oneOf(random, [1, 2, 0.5]) }),
  (draw) => ({ minLength: count(draw) }),
  (draw) => ({ maxLength: count(draw) }),
  ({ random }) => ({ pattern: oneOf(random, patterns) }),
  (draw) => ({ minItems: count(draw) }),
  (draw) => ({ maxItems: count(draw) }),
  () => ({ uniqueItems: true }),
  (draw) => ({ minProperties: count(draw) }),
  (draw) => ({ maxProperties: count(draw) }),
  ({ random }) => ({ required: some(random, names) }),
  ({ random }) => ({ dependentRequired: fromNames(some(random, names), () => some(random, names)) }),
];
const applicators: readonly Form[] = [
  (draw) => ({ properties: byName(draw, names) }),
  (draw) => ({ properties: byName(draw, names), additionalProperties: inner(draw) }),
  (draw) => ({ patternProperties: byName(draw, patterns), additionalProperties: inner(draw) }),
  (draw) => ({ propertyNames: inner(draw) }),
  (draw) => ({ items: inner(draw) }),
  (draw) => ({ prefixItems: listed(draw), items: inner(draw) }),
  (draw) => ({ allOf: listed(draw) }),
  (draw) => ({ anyOf: listed(draw) }),
  (draw) => ({ oneOf: listed(draw) }),
  (draw) => ({ not: inner(draw) }),
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword
  (draw) => ({ if: inner(draw), then: inner(draw), else: inner(draw) }),
  (draw) => ({ dependentSchemas: byName(draw, names) }),
  // Where a branch beside it may fail, ajv counts what the branch had evaluated; the test suite covers that.
  (draw) => ({
    allOf: [
      {
        properties: byName(draw, names),
        allOf: [{ patternProperties: byName(draw, patterns) }],
        unevaluatedProperties: inner(draw),
      },
    ],
  }),
  // Both descend, so that no definition needs itself for the same value.
  ({ random }) => ({ items: { $ref: `#/$defs/${oneOf(random, ['one', 'two'])}` } }),
  ({ random }) => ({ additionalProperties: { $ref: `#/$defs/${oneOf(random, ['one', 'two'])}` } }),
];

/**
 * One of these in a schema: ajv takes every item for evaluated beside `contains`, loses count of it beside `prefixItems`, and refuses
 * even what is no array where the least is more than the most.
 */
const lastForms: readonly Form[] = [
  (draw) => {
    const least = count(draw);
    return { allOf: [{ contains: inner(draw), minContains: least, maxContains: least + count(draw) }] };
  },
  (draw) => ({ allOf: [{ allOf: [{ prefixItems: listed(draw) }], unevaluatedItems: inner(draw) }] }),
];

/** A schema of every keyword, with two definitions that may refer to each other. */
export function randomKeywords(random: Random): JsonObject {
  const last = oneOf(random, lastForms);
  const [one, two] = [drawSchema({ random, depth: 2, last }), drawSchema({ random, depth: 1, last })];
  const whole = drawSchema({ random, depth: 3, last });
  const at = random() < 0.3 ? { $ref: '#/$defs/one' } : {};
  return { ...(typeof whole === 'boolean' ? { allOf: [whole] } : whole), ...at, $defs: { one, two } };
}

function drawSchema(draw: Draw): Schema {
  const { random, depth } = draw;
  if (random() < 0.08) return random() < 0.7;
  const keywords = depth <= 0 ? assertions : [...assertions, ...applicators, ...applicators, draw.last, draw.last];
  return Object.assign({}, ...Array.from({ length: 1 + below(random, 3) }, () => oneOf(random, keywords)(draw)));
}

export function randomValue(random: Random, depth: number): JsonValue {
  const kind = depth <= 0 ? 0 : random();
  if (kind < 0.4) return oneOf(random, scalars);
  if (kind < 0.7) return Array.from({ length: below(random, 4) }, () => randomValue(random, depth - 1));
  return fromNames(some(random, names), () => randomValue(random, depth - 1));
}

/** A value that fits part of the schema where that is easy to see. */
export function sample(schema: Schema, random: Random): JsonValue {
  if (typeof schema === 'boolean') return randomValue(random, 3);
  const fixed = schema['enum'];
  if (Array.isArray(fixed) && fixed.length > 0 && random() < 0.7) return oneOf(random, fixed);
  if (schema['const'] !== undefined && random() < 0.7) return schema['const'];
  return randomValue(random, 3);
}

/** A value with one part changed. */
export function mutant(value: JsonValue, random: Random): JsonValue {
  if (random() < 0.3 || typeof value !== 'object' || value === null) return randomValue(random, 2);
  if (Array.isArray(value)) {
    if (value.length === 0 || random() < 0.4) return [...value, ...value.slice(0, 1), randomValue(random, 1)];
    const at = below(random, value.length);
    return value.map((item, index) => (index === at ? mutant(item, random) : item));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || random() < 0.3)
    return { ...value, [oneOf(random, names.slice(0, 3))]: randomValue(random, 1) };
  const at = below(random, entries.length);
  if (random() < 0.3) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(entries.map(([name, part], index) => [name, index === at ? mutant(part, random) : part]));
}
