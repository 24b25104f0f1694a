import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, listOperations } from '../../../specs/src/index.ts';
import { findApi, operations } from '../app.ts';
import { createRouter, splitTarget } from './router.ts';

const router = createRouter(operations);

test('the sandbox serves all operations of both specifications, and the job lookup (OP-054)', async () => {
  const specified = listOperations(await buildEffectiveSpecs(defaultSpecSettings));
  const described = specified.map(({ api, operationId, method, path }) => `${api} ${operationId} ${method} ${path}`);
  const served = operations.map(({ api, operation, route }) => `${api} ${operation} ${route}`);
  expect(served.toSorted()).toEqual([...described, 'workflow-execution lookUpJob GET /api/v2/jobs/{id}'].toSorted());
});

test.each([
  ['GET', '/v2/models', {}],
  ['GET', '/v2/models/image-provider/still-2.1', { provider: 'image-provider', model: 'still-2.1' }],
  ['GET', '/v2/models/p/a%20b', { provider: 'p', model: 'a b' }],
  ['PUT', '/v2/models/p/m/requests/r/cancel', { provider: 'p', model: 'm', request_id: 'r' }],
  ['GET', '/api/v2/jobs/x/workflow', { id: 'x' }],
])('the router matches %s %s to an operation', (method, path, params) => {
  expect(router.match(method, path)).toMatchObject({ kind: 'found', params });
});

test.each(['/', '/v2', '/v2/models/p', '/v2/models//m', '/v2/models/p/m/requests/r/status/more', '/v1/models'])(
  'the router finds no route for the path %s',
  (path) => {
    expect(router.match('GET', path)).toEqual({ kind: 'unknown-path' });
  },
);

test('the router returns the allowed methods of a path for a wrong method', () => {
  expect(router.match('DELETE', '/v2/models/p/m')).toEqual({ kind: 'wrong-method', allowed: ['GET', 'POST'] });
});

test.each([
  ['/v2/models', 'model-router'],
  ['/anything', 'model-router'],
  ['/apis', 'model-router'],
  ['/api/v2/assets', 'workflow-execution'],
  ['/api', 'workflow-execution'],
])('the path %s belongs to the API %s', (path, api) => {
  expect(findApi(path)).toBe(api);
});

test.each([
  ['/v2/models', { path: '/v2/models', query: '' }],
  ['/v2/models?', { path: '/v2/models', query: '' }],
  ['/v2/x/%2e%2e/models?a=1?b#c?d', { path: '/v2/x/%2e%2e/models', query: '?a=1?b' }],
])('the request target %s is split into path and query, both unchanged', (target, parts) => {
  expect(splitTarget(target)).toEqual(parts);
});
