import { describe, expect, test } from 'vitest';
import type { JsonSchema } from './check.ts';
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
const native = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (text: string): boolean => expression.test(text);
};
const { accepts, validate } = createValidator(schema, native);
const fine = { prompt: 'fog' };

describe('failures as in the router’s 422 (MR-ERR-11 to MR-ERR-19)', () => {
  test.each<[string, unknown, loc: (string | number)[], type: string, ctx?: object]>([
    ['a missing field', {}, ['prompt'], 'missing'],
    ['a field that is undefined', { prompt: undefined }, ['prompt'], 'missing'],
    ['an extra field', { ...fine, extra: 1 }, ['extra'], 'extra_forbidden'],
    ['a forbidden field', { ...fine, gone: 1 }, ['gone'], 'extra_forbidden'],
    ['a wrong type', { prompt: 5 }, ['prompt'], 'string_type'],
    ['a short string', { prompt: '😀' }, ['prompt'], 'string_too_short', { min_length: 2 }],
    ['a high number', { ...fine, steps: 55 }, ['steps'], 'less_than_equal', { le: 50 }],
    ['a number that is not a multiple', { ...fine, steps: 7 }, ['steps'], 'multiple_of', { multiple_of: 5 }],
    ['a fraction', { ...fine, steps: 5.5 }, ['steps'], 'integer_type'],
    ['a number where strings are listed', { ...fine, style: 5 }, ['style'], 'enum', { expected: ['plain', 'rich'] }],
    ['an unlisted string', { ...fine, style: 'x' }, ['style'], 'enum', { expected: ['plain', 'rich'] }],
    ['another constant', { ...fine, kind: 1 }, ['kind'], 'literal_error', { expected: 'only' }],
    ['an index', { ...fine, shots: [{ text: 1 }, {}] }, ['shots', 1, 'text'], 'missing'],
    ['equal items', { ...fine, shots: [{ text: { a: 1 } }, { text: { a: 1 } }] }, ['shots'], 'unique_items'],
    [
      'too many items',
      { ...fine, shots: [1, 2, 3].map((text) => ({ text })) },
      ['shots'],
      'too_long',
      { max_length: 2 },
    ],
    ['a nullable of the wrong type', { ...fine, seed: 'x' }, ['seed'], 'integer_type'],
    ['the only branch of the right type', { ...fine, size: { width: 'x' } }, ['size', 'width'], 'integer_type'],
    [
      'no matching branch',
      { ...fine, either: { c: 1 } },
      ['either'],
      'union_mismatch',
      { alternatives: ['object with a', 'object with b'] },
    ],
    ['two matching branches', { ...fine, either: { a: 1, b: 1 } }, ['either'], 'union_mismatch'],
    ['the branch with the matching literal', { ...fine, marked: { is: 'y', n: 1 } }, ['marked', 'n'], 'string_type'],
    ['a pattern', { ...fine, name: 'a b' }, ['name'], 'string_pattern_mismatch', { pattern: '^[\\w\\-]+$' }],
    ['a name with a slash and a tilde', { ...fine, 'a/b~c': 1 }, ['a/b~c'], 'boolean_type'],
    ['a name that is not allowed', { ...fine, map: { y: 1 } }, ['map', 'y'], 'extra_forbidden'],
    ['a dependent field', { ...fine, map: { xa: 1 } }, ['map', 'xb'], 'missing'],
    ['an array instead of an object', [], [], 'object_type'],
  ])('validate returns a failure as in the router’s 422 for %s', (_, value, loc, type, ctx) => {
    const result = validate(value);
    expect(accepts(value)).toBe(false);
    expect(result.valid ? [] : result.detail).toEqual([{ msg: expect.stringMatching(/\w/), loc, type, ctx }]);
  });

  test('validate returns one failure for each failing field', () => {
    const result = validate({ steps: -3, style: 'x' });
    expect(result.valid ? [] : result.detail.map(({ loc }) => loc)).toEqual([['prompt'], ['steps'], ['style']]);
  });
});

test('validate reports an object at each location where it occurs', () => {
  const part = { $ref: '#/$defs/part' };
  const schema = { items: { allOf: [part, part] }, $defs: { part: { required: ['a'] } } };
  const shared = {};
  const result = createValidator(schema).validate([shared, shared]);
  expect(result.valid ? [] : result.detail.map(({ loc }) => loc)).toEqual([
    [0, 'a'],
    [1, 'a'],
  ]);
});

describe('a union that nothing matches', () => {
  const union = {
    oneOf: [
      { enum: ['square', 'wide'] },
      { $ref: '#/$defs/s0' },
      { type: 'object', properties: { kind: { enum: ['fit'] }, to: { type: 'string' } }, required: ['kind', 'to'] },
      { type: ['array', 'null'] },
    ],
    $defs: {
      s0: {
        title: 'ExactSize',
        type: 'object',
        properties: { kind: { enum: ['exact'] }, width: { type: 'integer' } },
        required: ['kind', 'width'],
      },
    },
  } as const;
  test('the failure of a union lists its alternatives by title, values, discriminator or type', () => {
    const result = createValidator(union).validate(true);
    const [failure] = result.valid ? [] : result.detail;
    expect(failure?.msg).toBe(
      'must match one of the alternatives: "square" | "wide", ExactSize, { kind: "fit" }, array | null',
    );
  });

  test('reports a missing member once if the object and all alternatives of its type require it', () => {
    for (const schema of [union, { required: ['kind'], ...union }] as const) {
      const result = createValidator(schema).validate({ width: 1 });
      expect(result.valid ? [] : result.detail).toMatchObject([{ loc: ['kind'], type: 'missing' }]);
    }
  });

  test('the alternatives of a union are described in bounded length', () => {
    const long = { oneOf: Array.from({ length: 500 }, (_, at) => ({ enum: [`${at}${'x'.repeat(5000)}`] })) };
    const result = createValidator(long).validate('y');
    expect(JSON.stringify(result).length).toBeLessThan(8000);
    expect(result.valid ? '' : result.detail[0]?.msg).toContain(', and 492 more');
  });
});

test('validate returns a valid value', () => {
  expect(validate(fine)).toEqual({ valid: true, value: fine });
});

test('a format is only checked if the caller passes a check of it', () => {
  const value = { ...fine, when: 'soon' };
  const formats = { 'date-time': (text: string) => text.startsWith('2026-') };
  expect(accepts(value)).toBe(true);
  expect(accepts(value, { formats: {} })).toBe(true);
  expect(accepts(value, { formats })).toBe(false);
  expect(validate(value, { formats })).toMatchObject({ detail: [{ loc: ['when'], type: 'format' }] });
  expect(accepts({ ...fine, when: '2026-02-28T10:00:00Z' }, { formats })).toBe(true);
});

describe('createValidator', () => {
  test('a validator ignores inherited members', () => {
    const { accepts: isAccepted } = createValidator(
      JSON.parse('{"required":["constructor","__proto__"],"additionalProperties":{"type":"integer"}}'),
    );
    expect(isAccepted({})).toBe(false);
    expect(isAccepted(JSON.parse('{"constructor":1,"__proto__":2}'))).toBe(true);
    expect(isAccepted(JSON.parse('{"constructor":1,"__proto__":"x"}'))).toBe(false);
  });

  test('a validator applies unevaluated… to members that no matching part evaluates', () => {
    const closed: JsonSchema = {
      allOf: [{ properties: { a: true } }],
      anyOf: [{ properties: { b: { type: 'integer' } }, required: ['b'] }, true],
      unevaluatedProperties: false,
    };
    const { accepts: isAccepted } = createValidator(closed);
    expect([{ a: 1 }, { a: 1, b: 1 }, { b: 'x' }, { c: 1 }].map((value) => isAccepted(value))).toEqual([
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

  test('reports the failure of a member instead of reporting it as unknown', () => {
    const base: JsonSchema = { properties: { a: { type: 'integer' }, b: { type: 'string' } } };
    const tagged = (kind: string): JsonSchema => ({
      required: ['kind'],
      properties: { kind: { enum: [kind] }, n: { type: 'integer' } },
    });
    const parts: Exclude<JsonSchema, boolean>[] = [
      { allOf: [base] },
      { $ref: '#/$defs/base' },
      // biome-ignore lint/suspicious/noThenProperty: it is the keyword
      { if: true, then: base },
      { properties: { a: true, b: true }, oneOf: [tagged('x'), tagged('y')] },
    ];
    const places = parts.map((part) => {
      const { validate } = createValidator({ ...part, unevaluatedProperties: false, $defs: { base } });
      const result = validate({ a: 'text', b: 'text', kind: 'x', n: 'text', c: 1 });
      return result.valid ? [] : result.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);
    });
    const unknown = ['kind extra_forbidden', 'n extra_forbidden', 'c extra_forbidden'];
    expect(places).toEqual([
      ['a integer_type', ...unknown],
      ['a integer_type', ...unknown],
      ['a integer_type', ...unknown],
      ['n integer_type', 'c extra_forbidden'],
    ]);
  });

  test('checks multipleOf for very large numbers', () => {
    const { accepts: isAccepted } = createValidator({ multipleOf: 0.5 });
    expect([1e308, 0.75].map((value) => isAccepted(value))).toEqual([true, false]);
  });
});
