import { expect, test } from 'vitest';
import { readOwnCatalog } from './own-catalog.ts';

test('every model of the own catalog has an id, a billing fact and a document with one POST', () => {
  const models = readOwnCatalog();
  expect(models.length).toBeGreaterThanOrEqual(12);
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
  for (const { id, charges_on_policy_rejection, document } of models) {
    expect(charges_on_policy_rejection, id).not.toBe('');
    expect(document, id).toMatchObject({ openapi: expect.stringMatching(/^3\.[01]\./) });
  }
});
