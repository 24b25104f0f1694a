import { expect, test } from 'vitest';
import { compileSchema, type JsonObject } from '../../../specs/src/index.ts';
import { validationEntries } from './validation-entries.ts';

const schema: JsonObject = {
  type: 'object',
  required: ['prompt'],
  additionalProperties: false,
  properties: {
    prompt: { type: 'string', minLength: 2 },
    steps: { type: 'integer', minimum: 1, maximum: 50, multipleOf: 5 },
    style: { enum: ['plain', 'rich'] },
    size: {
      anyOf: [
        { type: 'object', required: ['width'], properties: { width: { type: 'integer' } } },
        { enum: ['s', 'm'] },
      ],
    },
    seed: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    shots: { type: 'array', items: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } },
    either: {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { type: 'object', required: ['b'], properties: { b: { type: 'string' } } },
      ],
    },
    'a/b~c': { type: 'boolean' },
    '0': { type: 'string' },
    mask: { type: ['object', 'null'], minProperties: 1 },
  },
};
const check = compileSchema(schema);
const listEntries = (input: JsonObject) => validationEntries(check(input), input);
const valid = { prompt: 'fog' };

test.each([
  ['a missing field', {}, { loc: ['prompt'], type: 'missing' }],
  ['a surplus field', { ...valid, extra: 1 }, { loc: ['extra'], type: 'extra_forbidden', input: 1 }],
  ['a wrong type', { prompt: 5 }, { loc: ['prompt'], type: 'string_type', input: 5 }],
  ['a short text', { prompt: 'x' }, { loc: ['prompt'], type: 'string_too_short', ctx: { min_length: 2 }, input: 'x' }],
  ['a high number', { ...valid, steps: 55 }, { loc: ['steps'], type: 'less_than_equal', ctx: { le: 50 }, input: 55 }],
  [
    'a word outside the list',
    { ...valid, style: 'x' },
    { loc: ['style'], type: 'enum', ctx: { expected: ['plain', 'rich'] } },
  ],
  ['an index', { ...valid, shots: [{ text: 'a' }, {}] }, { loc: ['shots', 1, 'text'], type: 'missing' }],
  ['a nullable of the wrong type', { ...valid, seed: 'x' }, { loc: ['seed'], type: 'integer_type', input: 'x' }],
  ['a nullable by its types', { ...valid, mask: 'x' }, { loc: ['mask'], type: 'object_type', input: 'x' }],
  [
    'an object with too little in it',
    { ...valid, mask: {} },
    { loc: ['mask'], type: 'too_short', ctx: { min_length: 1 } },
  ],
  [
    'an inner field of the one branch that is meant',
    { ...valid, size: { width: 'x' } },
    { loc: ['size', 'width'], type: 'integer_type' },
  ],
  ['a union of which no branch matches', { ...valid, either: { c: 1 } }, { loc: ['either'], type: 'union_mismatch' }],
  ['a name with a slash and a tilde', { ...valid, 'a/b~c': 1 }, { loc: ['a/b~c'], type: 'boolean_type' }],
  ['a name that looks like an index', { ...valid, '0': 1 }, { loc: ['0'], type: 'string_type' }],
])('makes one entry for %s', (_, input: JsonObject, entry) => {
  const entries = listEntries(input);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject(entry);
  expect(entries[0]?.msg).toMatch(/\w/);
});

test('makes one entry for each failing field, also for a field that fails twice', () => {
  expect(listEntries({ steps: -3, style: 'x' }).map(({ loc }) => loc[0])).toEqual(
    expect.arrayContaining(['prompt', 'steps', 'style']),
  );
  expect(listEntries({ ...valid, steps: 53 })).toHaveLength(1);
});

test('omits ctx without a bound, and input that is missing, long or not JSON', () => {
  expect(listEntries({})[0]).not.toHaveProperty('ctx');
  expect(listEntries({})[0]).not.toHaveProperty('input');
  expect(listEntries({ prompt: null })[0]).toMatchObject({ input: null });
  expect(listEntries({ ...valid, steps: Number('1e999') })[0]).not.toHaveProperty('input');
  expect(listEntries({ prompt: [Number('-1e999')] })[0]).not.toHaveProperty('input');
});

test('lists five hundred violations at most, and inputs of a thousand characters', () => {
  expect(listEntries({ prompt: ['x'.repeat(996)] })[0]).toHaveProperty('input');
  expect(listEntries({ prompt: ['x'.repeat(997)] })[0]).not.toHaveProperty('input');
  expect(listEntries({ ...valid, shots: Array.from({ length: 400 }, () => ({})) })).toHaveLength(400);
  expect(listEntries({ ...valid, shots: Array.from({ length: 600 }, () => ({})) })).toHaveLength(500);
});
