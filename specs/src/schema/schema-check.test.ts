import { describe, expect, test } from 'vitest';
import type { Schema } from '../documents/read-document.ts';
import { SpecError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { compileSchema, type SchemaCheckOptions } from './schema-check.ts';

const text = { type: 'string', nullable: true };
const in30 = { root: { openapi: '3.0.3', components: { schemas: { Text: text, Loop: loop() } } } };
const root31 = {
  openapi: '3.1.0',
  components: { schemas: { Text: { type: ['string', 'null'] }, 'a/b ~c': { const: 1 } } },
};
const in31 = { root: root31 };

function loop(): JsonObject {
  return { type: 'object', properties: { next: { $ref: '#/components/schemas/Loop' } }, additionalProperties: false };
}

type Case = [sentence: string, schema: Schema, valid: unknown[], invalid: unknown[], SchemaCheckOptions?];
const cases: readonly Case[] = [
  ['true accepts every value', true, [1, null], []],
  ['false accepts no value', false, [], [1, null]],
  ['a tuple of 2020-12', { prefixItems: [{ type: 'string' }], items: false }, [['a'], []], [['a', 1]]],
  [
    'contains inside items, checked for each item separately',
    { items: { contains: { type: 'string' } } },
    [[], [['a'], [1, 'b'], {}]],
    [[['a'], []]],
  ],
  ['contains with minContains 0', { items: { contains: { type: 'string' }, minContains: 0 } }, [[['a'], []]], []],
  ['multiples of a fraction', { multipleOf: 0.1 }, [0.3, 0.7, 1.1, 2], [0.35, 0.30001]],
  ['references into the schema itself', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, ['x'], [1]],
  ['a reference to the schema itself', { properties: { a: { $ref: '#' } }, type: 'object' }, [{ a: {} }], [{ a: 1 }]],
  ['references into a document', { $ref: '#/components/schemas/Text' }, ['x', null], [1], in31],
  ['escaped references', { items: { $ref: '#/components/schemas/a~1b%20~0c' } }, [[1]], [[2]], in31],
  ['siblings of a reference', { $ref: '#/components/schemas/Text', minLength: 2 }, ['xy', null], ['x'], in31],
  ['recursion', { $ref: '#/components/schemas/Loop' }, [{ next: { next: {} } }], [{ next: { other: 1 } }], in30],
  ['3.0: nullable with a type', text, [null, 'x'], [1], in30],
  ['3.0: nullable with a type and an enum', { ...text, enum: ['a'] }, [null, 'a'], ['b', 1], in30],
  ['3.0: nullable in inputs', { ...text, enum: ['a'] }, ['a'], [null, 'b', 1], { ...in30, side: 'input' }],
  ['3.0: a listed null in inputs', { ...text, enum: ['a', null] }, ['a', null], [1], { ...in30, side: 'input' }],
  ['3.0: nullable next to a reference', { $ref: '#/components/schemas/Loop', nullable: true }, [null, {}], [1], in30],
  ['3.0: nullable next to allOf', { allOf: [{ type: 'integer' }], nullable: true }, [null, 1], ['x'], in30],
  ['3.0: nullable without a type', { nullable: true, minLength: 2 }, [null, 'xx', 1], ['x'], in30],
  [
    '3.0: exclusive bounds as flags',
    { minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: false },
    [2, 3],
    [1, 4],
    in30,
  ],
  [
    '3.0: keywords of 3.1 apply',
    { anyOf: [{ const: 'a' }, { type: 'null' }, { exclusiveMinimum: 5, type: 'number' }] },
    ['a', null, 6],
    ['b', 5],
    in30,
  ],
  ['3.0: discriminator asserts nothing', { type: 'object', discriminator: { propertyName: 'x' } }, [{}], [1], in30],
  ['3.0: nullable in a document of that version', { properties: { a: text } }, [{ a: null }], [{ a: 1 }], in30],
  ['3.1: nullable asserts nothing', text, ['x'], [null], in31],
  ['formats are annotations by default', { type: 'string', format: 'uuid' }, ['x'], [1]],
  [
    'formats are checked on demand',
    { type: 'string', format: 'uuid' },
    ['7f2c1a52-9f3b-4c57-8d2e-1b7a55c0e6aa'],
    ['x'],
    { formats: 'assert' },
  ],
  [
    'unknown formats and keywords are ignored',
    { type: 'string', format: 'uuid4', step: 2, id: 'x', $id: ':' },
    ['x'],
    [1],
    { formats: 'assert' },
  ],
  [
    'names of prototype members are property names',
    { required: ['constructor'], properties: { toString: { type: 'string' } } },
    [{ constructor: 1 }],
    [{}, { constructor: 1, toString: 1 }],
  ],
  [
    'a closed object rejects __proto__',
    { type: 'object', additionalProperties: false },
    [{}],
    [JSON.parse('{"__proto__":1}')],
  ],
  ['needless escapes in a pattern', { pattern: '^[a-z\\-]+$' }, ['a-b'], ['A']],
  [
    'unreadable parts accept every value on demand, and other keywords apply',
    {
      properties: {
        nowhere: { items: { $ref: '#/components/schemas/Gone', maxItems: 1 } },
        outside: { $ref: 'https://elsewhere.test/schema', minLength: 2 },
        file: { type: 'file' },
        broken: { type: 'string', pattern: '(' },
        strange: 5,
        count: { minimum: '3', type: 'integer' },
      },
      required: ['file'],
    },
    [{ file: 1, nowhere: [['x']], outside: 'xy', broken: ')', strange: {}, count: 1 }],
    [{}, { file: 1, nowhere: [[1, 2]] }, { file: 1, outside: 'x' }, { file: 1, broken: 1 }, { file: 1, count: 'x' }],
    { ...in31, unreadable: 'accept' },
  ],
  [
    'unevaluated properties',
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
];

describe('compileSchema', () => {
  test.each(cases)('compileSchema only accepts valid values: %s', (_sentence, schema, valid, invalid, options) => {
    const check = compileSchema(schema, options);
    expect(valid.filter((value) => check(value).length > 0)).toEqual([]);
    expect(invalid.filter((value) => check(value).length === 0)).toEqual([]);
  });

  test('returns all violations, each with its pointer, keyword and params', () => {
    const check = compileSchema({ required: ['b'], properties: { 'a/b': { items: { maximum: 3 } } } });
    expect(check({ 'a/b': [1, 5] })).toEqual([
      {
        pointer: '',
        keyword: 'required',
        message: "must have required property 'b'",
        params: { missingProperty: 'b' },
      },
      { pointer: '/a~1b/1', keyword: 'maximum', message: 'must be <= 3', params: { comparison: '<=', limit: 3 } },
    ]);
  });

  const deep: JsonObject = {};
  let inner = deep;
  for (let depth = 0; depth < 20_000; depth += 1) {
    const next: JsonObject = {};
    inner['not'] = next;
    inner = next;
  }
  const unusable: [sentence: string, schema: Schema, message: string][] = [
    ['a dangling reference', { $ref: '#/components/schemas/Gone' }, 'reference-dangling at /$ref'],
    ['a dangling reference further down', { items: { $ref: '#/Gone' } }, 'reference-dangling at /items/$ref'],
    ['a reference to a file', { $ref: 'file:///etc/passwd' }, 'reference-external at /$ref'],
    ['an unknown type', { type: 'any' }, 'type-unknown at /type'],
    ['a list where a schema belongs', { not: [] }, 'schema-malformed at /not'],
    ['properties that are not an object', { properties: [] }, 'schema-malformed at /properties'],
    ['a schema nested too deep', deep, 'schema-too-deep at /not/not'],
  ];
  test.each(unusable)('compileSchema rejects %s', (_sentence, schema, message) => {
    expect(() => compileSchema(schema, { root: root31 })).toThrow(SpecError);
    expect(() => compileSchema(schema, { root: root31 })).toThrow(`schema cannot be compiled: ${message}`);
  });

  test('matches patterns in linear time', () => {
    const text = `${'a'.repeat(20_000)}!`;
    expect(compileSchema({ pattern: '^(a+)+$' })(text)).toHaveLength(1);
    expect(compileSchema({ patternProperties: { '^(a|a)*$': false } })({ [text]: 1 })).toEqual([]);
    expect(compileSchema({ allOf: [{ pattern: '^a' }, { pattern: '^b' }] })('ax')).toHaveLength(1);
  });

  const unread = { pattern: '\\Aab\\Z' };
  const left: [sentence: string, schema: JsonObject, valid: unknown[], invalid: unknown[]][] = [
    ['a pattern of a text', { type: 'string', ...unread, minLength: 2 }, ['xy', 'ab'], [1, 'a']],
    [
      'a pattern of member names',
      { patternProperties: { '(a+)\\1': { type: 'string' }, '^x-': { type: 'string' } }, additionalProperties: false },
      [{ aa: 1, b: 2 }],
      [{ 'x-a': 1 }],
    ],
    ['a pattern inside not', { not: unread, type: 'string' }, ['ab', 'cd'], [1]],
    [
      'a pattern in a branch of a union',
      { oneOf: [unread, { maxLength: 2 }], anyOf: [{ minLength: 1 }, { minLength: 2 }], type: 'string' },
      ['ab', 'abc'],
      ['', 1],
    ],
    [
      'a pattern in a condition',
      Object.fromEntries([
        ['if', { properties: { a: unread }, required: ['a'] }],
        ['then', { required: ['b'] }],
        ['else', { required: ['c'] }],
      ]),
      [{ a: 'ab', b: 1 }, { c: 1 }, { a: 'x', c: 1 }],
      [{ a: 'ab' }, { b: 1 }],
    ],
    ['a pattern of contained items', { contains: unread, maxContains: 1 }, [['ab', 'ab', 'c']], [[]]],
    ['a pattern behind a reference', { not: { $ref: '#/$defs/A' }, $defs: { A: { allOf: [unread] } } }, ['ab'], []],
  ];
  test.each(left)(
    'accepts every value for a pattern that only the server can check: %s',
    (_, schema, valid, invalid) => {
      const check = compileSchema(schema);
      expect(valid.flatMap((value) => check(value))).toEqual([]);
      expect(invalid.filter((value) => check(value).length === 0)).toEqual([]);
    },
  );

  test('rejects a value that is nested too deeply or refers to itself', () => {
    const root = { components: { schemas: { List: { type: 'array', items: { $ref: '#/components/schemas/List' } } } } };
    let value: unknown = [];
    for (let depth = 0; depth < 200_000; depth++) value = [value];
    const endless = { components: { schemas: { A: { anyOf: [{ $ref: '#/components/schemas/A' }] } } } };
    const reference = { $ref: '#/components/schemas/List' };
    expect(compileSchema(reference, { root })(value)).toMatchObject([{ keyword: 'depth' }]);
    expect(compileSchema({ $ref: '#/components/schemas/A' }, { root: endless })(1)).toMatchObject([
      { keyword: 'depth' },
    ]);
  });

  test('compiles a schema once, even behind another reference', () => {
    const schema = { type: 'string' };
    expect(compileSchema(schema)).toBe(compileSchema(schema));
    expect(compileSchema(schema, { formats: 'assert' })).not.toBe(compileSchema(schema));
    const [one, two] = [{ $ref: '#/components/schemas/Text' }, { $ref: '#/components/schemas/Text' }];
    expect(compileSchema(one, { root: root31 })).toBe(compileSchema(two, { root: root31 }));
  });
});
