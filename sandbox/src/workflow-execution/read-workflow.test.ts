import { expect, test } from 'vitest';
import { createTestSandbox, type TestSandbox } from '../../tests/test-sandbox.ts';
import { sandboxCredentials } from '../http/authentication.ts';
import { sandboxJobs } from '../state/jobs.ts';

const { workflow } = sandboxCredentials;

async function readAs(sandbox: TestSandbox, headers: Record<string, string>, id: string = sandboxJobs.save) {
  return sandbox.call('GET', `/api/v2/jobs/${id}/workflow`, { as: undefined, headers });
}
const createBearerHeader = (token: string) => ({ Authorization: `Bearer ${token}` });

test.each([
  ['accounts', {}, 401],
  ['accounts', createBearerHeader(workflow.main), 200],
  ['accounts', createBearerHeader(workflow.static), 401],
  ['accounts', createBearerHeader(workflow.forbidden), 403],
  ['accounts', createBearerHeader(workflow.rateLimited), 429],
  ['accounts', { 'X-API-Key': workflow.main }, 401],
  ['none', {}, 200],
  ['none', createBearerHeader('anything'), 200],
  ['static', {}, 401],
  ['static', createBearerHeader(workflow.static), 200],
  ['static', createBearerHeader(workflow.main), 401],
  ['static', { 'X-API-Key': workflow.static }, 401],
  ['optional', {}, 200],
  ['optional', createBearerHeader(workflow.main), 200],
  ['optional', createBearerHeader('anything'), 401],
  ['optional', createBearerHeader(workflow.forbidden), 403],
] as const)(
  'with workflowAuth %s, a read of a workflow with the headers %j returns %i',
  async (workflowAuth, headers, status) => {
    const reply = await readAs(createTestSandbox({ workflowAuth }), headers);
    expect(reply.status).toBe(status);
    if (status === 401) expect(reply.json).toEqual({ error: { code: 'unauthorized', message: expect.any(String) } });
  },
);

// WX-LIM-01
test('the workflow API rejects calls above the rate limit of an account, even for other jobs, until the next window', async () => {
  const sandbox = createTestSandbox({ limits: { workflowCallsPerWindow: 2, windowMs: 10_000 } });
  const readJob = (id: string) => readAs(sandbox, createBearerHeader(workflow.main), id);
  expect([(await readJob(sandboxJobs.save)).status, (await readJob('no-such-job')).status]).toEqual([200, 404]);
  sandbox.clock.advance(4_500);
  const refused = await Promise.all([sandboxJobs.save, sandboxJobs.foreign, 'no-such-job'].map(readJob));
  for (const reply of refused) {
    expect([reply.status, reply.text]).toEqual([429, refused[0]?.text]);
    expect(reply.headers.get('retry-after')).toBe('6');
  }
  expect((await readAs(sandbox, createBearerHeader(workflow.other), sandboxJobs.foreign)).status).toBe(200);
  sandbox.clock.advance(5_500);
  expect((await readJob(sandboxJobs.save)).status).toBe(200);
});

test('an admin route adds a job, which expires like any other', async () => {
  const sandbox = createTestSandbox();
  const pinned = '{"nodes":[],"seed":12345678901234567890}';
  const added = await sandbox.call('POST', '/__sandbox/jobs', { json: { pinned, executed: { '1': {} } } });
  const id = String(added.json['id']);
  expect((await readAs(sandbox, createBearerHeader(workflow.main), id)).text).toBe(
    `{"workflow":${pinned},"format":"save"}`,
  );
  expect((await readAs(sandbox, createBearerHeader(workflow.other), id)).status).toBe(404);
  sandbox.clock.advance('7d');
  expect((await readAs(sandbox, createBearerHeader(workflow.main), id)).status).toBe(404);
});

test.each([{ pinned: '[]' }, { executed: '{' }])('the admin route for jobs rejects the job %j', async (json) => {
  expect((await createTestSandbox().call('POST', '/__sandbox/jobs', { json })).status).toBe(400);
});
