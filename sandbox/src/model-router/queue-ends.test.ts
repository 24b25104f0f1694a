import { expect, test } from 'vitest';
import { createTestSandbox, type Reply, type TestSandbox } from '../../tests/test-sandbox.ts';
import type { SandboxOptions } from '../options.ts';

const requests = '/v2/models/sandbox/outcomes/requests';

async function submit(json: object = {}, options: Partial<SandboxOptions> = {}) {
  const trial = createTestSandbox(options);
  const reply = await trial.call('POST', requests, { json });
  expect(reply.status, reply.text).toBe(201);
  const path = `${requests}/${String(reply.json['request_id'])}`;
  return {
    trial,
    path,
    status: () => trial.call('GET', `${path}/status`),
    collect: () => trial.call('GET', path),
    cancel: () => trial.call('PUT', `${path}/cancel`),
  };
}
const stateOf = ({ json }: Reply) => [json['status'], json['error_type']];
const told = ({ status, json }: Reply) => [status, json['error_type']];
const bill = ({ sandbox }: TestSandbox) => [sandbox.ledger().dispatches, sandbox.ledger().billed];

test.each<[string, object, number, string]>([
  ['a failure', { outcome: 'provider_error' }, 502, 'provider_error'],
  ['an answer that is no result', { outcome: 'uninterpretable' }, 502, 'provider_error'],
  ['a policy rejection', { outcome: 'content_policy_violation' }, 400, 'content_policy_violation'],
  ['a refusal', { outcome: 'refused_request' }, 400, 'invalid_input'],
  ['a time-out of the provider', { outcome: 'provider_timeout' }, 504, 'provider_timeout'],
  ['a lost handle', { outcome: 'deadline_exceeded', collectable: false }, 504, 'deadline_exceeded'],
  ['a failure of the router', { outcome: 'internal_error' }, 410, 'internal_error'],
  ['an outage', { outcome: 'service_unavailable' }, 410, 'service_unavailable'],
])('%s shows in the status and is collected as such', async (_, json, status, category) => {
  const request = await submit(json);
  expect(stateOf(await request.status())).toEqual(['IN_QUEUE', undefined]);
  request.trial.clock.advance('1m');
  expect(stateOf(await request.status())).toEqual(['COMPLETED', category]);
  const collected = await request.collect();
  expect(told(collected)).toEqual([status, category]);
  expect(collected.headers.get('x-service-error-type')).toBe(category);
});

test('fields that the model refused are collected with their entries', async () => {
  const request = await submit({ outcome: 'refused_input' });
  request.trial.clock.advance('1m');
  const collected = await request.collect();
  expect([collected.status, collected.headers.get('x-service-error-type')]).toEqual([422, 'invalid_input']);
  expect(collected.json['detail']).toEqual(
    expect.arrayContaining([expect.objectContaining({ loc: expect.any(Array) })]),
  );
});

test('the provider’s own time counts from the dispatch', async () => {
  const request = await submit({ delay_ms: 60_000 });
  request.trial.clock.advance(60_149);
  expect(stateOf(await request.status())).toEqual(['IN_PROGRESS', undefined]);
  request.trial.clock.advance(1);
  expect((await request.collect()).status).toBe(200);
});

test('a request that waits too long times out, unbilled and for good', async () => {
  const request = await submit({}, { timings: { waitingMs: 3_600_000 } });
  request.trial.clock.advance('14m');
  expect(stateOf(await request.status())).toEqual(['IN_QUEUE', undefined]);
  request.trial.clock.advance('1m');
  expect(stateOf(await request.status())).toEqual(['COMPLETED', 'queue_timeout']);
  expect(told(await request.collect())).toEqual([410, 'queue_timeout']);
  expect((await request.cancel()).status).toBe(409);
  request.trial.clock.advance('2h');
  expect(stateOf(await request.status())).toEqual(['COMPLETED', 'queue_timeout']);
  expect(bill(request.trial)).toEqual([0, 0]);
});

test('a cancellation before the dispatch takes effect at once', async () => {
  const request = await submit();
  expect((await request.cancel()).json['status']).toBe('CANCELLATION_REQUESTED');
  expect(stateOf(await request.status())).toEqual(['COMPLETED', 'cancelled']);
  expect(told(await request.collect())).toEqual([410, 'cancelled']);
  request.trial.clock.advance('1m');
  expect(bill(request.trial)).toEqual([0, 0]);
});

test('a cancellation that reaches a live run stops it: until then it runs, and collecting conflicts', async () => {
  const request = await submit({ delay_ms: 10_000 }, { timings: { cancellingMs: 2000 } });
  request.trial.clock.advance(150);
  for (let turn = 0; turn < 2; turn += 1) expect((await request.cancel()).status).toBe(202);
  expect(stateOf(await request.status())).toEqual(['IN_PROGRESS', undefined]);
  expect(told(await request.collect())).toEqual([409, 'invalid_input']);
  request.trial.clock.advance('2s');
  expect(stateOf(await request.status())).toEqual(['COMPLETED', 'cancelled']);
  request.trial.clock.advance('1m');
  expect(bill(request.trial)).toEqual([1, 0]);
});

test('a cancellation that comes too late changes nothing: the run finishes and is billed', async () => {
  const request = await submit({ delay_ms: 10_000 }, { timings: { cancellingMs: 20_000 } });
  request.trial.clock.advance(150);
  expect((await request.cancel()).json['status']).toBe('CANCELLATION_REQUESTED');
  expect((await request.collect()).status).toBe(202);
  request.trial.clock.advance('10s');
  expect(stateOf(await request.status())).toEqual(['COMPLETED', undefined]);
  expect((await request.collect()).status).toBe(200);
  expect(bill(request.trial)).toEqual([1, 1]);
});

test('by a setting, the status route answers 410 for what failed at request level, and for nothing else', async () => {
  const gone = { statusOfFailed: 'gone' } as const;
  const cancelled = await submit({}, gone);
  await cancelled.cancel();
  expect(told(await cancelled.status())).toEqual([410, 'cancelled']);
  const failed = await submit({ outcome: 'provider_error' }, gone);
  failed.trial.clock.advance('1m');
  expect((await failed.status()).status).toBe(200);
});

test('results are collected again and again for a day', async () => {
  const request = await submit();
  request.trial.clock.advance('12h');
  const first = await request.collect();
  request.trial.clock.advance(12 * 3_600_000 - 1);
  expect((await request.collect()).bytes).toEqual(first.bytes);
  request.trial.clock.advance(1);
  for (const reply of [await request.status(), await request.collect(), await request.cancel()]) {
    expect(told(reply)).toEqual([404, 'request_not_found']);
  }
});
