import { expect, test } from 'vitest';
import { modelDocument } from './fake-router.ts';
import { readModel } from './read-model.ts';

const input = { type: 'object', properties: { prompt: { type: 'string' } } };
const readDetails = (schemas: Parameters<typeof modelDocument>[1], brand?: string) =>
  readModel(modelDocument('p/m', schemas), brand).binding.details;

test('reads title, description and modalities from the document, with the extension keys of its brand', () => {
  const root = {
    info: { title: 'A model', description: 'Draws.', version: '1' },
    'x-acme-router-input-modalities': ['text', 5, 'image'],
    'x-acme-router-output-modalities': 'video',
  };
  expect(readDetails({ input, root }, 'Acme')).toEqual({
    title: 'A model',
    description: 'Draws.',
    inputModalities: ['text', 'image'],
  });
});

test.each([
  ['in the schema', { ...input, example: { prompt: 'a' } }, {}],
  [
    'in the schema that the input refers to',
    { $ref: '#/components/schemas/In' },
    { In: { ...input, example: { prompt: 'a' } } },
  ],
])('takes the example input from the example %s', (_where, schema, components) => {
  expect(readDetails({ input: schema, components })['exampleInput']).toEqual({ prompt: 'a' });
});

test('prefers the example of a media type to the example in its schema', () => {
  const content = {
    'application/json': { schema: { ...input, example: { prompt: 'late' } }, example: { prompt: 'a' } },
  };
  expect(readDetails({ content })['exampleOutput']).toEqual({ prompt: 'a' });
});
