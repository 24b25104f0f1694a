import { expect, test } from 'vitest';
import { defaultBrand } from '../../../specs/src/index.ts';
import { convertInput, droppedParamsHeader } from './convert-input.ts';
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

test('fields are kept where the alternate has them and takes their value', () => {
  const conversion = convertInput({ prompt: 'fog', steps: 30, seed: 7 }, alternate);
  expect(conversion.input).toEqual({ prompt: 'fog' });
  expect(conversion.dropped).toHaveLength(2);
  expect(conversion.dropped[0]).toMatch(/^steps /);
  expect(conversion.dropped[1]).toMatch(/^seed /);
});

test('the header is one line of ASCII JSON, within its bounds, and counts what it leaves out', () => {
  expect(JSON.parse(droppedParamsHeader(['naïve, "größe"\n dropped']))).toEqual(['naïve, "größe"\n dropped']);
  expect(droppedParamsHeader(['naïve 🙂'])).toMatch(/^[\x20-\x7e]*$/);
  const many = Array.from({ length: 200 }, (_, index) => `field_${index} was dropped. ${'x'.repeat(400)}`);
  const header = droppedParamsHeader(many);
  expect(header.length).toBeLessThanOrEqual(4096);
  const sentences: string[] = JSON.parse(header);
  expect(sentences.length).toBeLessThanOrEqual(65);
  expect(sentences.at(-1)).toBe(`${200 - (sentences.length - 1)} more fields were dropped.`);
});
