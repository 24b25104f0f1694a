import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Dice } from './dice.ts';

const keys = ['a', 'b', 'c', 'd', 'kind'] as const;
const names = ['Alpha', 'Beta', 'Gamma'] as const;

/**
 * Creates a random document of a model. It combines keywords that are rare in real documents: closed objects, unions,
 * recursion and keywords of OpenAPI 3.1.
 */
export function randomDocument(id: string, dice: Dice): JsonObject {
  const json = (schema: JsonValue): JsonObject => ({ content: { 'application/json': { schema } } });
  const input = { type: 'object', required: ['x'], properties: { x: randomSchema(dice, 3), y: randomSchema(dice, 2) } };
  return {
    openapi: '3.0.3',
    info: { title: id, version: '0' },
    paths: {
      [`/v2/models/${id}`]: {
        post: { requestBody: json(input), responses: { 200: { description: '', ...json(randomSchema(dice, 3)) } } },
      },
    },
    components: { schemas: Object.fromEntries(names.map((name) => [name, randomObject(dice, 2)])) },
    'x-service-input-schema-authored': true,
    'x-service-output-schema-authored': true,
  };
}

const scalars: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'number', minimum: 2 },
  { type: 'boolean' },
  { type: 'null' },
  { enum: ['p', 'q', 1] },
  { type: 'string', enum: ['p', 'q', 'r', 2] },
  { const: 'p' },
  { const: { a: 1 } },
  { const: ['p', 1] },
  { type: ['string', 'null'], maxLength: 3 },
  { type: 'string', nullable: true },
  { enum: ['p', 'q'], nullable: true },
  { type: 'string', format: 'binary' },
];

function some(dice: Dice, share: number): string[] {
  return keys.filter(() => dice.chance(share));
}

function randomObject(dice: Dice, depth: number): JsonObject {
  const members = some(dice, 0.5).map((key): [string, JsonValue] => [
    key,
    key === 'kind'
      ? { type: 'string', enum: [dice.pick(['p', 'q', 'r'])] }
      : marked(randomSchema(dice, depth - 1), dice),
  ]);
  return {
    ...(dice.chance(0.85) ? { type: 'object' } : {}),
    properties: Object.fromEntries(members),
    ...(dice.chance(0.5) ? { required: some(dice, 0.35) } : {}),
    ...dice.pick<() => JsonObject>([
      () => ({}),
      () => ({}),
      () => ({ additionalProperties: false }),
      () => ({ additionalProperties: randomSchema(dice, depth - 1) }),
      () => ({ unevaluatedProperties: false }),
    ])(),
    ...(dice.chance(0.3) ? rareWords(dice, depth) : {}),
  };
}

function marked(schema: JsonValue, dice: Dice): JsonValue {
  if (!isJsonObject(schema) || !dice.chance(0.2)) return schema;
  return { ...schema, [dice.pick(['readOnly', 'writeOnly'])]: true };
}

function rareWords(dice: Dice, depth: number): JsonObject {
  return dice.pick<() => JsonObject>([
    () => ({ dependentRequired: { [dice.pick(keys)]: some(dice, 0.4) } }),
    () => ({ oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    () => ({ anyOf: [{ required: ['a'] }, { required: ['b', 'c'] }] }),
    () => ({ not: { required: ['c'] } }),
    () => ({ patternProperties: { '^x-': dice.pick(scalars) } }),
    () => ({ propertyNames: { enum: ['a', ...some(dice, 0.5)] } }),
    () => ({ minProperties: 1, maxProperties: 3 }),
    () => ({ allOf: [randomObject(dice, depth - 1)] }),
    () =>
      Object.fromEntries([
        ['if', { required: ['a'] }],
        ['then', { required: ['b'] }],
        ['else', { required: ['d'] }],
      ]),
  ])();
}

function randomSchema(dice: Dice, depth: number): JsonValue {
  if (depth <= 0) return dice.chance(0.25) ? { $ref: `#/components/schemas/${dice.pick(names)}` } : dice.pick(scalars);
  const deeper = (): JsonValue => randomSchema(dice, depth - 1);
  return dice.pick<() => JsonValue>([
    () => dice.pick(scalars),
    () => randomObject(dice, depth),
    () => randomObject(dice, depth),
    () => ({ $ref: `#/components/schemas/${dice.pick(names)}`, required: some(dice, 0.2) }),
    () => ({ type: 'array', items: deeper(), uniqueItems: dice.chance(0.2) }),
    () => ({ type: 'array', prefixItems: [deeper(), deeper()], minItems: dice.below(3), items: dice.chance(0.5) }),
    () => ({ anyOf: [deeper(), deeper(), { type: 'null' }] }),
    () => ({ oneOf: [deeper(), deeper()] }),
    () => ({ oneOf: [randomObject(dice, depth - 1), randomObject(dice, depth - 1)] }),
    () => ({ allOf: [randomObject(dice, depth - 1), randomObject(dice, depth - 1)], unevaluatedProperties: false }),
    () => ({ type: 'object', additionalProperties: deeper() }),
    () => ({
      not: dice.pick<JsonValue>([{ type: 'string' }, { enum: ['p', 1] }, { type: 'object', required: ['a'] }]),
    }),
    () => dice.chance(0.5),
  ])();
}
