import { expect, test } from 'vitest';
import { defaultBrand } from '../../../specs/src/index.ts';
import { convertInput, droppedParamsHeader } from './convert-for-alternate.ts';
import { parseModelDocument } from './model-document.ts';

const alternate = parseModelDocument(
  {
    paths: {
      '/v2/models/b/m': {
        post: {
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { prompt: { type: 'string' }, steps: { type: 'integer', maximum: 20 } },
                },
              },
            },
          },
        },
      },
    },
  },
  defaultBrand,
);

test('keeps the fields that the alternate has and whose values it takes', () => {
  const conversion = convertInput({ prompt: 'fog', steps: 30, seed: 7 }, alternate);
  expect(conversion.input).toEqual({ prompt: 'fog' });
  expect(conversion.dropped).toHaveLength(2);
  expect(conversion.dropped[0]).toMatch(/^steps /);
  expect(conversion.dropped[1]).toMatch(/^seed /);
});

test('writes the header as one line of ASCII JSON within its limits, with a count of what is left out', () => {
  expect(JSON.parse(droppedParamsHeader(['naïve, "größe"\n dropped']))).toEqual(['naïve, "größe"\n dropped']);
  expect(droppedParamsHeader(['naïve 🙂'])).toMatch(/^[\x20-\x7e]*$/);
  const many = Array.from({ length: 200 }, (_, index) => `field_${index} was dropped. ${'x'.repeat(400)}`);
  const header = droppedParamsHeader(many);
  expect(header.length).toBeLessThanOrEqual(4096);
  const sentences: string[] = JSON.parse(header);
  expect(sentences.length).toBeLessThanOrEqual(65);
  expect(sentences.at(-1)).toBe(`${200 - (sentences.length - 1)} more fields were dropped.`);
});

const sentencesOf = (header: string): string[] => {
  const value: unknown = JSON.parse(header);
  return Array.isArray(value) ? value.map(String) : [];
};

test.each([
  ['64 short ones', Array.from({ length: 64 }, (_, index) => `f${index} x`), 64],
  ['65 short ones', Array.from({ length: 65 }, (_, index) => `f${index} x`), 64],
  ['many long ones', Array.from({ length: 100 }, (_, index) => `${index}${'y'.repeat(400)}`), undefined],
  ['long words of other scripts', Array.from({ length: 9 }, () => '𝄞ж'.repeat(200)), undefined],
])('fits %s into one header', (_, dropped, count) => {
  const header = droppedParamsHeader(dropped);
  expect(header.length).toBeLessThanOrEqual(4096);
  expect(header).toMatch(/^[\x20-\x7e]*$/);
  const sentences = sentencesOf(header);
  if (count !== undefined) expect(sentences).toHaveLength(count);
  expect(sentences.length).toBeLessThanOrEqual(64);
  for (const sentence of sentences) {
    expect(Buffer.byteLength(sentence)).toBeLessThanOrEqual(300);
    expect(sentence).not.toMatch(/\ufffd/);
  }
  if (sentences.length < dropped.length) {
    expect(sentences.at(-1)).toBe(`${dropped.length - sentences.length + 1} more fields were dropped.`);
  }
});
