import { expect, test } from 'vitest';
import type { JsonObject } from '../../specs/src/index.ts';
import { createTestSandbox, type Reply, type TestCall, type TestSandbox } from './test-sandbox.ts';

// Requirements on the server that rules of the gate cannot check, because only the ledger, the log or settings show them.
const path = '/v2/models/sandbox/outcomes';
const run = (sandbox: TestSandbox, json: JsonObject, more: TestCall = {}) =>
  sandbox.call('POST', path, { json, ...more });
const withKey = { headers: { 'Idempotency-Key': 'k' } };
const findLinks = ({ text }: Reply): string[] => [...text.matchAll(/"(http[^"]+)"/g)].map(([, url = '']) => url);
const openLink = async (sandbox: TestSandbox, url: string): Promise<number> =>
  (await sandbox.call('GET', url, { as: undefined })).status;

test('MR-RUN-26, MR-SCH-33: a result that cannot be converted is returned unchanged and logged', async () => {
  const written: string[] = [];
  const sandbox = createTestSandbox({ log: 'json', writeLog: (line) => written.push(line) });
  const reply = await sandbox.call('POST', `${path}?model_provider=sandbox-two`, {
    json: { alternate_outcome: 'odd_output' },
  });
  expect([reply.status, reply.json]).toEqual([200, expect.objectContaining({ state: 'odd' })]);
  expect(reply.json).not.toHaveProperty('outcome');
  expect(written.join('')).toMatch(/conver/);
});

test('MR-QUE-31, MR-QUE-32: a caller that polls rarely may miss phases of a request', async () => {
  const seen = async (...waits: number[]): Promise<unknown[]> => {
    const sandbox = createTestSandbox();
    const { json } = await sandbox.call('POST', `${path}/requests`, { json: {} });
    const words = [];
    for (const wait of waits) {
      sandbox.clock.advance(wait);
      words.push((await sandbox.call('GET', String(json['status_url']))).json['status']);
    }
    return words;
  };
  expect(await seen(0, 200, 400)).toEqual(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']);
  expect(await seen(60_000)).toEqual(['COMPLETED']);
});

// MR-QUE-15, MR-QUE-16
test('MR-CAN-12, MR-CTG-22: a cancelled request is only billed if it finished before the cancellation took effect', async () => {
  const billed = async (cancellingMs: number): Promise<unknown[]> => {
    const sandbox = createTestSandbox({ timings: { cancellingMs } });
    const { json } = await sandbox.call('POST', `${path}/requests`, { json: { delay_ms: 10_000 } });
    sandbox.clock.advance(200);
    await sandbox.call('PUT', String(json['cancel_url']));
    sandbox.clock.advance('1m');
    const { status, ...ended } = (await sandbox.call('GET', String(json['status_url']))).json;
    return [status, ended['error_type'], 'error_type' in ended, sandbox.ledger().billed];
  };
  expect(await billed(0)).toEqual(['COMPLETED', 'cancelled', true, 0]);
  expect(await billed(20_000)).toEqual(['COMPLETED', undefined, false, 1]);
});

test('MR-IDM-50: reusing a key does not renew the links of its first result', async () => {
  const sandbox = createTestSandbox();
  const input = { assets: [{ hosting: 'hosted_12h' }] };
  const [link = ''] = findLinks(await run(sandbox, input, withKey));
  sandbox.clock.advance('13h');
  expect(findLinks(await run(sandbox, input, withKey))).toEqual([link]);
  expect(await openLink(sandbox, link)).toBe(410);
  sandbox.clock.advance('12h');
  const [fresh = ''] = findLinks(await run(sandbox, input, withKey));
  expect([await openLink(sandbox, link), await openLink(sandbox, fresh)]).toEqual([410, 200]);
});

test('MR-AST-03: hosting depends on the model, and not on a header', async () => {
  const sandbox = createTestSandbox();
  const hosts = async (model: string, headers: Record<string, string>): Promise<boolean[]> => {
    const reply = await sandbox.call('POST', `/v2/models/${model}`, { json: { prompt: 'fog' }, headers });
    expect(reply.status, reply.text).toBe(200);
    return findLinks(reply).map((link) => link.includes('/__assets/service/'));
  };
  const header = { 'X-Service-Hosted-Assets': 'false', 'X-Service-Host-Assets': '0' };
  expect(await hosts('image-provider/still-2.1', header)).toEqual(await hosts('image-provider/still-2.1', {}));
});

test('MR-AST-33: a run whose copy failed is billed', async () => {
  const sandbox = createTestSandbox();
  const [link = ''] = findLinks(await run(sandbox, { assets: [{ hosting: 'failed_copy' }] }));
  expect(link).not.toContain('/__assets/service/');
  expect(sandbox.ledger().billed).toBe(1);
});

test('WX-JWF-20: no response and no log line contains the extra data of a submission', async () => {
  const written: string[] = [];
  const sandbox = createTestSandbox({ log: 'json', writeLog: (line) => written.push(line) });
  const Authorization = `Bearer ${sandbox.credentials.workflow.main}`;
  for (const id of Object.values(sandbox.jobs)) {
    const reply = await sandbox.call('GET', `/api/v2/jobs/${id}/workflow`, {
      as: undefined,
      headers: { Authorization },
    });
    expect(reply.text).not.toMatch(/extra_data|canary/i);
  }
  expect(written.join('')).not.toMatch(/extra_data|canary/i);
});
