import { expect, test } from 'vitest';
import { createTestSandbox, type Reply, type TestCall, type TestSandbox } from '../../tests/test-sandbox.ts';

const outcomes = '/v2/models/sandbox/outcomes';
const run = (sandbox: TestSandbox, json: object, key?: string, more: TestCall = {}): Promise<Reply> =>
  sandbox.call('POST', outcomes, { json, headers: key === undefined ? {} : { 'Idempotency-Key': key }, ...more });
const summarize = (reply: Reply) => [
  reply.status,
  reply.headers.get('x-service-error-type'),
  reply.headers.get('retry-after'),
  reply.headers.get('idempotent-replayed'),
];
const waitForCalls = () => new Promise((later) => setTimeout(later, 20));

test('a run that exceeds the hold time returns 504 with Retry-After, and a later call with its key returns the result', async () => {
  const sandbox = createTestSandbox({ timings: { holdMs: 10_000 } });
  const first = run(sandbox, { delay_ms: 25_000 }, 'k');
  await waitForCalls();
  const early = await run(sandbox, { delay_ms: 25_000 }, 'k');
  expect(summarize(early)).toEqual([409, 'concurrency_limit_exceeded', '10', null]);
  sandbox.clock.advance('10s');
  expect(summarize(await first)).toEqual([504, 'deadline_exceeded', '15', null]);
  expect((await first).headers.get('x-service-upstream-status')).toBe('202');
  sandbox.clock.advance('14s');
  expect(summarize(await run(sandbox, { delay_ms: 25_000 }, 'k'))).toEqual([504, 'deadline_exceeded', '1', null]);
  expect(summarize(await run(sandbox, { delay_ms: 1 }, 'k'))).toEqual([409, 'invalid_input', null, null]);
  sandbox.clock.advance('1s');
  const collected = await run(sandbox, { delay_ms: 25_000 }, 'k');
  expect(summarize(collected)).toEqual([200, null, null, 'true']);
  expect((await run(sandbox, { delay_ms: 25_000 }, 'k')).bytes).toEqual(collected.bytes);
  expect(sandbox.ledger()).toMatchObject({ dispatches: 1, billed: 1, replays: 2 });
});

test('a run without a key that exceeds the hold time returns 504 without Retry-After', async () => {
  const sandbox = createTestSandbox({ timings: { holdMs: 10_000 } });
  const held = run(sandbox, { delay_ms: 25_000 });
  await waitForCalls();
  sandbox.clock.advance('10s');
  expect(summarize(await held)).toEqual([504, 'deadline_exceeded', null, null]);
  sandbox.clock.advance('15s');
  expect(sandbox.ledger()).toMatchObject({ dispatches: 1, billed: 1 });
});

test('the outcome deadline_exceeded returns 504 before the hold time, and a lost handle makes the key unusable', async () => {
  const sandbox = createTestSandbox();
  const kept = { outcome: 'deadline_exceeded', delay_ms: 5000 };
  expect(summarize(await run(sandbox, kept, 'kept'))).toEqual([504, 'deadline_exceeded', '5', null]);
  sandbox.clock.advance('5s');
  expect(summarize(await run(sandbox, kept, 'kept'))).toEqual([200, null, null, 'true']);
  const lost = { ...kept, collectable: false };
  expect(summarize(await run(sandbox, lost, 'lost'))).toEqual([504, 'deadline_exceeded', null, null]);
  expect(summarize(await run(sandbox, lost, 'lost'))).toEqual([409, 'invalid_input', null, null]);
});

test.each<[string, object]>([
  ['that is too long', { size_bytes: 2_000_000 }],
  ['with an asset that expires', { assets: [{ hosting: 'provider' }] }],
])('a result %s is only returned once, and its key cannot be used again for a day', async (_, json) => {
  const sandbox = createTestSandbox();
  expect(summarize(await run(sandbox, json, 'k'))).toEqual([200, null, null, null]);
  for (const at of ['1s', '23h']) {
    sandbox.clock.advance(at);
    expect(summarize(await run(sandbox, json, 'k'))).toEqual([409, 'invalid_input', null, null]);
  }
  sandbox.clock.advance('1h');
  expect(summarize(await run(sandbox, json, 'k'))).toEqual([200, null, null, null]);
  expect(sandbox.ledger()).toMatchObject({ dispatches: 2, billed: 2, replays: 0 });
});

test('the outcome proxy_answer returns a response without router headers, and records the result', async () => {
  const sandbox = createTestSandbox();
  const first = await run(sandbox, { outcome: 'proxy_answer', proxy_status: 503 }, 'k');
  expect([first.status, first.headers.get('x-service-request-id')]).toEqual([503, null]);
  const again = await run(sandbox, { outcome: 'proxy_answer', proxy_status: 503 }, 'k');
  expect(summarize(again)).toEqual([200, null, null, 'true']);
});

test('a run is billed even if its caller disconnects', async () => {
  const sandbox = createTestSandbox();
  const hangUp = new AbortController();
  const held = run(sandbox, { delay_ms: 60_000 }, 'k', { signal: hangUp.signal });
  await waitForCalls();
  hangUp.abort();
  await expect(held).rejects.toMatchObject({ name: 'AbortError' });
  sandbox.clock.advance('1m');
  expect(sandbox.ledger()).toMatchObject({ dispatches: 1, billed: 1, clientDisconnects: 1 });
  expect(summarize(await run(sandbox, { delay_ms: 60_000 }, 'k'))).toEqual([200, null, null, 'true']);
});
