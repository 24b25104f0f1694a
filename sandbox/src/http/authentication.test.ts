import { expect, test } from 'vitest';
import { createTestSandbox } from '../../tests/test-sandbox.ts';
import { sandboxCredentials } from './authentication.ts';

const { router, workflow } = sandboxCredentials;
const createBearerHeader = (credential: string) => ({ Authorization: `Bearer ${credential}` });

test.each([
  ['the key', { 'X-API-Key': router.main }, 200],
  ['the key as a bearer token', createBearerHeader(router.main), 200],
  ['the scheme bearer in lowercase', { Authorization: `bearer ${router.main}` }, 200],
  ['a valid key with an invalid bearer token', { 'X-API-Key': router.main, ...createBearerHeader('wrong') }, 200],
  ['an invalid key with a valid bearer token', { 'X-API-Key': 'wrong', ...createBearerHeader(router.main) }, 401],
  ['no credential', {}, 401],
  ['a wrong key', { 'X-API-Key': 'sk-sandbox-unknown' }, 401],
  ['a different scheme', { Authorization: `Basic ${router.main}` }, 401],
  ['a credential for the other API', createBearerHeader(workflow.main), 401],
  ['a name that every object inherits', { 'X-API-Key': 'constructor' }, 401],
])('the router accepts only valid credentials: %s', async (_, headers: Record<string, string>, status) => {
  const reply = await createTestSandbox().call('GET', '/v2/models', { as: undefined, headers });
  expect(reply.status).toBe(status);
  if (status === 401) expect(reply.json).toMatchObject({ error_type: 'unauthorized' });
});
