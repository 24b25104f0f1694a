import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json.ts';
import { readModelOperation } from './model-operation.ts';

const json = (schema: JsonValue): JsonObject => ({ content: { 'application/json': { schema } } });
const post = (more: JsonObject = {}): JsonObject => ({ post: { responses: {}, ...more } });

describe('readModelOperation', () => {
  test.each<[string, JsonObject, string | undefined]>([
    ['the only operation', { '/elsewhere': post({ summary: 'a' }) }, 'a'],
    ['the operation at the path of the model', { '/x': post(), '/v2/models/p/m': post({ summary: 'a' }) }, 'a'],
    ['the operation at an encoded path', { '/x': post(), '/v2/models/p/m%20n': post({ summary: 'a' }) }, 'a'],
    ['no operation if several exist and none has the path of the model', { '/x': post(), '/y': post() }, undefined],
    ['no operation in a document without POST', { '/x': { get: {} } }, undefined],
  ])('readModelOperation finds %s', (_, paths, summary) => {
    const id = Object.keys(paths).some((path) => path.includes('%20')) ? 'p/m n' : 'p/m';
    expect(readModelOperation({ paths }, id)?.place.post.value['summary']).toBe(summary);
  });

  test('follows references to the path, the body, the response and an example', () => {
    const root = {
      paths: { '/m': { $ref: '#/components/pathItems/Run' } },
      components: {
        pathItems: { Run: post({ requestBody: { $ref: '#/b' }, responses: { 200: { $ref: '#/r' } } }) },
        examples: { One: { value: { a: 1 } } },
      },
      b: json({ type: 'object' }),
      r: { content: { 'image/png': { examples: { one: { $ref: '#/components/examples/One' } } } } },
    };
    expect(readModelOperation(root)).toMatchObject({
      input: {
        mediaType: 'application/json',
        schema: { type: 'object' },
        pointer: '/b/content/application~1json/schema',
      },
      outputs: [{ mediaType: 'image/png', schema: undefined, examples: [{ a: 1 }] }],
    });
  });

  test.each<[string[], string | undefined]>([
    [['text/plain', 'application/vnd.x+json', 'application/json; charset=utf-8'], 'application/json; charset=utf-8'],
    [['*/*', 'application/vnd.x+json'], 'application/vnd.x+json'],
    [['text/plain', '*/*'], '*/*'],
    [['text/plain'], undefined],
  ])('chooses among the request media types %j: %s', (types, taken) => {
    const content = Object.fromEntries(types.map((type) => [type, {}]));
    const root = { paths: { '/m': post({ requestBody: { content } }) } };
    expect(readModelOperation(root)?.input?.mediaType).toBe(taken);
  });

  test.each<[string[], string | undefined]>([
    [['201', '200', 'default'], '200'],
    [['201', '2XX'], '2XX'],
    [['404', '202', '201'], '201'],
    [['default'], undefined],
  ])('chooses among the responses %j: %s', (statuses, taken) => {
    const responses = Object.fromEntries(statuses.map((status) => [status, json({ title: status })]));
    expect(readModelOperation({ paths: { '/m': post({ responses }) } })?.outputs[0]?.schema).toEqual(
      taken === undefined ? undefined : { title: taken },
    );
  });

  test('searches for an extension in the root, then in info, in the operation and in the objects around it', () => {
    const paths = { '/m': post({ 'x-a': 'operation', 'x-b': 'operation', 'x-c': 'operation' }) };
    const root = { 'x-a': 'root', info: { 'x-a': 'info', 'x-b': 'info' }, paths };
    const found = readModelOperation(root);
    expect(['x-a', 'x-b', 'x-c', 'x-d'].map((key) => found?.extension(key))).toEqual([
      'root',
      'info',
      'operation',
      undefined,
    ]);
    const schema = { $ref: '#/components/schemas/Input' };
    const body = { 'x-b': 'body', 'x-c': 'body', content: { 'application/json': { 'x-c': 'media', schema } } };
    const within = readModelOperation({
      paths: { '/m': { 'x-a': 'path', ...post({ requestBody: { $ref: '#/components/requestBodies/Input' } }) } },
      components: { requestBodies: { Input: body }, schemas: { Input: { 'x-d': 'schema' } } },
    });
    expect(['x-a', 'x-b', 'x-c', 'x-d'].map((key) => within?.extension(key))).toEqual([
      'path',
      'body',
      'body',
      'schema',
    ]);
  });
});
