import { expect, test } from 'vitest';
import { readOwnCatalog } from './own-catalog.ts';

test('returns each model with a unique id, a billing fact and an OpenAPI 3 document', () => {
  const models = readOwnCatalog();
  expect(models).not.toEqual([]);
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
  for (const { id, charges_on_policy_rejection, document } of models) {
    expect(charges_on_policy_rejection, id).not.toBe('');
    expect(document, id).toMatchObject({ openapi: expect.stringMatching(/^3\.[01]\./) });
  }
});
