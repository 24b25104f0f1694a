import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { Random } from './attack-class.ts';

export type SchemaWords = {
  /** Names of members. */
  readonly keys: readonly string[];
  /** Names of components that a reference may lead to. */
  readonly components: readonly string[];
  /** Another text for titles, descriptions and values. */
  text(): string;
};

export const componentRef = (name: string): JsonObject => ({
  $ref: `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`,
});

/** A random schema of the words that documents use; references may form circles through what descends into the value. */
export function randomSchema(random: Random, words: SchemaWords, depth: number): JsonValue {
  if (depth <= 0) return random.chance(0.2) ? componentRef(random.one(words.components)) : scalar(random, words);
  const below = (): JsonValue => randomSchema(random, words, depth - 1);
  const list = (): JsonValue[] => Array.from({ length: random.size(1, 4) }, below);
  const some = (share: number): string[] => words.keys.filter(() => random.chance(share));
  const object = (): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries(some(0.5).map((key) => [key, below()])),
    ...(random.chance(0.5) ? { required: some(0.3) } : {}),
    ...(random.chance(0.3) ? { additionalProperties: random.chance(0.5) ? false : below() } : {}),
  });
  return random.one<() => JsonValue>([
    object,
    object,
    object,
    () => scalar(random, words),
    () => ({
      type: 'array',
      items: below(),
      ...(random.chance(0.4) ? { uniqueItems: true } : {}),
      maxItems: random.size(1, 8),
    }),
    () => ({ type: 'array', prefixItems: list(), items: random.chance(0.5) ? false : below() }),
    () => ({ type: 'array', contains: below(), minContains: random.below(3) }),
    () => ({ anyOf: list() }),
    () => ({ oneOf: list() }),
    () => ({ allOf: list() }),
    () => ({ not: below() }),
    () =>
      Object.fromEntries([
        ['if', below()],
        ['then', below()],
        ['else', below()],
      ]),
    () => ({
      type: 'object',
      patternProperties: { [`^${random.one(['a', 'b', 'x-'])}`]: below() },
      propertyNames: { maxLength: random.size(1, 9) },
    }),
    () => ({ type: 'object', dependentRequired: { [random.one(words.keys)]: some(0.3) } }),
    () => ({ type: 'object', dependentSchemas: { [random.one(words.keys)]: below() } }),
    () => ({ ...object(), unevaluatedProperties: false, allOf: [object()] }),
    () => ({ type: 'object', minProperties: random.below(3), maxProperties: random.size(1, 6) }),
    () => random.chance(0.5),
  ])();
}

function scalar(random: Random, words: SchemaWords): JsonObject {
  const values = (): JsonValue[] => Array.from({ length: random.size(1, 5) }, () => value(random, words, 2));
  return random.one<() => JsonObject>([
    () => ({ type: 'string', description: words.text(), minLength: random.below(3), maxLength: random.size(2, 20) }),
    () => ({ type: 'integer', minimum: -random.below(5), maximum: random.below(50), default: 3 }),
    () => ({ type: 'number', multipleOf: random.one([0.1, 0.5, 2, 3]) }),
    () => ({ type: ['string', 'null'], title: words.text() }),
    () => ({ type: 'boolean', default: words.text() }),
    () => ({ enum: values() }),
    () => ({ const: value(random, words, 2) }),
    () => ({ type: 'null' }),
    () => ({}),
  ])();
}

/** A random value; `words` give its texts and names. */
export function value(random: Random, words: SchemaWords, depth: number): JsonValue {
  const scalars: readonly (() => JsonValue)[] = [
    () => words.text(),
    () => random.one(words.keys),
    () => random.one([0, -0, 1, -1, 3, 0.1, 0.3, 1e21, 2 ** 53, 1.5]),
    () => random.chance(0.5),
    () => null,
  ];
  if (depth <= 0 || random.chance(0.4)) return random.one(scalars)();
  const length = random.below(4);
  if (random.chance(0.4)) return Array.from({ length }, () => value(random, words, depth - 1));
  const members = Array.from({ length }, (): [string, JsonValue] => [
    random.one(words.keys),
    value(random, words, depth - 1),
  ]);
  return Object.fromEntries(members);
}
