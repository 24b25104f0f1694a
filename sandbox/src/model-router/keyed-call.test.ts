import { expect, test } from 'vitest';
import { createTestSandbox, type TestCall, type TestSandbox } from '../../tests/test-sandbox.ts';
import { sandboxCredentials } from '../http/authentication.ts';

const { router } = sandboxCredentials;
const still = '/v2/models/image-provider/still-2.1';
const input = { prompt: 'A lighthouse in fog' };
const keyed = (key: string, more: TestCall = {}): TestCall => ({
  json: input,
  headers: { 'Idempotency-Key': key },
  ...more,
});
const replayed = (reply: { headers: Headers }) => reply.headers.get('idempotent-replayed');

test.each([
  [still, 200],
  [`${still}/requests`, 201],
])('the second call to %s with one key is a replay of the first', async (path, status) => {
  const trial = createTestSandbox();
  const first = await trial.call('POST', path, keyed('k1'));
  trial.clock.advance(5000);
  const second = await trial.call('POST', path, keyed('k1'));
  expect([first.status, second.status]).toEqual([status, status]);
  expect(second.bytes).toEqual(first.bytes);
  expect([replayed(first), replayed(second)]).toEqual([null, 'true']);
  expect(second.headers.get('x-service-request-id')).not.toBe(first.headers.get('x-service-request-id'));
  expect(second.headers.has('x-committed-spend-limit')).toBe(status === 200);
});

test.each<[string, string, TestCall]>([
  ['body', still, keyed('k1', { json: { ...input, seed: 1 } })],
  ['bytes of an equal body', still, keyed('k1', { json: undefined, body: JSON.stringify(input, null, 1) })],
  ['query', `${still}?x=1`, keyed('k1')],
  ['path', '/v2/models/image-provider-two/still-pro', keyed('k1')],
  ['operation', `${still}/requests`, keyed('k1')],
])('another %s under a used key is a conflict', async (_, path, call) => {
  const trial = createTestSandbox();
  await trial.call('POST', still, keyed('k1'));
  const reply = await trial.call('POST', path, call);
  expect([reply.status, reply.json['error_type']]).toEqual([409, 'invalid_input']);
  expect(replayed(reply)).toBeNull();
});

test.each([
  ['a colleague', router.main, router.colleague, 'true'],
  ['another workspace', router.main, router.neighbour, null],
  ['a user without workspace', router.main, router.solo, null],
  ['that user again', router.solo, router.solo, 'true'],
])('a key is tried by %s', async (_, firstAs, secondAs, expected) => {
  const trial = createTestSandbox();
  await trial.call('POST', still, keyed('k1', { as: firstAs }));
  expect(replayed(await trial.call('POST', still, keyed('k1', { as: secondAs })))).toBe(expected);
});

test('a rejection before dispatch leaves the key free for another body', async () => {
  const trial = createTestSandbox();
  for (const json of [{}, { prompt: 5 }]) {
    expect((await trial.call('POST', still, keyed('k1', { json }))).status).toBe(422);
  }
  expect(replayed(await trial.call('POST', still, keyed('k1')))).toBeNull();
});

test('while the first call runs, a second with its key is told to wait', async () => {
  const trial: TestSandbox = createTestSandbox({ timings: { providerMs: 2000 } });
  const first = trial.call('POST', still, keyed('k1'));
  await new Promise((later) => setTimeout(later, 20));
  const second = await trial.call('POST', still, keyed('k1'));
  expect([second.status, second.json['error_type']]).toEqual([409, 'concurrency_limit_exceeded']);
  expect(second.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  trial.clock.advance(2000);
  expect((await first).status).toBe(200);
  expect(replayed(await trial.call('POST', still, keyed('k1')))).toBe('true');
});

test('a key is forgotten a day after its first use, however often it was replayed', async () => {
  const trial = createTestSandbox();
  const halfDayMs = 12 * 60 * 60 * 1000;
  const seen: (string | null)[] = [];
  for (let call = 0; call < 4; call += 1) {
    seen.push(replayed(await trial.call('POST', still, keyed('k1'))));
    trial.clock.advance(halfDayMs);
  }
  expect(seen).toEqual([null, 'true', null, 'true']);
});

test.each([
  ['', 400],
  ['a', 200],
  ['x'.repeat(255), 200],
  ['x'.repeat(256), 400],
  ['two words', 400],
  ['schlüssel', 400],
])('the key %j is answered %i', async (key, status) => {
  const reply = await createTestSandbox().call('POST', still, keyed(key));
  expect(reply.status).toBe(status);
});
