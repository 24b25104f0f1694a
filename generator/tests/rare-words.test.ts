import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../specs/src/index.ts';
import { showType } from './read-model.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const otherThanText = 'null | boolean | number | unknown[] | { [key: string]: unknown }';
const allButObjects = 'null | boolean | number | string | unknown[]';

describe('names of members', () => {
  test.each<[JsonValue, string]>([
    [{ type: 'object', patternProperties: { '^.*$': text } }, '{ [key: string]: string }'],
    [{ type: 'object', patternProperties: { '.*': text }, additionalProperties: false }, '{ [key: string]: string }'],
    [
      {
        type: 'object',
        properties: { a: { enum: ['x', 1] } },
        patternProperties: { '.*': text, '^n-': { minLength: 1 } },
      },
      '{ a?: "x"; [key: `n-$' + '{string}`]: string; [key: string]: (string & {}) | "x" | undefined }',
    ],
    [
      { type: 'object', patternProperties: { '^é': number }, additionalProperties: false },
      '{ [key: `é$' + '{string}`]: number }',
    ],
    [
      { type: 'object', propertyNames: { $ref: '#/components/schemas/Key' }, additionalProperties: number },
      '{ a?: number; b?: number }',
    ],
    [
      { type: 'object', propertyNames: { anyOf: [{ const: 'a' }, { enum: ['b', 3] }] } },
      '{ a?: unknown; b?: unknown }',
    ],
    [{ type: 'object', propertyNames: { type: 'integer' } }, '{ [key: string]: never }'],
    [{ type: 'object', propertyNames: { maxLength: 3 } }, '{ [key: string]: unknown }'],
  ])('the schema %j becomes the type %s', (schema, type) => {
    expect(showType(schema, { Key: { type: 'string', enum: ['a', 'b'] } })).toBe(type);
  });
});

test.each<[JsonValue, string]>([
  [{ const: 'a', enum: ['a', 'b'] }, '"a"'],
  [{ enum: ['a', 'b'], const: 'a' }, '"a"'],
  [{ const: 'c', enum: ['a', 'b'] }, 'never'],
])('applies both const and enum: the schema %j becomes the type %s', (schema, type) => {
  expect(showType(schema)).toBe(type);
});

describe('unevaluatedProperties and additional properties', () => {
  test.each<[JsonValue, string]>([
    [{ unevaluatedProperties: false }, `${allButObjects} | { [key: string]: never }`],
    [
      { not: { anyOf: [true, { properties: { a: true } }], unevaluatedProperties: false } },
      '{ [key: string]: unknown }',
    ],
    [
      { type: 'object', allOf: [{ required: ['a'], unevaluatedProperties: true }], unevaluatedProperties: false },
      '{ a: unknown; [key: string]: unknown }',
    ],
    [
      {
        type: 'object',
        properties: { a: text },
        allOf: [{ additionalProperties: true }],
        unevaluatedProperties: false,
      },
      '{ a?: string; [key: string]: unknown }',
    ],
    [{ additionalProperties: true, items: {} }, 'unknown'],
  ])('the schema %j becomes the type %s', (schema, type) => expect(showType(schema)).toBe(type));
});

describe('schemas that exclude values', () => {
  const shape = { type: 'object', properties: { a: text }, required: ['a'] };
  test.each<[JsonValue, string]>([
    // A key of the excluded shape may be present with a different type.
    [{ type: 'object', not: shape }, `{ a?: ${otherThanText}; [key: string]: unknown }`],
    [
      {
        type: 'object',
        properties: { b: text },
        if: { properties: { mode: { const: 'x' } }, required: ['mode'] },
        else: { required: ['b'] },
      },
      '{ b?: string; mode: "x" } | { b: string; mode?: unknown }',
    ],
    // Both branches accept the object without the member, so oneOf rejects this object.
    [
      {
        oneOf: [
          { type: 'object', properties: { a: { type: 'array', items: text, minItems: 1 } } },
          { type: 'object', properties: { a: { type: 'array', items: number, minItems: 1 } } },
        ],
      },
      '{ a: string[] } | { a: number[] }',
    ],
    [
      {
        oneOf: [
          { type: 'array', items: text },
          { type: 'array', items: { type: ['string', 'number'] } },
        ],
      },
      '[string | number, ...(string | number)[]]',
    ],
    // The second branch accepts every object, so only objects that the first one rejects are left.
    [{ oneOf: [shape, { type: 'object' }] }, `{ a?: ${otherThanText}; [key: string]: unknown }`],
    [
      {
        type: 'object',
        allOf: [
          { properties: { b: { type: ['number', 'null'] } } },
          {
            oneOf: [
              { properties: { a: number }, required: ['a'] },
              { properties: { b: number }, required: ['b'] },
            ],
          },
        ],
      },
      '{ b?: null; a: number } | { b: number; a?: null | boolean | string | unknown[] | { [key: string]: unknown } }',
    ],
  ])('the schema %j becomes the type %s', (schema, type) => expect(showType(schema)).toBe(type));

  test('lists twenty ways in which an object of one branch of a oneOf is not in the other, which requires twenty keys', () => {
    const names = Array.from({ length: 20 }, (_, index) => `key${index}`);
    const many = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, text])), required: names };
    const components = { One: shape, Many: many };
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const type = showType({ oneOf: [ref('One'), ref('Many')] }, components);
    expect(type.match(/\(One & \{ key\d+\?: null \| boolean \| number /g)).toHaveLength(20);
    expect(type).toMatch(/\(Many & \{ a\?: null \| boolean \| [^(]*\)$/);
  });
});

test('reads `dependencies` as dependentRequired and dependentSchemas', () => {
  const properties = { a: text, b: text };
  expect(showType({ type: 'object', properties, dependencies: { a: ['b'] } })).toBe(
    showType({ type: 'object', properties, dependentRequired: { a: ['b'] } }),
  );
  expect(showType({ type: 'object', properties, dependencies: { a: { required: ['b'] } } })).toBe(
    '{ a: string; b: string } | { a?: never; b?: string }',
  );
});
