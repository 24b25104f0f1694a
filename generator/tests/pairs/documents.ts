import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { Dice } from '../random-documents/dice.ts';

const names = ['prompt', 'size', 'seed', 'style', 'mode', 'parts', 'label', 'weight'] as const;
const components = ['File', 'Size', 'Style'] as const;

/** Creates a random document with typical schemas: bounded scalars, enums, references, arrays and few unions. */
export function ordinaryDocument(dice: Dice): JsonObject {
  const json = (schema: JsonValue): JsonObject => ({ content: { 'application/json': { schema } } });
  return {
    openapi: '3.0.3',
    info: { title: 'p/m', version: '0' },
    paths: {
      '/v2/models/p/m': {
        post: {
          requestBody: json(plainObject(dice, 2)),
          responses: { 200: { description: '', ...json(dice.chance(0.7) ? plainObject(dice, 2) : reference(dice)) } },
        },
      },
    },
    components: {
      schemas: {
        File: plainObject(dice, 0),
        Size: dice.chance(0.5) ? { type: 'string', enum: ['p', 'q', 'r'] } : plainObject(dice, 1),
        Style: plainObject(dice, 1),
      },
    },
    'x-service-input-schema-authored': true,
    'x-service-output-schema-authored': true,
  };
}

function reference(dice: Dice): JsonObject {
  return { $ref: `#/components/schemas/${dice.pick(components)}` };
}

function plainObject(dice: Dice, depth: number): JsonObject {
  const chosen = names.filter(() => dice.chance(0.4));
  const required = chosen.filter(() => dice.chance(0.4));
  return {
    type: 'object',
    properties: Object.fromEntries(chosen.map((name) => [name, plainSchema(dice, depth)])),
    ...(required.length === 0 ? {} : { required }),
    ...dice.pick<JsonObject>([{}, {}, {}, { additionalProperties: false }, { additionalProperties: true }]),
  };
}

const scalars: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'string', maxLength: 30 },
  { type: 'string', minLength: 1, pattern: '^[a-z]*$' },
  { type: 'string', format: 'uri', nullable: true },
  { type: 'string', enum: ['p', 'q', 'r'], default: 'p' },
  { type: 'integer', minimum: 0 },
  { type: 'integer', minimum: 1, maximum: 4 },
  { type: 'number', exclusiveMinimum: 0, maximum: 4 },
  { type: 'boolean', description: 'whether' },
  { type: ['integer', 'null'] },
  { const: 'p' },
];

function plainSchema(dice: Dice, depth: number): JsonValue {
  if (depth <= 0) return dice.pick(scalars);
  return dice.pick<() => JsonValue>([
    ...Array.from({ length: 5 }, () => () => dice.pick(scalars)),
    () => reference(dice),
    () => ({ allOf: [reference(dice)], description: 'one of them' }),
    () => ({ anyOf: [plainSchema(dice, depth - 1), { type: 'null' }] }),
    () => plainObject(dice, depth - 1),
    () => ({ type: 'array', items: plainSchema(dice, depth - 1), minItems: dice.below(2), maxItems: 3 }),
    () => ({ type: 'object', additionalProperties: plainSchema(dice, depth - 1) }),
    () => tagged(dice, depth),
    () => ({ anyOf: [plainSchema(dice, depth - 1), reference(dice)] }),
  ])();
}

function tagged(dice: Dice, depth: number): JsonValue {
  const branches = ['p', 'q'].map((value) => {
    const { properties, ...object } = plainObject(dice, depth - 1);
    return { ...object, properties: { ...Object(properties), kind: { const: value } }, required: ['kind'] };
  });
  return { oneOf: branches };
}
