import { describe, expect, test } from 'vitest';
import { compileSchema, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { listWrongValues } from './wrong-values.ts';

const entry: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 4 } },
};
const root: JsonObject = { schemas: { entry } };
const entryRef = { $ref: '#/schemas/entry' };

function applyTo(schema: JsonObject, body: JsonValue): Record<string, JsonValue | undefined> {
  return Object.fromEntries(listWrongValues(schema, root).map(({ name, change }) => [name, change(body)]));
}

test('the list of wrong values is limited for a recursive schema and for very many members', () => {
  const node = {
    anyOf: [{ $ref: '#/node' }, { allOf: [{ $ref: '#/node' }] }],
    properties: { next: { $ref: '#/node' } },
  };
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`m${index}`, { maxLength: 1e9 }]));
  expect(listWrongValues({ $ref: '#/node' }, { node })).toEqual([]);
  const values = listWrongValues({ properties: many }, {});
  expect(values.length).toBeLessThan(500);
  expect(values.map(({ change }) => change({ m1: 'a' }))).not.toContain(expect.anything());
});

test('wrong values violate each constraint of each location once', () => {
  const schema = { type: 'object', properties: { data: { type: 'array', maxItems: 2, items: entryRef } } };
  expect(applyTo(schema, { data: [{ id: 'abc' }, { id: 'd' }] })).toEqual({
    'body null': null,
    'body a text': 'text',
    'body an array': [],
    '/data null': { data: null },
    '/data an object': { data: {} },
    '/data too many': { data: [{ id: 'abc' }, { id: 'd' }, { id: 'abc' }] },
    '/data/0 null': { data: [null, { id: 'd' }] },
    '/data/0 a text': { data: ['text', { id: 'd' }] },
    '/data/0 an array': { data: [[], { id: 'd' }] },
    '/data/0/id dropped': { data: [{}, { id: 'd' }] },
    '/data/0/id null': { data: [{ id: null }, { id: 'd' }] },
    '/data/0/id a number': { data: [{ id: 7 }, { id: 'd' }] },
    '/data/0/id malformed': { data: [{ id: 'Not ' }, { id: 'd' }] },
    '/data/0/id too short': { data: [{ id: 'a' }, { id: 'd' }] },
    '/data/0/id too long': { data: [{ id: 'abccc' }, { id: 'd' }] },
  });
});

const cases: readonly { name: string; schema: JsonObject; body: JsonValue; want: Record<string, JsonValue> }[] = [
  {
    name: 'sets an optional member',
    schema: { properties: { limit: { type: 'integer', minimum: 1, maximum: 9 } } },
    body: {},
    want: {
      '/limit null': { limit: null },
      '/limit a text': { limit: '7' },
      '/limit a fraction': { limit: 7.5 },
      '/limit too small': { limit: 0 },
      '/limit too large': { limit: 10 },
    },
  },
  {
    name: 'omits a value that the schema as a whole allows',
    schema: { properties: { word: { type: 'string', anyOf: [{ enum: ['a'] }, { type: 'string' }] } } },
    body: {},
    want: { '/word null': { word: null }, '/word a number': { word: 7 } },
  },
  {
    name: 'uses a value that only one of the allOf schemas allows',
    schema: {
      allOf: [
        { properties: { state: { enum: ['WAITING', 'DONE'] } } },
        { properties: { state: { enum: ['WAITING'] } } },
      ],
    },
    body: {},
    want: { '/state "NO_SUCH_WORD"': { state: 'NO_SUCH_WORD' }, '/state "DONE"': { state: 'DONE' } },
  },
  {
    name: 'adds a member with a forbidden name',
    schema: { propertyNames: { not: { const: 'error_type' } } },
    body: { a: 1 },
    want: { '/error_type added': { a: 1, error_type: 'invalid_input' } },
  },
  {
    name: 'changes members whose names match a pattern',
    schema: { patternProperties: { '^/': { properties: { flag: { type: 'boolean' } } } } },
    body: { '/a': {} },
    want: { '//^\\//u/flag null': { '/a': { flag: null } }, '//^\\//u/flag a text': { '/a': { flag: 'true' } } },
  },
];
test.each(cases)('a list of wrong values $name', ({ schema, body, want }) => {
  expect(applyTo(schema, body)).toEqual(want);
});

describe('a value that lacks the location', () => {
  test.each<{ body: JsonValue }>([{ body: 'text' }, { body: { data: [] } }, { body: {} }])(
    'no wrong value is derived from $body, which lacks the location',
    ({ body }) => {
      const schema = { type: 'object', properties: { data: { type: 'array', items: entryRef } } };
      const values = listWrongValues(schema, root).filter(({ name }) => name.startsWith('/data/0/id'));
      expect(values.map(({ change }) => change(body))).toEqual(values.map(() => undefined));
    },
  );
});

test('listing wrong values terminates for a schema that includes itself', () => {
  const tree: JsonObject = { type: 'object', properties: { next: { $ref: '#' } } };
  const values = listWrongValues({ $ref: '#' }, tree);
  const check = compileSchema(tree, { root: tree });
  expect(values.length).toBeGreaterThan(3);
  const body = { next: { next: {} } };
  expect(values.flatMap(({ change }) => change(body) ?? []).filter((changed) => check(changed).length === 0)).toEqual(
    [],
  );
});
