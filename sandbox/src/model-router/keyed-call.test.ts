import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { createTestSandbox, type TestCall } from '../../tests/test-sandbox.ts';
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
])('replays the first reply to %s for the same key', async (path, status) => {
  const sandbox = createTestSandbox();
  const first = await sandbox.call('POST', path, keyed('k1'));
  sandbox.clock.advance(5000);
  const second = await sandbox.call('POST', path, keyed('k1'));
  expect([first.status, second.status]).toEqual([status, status]);
  expect(second.bytes).toEqual(first.bytes);
  expect([replayed(first), replayed(second)]).toEqual([null, 'true']);
  expect(second.headers.get('x-service-request-id')).not.toBe(first.headers.get('x-service-request-id'));
  expect(second.headers.has('x-committed-spend-limit')).toBe(status === 200);
});

test.each<[string, string, TestCall]>([
  ['body', still, keyed('k1', { json: { ...input, seed: 1 } })],
  ['formatting of the body', still, keyed('k1', { json: undefined, body: JSON.stringify(input, null, 1) })],
  ['query', `${still}?x=1`, keyed('k1')],
  ['path', '/v2/models/image-provider-two/still-pro', keyed('k1')],
  ['operation', `${still}/requests`, keyed('k1')],
])('returns 409 for a call that has a used key and a different %s', async (_, path, call) => {
  const sandbox = createTestSandbox();
  await sandbox.call('POST', still, keyed('k1'));
  const reply = await sandbox.call('POST', path, call);
  expect([reply.status, reply.json['error_type']]).toEqual([409, 'invalid_input']);
  expect(replayed(reply)).toBeNull();
});

test.each([
  ['a colleague', router.main, router.colleague, 'true'],
  ['a different workspace', router.main, router.neighbour, null],
  ['a user without workspace', router.main, router.solo, null],
  ['the same user without workspace', router.solo, router.solo, 'true'],
])('limits the scope of a key: %s', async (_, firstAs, secondAs, expected) => {
  const sandbox = createTestSandbox();
  await sandbox.call('POST', still, keyed('k1', { as: firstAs }));
  expect(replayed(await sandbox.call('POST', still, keyed('k1', { as: secondAs })))).toBe(expected);
});

test('a key can be used again with a different body if its call was rejected before dispatch', async () => {
  const sandbox = createTestSandbox({ limits: { inFlight: 0 } });
  expect((await sandbox.call('POST', still, keyed('k1', { json: { prompt: 'other' } }))).status).toBe(429);
  await sandbox.call('PUT', '/__sandbox/settings', { json: { limits: { inFlight: null } } });
  for (const json of [{}, { prompt: 5 }]) {
    expect((await sandbox.call('POST', still, keyed('k1', { json }))).status).toBe(422);
  }
  expect(replayed(await sandbox.call('POST', still, keyed('k1')))).toBeNull();
});

test('removes a key one day after its first use, even if it was replayed since', async () => {
  const sandbox = createTestSandbox();
  const halfDayMs = 12 * 60 * 60 * 1000;
  const seen: (string | null)[] = [];
  for (let call = 0; call < 4; call += 1) {
    seen.push(replayed(await sandbox.call('POST', still, keyed('k1'))));
    sandbox.clock.advance(halfDayMs);
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
])('a call with the key %j returns %i', async (key, status) => {
  const reply = await createTestSandbox().call('POST', still, keyed(key));
  expect(reply.status).toBe(status);
});

test('accepts the keys that an owner’s overlay allows (OP-032)', async () => {
  const overlay = join(mkdtempSync(join(tmpdir(), 'keys-')), 'keys.overlay.yaml');
  writeFileSync(
    overlay,
    [
      'overlay: 1.0.0',
      'info: { title: Keys, version: "1" }',
      'actions:',
      '  - { target: $.components.parameters.IdempotencyKey.schema, update: { pattern: "^[a-z ]+$" } }',
    ].join('\n'),
  );
  const sandbox = createTestSandbox({
    specs: await buildEffectiveSpecs({ ...defaultSpecSettings, overlays: [overlay] }),
  });
  const statuses = ['two words', 'K1'].map(async (key) => (await sandbox.call('POST', still, keyed(key))).status);
  expect(await Promise.all(statuses)).toEqual([200, 400]);
});
