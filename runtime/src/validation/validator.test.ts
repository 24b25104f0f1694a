import { describe, expect, test } from 'vitest';
import { formats } from './formats.ts';
import type { JsonSchema } from './schema.ts';
import { createValidator } from './validator.ts';

const schema: JsonSchema = {
  type: 'object',
  required: ['prompt'],
  additionalProperties: false,
  properties: {
    prompt: { type: 'string', minLength: 2 },
    steps: { type: 'integer', minimum: 1, maximum: 50, multipleOf: 5 },
    style: { type: 'string', enum: ['plain', 'rich'] },
    kind: { enum: ['only'] },
    size: {
      anyOf: [
        { type: 'object', required: ['width'], properties: { width: { type: 'integer' } } },
        { enum: ['s', 'm'] },
      ],
    },
    seed: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    shots: { type: 'array', items: { type: 'object', required: ['text'] }, maxItems: 2, uniqueItems: true },
    either: {
      oneOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    },
    marked: {
      oneOf: [
        { type: 'object', required: ['is'], properties: { is: { enum: ['x'] }, n: { type: 'integer' } } },
        { type: 'object', required: ['is'], properties: { is: { enum: ['y'] }, n: { type: 'string' } } },
      ],
    },
    when: { type: 'string', format: 'date-time' },
    name: { type: 'string', pattern: '^[\\w\\-]+$' },
    'a/b~c': { type: 'boolean' },
    map: { type: 'object', propertyNames: { pattern: '^x' }, maxProperties: 1, dependentRequired: { xa: ['xb'] } },
    gone: false,
  },
};
const { accepts, validate } = createValidator(schema);
const fine = { prompt: 'fog' };

describe('a refusal has the shape of the router’s 422 (MR-ERR-11 to MR-ERR-19)', () => {
  test.each<[string, unknown, object]>([
    ['a missing field', {}, { loc: ['prompt'], type: 'missing' }],
    ['a field that is undefined', { prompt: undefined }, { loc: ['prompt'], type: 'missing' }],
    ['a surplus field', { ...fine, extra: 1 }, { loc: ['extra'], type: 'extra_forbidden' }],
    ['a field that must not be', { ...fine, gone: 1 }, { loc: ['gone'], type: 'extra_forbidden' }],
    ['a wrong type', { prompt: 5 }, { loc: ['prompt'], type: 'string_type' }],
    ['a short text', { prompt: '😀' }, { loc: ['prompt'], type: 'string_too_short', ctx: { min_length: 2 } }],
    ['a high number', { ...fine, steps: 55 }, { loc: ['steps'], type: 'less_than_equal', ctx: { le: 50 } }],
    ['an odd number', { ...fine, steps: 7 }, { loc: ['steps'], type: 'multiple_of', ctx: { multiple_of: 5 } }],
    ['a fraction', { ...fine, steps: 5.5 }, { loc: ['steps'], type: 'integer_type' }],
    [
      'what is no word where words are listed',
      { ...fine, style: 5 },
      { loc: ['style'], type: 'enum', ctx: { expected: ['plain', 'rich'] } },
    ],
    [
      'an unlisted word',
      { ...fine, style: 'x' },
      { loc: ['style'], type: 'enum', ctx: { expected: ['plain', 'rich'] } },
    ],
    ['another constant', { ...fine, kind: 1 }, { loc: ['kind'], type: 'literal_error', ctx: { expected: 'only' } }],
    ['an index', { ...fine, shots: [{ text: 1 }, {}] }, { loc: ['shots', 1, 'text'], type: 'missing' }],
    ['twins', { ...fine, shots: [{ text: { a: 1 } }, { text: { a: 1 } }] }, { loc: ['shots'], type: 'unique_items' }],
    [
      'too many',
      { ...fine, shots: [1, 2, 3].map((text) => ({ text })) },
      { loc: ['shots'], type: 'too_long', ctx: { max_length: 2 } },
    ],
    ['a nullable of the wrong type', { ...fine, seed: 'x' }, { loc: ['seed'], type: 'integer_type' }],
    [
      'the one branch that is meant',
      { ...fine, size: { width: 'x' } },
      { loc: ['size', 'width'], type: 'integer_type' },
    ],
    ['no branch', { ...fine, either: { c: 1 } }, { loc: ['either'], type: 'union_mismatch' }],
    ['two branches', { ...fine, either: { a: 1, b: 1 } }, { loc: ['either'], type: 'union_mismatch' }],
    [
      'the branch that is marked',
      { ...fine, marked: { is: 'y', n: 1 } },
      { loc: ['marked', 'n'], type: 'string_type' },
    ],
    [
      'a pattern',
      { ...fine, name: 'a b' },
      { loc: ['name'], type: 'string_pattern_mismatch', ctx: { pattern: '^[\\w\\-]+$' } },
    ],
    ['a name with a slash and a tilde', { ...fine, 'a/b~c': 1 }, { loc: ['a/b~c'], type: 'boolean_type' }],
    ['a name that is not allowed', { ...fine, map: { y: 1 } }, { loc: ['map', 'y'], type: 'extra_forbidden' }],
    ['a dependent', { ...fine, map: { xa: 1 } }, { loc: ['map', 'xb'], type: 'missing' }],
    ['no object at all', [], { loc: [], type: 'object_type' }],
  ])('%s', (_, value, entry) => {
    const result = validate(value);
    expect(accepts(value)).toBe(false);
    expect(result.valid ? [] : result.detail).toEqual([{ msg: expect.stringMatching(/\w/), ...entry }]);
  });

  test('one entry for each failing field', () => {
    const result = validate({ steps: -3, style: 'x' });
    expect(result.valid ? [] : result.detail.map(({ loc }) => loc)).toEqual([['prompt'], ['steps'], ['style']]);
  });
});

test('a value that passes comes back with its verdict', () => {
  expect(validate(fine)).toEqual({ valid: true, value: fine });
});

describe('formats', () => {
  test('inform, until somebody asks', () => {
    const value = { ...fine, when: 'soon' };
    expect(accepts(value)).toBe(true);
    expect(accepts(value, { formats })).toBe(false);
    expect(accepts({ ...fine, when: '2026-02-28T10:00:00Z' }, { formats })).toBe(true);
  });

  test.each([
    ['date', '2024-02-29', '2023-02-29'],
    ['time', '10:00:00Z', '10:00'],
    ['date-time', '2024-01-01T00:00:00+01:00', '2024-01-01'],
    ['email', 'a@example.com', 'a@'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
    ['uri', 'https://example.com/a?b', '/a'],
    ['uri-reference', '/a', 'a b'],
    ['ipv4', '127.0.0.1', '256.0.0.1'],
    ['ipv6', '::1', '1'],
    ['hostname', 'example.com', '-a'],
    ['json-pointer', '/a~1b', 'a'],
    ['byte', 'AAA=', 'A'],
  ])('%s', (format, good, bad) => {
    const check = createValidator({ format });
    expect([good, bad].map((text) => check.accepts(text, { formats }))).toEqual([true, false]);
  });
});

describe('what a schema can do to a validator', () => {
  test('names of every object are judged as its own', () => {
    const { accepts: takes } = createValidator(
      JSON.parse('{"required":["constructor","__proto__"],"additionalProperties":{"type":"integer"}}'),
    );
    expect(takes({})).toBe(false);
    expect(takes(JSON.parse('{"constructor":1,"__proto__":2}'))).toBe(true);
    expect(takes(JSON.parse('{"constructor":1,"__proto__":"x"}'))).toBe(false);
  });

  test('a reference to itself ends', () => {
    const loop: JsonSchema = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
    expect(createValidator(loop).accepts(1)).toBe(true);
    const list: JsonSchema = { $ref: '#/$defs/a', $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } } };
    expect(createValidator(list).accepts([[[]]])).toBe(true);
    expect(createValidator(list).accepts([[['x']]])).toBe(false);
  });

  test('a pattern that no dialect knows refuses nothing', () => {
    expect(createValidator({ pattern: '(?P<a>x)' }).accepts('y')).toBe(true);
  });

  test('members count as described only by the part that describes them', () => {
    const closed: JsonSchema = {
      allOf: [{ properties: { a: true } }],
      anyOf: [{ properties: { b: { type: 'integer' } }, required: ['b'] }, true],
      unevaluatedProperties: false,
    };
    const { accepts: takes } = createValidator(closed);
    expect([{ a: 1 }, { a: 1, b: 1 }, { b: 'x' }, { c: 1 }].map((value) => takes(value))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const items = createValidator({ prefixItems: [true], unevaluatedItems: { type: 'null' } });
    expect([[1], [1, null], [1, 2]].map((value) => items.accepts(value))).toEqual([true, true, false]);
    const found = createValidator({ prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false });
    expect([[1, 'x'], [1, 2, 'x'], [1]].map((value) => found.accepts(value))).toEqual([true, false, false]);
  });

  test('a number too large to be divided is a multiple or not all the same', () => {
    const { accepts: takes } = createValidator({ multipleOf: 0.5 });
    expect([1e308, 0.75].map((value) => takes(value))).toEqual([true, false]);
  });

  test('a condition chooses what is asked', () => {
    const { accepts: takes } = createValidator({
      if: { required: ['a'] },
      // biome-ignore lint/suspicious/noThenProperty: it is the keyword
      then: { required: ['b'] },
      else: { required: ['c'] },
    });
    expect([{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, {}].map((value) => takes(value))).toEqual([false, true, true, false]);
  });
});
