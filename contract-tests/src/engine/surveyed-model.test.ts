import { expect, test } from 'vitest';
import { compileSchema, defaultBrand, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { sampleValue } from './sample-value.ts';
import { readSurveyedModel } from './surveyed-model.ts';

const json = { 'application/json': { schema: { type: 'object' } } };
type Parts = { schema?: JsonValue; media?: JsonObject; outputs?: JsonObject; authored?: boolean; schemas?: JsonObject };

function documentOf({
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

test.each<{ name: string; given: Parts; want: string | undefined; input: JsonObject }>([
  {
    name: 'the example of the document',
    given: { schema: prompt, media: { example: { prompt: 'a cat' } } },
    want: 'authored',
    input: { prompt: 'a cat' },
  },
  {
    name: 'a sample where the example is not valid',
    given: { schema: prompt, media: { example: { prompt: 1 } } },
    want: 'authored',
    input: { prompt: 'sample' },
  },
  {
    name: 'a sample through a reference',
    given: { schema: { $ref: '#/components/schemas/In' }, schemas: { In: prompt } },
    want: 'authored',
    input: { prompt: 'sample' },
  },
  { name: 'any object for an unauthored input', given: { authored: false }, want: 'unauthored', input: {} },
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
])('$name: $want', ({ given, want, input }) => {
  const reading = readSurveyedModel('a/b', documentOf(given), defaultBrand);
  expect(reading).toMatchObject({ kind: 'usable', serves: want, model: { input, path: '/v2/models/a/b' } });
});

test('an invalid input is one that the schema refuses, and none is invented when it accepts all', () => {
  const authored = readSurveyedModel('a/b', documentOf({ schema: prompt }), defaultBrand);
  expect(authored).toMatchObject({ model: { invalidInput: {} } });
  expect(readSurveyedModel('a/b', documentOf({}), defaultBrand)).toMatchObject({ model: { invalidInput: undefined } });
});

test.each<{ name: string; given: JsonValue; want: string }>([
  { name: 'a list', given: [], want: 'no object' },
  { name: 'a document without operations', given: {}, want: 'no POST operation' },
  { name: 'a dangling reference', given: documentOf({ schema: { $ref: '#/components/schemas/None' } }), want: 'None' },
  {
    name: 'a schema nothing satisfies',
    given: documentOf({ schema: { type: 'object', required: ['a'], maxProperties: 0 } }),
    want: 'no valid input',
  },
])('$name is unusable, not an error', ({ given, want }) => {
  expect(readSurveyedModel('a/b', given, defaultBrand)).toMatchObject({
    kind: 'unusable',
    because: expect.stringContaining(want),
  });
});

test.each<{ schema: JsonObject }>([
  { schema: { type: 'integer', minimum: 3, multipleOf: 5 } },
  { schema: { type: 'number', exclusiveMinimum: 1, maximum: 9 } },
  { schema: { type: 'number', maximum: -2 } },
  { schema: { type: 'string', minLength: 20, maxLength: 25 } },
  { schema: { type: 'array', items: { type: 'boolean' }, minItems: 2 } },
  { schema: { oneOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }, { type: 'null' }] } },
  { schema: { allOf: [prompt, { properties: { size: { enum: ['s', 'm'] } }, required: ['size'] }] } },
  { schema: { type: ['null', 'string'], format: 'uri' } },
])('the sample of $schema is valid', ({ schema }) => {
  expect(compileSchema(schema, { root: {} })(sampleValue(schema, {}))).toEqual([]);
});

test('a schema that refers to itself has a sample', () => {
  const root = {
    components: {
      schemas: {
        Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } }, required: ['next'] },
      },
    },
  };
  expect(sampleValue({ $ref: '#/components/schemas/Node' }, root)).toHaveProperty('next.next');
});
