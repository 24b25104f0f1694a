import { expect, test } from 'vitest';
import { createTestSandbox, type TestSandbox } from '../../tests/test-sandbox.ts';
import { sandboxCredentials } from '../http/authentication.ts';
import { sandboxJobs } from '../state/jobs.ts';
import type { Api } from '../state/world.ts';
import { stubWords } from './stub-routes.ts';

const still = '/v2/models/image-provider/still-2.1';
const job = `/api/v2/jobs/${sandboxJobs.save}/workflow`;

const stub = (sandbox: TestSandbox, json: object) => sandbox.call('POST', '/__sandbox/stubs', { json });

function call(sandbox: TestSandbox, api: Api = 'model-router') {
  if (api === 'model-router') return sandbox.call('GET', '/v2/models');
  const headers = { Authorization: `Bearer ${sandboxCredentials.workflow.main}` };
  return sandbox.call('GET', job, { as: undefined, headers });
}

test.each(stubWords.error_type)(
  'a stub returns the category %s in the error envelope, with a request id',
  async (error_type) => {
    const sandbox = createTestSandbox();
    expect((await stub(sandbox, { error_type })).status).toBe(200);
    const reply = await call(sandbox);
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.json).toEqual({ detail: expect.any(String), error_type });
    expect(reply.headers.get('x-service-error-type')).toBe(error_type);
    expect(reply.headers.get('x-service-request-id')).toMatch(/./);
    expect((await call(sandbox)).status).toBe(200);
  },
);

test.each(stubWords.code)('a stub returns the code %s in the envelope of the workflow API', async (code) => {
  const sandbox = createTestSandbox();
  await stub(sandbox, { code });
  expect((await call(sandbox)).status).toBe(200); // a stub of the workflow API leaves the router's calls alone
  const reply = await call(sandbox, 'workflow-execution');
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(reply.headers.get('retry-after')).toBe(reply.status === 429 ? '30' : null);
  expect(reply.json).toEqual({ error: { code, message: expect.any(String) } });
  expect([...reply.headers.keys()].filter((name) => name.startsWith('x-service'))).toEqual([]);
});

test.each([
  ['the requested Retry-After', { error_type: 'service_unavailable', retry_after: 5 }, 503, '5'],
  ['no Retry-After by default', { error_type: 'service_unavailable' }, 503, null],
  ['no Retry-After with null', { error_type: 'rate_limited', retry_after: null }, 429, null],
  ['an unknown category with a status', { error_type: 'made_up', status: 418 }, 418, null],
])('a stub sends %s', async (_, wanted, status, wait) => {
  const sandbox = createTestSandbox();
  await stub(sandbox, wanted);
  const reply = await call(sandbox);
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([status, wait]);
});

test('a stub can replace several replies of one operation, and GET lists the remaining stubs', async () => {
  const sandbox = createTestSandbox();
  const wanted = { operation: 'readSchemaDocument', error_type: 'internal_error', times: 2 };
  expect((await stub(sandbox, wanted)).json).toEqual({ pending: [wanted] });
  expect((await call(sandbox)).status).toBe(200);
  const statuses = [];
  for (const _ of [1, 2, 3]) statuses.push((await sandbox.call('GET', `${still}/openapi.json`)).status);
  expect(statuses).toEqual([500, 500, 200]);
  expect((await sandbox.call('GET', '/__sandbox/stubs')).json).toEqual({ pending: [] });
});

test.each([
  ['html', /^text\/html/, 502],
  ['truncated_json', /^application\/json/, 500],
  ['plain_text', /^text\/plain/, 200],
])('a stub returns a proxied %s response on both APIs, without the headers of the API', async (body, type, status) => {
  const sandbox = createTestSandbox();
  await stub(sandbox, { body, status, times: 2 });
  for (const api of ['model-router', 'workflow-execution'] as const) {
    const reply = await call(sandbox, api);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toMatch(type);
    expect(() => JSON.parse(reply.text)).toThrow();
    expect([...reply.headers.keys()].filter((name) => name.startsWith('x-service'))).toEqual([]);
  }
});

test('a stub after the work replaces the reply of a run, and a retry with its key gets the result', async () => {
  const sandbox = createTestSandbox();
  await stub(sandbox, { operation: 'runModel', stage: 'after', body: 'html' });
  const run = () =>
    sandbox.call('POST', still, { json: { prompt: 'A lighthouse' }, headers: { 'Idempotency-Key': 'lost' } });
  expect((await run()).status).toBe(502);
  const again = await run();
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
});

test('adds the spend headers to a stubbed 429 of a run', async () => {
  const sandbox = createTestSandbox();
  await stub(sandbox, { operation: 'runModel', error_type: 'rate_limited' });
  const reply = await sandbox.call('POST', still, { json: { prompt: 'x' } });
  expect(reply.headers.get('x-committed-spend-remaining')).toMatch(/^\d+$/);
});

test.each([
  [{ error_type: 'provider_error' }, '500'],
  [{ error_type: 'provider_error', upstream_status: 529 }, '529'],
  [{ error_type: 'invalid_input', upstream_status: 400 }, '400'],
  [{ error_type: 'internal_error' }, null],
])('a stub %j has the upstream status %s', async (wanted, upstream) => {
  const sandbox = createTestSandbox();
  await stub(sandbox, wanted);
  expect((await call(sandbox)).headers.get('x-service-upstream-status')).toBe(upstream);
});

test('DELETE /__sandbox/stubs removes pending stubs', async () => {
  const sandbox = createTestSandbox();
  await stub(sandbox, { error_type: 'internal_error', times: 9 });
  await sandbox.call('DELETE', '/__sandbox/stubs');
  expect((await call(sandbox)).status).toBe(200);
});

test('a stub keeps the generic message of upstream_error, and returns the requested details', async () => {
  const sandbox = createTestSandbox();
  await stub(sandbox, { code: 'invalid_workflow', details: { '4': [{ field: 'steps', reason: 'too many' }] } });
  expect((await call(sandbox, 'workflow-execution')).json).toMatchObject({ error: { details: { '4': [{}] } } });
  await stub(sandbox, { code: 'upstream_error' });
  expect((await call(sandbox, 'workflow-execution')).text).not.toMatch(/operator|sandbox/i);
});

test.each([
  {},
  { error_type: 'rate_limited', code: 'rate_limited' },
  { error_type: 'Not A Word' },
  { error_type: 'made_up' },
  { error_type: 'rate_limited', status: 99 },
  { error_type: 'rate_limited', times: 0 },
  { error_type: 'rate_limited', operation: 'readJobWorkflow' },
  { code: 'queue_full', operation: 'listModels' },
  { body: 'xml' },
  { error_type: 'rate_limited', retry_after: 1.5 },
  { error_type: 'rate_limited', stage: 'never' },
  { code: 'not_found', details: 5 },
  { error_type: 'rate_limited', colour: 'red' },
  { error_type: 'rate_limited', status: 204 },
  { error_type: 'rate_limited', status: 200 },
  { code: 'not_found', status: 304 },
  { body: 'html', status: 204 },
  { error_type: 'provider_error', upstream_status: 1e10 },
])('rejects the stub %j with the reason', async (wanted) => {
  const sandbox = createTestSandbox();
  const reply = await stub(sandbox, wanted);
  expect([reply.status, reply.json]).toEqual([400, { error: expect.any(String) }]);
  expect((await call(sandbox)).status).toBe(200);
});
