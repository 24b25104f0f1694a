import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json.ts';

import { sampleValues } from './sample-values.ts';
import { compileSchema } from './schema-check.ts';
import { readSchema } from './schema-reader.ts';

function createSequence(seed = 0): () => number {
  let index = seed;
  return () => (index++ * 0.618034) % 1;
}

function takeSamples(schema: JsonObject, document: JsonObject = root, seed = 0): JsonValue[] {
  const source = readSchema(document, schema, 'output');
  return (['full', 'small'] as const).flatMap((prefer) => [
    ...sampleValues(source, { random: createSequence(seed), prefer }),
  ]);
}

const root: JsonObject = {
  openapi: '3.1.0',
  components: {
    schemas: {
      Tree: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
      Base: { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } },
    },
  },
};

const schemas: [string, JsonObject][] = [
  ['bounds', { type: 'integer', minimum: 7, maximum: 9 }],
  ['exclusive bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  ['a step', { type: 'integer', minimum: 10, maximum: 100, multipleOf: 16 }],
  ['a negative range', { type: 'integer', maximum: -5 }],
  ['a length', { type: 'string', minLength: 40, maxLength: 45 }],
  ['a short length', { type: 'string', maxLength: 3 }],
  ['a pattern', { type: 'string', pattern: '^#[0-9a-f]{6}$' }],
  ['a digest', { type: 'string', pattern: '^[0-9a-f]{64}$' }],
  ['an enumeration', { enum: ['a', 3, null] }],
  ['a constant', { const: { fixed: true } }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 }],
  ['unique items', { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true }],
  ['a step above a minimum', { type: 'integer', minimum: 3, multipleOf: 5 }],
  ['a half-open range', { type: 'number', exclusiveMinimum: 1, maximum: 9 }],
  ['a negative maximum', { type: 'number', maximum: -2.3 }],
  ['a pattern with a length', { type: 'string', pattern: '^[a-z0-9-]+$', minLength: 20, maxLength: 40 }],
  ['a list', { type: 'array', items: { type: 'boolean' }, minItems: 3, maxItems: 3 }],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 }],
  ['a recursive schema', { $ref: '#/components/schemas/Tree' }],
  [
    'folded parts',
    {
      allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['id', 'x'], properties: { x: { type: 'number' } } }],
    },
  ],
  [
    'a union',
    {
      type: 'object',
      required: ['kind'],
      oneOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'b' } } }],
    },
  ],
  ['a nullable type', { type: ['null', 'string'], minLength: 1 }],
  [
    'a hostile name',
    { type: 'object', required: ['__proto__', 'constructor'], properties: { constructor: { type: 'string' } } },
  ],
];

test.each(schemas)('makes valid samples of %s', (_, schema) => {
  const check = compileSchema(schema, { root });
  for (const value of takeSamples(schema)) expect(check(value), JSON.stringify(value)).toEqual([]);
});

test('makes valid samples of OpenAPI 3.0 keywords', () => {
  const schema = {
    type: 'object',
    required: ['size', 'note'],
    properties: {
      size: { type: 'number', minimum: 2, exclusiveMinimum: true, maximum: 3 },
      note: { type: 'string', nullable: true, maxLength: 4 },
    },
  };
  const document: JsonObject = { openapi: '3.0.4' };
  const check = compileSchema(schema, { root: document });
  for (const value of takeSamples(schema, document)) expect(check(value), JSON.stringify(value)).toEqual([]);
});

test('takes examples and defaults first', () => {
  const schema = { properties: { a: { type: 'string', example: 'given' }, b: { type: 'integer', default: 7 } } };
  expect(takeSamples(schema)[0]).toEqual({ a: 'given', b: 7 });
});

test('gives the same samples for the same random numbers', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } } };
  expect(takeSamples(schema, root, 1)).toEqual(takeSamples(schema, root, 1));
  expect(takeSamples(schema, root, 1)).not.toEqual(takeSamples(schema, root, 2));
});

test('ends for a reference that leads nowhere or to itself', () => {
  const loop: JsonObject = { components: { schemas: { Loop: { $ref: '#/components/schemas/Loop' } } } };
  expect(typeof takeSamples({ $ref: '#/components/schemas/Loop' }, loop)[0]).toBe('string');
  expect(typeof takeSamples({ $ref: '#/nowhere' }, loop)[0]).toBe('string');
});

const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, one) => sum + countValues(one), 1)
    : 1;
const itself: JsonObject = { $ref: '#/components/schemas/It' };

test.each<[string, JsonObject]>([
  ['required members that contain the schema itself', { required: ['l', 'r'], additionalProperties: itself }],
  ['arrays of a million arrays', { type: 'array', minItems: 1_000_000, items: itself }],
  ['a million long strings', { type: 'array', minItems: 1e6, items: { type: 'string', minLength: 1e6 } }],
  ['unique items that do not exist', { type: 'array', minItems: 1e6, uniqueItems: true, items: { const: 1 } }],
  ['a union that is a branch of itself', { anyOf: [itself, itself] }],
  ['a schema that includes itself many times', { allOf: Array.from({ length: 9 }, () => itself) }],
])('bounds the sample of %s', (_, schema) => {
  const [value] = takeSamples(itself, { components: { schemas: { It: schema } } });
  expect(JSON.stringify(value).length).toBeLessThan(2_000_000);
  expect(countValues(value)).toBeLessThanOrEqual(20_001);
});
