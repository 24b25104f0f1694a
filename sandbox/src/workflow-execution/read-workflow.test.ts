import { expect, test } from 'vitest';
import { sandboxCredentials } from '../credentials.ts';
import { extraDataCanary, sandboxJobs } from '../state/jobs.ts';
import { tryOut } from '../trial-sandbox.ts';

const { workflow } = sandboxCredentials;

async function read(path: string, credential: string = workflow.main) {
  return tryOut().call('GET', `/api/v2/jobs/${path}`, {
    as: undefined,
    headers: { Authorization: `Bearer ${credential}` },
  });
}

test.each([
  ['save', 'save'],
  ['api', 'api'],
  ['unreadable', 'api'],
] as const)('the job %s is answered in the shape %s', async (job, format) => {
  const reply = await read(`${sandboxJobs[job]}/workflow`);
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.json).toSorted()).toEqual(['format', 'workflow']);
  expect(reply.json['format']).toBe(format);
  expect(reply.text).not.toMatch(/extra_data|extraData/);
  expect(reply.text).not.toContain(extraDataCanary);
});

test('unknown, foreign and expired jobs cannot be told apart, nor by the lookup of the job', async () => {
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

test('a job is gone with its retention', async () => {
  const trial = tryOut();
  const call = () =>
    trial.call('GET', `/api/v2/jobs/${sandboxJobs.save}/workflow`, {
      as: undefined,
      headers: { Authorization: `Bearer ${workflow.main}` },
    });
  trial.clock.advance(7 * 24 * 60 * 60 * 1000 - 1);
  expect((await call()).status).toBe(200);
  trial.clock.advance(1);
  expect((await call()).status).toBe(404);
});

test('a rate-limited account is told so for every job alike, and when to come back', async () => {
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
])('%s %s is answered %i in this API’s envelope', async (method, path, status) => {
  const reply = await tryOut().call(method, path, {
    as: undefined,
    headers: { Authorization: `Bearer ${workflow.main}` },
  });
  expect(reply.status).toBe(status);
  expect(reply.json).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
});
