import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json.ts';

import { createSampler } from './sample-values.ts';
import { compileSchema } from './schema-check.ts';
import { readSchema } from './schema-reader.ts';

function createSequence(seed = 0): () => number {
  let index = seed;
  return () => (index++ * 0.618034) % 1;
}

const manners = ['full', 'small', 'call'] as const;

/** One sample for each `prefer`; undefined if there is none. */
function takeSamples(schema: JsonObject, document: JsonObject = root, seed = 0): (JsonValue | undefined)[] {
  const sample = createSampler(readSchema(document, schema, 'output'));
  const check = compileSchema(schema, { root: document, side: 'output', unreadable: 'accept' });
  const isValid = (value: JsonValue): boolean => check(value).length === 0;
  return manners.map((prefer) => sample({ random: createSequence(seed), prefer, isValid }));
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
  ['a step', { type: 'integer', minimum: 10, maximum: 100, multipleOf: 16 }],
  ['a length', { type: 'string', minLength: 40, maxLength: 45 }],
  ['a pattern', { type: 'string', pattern: '^#[0-9a-f]{6}$' }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 }],
  ['unique items', { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true }],
  ['a pattern with a length', { type: 'string', pattern: '^[a-z0-9-]+$', minLength: 20, maxLength: 40 }],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 }],
  ['a recursive schema', { $ref: '#/components/schemas/Tree' }],
  [
    'allOf whose parts have to be merged',
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
  ['many required members', { required: Array.from({ length: 1_500 }, (_, index) => `m${index}`) }],
  ['a nullable type', { type: ['null', 'string'], minLength: 1 }],
  ['a pattern with a needless escape', { type: 'string', pattern: '^v\\d+\\-[a-f]{2}$' }],
  ['a pattern that looks ahead', { type: 'string', pattern: '^(?=.*\\d)(?=.*[A-Z])(?!admin)\\w{8,12}$' }],
  ['two patterns', { type: 'string', allOf: [{ pattern: '^[a-z]+_' }, { pattern: '_[0-9]{3}$' }], minLength: 9 }],
  ['a pattern with Unicode classes', { type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$' }],
  ['a pattern that is left to the server', { type: 'string', pattern: '\\A[a-z]{3}\\Z' }],
  [
    'an enum that another enum narrows',
    { allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['c', 'd'] }, { type: 'string' }] },
  ],
  ['an enum that a bound narrows', { enum: [1, 5, 9, 'x'], minimum: 4, type: 'integer', maximum: 8 }],
  ['an enum that a pattern narrows', { enum: ['small', 'large', 'xl'], pattern: '^x', type: 'string' }],
  [
    'oneOf with overlapping branches',
    { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 3 }, { type: 'integer', minimum: 9 }] },
  ],
  ['a union of required members', { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }],
  ['a negation', { type: 'string', not: { enum: ['a', 'b'] } }],
  ['a negated type', { not: { type: ['string', 'object', 'array'] } }],
  ['a negated member', { type: 'object', properties: { a: {}, b: {} }, not: { required: ['a'] }, minProperties: 1 }],
  [
    'a condition',
    Object.fromEntries([
      ['type', 'object'],
      ['required', ['kind']],
      ['properties', { kind: { enum: ['a', 'b'] }, size: { type: 'integer' }, name: { type: 'string' } }],
      ['if', { properties: { kind: { const: 'a' } } }],
      ['then', { required: ['size'] }],
      ['else', { required: ['name'], not: { required: ['size'] } }],
    ]),
  ],
  [
    'dependent members',
    { properties: { a: {}, b: {}, c: {} }, required: ['a'], dependentRequired: { a: ['b'], b: ['c'] } },
  ],
  ['members without descriptions', { type: 'object', required: ['x', 'y'], minProperties: 4, maxProperties: 4 }],
  [
    'named members',
    {
      type: 'object',
      minProperties: 3,
      propertyNames: { pattern: '^[a-z]{2}-\\d$' },
      additionalProperties: { type: 'integer' },
    },
  ],
  [
    'members by pattern',
    {
      type: 'object',
      minProperties: 2,
      patternProperties: { '^x-': { type: 'integer' } },
      additionalProperties: false,
    },
  ],
  ['few members', { type: 'object', properties: { a: {}, b: {}, c: {} }, required: ['c'], maxProperties: 1 }],
  [
    'members that nothing evaluates',
    {
      allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }],
      unevaluatedProperties: { type: 'integer' },
      minProperties: 2,
    },
  ],
  [
    'items that nothing evaluates',
    { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: { type: 'boolean' }, minItems: 3 },
  ],
  [
    'contained items',
    {
      type: 'array',
      items: { type: 'integer' },
      contains: { minimum: 100 },
      minContains: 2,
      maxContains: 3,
      minItems: 4,
    },
  ],
  [
    'items that are contained next to a tuple',
    { type: 'array', prefixItems: [{ const: 'head' }], contains: { const: 'tail' } },
  ],
  ['all booleans', { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'boolean' } }],
  ['two steps', { type: 'number', allOf: [{ multipleOf: 4 }, { multipleOf: 6 }], minimum: 1 }],
  ['a small step', { type: 'number', multipleOf: 0.05, exclusiveMinimum: 0.1, maximum: 0.2 }],
  ['a large integer', { type: 'integer', minimum: 2 ** 60 }],
  [
    'a default of a different type',
    { type: 'object', required: ['a'], properties: { a: { type: 'integer', default: '7' } } },
  ],
  ['a branch that nothing satisfies', { anyOf: [{ type: 'string', minLength: 5, maxLength: 2 }, { type: 'integer' }] }],
  ['an optional member that nothing satisfies', { type: 'object', properties: { a: false, b: { type: 'string' } } }],
  [
    'a hostile name',
    { type: 'object', required: ['__proto__', 'constructor'], properties: { constructor: { type: 'string' } } },
  ],
];

test.each(schemas)('generates valid samples for %s', (_, schema) => {
  const check = compileSchema(schema, { root });
  expect(takeSamples(schema).map((value) => (value === undefined ? 'none' : check(value)))).toEqual([[], [], []]);
});

test.each<[string, JsonObject]>([
  ['bounds that exclude each other', { type: 'integer', minimum: 3, maximum: 2 }],
  ['a range without an integer', { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }],
  ['a length that the pattern does not allow', { type: 'string', pattern: '^a$', minLength: 2 }],
  ['patterns that exclude each other', { type: 'string', allOf: [{ pattern: '^a' }, { pattern: '^b' }] }],
  ['a required member that is forbidden', { required: ['a'], additionalProperties: false, type: 'object' }],
  ['more items than there are values', { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'boolean' } }],
  ['the negation of everything', { not: {} }],
  ['required members that never end', { $ref: '#/components/schemas/Endless' }],
])('creates no sample for %s', (_, schema) => {
  const Endless = {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/Endless' } },
  };
  expect(takeSamples(schema, { components: { schemas: { Endless } } })).toEqual([undefined, undefined, undefined]);
});

test('samples an enum of an output that contradicts the type, and accepts it, but not in an input', () => {
  const schema = { type: 'string', enum: [1, 2] };
  expect(takeSamples(schema)).toEqual([1, 1, 1]);
  expect(compileSchema(schema, { side: 'input', unreadable: 'accept' })(1)).not.toEqual([]);
});

test('generates valid samples for OpenAPI 3.0 keywords', () => {
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

test('a sample contains the examples and defaults of its members, even if the example of another one is invalid', () => {
  const properties = {
    a: { type: 'string', example: 'given' },
    b: { type: 'integer', example: 'seven' },
    c: { type: 'integer', default: 7 },
  };
  const sample = takeSamples({ type: 'object', required: ['a', 'b'], properties })[0];
  expect(sample).toEqual({ a: 'given', b: expect.any(Number), c: 7 });
});

test('gives a discriminating member a value that selects the branch', () => {
  const branch = (own: string) => ({
    type: 'object',
    properties: { kind: { type: 'string' }, [own]: { type: 'integer' } },
    required: ['kind', own],
  });
  const document = { ...root, components: { schemas: { Cat: branch('lives'), Dog: branch('age') } } };
  const oneOf = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const schema = { oneOf, discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } } };
  const samples = [0, 1, 2, 3].flatMap((seed) => takeSamples(schema, document, seed));
  for (const sample of samples)
    expect(sample).toMatchObject(JSON.stringify(sample).includes('lives') ? { kind: 'cat' } : { kind: 'dog' });
});

test('a sample is the first valid value among the examples', () => {
  const schema = { type: 'integer', minimum: 5 };
  const sample = createSampler(readSchema(root, schema, 'output'));
  const check = compileSchema(schema, { root });
  const isValid = (value: JsonValue): boolean => check(value).length === 0;
  const options = { random: createSequence(), prefer: 'full', isValid } as const;
  expect(sample({ ...options, examples: ['x', 3, 70, 8] })).toBe(70);
});

test('produces the same samples for the same random numbers', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } } };
  expect(takeSamples(schema, root, 1)).toEqual(takeSamples(schema, root, 1));
  expect(takeSamples(schema, root, 1)).not.toEqual(takeSamples(schema, root, 2));
});

test('terminates if a reference is dangling or refers to itself', () => {
  const loop: JsonObject = { components: { schemas: { Loop: { $ref: '#/components/schemas/Loop' } } } };
  const sample = createSampler(readSchema(loop, { $ref: '#/components/schemas/Loop' }, 'output'));
  expect(typeof sample({ random: createSequence(), prefer: 'full', isValid: () => true })).toBe('string');
  expect(typeof takeSamples({ $ref: '#/nowhere' }, loop)[0]).toBe('string');
});

const itself: JsonObject = { $ref: '#/components/schemas/It' };

test('gives up on a sample if its branches endlessly lead to further branches', () => {
  const condition = Object.fromEntries([
    ['if', { $ref: '#/components/schemas/It/anyOf/0' }],
    ['then', itself],
  ]);
  const document = { components: { schemas: { It: { anyOf: [{ items: itself, allOf: [condition] }, itself] } } } };
  const sample = createSampler(readSchema(document, itself, 'output'));
  let samples = 0;
  const isValid = () => {
    samples += 1;
    return samples >= 4; // The fourth sample is the first that tries other branches.
  };
  expect(() => sample({ random: createSequence(), prefer: 'full', isValid })).not.toThrow();
});

test.each<[string, JsonObject]>([
  ['required members that contain the schema itself', { required: ['l', 'r'], additionalProperties: itself }],
  ['arrays of a million arrays', { type: 'array', minItems: 1_000_000, items: itself }],
  ['a million long strings', { type: 'array', minItems: 1e6, items: { type: 'string', minLength: 1e6 } }],
  ['unique items that do not exist', { type: 'array', minItems: 1e6, uniqueItems: true, items: { const: 1 } }],
  ['a union that is a branch of itself', { anyOf: [itself, itself] }],
  [
    'a thousand lists of a thousand texts',
    { type: 'array', minItems: 1e3, items: { type: 'array', minItems: 1e3, items: { minLength: 1e3 } } },
  ],
  ['a schema that includes itself many times', { allOf: Array.from({ length: 9 }, () => itself) }],
  [
    'forty unions of forty branches',
    {
      allOf: Array.from({ length: 40 }, () => ({
        anyOf: Array.from({ length: 40 }, (_, index) => ({ required: [`m${index}`], not: { required: ['m1'] } })),
      })),
    },
  ],
])('sampling finishes quickly for %s', (_, schema) => {
  const sample = createSampler(readSchema({ components: { schemas: { It: schema } } }, itself, 'output'));
  const start = performance.now();
  for (const prefer of manners) {
    let longest = 0;
    const isValid = (value: unknown) => {
      longest = Math.max(longest, JSON.stringify(value).length);
      return false;
    };
    expect(sample({ random: createSequence(), prefer, isValid })).toBeUndefined();
    expect(longest).toBeLessThan(2_000_000);
  }
  expect(performance.now() - start).toBeLessThan(10_000);
});
