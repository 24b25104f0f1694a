import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../specs/src/index.ts';
import { printType } from '../src/emit/print-type.ts';
import { modelDocument } from './fake-router.ts';
import { flat, readModel, showOutput, showType } from './read-model.ts';

const a = { a: { type: 'string' } };
const b = { b: { type: 'number' } };
const wrongEnum = { type: 'string', enum: [1, 2] };

describe('values', () => {
  test.each<[JsonValue, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'string', format: 'binary' }, 'string'],
    [{}, 'unknown'],
    [true, 'unknown'],
    [false, 'never'],
    [{ type: 'boolean', default: true }, 'boolean'],
    [{ enum: ['a', 1, null, true] }, '"a" | 1 | null | true'],
    [{ type: 'string', enum: ['a', 1] }, '"a"'],
    [{ type: 'string', enum: ['a'], default: 3 }, '"a"'],
    [{ type: 'integer', enum: [1, 1.5, 2] }, '1 | 2'],
    [{ const: 'a' }, '"a"'],
    [{ const: { a: [1] } }, '{ a: [1] }'],
    [{ type: ['string', 'integer', 'null'] }, 'string | number | null'],
    [{ type: ['integer', 'number'] }, 'number'],
    [{ type: 'any' }, 'unknown'],
    [{ enum: [] }, 'unknown'],
  ])('the schema %j becomes the type %s', (schema, type) => expect(showType(schema)).toBe(type));
});

test.each<[JsonValue, string]>([
  [wrongEnum, '1 | 2'],
  [{ type: 'object', required: ['x'], properties: { x: { type: 'integer', enum: ['1', '2'] } } }, '{ x: "1" | "2" }'],
  [{ type: 'array', items: { ...wrongEnum, nullable: true } }, '(1 | 2 | null)[]'],
])('an output type keeps enum values that the `type` of the schema rejects: %j', (schema, type) => {
  expect(showOutput(schema).split('; ')[0]).toBe(type);
});

test('an input type omits enum values that the `type` of the schema rejects, unless an output shares the definition', () => {
  expect(showType({ type: 'array', items: wrongEnum })).toBe('[]');
  const Mode = wrongEnum;
  const mode = { $ref: '#/components/schemas/Mode' };
  expect(showOutput({ type: 'array', items: mode }, { Mode }, { type: 'array', items: mode })).toContain(
    'Mode = 1 | 2',
  );
});

describe('null', () => {
  test.each<[JsonValue, string]>([
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ nullable: true }, 'unknown'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }], nullable: true }, 'string | number | null'],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }], nullable: true }, 'string | null'],
    [{ type: 'object', properties: a, nullable: true }, '{ a?: string } | null'],
    [{ type: 'array', items: { type: 'string', nullable: true }, nullable: true }, '(string | null)[] | null'],
    [{ type: 'object', nullable: true }, '{ [key: string]: unknown } | null'],
  ])('the schema %j becomes the type %s', (schema, type) => expect(showType(schema)).toBe(type));

  // OP-266: the specification does not allow null here, but servers may return it.
  test.each<[JsonValue, input: string, output: string]>([
    [{ type: 'string', enum: ['a'], nullable: true }, '"a"', '"a" | null'],
    [{ enum: ['a'], nullable: true }, '"a"', '"a" | null'],
    [{ const: 'a', nullable: true }, '"a"', '"a" | null'],
    [{ type: 'string', enum: ['a', null], nullable: true }, '"a" | null', '"a" | null'],
    [{ type: 'array', items: { enum: [1], nullable: true } }, '1[]', '(1 | null)[]'],
    [{ anyOf: [{ enum: ['a'], nullable: true }, { type: 'integer' }] }, '"a" | number', '"a" | null | number'],
    [{ $ref: '#/components/schemas/Mode' }, 'ModeInput', 'Mode'],
  ])('a nullable enum that does not list null accepts null only in output types: %j', (schema, input, output) => {
    const Mode = { type: 'string', enum: ['fast', 'slow'], nullable: true };
    const { binding } = readModel(
      modelDocument('p/m', {
        input: { type: 'object', required: ['x'], properties: { x: schema } },
        output: { type: 'object', required: ['x'], properties: { x: schema } },
        components: { Mode },
      }),
    );
    const types = [binding.input.type, binding.output.type].map((type) => flat(printType(type).text));
    expect(types).toEqual([`{ x: ${input} }`, `{ x: ${output} }`]);
  });

  test('warns that `nullable` is not a keyword of OpenAPI 3.1', () => {
    const input = { type: 'object', properties: { x: { type: 'string', nullable: true } } };
    const { binding, diagnostics } = readModel(modelDocument('p/m', { input, root: { openapi: '3.1.0' } }));
    expect(flat(printType(binding.input.type).text)).toBe('{ x?: string }');
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'nullable-ignored', pointer: expect.stringMatching(/\/properties\/x$/) },
    ]);
  });

  test('keeps the name of a nullable reference, also in an allOf with one branch', () => {
    const components = { Part: { type: 'object', properties: a } };
    const ref = { $ref: '#/components/schemas/Part' };
    expect(showType({ allOf: [ref], nullable: true }, components)).toBe('Part | null');
    expect(showType({ ...ref, nullable: true }, components)).toBe('Part | null');
    expect(showType({ anyOf: [ref, { type: 'null' }], description: 'x' }, components)).toBe('Part | null');
  });
});

describe('objects', () => {
  test.each<[JsonValue, string]>([
    [{ type: 'object' }, '{ [key: string]: unknown }'],
    [{ type: 'object', properties: {} }, '{ [key: string]: unknown }'],
    [{ type: 'object', additionalProperties: true }, '{ [key: string]: unknown }'],
    [{ type: 'object', additionalProperties: false }, '{ [key: string]: never }'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, '{ [key: string]: string }'],
    [{ properties: a }, '{ a?: string } | null | boolean | number | string | unknown[]'],
    [{ type: 'object', properties: a, required: ['a'] }, '{ a: string }'],
    [{ type: 'object', properties: { a: { type: 'string', default: 'x' } } }, '{ a?: string }'],
    [{ type: 'object', properties: a, additionalProperties: false }, '{ a?: string }'],
    [{ type: 'object', properties: a, additionalProperties: true }, '{ a?: string; [key: string]: unknown }'],
    [{ type: 'object', properties: a, additionalProperties: {} }, '{ a?: string; [key: string]: unknown }'],
    [
      { type: 'object', properties: a, additionalProperties: { type: 'number' } },
      '{ a?: string; [key: string]: number | string | undefined }',
    ],
    [{ type: 'object', required: ['x'] }, '{ x: unknown; [key: string]: unknown }'],
    [{ type: 'object', required: ['x'], additionalProperties: false }, 'never'],
    [{ type: 'object', properties: { 'a-b': {}, __proto__x: {} } }, '{ "a-b"?: unknown; __proto__x?: unknown }'],
    [
      { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      '{ [key: `x-$' + '{string}`]: string }',
    ],
    ...['^(.*)$', '.*', ''].map((name): [JsonValue, string] => [
      { type: 'object', patternProperties: { [name]: { type: 'string' } } },
      '{ [key: string]: string }',
    ]),
    [{ type: 'object', properties: { ...a, c: false } }, '{ a?: string; c?: never }'],
    [{ type: 'object', properties: a, not: { required: ['b'] } }, '{ a?: string; b?: never }'],
  ])('the schema %j becomes the type %s', (schema, type) => expect(showType(schema)).toBe(type));

  test('prints a member called __proto__ like any other', () => {
    expect(showType(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'))).toBe(
      '{ __proto__?: string }',
    );
  });
});

describe('arrays', () => {
  test.each<[JsonValue, string]>([
    [{ type: 'array' }, 'unknown[]'],
    [{ type: 'array', items: { type: 'string' }, minItems: 3, maxItems: 3 }, 'string[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string?, number?, ...unknown[]]'],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' }, minItems: 3 },
      '[string, number, number, ...number[]]',
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' }, minItems: 1, maxItems: 3 },
      '[string, number?, number?]',
    ],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: [{ type: 'number' }], maxItems: 1 }, '[string?]'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], minItems: 3, maxItems: 2 }, 'never'],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, items: false },
      '[string, number]',
    ],
    [{ type: 'array', prefixItems: [{ type: 'string' }], minItems: 1, maxItems: 1 }, '[string]'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'null' } }, '[string?, ...null[]]'],
    [{ type: 'array', items: [{ type: 'string' }], additionalItems: false }, '[string?]'],
    [{ type: 'array', items: { 0: { type: 'string' }, 1: { type: 'string' } } }, 'unknown[]'],
    [{ type: 'array', items: false }, '[]'],
  ])('the schema %j becomes the type %s', (schema, type) => expect(showType(schema)).toBe(type));
});

describe('combinations', () => {
  test.each<[JsonValue, string]>([
    [{ allOf: [{ type: 'object', properties: a }, { required: ['a'] }] }, '{ a: string }'],
    [
      {
        allOf: [
          { type: 'object', properties: a },
          { type: 'object', properties: b },
        ],
      },
      '{ a?: string; b?: number }',
    ],
    [
      {
        allOf: [
          { type: 'object', properties: a, additionalProperties: false },
          { type: 'object', required: ['b'] },
        ],
      },
      'never',
    ],
    [{ allOf: [{ type: 'string' }, { enum: ['a', 3] }] }, '"a"'],
    [{ allOf: [{ type: 'string' }, { type: 'number' }] }, 'never'],
    [
      { allOf: [{ properties: a }, { properties: b }], unevaluatedProperties: false, type: 'object' },
      '{ a?: string; b?: number }',
    ],
    [
      // Three of the four combinations require `b`, so the one that only requires `b` covers the other two.
      { type: 'object', allOf: ['a', 'c'].map((one) => ({ anyOf: [{ required: [one] }, { required: ['b'] }] })) },
      '{ a: unknown; c: unknown; [key: string]: unknown } | { b: unknown; [key: string]: unknown }',
    ],
    [{ type: 'integer', anyOf: [{ minimum: 1 }, { enum: [-1] }] }, '(number & {}) | -1'],
    [{ type: 'integer', anyOf: [{ description: 'x' }, { properties: a }] }, 'number'],
    [{ anyOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, '(string & {}) | "a" | "b"'],
    [{ oneOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, '(string & {}) | "a" | "b"'],
    [{ oneOf: ['uri', 'byte'].map((format) => ({ type: 'string', format })) }, 'string'],
    [
      { type: 'object', properties: { ...a, ...b }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{ a: string; b?: number } | { a?: string; b: number }',
    ],
    [
      { type: 'object', properties: { ...a, ...b }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{ a: string; b?: never } | { a?: never; b: number }',
    ],
    [
      {
        oneOf: [
          { type: 'object', properties: a, required: ['a'] },
          { type: 'object', properties: b, required: ['b'] },
        ],
      },
      '{ a: string; b?: never } | { b: number; a?: never }',
    ],
    [
      {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'x' }, ...a }, required: ['kind'] },
          { type: 'object', properties: { kind: { const: 'y' }, ...b }, required: ['kind'] },
        ],
      },
      '{ kind: "x"; a?: string } | { kind: "y"; b?: number }',
    ],
    [{ oneOf: [{ type: 'string' }, { type: 'object', properties: a }] }, 'string | { a?: string }'],
    [{ oneOf: [{ type: ['string', 'null'] }, { type: ['number', 'null'] }] }, 'string | number'],
    [
      {
        anyOf: [
          { type: 'object', properties: a, additionalProperties: false },
          { type: 'object', properties: b, additionalProperties: false },
        ],
      },
      '{ a?: string; b?: never } | { b?: number; a?: never }',
    ],
  ])('the schema %j becomes the type %s', (schema, type) => expect(showType(schema)).toBe(type));

  test('reads conditions within allOf together with their siblings', () => {
    const mode = { enum: ['url', 'file'] };
    const when = (value: string, name: string) => ({
      if: { properties: { mode: { const: value } } },
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
      then: { required: [name] },
    });
    const properties = { mode, url: { type: 'string' }, file: { type: 'string' } };
    const schema = {
      type: 'object',
      properties,
      required: ['mode'],
      allOf: [when('url', 'url'), when('file', 'file')],
    };
    expect(showType(schema)).toBe(
      '{ mode: "file"; url?: string; file: string } | { mode: "url"; url: string; file?: string }',
    );
  });

  test('an alternative with only optional members accepts keys of the other alternatives', () => {
    const weak = { type: 'object', properties: a };
    const strict = { type: 'object', properties: b, required: ['b'] };
    expect(showType({ anyOf: [weak, strict] })).toBe('{ a?: string; b?: unknown } | { b: number }');
    expect(showType({ anyOf: [weak, { type: 'null' }] })).toBe('{ a?: string } | null');
    expect(showType({ anyOf: [weak, { ...strict, additionalProperties: true }] })).toBe(
      '{ a?: string; [key: string]: unknown } | { b: number; [key: string]: unknown }',
    );
    const components = { Weak: weak, Strict: strict };
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(showType({ anyOf: [ref('Weak'), ref('Strict')] }, components)).toBe('(Weak & { b?: unknown }) | Strict');
    const opened = { anyOf: [ref('Weak'), { ...strict, additionalProperties: true }] };
    expect(showType(opened, components)).toBe(
      '(Weak & { [key: string]: unknown }) | { b: number; [key: string]: unknown }',
    );
  });

  test('keeps the name of a referenced object if a not forbids a member', () => {
    const components = { Named: { type: 'object', properties: a, required: ['a'] } };
    const ref = { $ref: '#/components/schemas/Named' };
    expect(showType({ ...ref, not: { required: ['b'] } }, components)).toBe('Named & { b?: never }');
    expect(showType({ type: 'string', not: { minLength: 2 } })).toBe('string');
  });

  test('prints sixty alternatives that each require one key and exclude the others', () => {
    const names = Array.from({ length: 60 }, (_, index) => `key${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const oneOf = names.map((name) => ({ required: [name] }));
    expect(showType({ type: 'object', properties, oneOf }).match(/\?: never/g)).toHaveLength(60 * 59);
  });
});

describe('lists', () => {
  const list = (more: JsonObject, items: JsonObject = { type: 'string' }): JsonObject => ({
    type: 'array',
    items,
    ...more,
  });
  const long: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, {}])),
  };

  test.each([
    [list({ minItems: 3, maxItems: 3 }), '[string, string, string]'],
    [list({ minItems: 1 }), '[string, ...string[]]'],
    [list({ minItems: 4, maxItems: 5 }), '[string, ...string[]]'],
    [list({ minItems: 1, maxItems: 1 }, list({ minItems: 2, maxItems: 2 })), '[[string, string]]'],
    [list({ minItems: 9, maxItems: 9 }, { type: 'number' }), '[number, ...number[]]'],
    [list({ maxItems: 3 }), 'string[]'],
  ])('the array schema %j becomes the type %s in outputs, and a plain array in inputs', (schema, type) => {
    expect(showOutput(schema)).toBe(type);
    expect(showType(schema)).toMatch(/^(?:string|number|string\[\])\[\]$/);
  });

  test('prints an array with a fixed length as a plain array if its item type is long', () => {
    expect(showOutput(list({ minItems: 2, maxItems: 2 }, long))).toMatch(/^\{.*\}\[\]$/);
  });

  test('prints an array of an output as a plain array if an input shares its definition', () => {
    const components = { Pair: list({ minItems: 2, maxItems: 2 }), Own: list({ minItems: 1 }) };
    const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const output = { type: 'object', properties: { a: to('Pair'), b: to('Own') } };
    expect(showOutput(output, components, list({}, to('Pair')))).toBe(
      '{ a?: Pair; b?: Own }; Own = [string, ...string[]]; Pair = string[]',
    );
  });
});

test.each([
  [{ oneOf: [{ type: 'string' }, { type: ['string', 'number'] }] }, 'number'],
  [{ oneOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, '"a" | "c"'],
  [{ oneOf: [{ type: 'boolean' }, { const: true }] }, 'false'],
  [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
])('omits scalars that two branches of a oneOf accept: the schema %j becomes the type %s', (schema, type) => {
  expect(showType(schema)).toBe(type);
});
