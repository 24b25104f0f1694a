import { expect, test } from 'vitest';
import { defaultBrand, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { makeOtherInput, readDiscoveredModel } from './discovered-model.ts';

const json = { 'application/json': { schema: { type: 'object' } } };
type Parts = { schema?: JsonValue; media?: JsonObject; outputs?: JsonObject; authored?: boolean; schemas?: JsonObject };

function createDocument({
  schema = { type: 'object' },
  media = {},
  outputs = json,
  authored = true,
  schemas = {},
}: Parts): JsonObject {
  return {
    openapi: '3.0.4',
    'x-service-input-schema-authored': authored,
    paths: {
      '/v2/models/a/b': {
        post: {
          requestBody: { content: { 'application/json': { schema, ...media } } },
          responses: { '200': { description: 'ok', content: outputs } },
        },
      },
    },
    components: { schemas },
  };
}
const prompt: JsonObject = {
  type: 'object',
  properties: { prompt: { type: 'string', minLength: 3 } },
  required: ['prompt'],
};

test.each<{ name: string; given: Parts; want: string | undefined; input: object }>([
  {
    name: 'a sample without readOnly members',
    given: {
      schema: {
        type: 'object',
        properties: { id: { type: 'string', readOnly: true }, prompt: { type: 'string', enum: ['a cat'] } },
        required: ['id', 'prompt'],
        additionalProperties: false,
      },
    },
    want: 'authored',
    input: { prompt: 'a cat' },
  },
  {
    name: 'the example of the document',
    given: { schema: prompt, media: { example: { prompt: 'a cat' } } },
    want: 'authored',
    input: { prompt: 'a cat' },
  },
  {
    name: 'a sample, because the example is not valid',
    given: { schema: prompt, media: { example: { prompt: 1 } } },
    want: 'authored',
    input: { prompt: expect.any(String) },
  },
  {
    name: 'a sample through a reference',
    given: { schema: { $ref: '#/components/schemas/In' }, schemas: { In: prompt } },
    want: 'authored',
    input: { prompt: expect.any(String) },
  },
  { name: 'any object, because the input is unauthored', given: { authored: false }, want: 'unauthored', input: {} },
  {
    name: 'a binary output',
    given: { outputs: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
    want: 'binary',
    input: {},
  },
  {
    name: 'an unauthored output',
    given: { outputs: { '*/*': { schema: { type: 'object' } } } },
    want: undefined,
    input: {},
  },
])('classifies a model and selects its input ($name): $want', ({ given, want, input }) => {
  const reading = readDiscoveredModel('a/b', createDocument(given), defaultBrand);
  expect(reading).toMatchObject({ kind: 'usable', serves: want, model: { input, path: '/v2/models/a/b' } });
});

test('generates an invalid input, unless the schema accepts every change', () => {
  const authored = readDiscoveredModel('a/b', createDocument({ schema: prompt }), defaultBrand);
  expect(authored).toMatchObject({ model: { invalidInput: {} } });
  expect(readDiscoveredModel('a/b', createDocument({}), defaultBrand)).toMatchObject({
    model: { invalidInput: undefined },
  });
});

test.each([
  { name: 'a number', input: { seed: 7 }, want: { seed: 8 } },
  { name: 'a number that does not change by adding 1', input: { seed: 2 ** 53 }, want: { seed: 2 ** 52 } },
  { name: 'no member that can be changed', input: {}, want: { note_of_another_call: 'changed' } },
])('generates a second input whose bytes differ from an input with $name', ({ input, want }) => {
  const reading = readDiscoveredModel('a/b', createDocument({ media: { example: input } }), defaultBrand);
  expect(reading.kind === 'usable' && makeOtherInput(reading.model)).toEqual(want);
});

test.each<{ name: string; given: JsonValue; want: string }>([
  { name: 'a list', given: [], want: 'not an object' },
  { name: 'a document without operations', given: {}, want: 'no POST operation' },
  {
    name: 'a dangling reference',
    given: createDocument({ schema: { $ref: '#/components/schemas/None' } }),
    want: 'reference-dangling',
  },
  {
    name: 'a schema that no value satisfies',
    given: createDocument({ schema: { type: 'object', required: ['a'], maxProperties: 0 } }),
    want: 'no valid input',
  },
])('reports $name as unusable', ({ given, want }) => {
  expect(readDiscoveredModel('a/b', given, defaultBrand)).toMatchObject({
    kind: 'unusable',
    because: expect.stringContaining(want),
  });
});
