import { expect, test } from 'vitest';
import { createTestSandbox, type TestSandbox } from '../../tests/test-sandbox.ts';

const withoutCredential = { as: undefined };
type ShownExchange = { target: string; route: string; caller: string; headers: object; reply?: { status: number } };
type ConsoleEvent = {
  position: number;
  isAll: boolean;
  exchanges: ShownExchange[];
  scripted: object[];
  faults: string[];
};

async function readEvent(sandbox: TestSandbox, position?: number): Promise<{ news: ConsoleEvent; text: string }> {
  const headers = position === undefined ? {} : { 'Last-Event-ID': String(position) };
  const { text } = await sandbox.call('GET', '/__sandbox/events', { ...withoutCredential, headers });
  const [, id, data] = /^retry: \d+\nid: (\d+)\ndata: (.+)\n\n$/.exec(text) ?? [];
  const news: ConsoleEvent = JSON.parse(data ?? '');
  expect(String(news.position)).toBe(id);
  return { news, text };
}

test('a console event contains the calls since the previous event, and all calls for a new reader', async () => {
  const sandbox = createTestSandbox();
  await sandbox.call('GET', '/v2/models?limit=1');
  const { news: first } = await readEvent(sandbox);
  expect(first).toMatchObject({
    isAll: true,
    exchanges: [{ route: 'GET /v2/models', caller: 'main', reply: { status: 200 } }],
  });
  await sandbox.call('GET', '/v2/models/none/such');
  const { news: second } = await readEvent(sandbox, first.position);
  expect(second).toMatchObject({
    isAll: false,
    exchanges: [{ target: '/v2/models/none/such', reply: { status: 404 } }],
  });
  expect((await readEvent(sandbox, second.position)).news.exchanges).toEqual([]);
  for (const stale of [first.position - 1_000_000, second.position + 1_000_000, Number.NaN]) {
    const { news } = await readEvent(sandbox, stale);
    expect([news.isAll, news.exchanges.length]).toEqual([true, 2]);
  }
});

test('a console event contains calls without a reply, but no calls of admin routes', async () => {
  const sandbox = createTestSandbox({ timings: { providerMs: 1000 } });
  const held = sandbox.call('POST', '/v2/models/sandbox/outcomes', { json: {} });
  await expect.poll(() => sandbox.ledger().dispatches).toBe(1);
  const { news } = await readEvent(sandbox);
  expect(news.exchanges.map(({ target, reply }) => [target, reply])).toEqual([
    ['/v2/models/sandbox/outcomes', undefined],
  ]);
  await sandbox.call('POST', '/__sandbox/clock/advance', { ...withoutCredential, json: { by: '1s' } });
  await held;
  expect((await readEvent(sandbox, news.position)).news.exchanges).toMatchObject([{ reply: { status: 200 } }]);
});

test('a console event never contains a credential, even if a caller also sends it in a path or another header', async () => {
  const sandbox = createTestSandbox();
  const secret = 'an-own-secret-of-somebody';
  const path = `/v2/models/${secret}/x?key=${Buffer.from(secret).toString('base64')}`;
  await sandbox.call('GET', path, {
    as: secret,
    headers: { 'X-Note': secret, Cookie: `session=${secret}-2; short=s3` },
  });
  await sandbox.call('POST', '/v2/models/sandbox/outcomes', { json: {}, headers: { 'Idempotency-Key': secret } });
  const { text } = await readEvent(sandbox);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20));
  expect(text).not.toMatch(/sk-sandbox|s3"/);
  expect(text).toContain('"x-note":"[redacted]"');
});

test('a console event is created quickly even if callers send thousands of long cookies', async () => {
  const sandbox = createTestSandbox();
  for (let call = 0; call < 100; call += 1) {
    const cookie = Array.from({ length: 200 }, (_, at) => `name${at}=value-${call}-${at}-of-somebody`).join('; ');
    await sandbox.call('GET', '/v2/models?limit=1', {
      headers: { Cookie: cookie, 'X-Note': `value-${call}-7-of-somebody` },
    });
  }
  const before = process.cpuUsage().user;
  const { text } = await readEvent(sandbox);
  expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(3_000);
  expect(text).not.toMatch(/sk-sandbox|value-99-7-/); // cookies of older calls are not redacted: they are too many
});

test('a console event contains at most the newest hundred exchanges', async () => {
  const sandbox = createTestSandbox();
  for (let index = 0; index < 120; index += 1) await sandbox.call('GET', `/v2/models?limit=${index}`);
  const { news } = await readEvent(sandbox);
  expect([news.exchanges.length, news.exchanges[0]?.target]).toEqual([100, '/v2/models?limit=20']);
});

test('GET /__sandbox/switches lists operations, and faults with the texts of their requirements', async () => {
  const { json } = await createTestSandbox().call('GET', '/__sandbox/switches', withoutCredential);
  const fault = { id: 'model.unknown.answered-with-400', description: 'An unknown model id gets 400.' };
  expect(json).toMatchObject({
    faults: expect.arrayContaining([expect.objectContaining(fault)]),
    requirements: expect.arrayContaining([expect.objectContaining({ id: 'MR-MOD-09' })]),
    operations: expect.arrayContaining([expect.objectContaining({ route: 'GET /v2/models', operation: 'listModels' })]),
  });
});

test('a browser gets the console page, and a program gets the list of routes', async () => {
  const sandbox = createTestSandbox();
  const page = await sandbox.call('GET', '/__sandbox/', { ...withoutCredential, headers: { Accept: 'text/html,*/*' } });
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect((await sandbox.call('GET', '/__sandbox/', withoutCredential)).headers.get('content-type')).toBe(
    'application/json',
  );
});
