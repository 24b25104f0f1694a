import { expect, test } from 'vitest';
import { createTestSandbox, type TestSandbox } from '../../tests/test-sandbox.ts';
import { sandboxCredentials } from '../http/authentication.ts';
import { extraDataCanary, sandboxJobs } from '../state/jobs.ts';
import { executedGraph, savedWorkflow } from '../state/workflow-graphs.ts';

const { workflow } = sandboxCredentials;

async function read(path: string, credential: string = workflow.main) {
  return createTestSandbox().call('GET', `/api/v2/jobs/${path}`, {
    as: undefined,
    headers: { Authorization: `Bearer ${credential}` },
  });
}

test.each([
  ['save', 'save'],
  ['api', 'api'],
  ['unreadable', 'api'],
  ['deleted', 'api'],
] as const)('the job %s is answered in the shape %s', async (job, format) => {
  const reply = await read(`${sandboxJobs[job]}/workflow`);
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.json).toSorted()).toEqual(['format', 'workflow']);
  expect(reply.json['format']).toBe(format);
  expect(reply.text).not.toMatch(/extra_data|extraData/);
  expect(reply.text).not.toContain(extraDataCanary);
});

test('gives the same reply for unknown and expired jobs and jobs of other accounts, on both routes', async () => {
  const ids = ['no-such-job', sandboxJobs.foreign, sandboxJobs.expired, '%20'];
  for (const rest of ['/workflow', '']) {
    const replies = await Promise.all(ids.map((id) => read(`${id}${rest}`)));
    for (const reply of replies) {
      expect(reply.status).toBe(404);
      expect(reply.text).toBe(replies[0]?.text);
      expect([...reply.headers]).toEqual([...(replies[0]?.headers ?? [])]);
    }
    expect(replies[0]?.json).toEqual({ error: { code: 'not_found', message: expect.any(String) } });
  }
  expect((await read(sandboxJobs.save)).status).toBe(200);
  expect((await read(`${sandboxJobs.foreign}/workflow`, workflow.other)).status).toBe(200);
});

test('answers 404 for a job past its retention', async () => {
  const sandbox = createTestSandbox();
  const call = () =>
    sandbox.call('GET', `/api/v2/jobs/${sandboxJobs.save}/workflow`, {
      as: undefined,
      headers: { Authorization: `Bearer ${workflow.main}` },
    });
  sandbox.clock.advance(7 * 24 * 60 * 60 * 1000 - 1);
  expect((await call()).status).toBe(200);
  sandbox.clock.advance(1);
  expect((await call()).status).toBe(404);
});

test('answers 429 with Retry-After for every job of a rate-limited account', async () => {
  const ids = [sandboxJobs.save, sandboxJobs.foreign, 'no-such-job'];
  const replies = await Promise.all(ids.map((id) => read(`${id}/workflow`, workflow.rateLimited)));
  for (const reply of replies) {
    expect(reply.status).toBe(429);
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(reply.text).toBe(replies[0]?.text);
  }
  expect(replies[0]?.json).toMatchObject({ error: { code: 'rate_limited' } });
});

test.each([
  ['GET', '/api/v2/assets', 404],
  ['POST', `/api/v2/jobs/${sandboxJobs.save}/workflow`, 405],
])("answers %s %s with %i in this API's envelope", async (method, path, status) => {
  const reply = await createTestSandbox().call(method, path, {
    as: undefined,
    headers: { Authorization: `Bearer ${workflow.main}` },
  });
  expect(reply.status).toBe(status);
  expect(reply.json).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
});

test.each([
  ['save', savedWorkflow],
  ['api', executedGraph],
] as const)('%s is the text that was stored, number for number and escape for escape', async (job, graph) => {
  const { text } = await read(`${sandboxJobs[job]}/workflow`);
  expect(text).toBe(`{"workflow":${graph},"format":"${job}"}`);
  expect(text).toContain('18446744073709551615');
});

async function readAs(sandbox: TestSandbox, headers: Record<string, string>, id: string = sandboxJobs.save) {
  return sandbox.call('GET', `/api/v2/jobs/${id}/workflow`, { as: undefined, headers });
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

test.each([
  ['accounts', {}, 401],
  ['accounts', bearer(workflow.main), 200],
  ['accounts', bearer(workflow.static), 401],
  ['required', {}, 401],
  ['required', bearer(workflow.main), 200],
  ['none', {}, 200],
  ['none', bearer('anything'), 200],
  ['static', {}, 401],
  ['static', bearer(workflow.static), 200],
  ['static', bearer(workflow.main), 401],
  ['static', { 'X-API-Key': workflow.static }, 401],
  ['optional', {}, 200],
  ['optional', bearer(workflow.main), 200],
  ['optional', bearer('anything'), 401],
] as const)('under %s, %j is answered %i', async (workflowAuth, headers, status) => {
  const reply = await readAs(createTestSandbox({ workflowAuth }), headers);
  expect(reply.status).toBe(status);
  if (status === 401) expect(reply.json).toEqual({ error: { code: 'unauthorized', message: expect.any(String) } });
});

test('accepts a configured static token', async () => {
  const sandbox = createTestSandbox({ workflowAuth: 'static', workflowToken: 'chosen' });
  expect((await readAs(sandbox, bearer('chosen'))).status).toBe(200);
  expect((await readAs(sandbox, bearer(workflow.static))).status).toBe(401);
});

test('refuses an account past its rate for every job, and serves it in the next window', async () => {
  const sandbox = createTestSandbox({ limits: { workflowCallsPerWindow: 2, windowMs: 10_000 } });
  const ask = (id: string) => readAs(sandbox, bearer(workflow.main), id);
  expect([(await ask(sandboxJobs.save)).status, (await ask('no-such-job')).status]).toEqual([200, 404]);
  sandbox.clock.advance(4_500);
  const refused = await Promise.all([sandboxJobs.save, sandboxJobs.foreign, 'no-such-job'].map(ask));
  for (const reply of refused) {
    expect([reply.status, reply.text]).toEqual([429, refused[0]?.text]);
    expect(reply.headers.get('retry-after')).toBe('6');
  }
  expect((await readAs(sandbox, bearer(workflow.other), sandboxJobs.foreign)).status).toBe(200);
  sandbox.clock.advance(5_500);
  expect((await ask(sandboxJobs.save)).status).toBe(200);
});

test('admin routes add jobs, remove their workflow and let them expire', async () => {
  const sandbox = createTestSandbox();
  const pinned = '{"nodes":[],"seed":12345678901234567890}';
  const added = await sandbox.call('POST', '/__sandbox/jobs', { json: { pinned, executed: { '1': {} } } });
  const id = String(added.json['id']);
  expect((await readAs(sandbox, bearer(workflow.main), id)).text).toBe(`{"workflow":${pinned},"format":"save"}`);
  expect((await readAs(sandbox, bearer(workflow.other), id)).status).toBe(404);
  await sandbox.call('PUT', `/__sandbox/jobs/${id}`, { json: { reach: 'workflow-gone', expires_in: '1h' } });
  expect((await readAs(sandbox, bearer(workflow.main), id)).json).toEqual({ workflow: { '1': {} }, format: 'api' });
  sandbox.clock.advance(3_600_000);
  expect((await readAs(sandbox, bearer(workflow.main), id)).status).toBe(404);
  const jobs = JSON.parse((await sandbox.call('GET', '/__sandbox/jobs')).text);
  expect(jobs).toContainEqual({ id, owner: 'account-main', expires_at: expect.any(Number), reach: 'workflow-gone' });
});

test.each([
  ['POST', '', { account: 'nobody' }, 400],
  ['POST', '', { pinned: '[]' }, 400],
  ['POST', '', { executed: '{' }, 400],
  ['POST', '', { expires_in: 'soon' }, 400],
  ['PUT', `/${sandboxJobs.save}`, { reach: 'half' }, 400],
  ['PUT', '/no-such-job', {}, 404],
])('refuses %s %s with %j', async (method, path, json, status) => {
  expect((await createTestSandbox().call(method, `/__sandbox/jobs${path}`, { json })).status).toBe(status);
});
