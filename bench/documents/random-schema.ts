import type { JsonObject, JsonValue } from '../../specs/src/index.ts';

/** Numbers from 0 to 1; the same seed gives the same ones (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Dice = {
  random: () => number;
  /** Names of component schemas that may be referred to. */
  components: readonly string[];
  /** The remaining depth. */
  depth: number;
};
type Form = (dice: Dice) => JsonObject;

const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
const names = ['width', 'height', 'seed', 'prompt', 'style', 'mask', 'frames', 'voice', 'kind', 'scale'];

/** Difficult but meaningful schemas of both dialects and of their mixtures. */
export function randomSchema(dice: Dice): JsonObject {
  const form = oneOf(dice, dice.depth <= 0 ? scalars : [...scalars, ...containers, ...containers, ...unions]);
  const schema = form(dice);
  return chance(dice, 0.12) ? { ...schema, nullable: true } : schema;
}

/** An object with listed members, as an input or a component usually is. */
export function randomObject(dice: Dice): JsonObject {
  const properties = randomMembers(dice, 1 + below(dice, 4));
  const required = Object.keys(properties).filter(() => chance(dice, 0.6));
  return {
    ...(chance(dice, 0.97) ? { type: 'object' } : {}),
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...oneOf<JsonObject>(dice, [
      {},
      {},
      {},
      { additionalProperties: false },
      { additionalProperties: true },
      { additionalProperties: randomSchema(deeper(dice)) },
    ]),
  };
}

const scalars: readonly Form[] = [
  () => ({ type: 'string' }),
  () => ({ type: 'integer', minimum: 0 }),
  () => ({ type: 'number', default: 0.5 }),
  () => ({ type: 'boolean' }),
  (dice) => ({ type: 'string', enum: some(dice, words) }),
  (dice) => ({ type: 'integer', enum: some(dice, [1, 2, 4, 8]) }),
  (dice) => ({ enum: [...some<JsonValue>(dice, words), ...some<JsonValue>(dice, [1, true, null])] }),
  (dice) => ({ const: oneOf<JsonValue>(dice, ['fixed', 7, true, null]) }),
  (dice) => ({ type: [...some(dice, ['string', 'number', 'boolean']), 'null'] }),
  () => ({ type: 'string', format: 'binary' }),
  () => ({ type: 'string', enum: ['auto', 'none'], nullable: true }),
  () => ({}),
  ({ components, random }) => ({
    $ref: `#/components/schemas/${components[Math.floor(random() * components.length)]}`,
  }),
];

const containers: readonly Form[] = [
  (dice) => ({ type: 'array', items: randomSchema(deeper(dice)) }),
  (dice) => ({ type: 'array', items: randomSchema(deeper(dice)), minItems: 1, maxItems: 4 }),
  (dice) => randomTuple(dice),
  (dice) => randomObject(deeper(dice)),
  (dice) => randomObject(deeper(dice)),
  (dice) => ({ type: 'object', additionalProperties: randomSchema(deeper(dice)) }),
  () => ({ type: 'object' }),
  () => ({ type: 'object', additionalProperties: false }),
];

const unions: readonly Form[] = [
  (dice) => ({ anyOf: [randomSchema(deeper(dice)), randomSchema(deeper(dice))] }),
  (dice) => ({ anyOf: [randomSchema(deeper(dice)), { type: 'null' }], default: null }),
  (dice) => ({ oneOf: [randomObject(deeper(dice)), { type: 'array', items: randomSchema(deeper(dice)) }] }),
  (dice) => ({ anyOf: [{ type: 'string', enum: some(dice, words) }, { type: 'string' }] }),
  (dice) => ({ type: 'integer', anyOf: [{ enum: [1, 2] }, { minimum: 5 }], title: oneOf(dice, words) }),
  (dice) => requiredSets(dice, 'oneOf'),
  (dice) => requiredSets(dice, 'anyOf'),
  tagged,
  (dice) => ({ anyOf: [randomObject(deeper(dice)), randomObject(deeper(dice))] }),
  (dice) => ({ allOf: [reference(dice), { required: some(dice, names) }] }),
  (dice) => ({ allOf: [reference(dice), randomObject(deeper(dice))] }),
  (dice) => ({ ...reference(dice), description: 'beside a reference', required: some(dice, names) }),
  (dice) => ({ allOf: [randomObject(deeper(dice)), randomObject(deeper(dice))], unevaluatedProperties: false }),
  (dice) => ({ ...randomObject(deeper(dice)), not: { required: [oneOf(dice, names)] } }),
  (dice) => ({ type: 'object', patternProperties: { '^x-': randomSchema(deeper(dice)) } }),
];

function randomMembers(dice: Dice, count: number): JsonObject {
  const chosen = Array.from({ length: count }, () => oneOf(dice, names));
  return Object.fromEntries([...new Set(chosen)].map((name) => [name, randomMember(dice)]));
}

function randomMember(dice: Dice): JsonObject {
  const schema = randomSchema(deeper(dice));
  return chance(dice, 0.08) ? { ...schema, [oneOf(dice, ['readOnly', 'writeOnly'])]: true } : schema;
}

function randomTuple(dice: Dice): JsonObject {
  const prefixItems = Array.from({ length: 1 + below(dice, 3) }, () => randomSchema(deeper(dice)));
  return {
    type: 'array',
    prefixItems,
    ...oneOf<JsonObject>(dice, [{}, { items: false }, { items: randomSchema(deeper(dice)) }]),
    ...oneOf<JsonObject>(dice, [{}, { minItems: prefixItems.length }, { minItems: 1, maxItems: prefixItems.length }]),
  };
}

/** Branches that hold `required` only, over members that all of them share. */
function requiredSets(dice: Dice, word: 'oneOf' | 'anyOf'): JsonObject {
  const properties = randomMembers(dice, 4);
  const keys = Object.keys(properties);
  return { type: 'object', properties, [word]: keys.slice(0, 3).map((name) => ({ required: [name] })) };
}

/** Branches that a literal distinguishes, with or without `discriminator`. */
function tagged(dice: Dice): JsonObject {
  const tags = words.slice(0, 2 + below(dice, 2));
  const branches = tags.map((tag) => {
    const body = randomObject(deeper(dice));
    const properties = typeof body['properties'] === 'object' ? body['properties'] : {};
    const kind = chance(dice, 0.5) ? { const: tag } : { type: 'string', enum: [tag] };
    return { ...body, type: 'object', properties: { ...properties, kind }, required: ['kind'] };
  });
  return chance(dice, 0.5) ? { oneOf: branches, discriminator: { propertyName: 'kind' } } : { oneOf: branches };
}

function reference({ components, random }: Dice): JsonObject {
  return { $ref: `#/components/schemas/${components[Math.floor(random() * components.length)]}` };
}

function deeper(dice: Dice): Dice {
  return { ...dice, depth: dice.depth - 1 };
}

export function below({ random }: Pick<Dice, 'random'>, limit: number): number {
  return Math.floor(random() * limit);
}

function chance({ random }: Dice, share: number): boolean {
  return random() < share;
}

function oneOf<T>(dice: Dice, list: readonly T[]): T {
  const chosen = list[below(dice, list.length)];
  if (chosen === undefined) throw new Error('there is nothing to choose from');
  return chosen;
}

function some<T>(dice: Dice, list: readonly T[]): T[] {
  const kept = list.filter(() => chance(dice, 0.4));
  return kept.length > 0 ? kept : [oneOf(dice, list)];
}
