import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json.ts';
import type { Side } from './canonical-schema.ts';
import { bundleJsonSchema } from './print-json-schema.ts';
import { compileSchema } from './schema-check.ts';
import { readSchema } from './schema-reader.ts';

const text = { type: 'string' };
const readOnly = { ...text, readOnly: true };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemas: JsonObject = {
  Base: { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } },
  Id: readOnly,
  Marked: { allOf: [ref('Base'), { properties: { id: { readOnly: true } } }] },
  Item: { type: 'object', required: ['id'], properties: { id: ref('Id'), next: ref('Item'), pass: secret() } },
};
const document: JsonObject = { openapi: '3.0.3', components: { schemas } };

function secret(): JsonObject {
  return { ...text, writeOnly: true };
}

function closed(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), ...more, unevaluatedProperties: false };
}

/** Each row: the location of the mark, the schema, a value that only inputs accept, and one that only outputs accept. */
const rows: [string, JsonValue, JsonValue, JsonValue][] = [
  ['in a member', closed({ a: readOnly, b: secret() }), { b: 'x' }, { a: 'x' }],
  ['behind a reference', closed({ a: ref('Id'), b: text }), { b: 'x' }, { a: 'x', b: 'x' }],
  [
    'in an allOf of the member',
    closed({ a: { allOf: [text, { readOnly: true }] }, b: text }),
    { b: 'x' },
    { a: 'x', b: 'x' },
  ],
  [
    'as null next to an enum that does not list it',
    closed({ a: { enum: ['x'], nullable: true }, b: secret() }),
    { a: 'x', b: 'x' },
    { a: null },
  ],
  [
    'as null of a constant',
    closed({ a: { const: 'x', nullable: true }, b: secret() }),
    { a: 'x', b: 'x' },
    { a: null },
  ],
  ['in a nullable member', closed({ a: { ...readOnly, nullable: true }, b: secret() }), { b: 'x' }, { a: 'x' }],
  [
    'in every branch of the member',
    closed({ a: { anyOf: [readOnly, { type: 'integer', readOnly: true }] } }),
    {},
    { a: 1 },
  ],
  [
    'in another schema of the value',
    { unevaluatedProperties: false, allOf: [ref('Marked')] },
    { name: 'x' },
    { id: 'x', name: 'x' },
  ],
  [
    'next to the schema that requires it',
    { ...closed({ b: secret() }), allOf: [ref('Base'), { properties: { id: { readOnly: true } } }] },
    { name: 'x', b: 'x' },
    { id: 'x', name: 'x' },
  ],
  [
    'in items of items',
    { type: 'array', items: { type: 'array', items: closed({ a: readOnly, b: secret() }) } },
    [[{ b: 'x' }]],
    [[{ a: 'x' }]],
  ],
  [
    'in a branch of a union',
    { oneOf: [closed({ a: readOnly, k: { const: 1 } }), closed({ b: secret(), k: { const: 2 } })] },
    { k: 1 },
    { k: 2 },
  ],
  [
    'in a recursive definition',
    closed({ item: { ...ref('Item'), unevaluatedProperties: false } }),
    { item: { pass: 'x', next: { next: {} } } },
    { item: { id: 'x', next: { id: 'x' } } },
  ],
  [
    'in a member that others depend on',
    closed(
      { a: { type: 'integer', readOnly: true } },
      { properties: { b: text, a: { readOnly: true } }, dependentRequired: { b: ['a'] } },
    ),
    { b: 'x' },
    { a: 1, b: 'x' },
  ],
];

describe.each<[string, (schema: JsonValue, side: Side) => (value: JsonValue) => boolean]>([
  [
    'the canonical schema',
    (schema, side) => {
      const { schema: canonical, definitions } = readSchema(document, schema, side);
      return acceptsAs(bundleJsonSchema(canonical, definitions));
    },
  ],
  ['the raw schema', (schema, side) => acceptsAs(schema, side)],
])('input and output forms of %s', (_, acceptsOn) => {
  test.each(rows)('inputs lack readOnly and outputs lack writeOnly members marked %s', (__, schema, input, output) => {
    const verdicts = (value: JsonValue) => [acceptsOn(schema, 'input')(value), acceptsOn(schema, 'output')(value)];
    expect([verdicts(input), verdicts(output)]).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('keeps conditions and negations unchanged when it removes readOnly or writeOnly members', () => {
    const schema = { type: 'object', properties: { a: readOnly }, not: { required: ['a'] } };
    expect([{}, { a: 1 }].map(acceptsOn(schema, 'input'))).toEqual([true, false]);
  });
});

function acceptsAs(schema: JsonValue, side?: Side): (value: JsonValue) => boolean {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
    throw new Error('no schema');
  const root = side === undefined && typeof schema === 'object' ? schema : document;
  const check = compileSchema(schema, { root: { ...root, openapi: '3.0.3' }, ...(side && { side }) });
  return (value) => check(value).length === 0;
}

test('keeps one definition if it is the same for inputs and outputs', () => {
  const both = { type: 'object', properties: { a: readOnly, b: ref('Base') } };
  const { definitions } = readSchema(document, both, 'input');
  expect([...definitions.keys()]).toEqual(['/components/schemas/Base']);
});

test('splits a large document of 3,000 definitions that each have a readOnly member', () => {
  const count = 3000;
  const names = Array.from({ length: count }, (_, index) => `D${index}`);
  const large = {
    components: {
      schemas: Object.fromEntries([
        ...names.map((name) => [name, { properties: { [name]: { readOnly: true }, next: ref('All') } }]),
        ['All', { anyOf: names.map(ref) }],
      ]),
    },
  };
  const { definitions } = readSchema(large, ref('All'), 'input');
  expect([...definitions.keys()].join()).toContain('D2999');
});
