import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../specs/src/index.ts';
import { printType } from '../src/emit/print-type.ts';
import { modelDocument } from './fake-router.ts';
import { readModel } from './read-model.ts';

describe('the model operation', () => {
  test('reads an unauthored input as an open object, regardless of its schema (MR-SCH-31, MR-SCH-38)', () => {
    const root = { 'x-service-input-schema-authored': false };
    const { binding } = readModel(modelDocument('p/m', { root }));
    expect(printType(binding.input.type).text).toBe('{ [key: string]: unknown }');
    expect(binding.inputAuthored).toBe(false);
  });

  test.each([
    [
      'info',
      (document: JsonObject) => ({
        ...document,
        info: { title: 'x', version: '0', 'x-service-input-schema-authored': false },
      }),
    ],
    ['operation', (document: JsonObject) => ({ ...document, paths: withFlag(document['paths']) })],
  ])('finds the extension for authored inputs in the %s of the document', (_, place) => {
    const document = JSON.parse(JSON.stringify(modelDocument('p/m')));
    delete document['x-service-input-schema-authored'];
    expect(readModel(place(document)).binding.inputAuthored).toBe(false);
  });

  test.each<[string, object, string]>([
    ['JSON', { 'application/json': { schema: { type: 'string' } } }, 'string'],
    ['bytes', { 'audio/mpeg': { schema: { type: 'string', format: 'binary' } } }, 'Uint8Array'],
    ['several binary media types', { 'audio/mpeg': {}, 'audio/wav': {} }, 'Uint8Array'],
    ['text', { 'text/plain': { schema: { type: 'string' } } }, 'string'],
    [
      'binary format with a wildcard media type',
      { '*/*': { schema: { type: 'string', format: 'binary' } } },
      'Uint8Array | string',
    ],
    [
      'binary format in an allOf with a wildcard media type',
      { '*/*': { schema: { allOf: [{ type: 'string', format: 'binary' }], description: 'a file' } } },
      'Uint8Array | string',
    ],
    ['problem details', { 'application/problem+json': { schema: { type: 'number' } } }, 'number'],
    ['text with the format binary', { 'text/plain': { schema: { type: 'string', format: 'binary' } } }, 'string'],
    [
      'an object schema with a wildcard media type',
      { '*/*': { schema: { type: 'object' } } },
      '{ [key: string]: unknown } | string | Uint8Array',
    ],
    [
      'JSON or bytes',
      { 'application/json; charset=utf-8': { schema: { type: 'number' } }, 'image/png': {} },
      'number | Uint8Array',
    ],
    ['no described body', {}, 'unknown'],
  ])('creates the type of an output with %s (MR-RUN-28, MR-SCH-29, MR-SCH-35)', (_, content, type) => {
    const { binding } = readModel(modelDocument('p/m', { content }));
    expect(printType(binding.output.type).text).toBe(type);
    expect(binding.outputMediaTypes).toEqual(Object.keys(content));
  });

  test.each<[string, string[], string]>([
    [
      'application/json, even if another JSON media type is first',
      ['application/vnd.other+json', 'application/json; charset=utf-8'],
      '"1"',
    ],
    ['another JSON media type', ['multipart/form-data', 'application/vnd.other+json'], '"1"'],
    ['a wildcard media type', ['image/png', 'application/*'], '"1"'],
  ])('reads the input schema from %s', (_, mediaTypes, type) => {
    const document = JSON.parse(JSON.stringify(modelDocument('p/m')));
    const post = document.paths['/v2/models/p/m'].post;
    const member = (index: number) => ({ type: 'object', properties: { x: { enum: [`${index}`] } } });
    post.requestBody.content = Object.fromEntries(
      mediaTypes.map((mediaType, index) => [mediaType, { schema: member(index) }]),
    );
    expect(printType(readModel(document).binding.input.type).text).toBe(`{ x?: ${type} }`);
  });

  test('warns that the router accepts JSON if the input is only described with a different media type', () => {
    const document = (root: object) =>
      JSON.stringify(modelDocument('p/m', { root })).replace('application/json', 'multipart/form-data');
    const [warning, ...others] = readModel(document({})).diagnostics;
    expect(warning).toMatchObject({
      code: 'input-missing',
      pointer: '/paths/~1v2~1models~1p~1m/post/requestBody',
      message: expect.stringContaining('is only described as multipart/form-data'),
    });
    expect(others).toEqual([]);
    expect(readModel(document({ 'x-service-input-schema-authored': false })).diagnostics).toEqual([]);
  });

  test('reads extensions with the configured brand and ignores those with a different brand (MR-GEN-01)', () => {
    const root = { 'x-acme-input-schema-authored': false };
    expect(readModel(modelDocument('p/m', { root })).binding.inputAuthored).toBe(true);
    expect(readModel(modelDocument('p/m', { root }), 'Acme').binding.inputAuthored).toBe(false);
  });

  test('reads alternate providers from the extension and ignores malformed entries', () => {
    const root = { 'x-service-router-alt-providers': [{ provider: 'other', model_id: 'other/m' }, { nonsense: 1 }] };
    const { binding } = readModel(modelDocument('p/m', { root }));
    expect(binding.providers).toEqual({ default: 'p', alternates: [{ provider: 'other', modelId: 'other/m' }] });
  });
});

function withFlag(paths: JsonValue | undefined): JsonValue {
  return JSON.parse(
    JSON.stringify(paths).replace('"operationId"', '"x-service-input-schema-authored":false,"operationId"'),
  );
}
