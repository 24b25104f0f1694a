import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, listOperations } from '../../../../specs/src/index.ts';
import { createOperationFinder, specifiedOperations } from './fault.ts';

const specs = await buildEffectiveSpecs(defaultSpecSettings);
const findOperation = createOperationFinder(specs);

function findOperationAt(method: string, target: string) {
  const { signal } = new AbortController();
  return findOperation({ method, origin: 'http://sandbox.test', target, headers: {}, body: new Uint8Array(0), signal });
}

test('the list of operations for faults has every operation of the specifications', () => {
  expect([...specifiedOperations].sort()).toEqual(
    listOperations(specs)
      .map(({ operationId }) => operationId)
      .sort(),
  );
});

test.each([
  ['GET', '/v2/models?limit=2', 'listModels'],
  ['GET', '/v2/models/a/b/openapi.json', 'readSchemaDocument'],
  ['GET', '/api/v2/jobs/1', 'lookUpJob'],
  ['GET', '/__assets/service/a.png', 'openAsset'],
  ['DELETE', '/v2/models', 'unlisted'],
  ['GET', '/v2/models/a', 'unlisted'],
  ['GET', '/v2/models/a/bXopenapiXjson/c', 'unlisted'],
  ['GET', '/v2/x/%2e%2e/models', 'unlisted'],
  ['GET', '/api/v2', 'unlisted'],
  ['POST', '/__sandbox/clock', undefined],
  ['GET', '/v2x', undefined],
])('the operation finder maps %s %s to %s', (method, target, id) => {
  expect(findOperationAt(method, target)).toBe(id);
});
