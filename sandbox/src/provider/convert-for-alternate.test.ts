import { expect, test } from 'vitest';
import { defaultBrand, type JsonObject } from '../../../specs/src/index.ts';
import { droppedParamsHeader } from '../model-router/replies.ts';
import { parseModelDocument } from '../models/served-model.ts';
import { convertInput, convertOutput } from './provider.ts';

test('the conversion for an alternate supports references, allOf and OpenAPI 3.0 keywords in input and output schemas', () => {
  const json = (schema: JsonObject) => ({ content: { 'application/json': { schema } } });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas: JsonObject = {
    Mode: { type: 'string', enum: ['fast', null], nullable: true },
    Input: {
      allOf: [{ type: 'object', properties: { mode: ref('Mode') } }, { properties: { n: { type: 'integer' } } }],
    },
    Output: {
      type: 'object',
      properties: { files: { type: 'array', items: ref('File') } },
      additionalProperties: false,
    },
    File: { type: 'object', required: ['url'], properties: { url: { type: 'string' } }, additionalProperties: false },
  };
  const post = { requestBody: json(ref('Input')), responses: { 200: { description: '', ...json(ref('Output')) } } };
  const document = parseModelDocument(
    { openapi: '3.0.4', paths: { '/m': { post } }, components: { schemas } },
    defaultBrand,
  );
  expect(convertInput({ mode: null, n: 1 }, document)).toEqual({ input: { mode: null, n: 1 }, dropped: [] });
  expect(convertInput({ mode: 'slow', n: 1.5 }, document).dropped).toHaveLength(2);
  expect(convertOutput({ files: [{ url: 'u', size: 1 }], took: 3 }, document)).toEqual({ files: [{ url: 'u' }] });
  expect(convertOutput({ files: [{ size: 1 }] }, document)).toBeUndefined();
});

const parseSentences = (header: string): string[] => {
  const value: unknown = JSON.parse(header);
  return Array.isArray(value) ? value.map(String) : [];
};

test.each([
  ['non-ASCII letters and a line break', ['naïve, "größe"\n dropped 🙂'], 1],
  ['64 short sentences', Array.from({ length: 64 }, (_, index) => `f${index} x`), 64],
  ['65 short sentences', Array.from({ length: 65 }, (_, index) => `f${index} x`), 64],
  ['many long sentences', Array.from({ length: 100 }, (_, index) => `${index}${'y'.repeat(400)}`), undefined],
  ['long words in other scripts', Array.from({ length: 9 }, () => '𝄞ж'.repeat(200)), undefined],
])('the header about dropped fields fits %s into 4096 characters', (_, dropped, count) => {
  const header = droppedParamsHeader(dropped);
  expect(header.length).toBeLessThanOrEqual(4096);
  expect(header).toMatch(/^[\x20-\x7e]*$/);
  const sentences = parseSentences(header);
  if (count !== undefined) expect(sentences).toHaveLength(count);
  expect(sentences.length).toBeLessThanOrEqual(64);
  for (const sentence of sentences) {
    expect(Buffer.byteLength(sentence)).toBeLessThanOrEqual(300);
    expect(sentence).not.toMatch(/\ufffd/);
  }
  if (dropped.length === 1) expect(sentences).toEqual(dropped);
  if (sentences.length < dropped.length) {
    expect(sentences.at(-1)).toBe(`${dropped.length - sentences.length + 1} more fields were dropped.`);
  }
});
