import { expect, test } from 'vitest';
import { compileSchema, type JsonObject } from '../../../specs/src/index.ts';
import { createRandom } from '../random.ts';
import { sampleValue } from './sample-value.ts';

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
  ['an enumeration', { enum: ['a', 3, null] }],
  ['a constant', { const: { fixed: true } }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 }],
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

test.each(schemas)('a sample obeys %s', (_, schema) => {
  const check = compileSchema(schema, { root });
  for (const fillOptional of [true, false]) {
    const random = createRandom('label');
    const value = sampleValue(schema, { root, random, takeExamples: false, fillOptional, branch: 0 });
    expect(check(value), JSON.stringify(value)).toEqual([]);
  }
});

test('the same label gives the same sample', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } } };
  const sample = (label: string) =>
    sampleValue(schema, { root, random: createRandom(label), takeExamples: true, fillOptional: true, branch: 0 });
  expect(sample('one')).toEqual(sample('one'));
  expect(sample('one')).not.toEqual(sample('two'));
});

test('a reference that leads nowhere or to itself ends', () => {
  const loop: JsonObject = { components: { schemas: { Loop: { $ref: '#/components/schemas/Loop' } } } };
  const sampling = { root: loop, random: createRandom('x'), takeExamples: true, fillOptional: true, branch: 0 };
  expect(typeof sampleValue({ $ref: '#/components/schemas/Loop' }, sampling)).toBe('string');
  expect(typeof sampleValue({ $ref: '#/nowhere' }, sampling)).toBe('string');
});

const schemaOf = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

test.each<[string, JsonObject]>([
  [
    'members that need two of themselves',
    { type: 'object', required: ['l', 'r'], additionalProperties: schemaOf('It') },
  ],
  ['lists of a million lists', { type: 'array', minItems: 1_000_000, items: schemaOf('It') }],
  ['a million long texts', { type: 'array', minItems: 1e6, items: { type: 'string', minLength: 1e6 } }],
  ['a union that is a branch of itself', { anyOf: [schemaOf('It'), schemaOf('It')] }],
  ['a schema folded into itself many times', { allOf: Array.from({ length: 9 }, () => schemaOf('It')) }],
])('%s: the sample has an end', (_, schema) => {
  const sampling = { random: createRandom('x'), takeExamples: true, fillOptional: true, branch: 0 };
  const value = sampleValue(schemaOf('It'), { root: { components: { schemas: { It: schema } } }, ...sampling });
  expect(JSON.stringify(value).length).toBeLessThan(2_000_000);
});
