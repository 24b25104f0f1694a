import { expect, test } from 'vitest';
import { defaultBrand, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type ServedModel, serveModel } from './served-model.ts';
import { createValidationEntries } from './validation-entries.ts';

function serve(schema: JsonObject): ServedModel {
  const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} };
  const document = { openapi: '3.1.0', paths: { '/v2/models/p/m': { post } } };
  return serveModel(
    { id: 'p/m', billing: 'no', bytes: new TextEncoder().encode(JSON.stringify(document)) },
    defaultBrand,
  );
}
function listEntries(model: ServedModel, input: JsonObject) {
  return createValidationEntries(model.document()?.input?.check(input) ?? [], input);
}

const model = serve({
  type: 'object',
  required: ['prompt'],
  additionalProperties: false,
  properties: {
    prompt: { type: 'string', minLength: 2 },
    steps: { type: 'integer', minimum: 1, maximum: 50, multipleOf: 5 },
    style: { enum: ['plain', 'rich'] },
    shots: { type: 'array', items: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } },
    'a/b~c': { type: 'boolean' },
    '0': { type: 'string' },
  },
});
const valid = { prompt: 'fog' };

// scripts/tests/equal-failures.test.ts compares further failures with those of the client.
test.each<[string, JsonObject, JsonObject]>([
  ['a short text', { prompt: 'x' }, { loc: ['prompt'], type: 'string_too_short', ctx: { min_length: 2 }, input: 'x' }],
  ['a field of a list item', { ...valid, shots: [{ text: 'a' }, {}] }, { loc: ['shots', 1, 'text'], type: 'missing' }],
  ['a name with a slash and a tilde', { ...valid, 'a/b~c': 1 }, { loc: ['a/b~c'], type: 'boolean_type', input: 1 }],
  ['a name that looks like an index', { ...valid, '0': 1 }, { loc: ['0'], type: 'string_type', input: 1 }],
  [
    'a field that violates two constraints',
    { ...valid, steps: 53 },
    { loc: ['steps'], type: 'less_than_equal', input: 53 },
  ],
])('a 422 has one entry for %s', (_, input, entry) => {
  expect(listEntries(model, input)).toMatchObject([entry]);
});

test.each([{ propertyName: 'kind' }, { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } }])(
  'accepts a value that several branches of a oneOf accept if it has the discriminator %j',
  (discriminator) => {
    const branch = (name: string): JsonObject => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, [name]: { type: 'integer' } },
    });
    const union = serve({ discriminator, oneOf: [branch('lives'), branch('age')] });
    expect(listEntries(union, { kind: 'cat', lives: 9 })).toEqual([]);
    expect(listEntries(union, { lives: 9 })).toMatchObject([{ loc: ['kind'], type: 'missing' }]);
  },
);

test('an entry of a 422 omits ctx if there is no bound, and input if it is missing, too long or not JSON', () => {
  expect(listEntries(model, {})[0]).not.toHaveProperty('ctx');
  expect(listEntries(model, {})[0]).not.toHaveProperty('input');
  expect(listEntries(model, { prompt: null })[0]).toMatchObject({ input: null });
  expect(listEntries(model, { ...valid, steps: Number('1e999') })[0]).not.toHaveProperty('input');
  expect(listEntries(model, { prompt: [Number('-1e999')] })[0]).not.toHaveProperty('input');
  expect(listEntries(model, { prompt: ['x'.repeat(996)] })[0]).toHaveProperty('input');
  expect(listEntries(model, { prompt: ['x'.repeat(997)] })[0]).not.toHaveProperty('input');
});

test('a 422 has at most a thousand entries and a million characters', () => {
  const shots = (count: number): JsonValue => Array.from({ length: count }, () => ({}));
  expect([400, 1_000, 2_000].map((count) => listEntries(model, { ...valid, shots: shots(count) }).length)).toEqual([
    400, 1_000, 1_000,
  ]);
  const wide = serve({ additionalProperties: { enum: Array.from({ length: 5_000 }, (_, at) => `word-${at}`) } });
  const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`m${at}`, 1]));
  const entries = listEntries(wide, members);
  expect(entries.length).toBeGreaterThan(0);
  expect(JSON.stringify(entries).length).toBeLessThan(1_200_000);
});
