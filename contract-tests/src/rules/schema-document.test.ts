import { expect, test } from 'vitest';
import { defaultBrand, type JsonObject } from '../../../specs/src/index.ts';
import { readDiscoveredModel } from '../run/discovered-model.ts';
import { findWrongInputs } from './schema-document.ts';

function inputsBreaking(properties: JsonObject): Readonly<Record<string, JsonObject>> {
  const schema: JsonObject = { type: 'object', properties };
  const document: JsonObject = {
    openapi: '3.1.0',
    'x-service-input-schema-authored': true,
    paths: { '/': { post: { requestBody: { content: { 'application/json': { schema } } }, responses: {} } } },
    components: {
      schemas: {
        Region: {
          type: 'object',
          required: ['label', 'weight'],
          properties: { label: { type: 'string' }, weight: { type: 'number', maximum: 1 } },
        },
      },
    },
  };
  const reading = readDiscoveredModel('a/b', document, defaultBrand);
  if (reading.kind === 'unusable') throw new Error(reading.because);
  return Object.fromEntries(findWrongInputs(reading.model));
}

const regions = { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Region' } };
const colours = { type: 'array', minItems: 2, items: { type: 'string', pattern: '^#[0-9a-f]{6}$' } };
const camera = { type: 'object', additionalProperties: false, properties: { turns: { type: 'number', minimum: 0 } } };

test('makes inputs that each violate exactly one keyword, at any depth', () => {
  const found = inputsBreaking({ regions, colours, camera });
  expect(found['pattern']).toMatchObject({ colours: ['Not A Match!', '#888888'] });
  expect(found['additionalProperties']?.['camera']).toHaveProperty('a_member_no_schema_names');
  expect(found['maxItems']?.['regions']).toHaveLength(3);
  expect(found['minItems']).toMatchObject({ colours: [] });
  expect(found['maximum']).toMatchObject({ regions: [{ weight: 2 }] });
  expect(found['minimum']).toMatchObject({ camera: { turns: -1 } });
});

test('makes no input for a keyword that the schema lacks', () => {
  const found = inputsBreaking({ prompt: { type: 'string', minLength: 1 } });
  expect(found).toEqual({ type: { prompt: null }, minLength: { prompt: '' } });
});
