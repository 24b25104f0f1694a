import { expect, test } from 'vitest';
import { createTestSandbox } from '../../tests/test-sandbox.ts';
import { operations } from '../app.ts';
import { sandboxCredentials } from './authentication.ts';

const { router, workflow } = sandboxCredentials;
const bearer = (credential: string) => ({ Authorization: `Bearer ${credential}` });

test.each([
  ['the key', { 'X-API-Key': router.main }, 200],
  ['the key as a bearer token', bearer(router.main), 200],
  ['the scheme bearer in lowercase', { Authorization: `bearer ${router.main}` }, 200],
  ['a valid key with an invalid bearer token', { 'X-API-Key': router.main, ...bearer('wrong') }, 200],
  ['an invalid key with a valid bearer token', { 'X-API-Key': 'wrong', ...bearer(router.main) }, 401],
  ['no credential', {}, 401],
  ['a wrong key', { 'X-API-Key': 'sk-sandbox-unknown' }, 401],
  ['a different scheme', { Authorization: `Basic ${router.main}` }, 401],
  ['a credential for the other API', bearer(workflow.main), 401],
  ['a name that every object inherits', { 'X-API-Key': 'constructor' }, 401],
])('the router returns the right status for %s', async (_, headers: Record<string, string>, status) => {
  const reply = await createTestSandbox().call('GET', '/v2/models', { as: undefined, headers });
  expect(reply.status).toBe(status);
  if (status === 401) expect(reply.json).toMatchObject({ error_type: 'unauthorized' });
});

const routerCalls = operations
  .filter(({ api }) => api === 'model-router')
  .map(({ route }) =>
    route
      .replace('{provider}', 'image-provider')
      .replace('{model}', 'still-2.1')
      .replace('{request_id}', 'x')
      .split(' '),
  );

test.each(routerCalls)(
  '%s %s rejects credentials without access, and accounts that are not enabled',
  async (method = '', path = '') => {
    const sandbox = createTestSandbox();
    const replies = await Promise.all(
      [undefined, router.noAccess, router.notEnabled].map((as) => sandbox.call(method, path, { as })),
    );
    expect(replies.map(({ status }) => status)).toEqual([401, 403, 403]);
    expect(replies.map(({ json }) => json['error_type'])).toEqual(['unauthorized', 'forbidden', 'not_enabled']);
  },
);
