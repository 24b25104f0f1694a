import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { createTestSandbox, type TestCall } from '../../tests/test-sandbox.ts';

const still = '/v2/models/image-provider/still-2.1';
const input = { prompt: 'A lighthouse in fog' };
const callWithKey = (key: string): TestCall => ({ json: input, headers: { 'Idempotency-Key': key } });
const readReplayed = (reply: { headers: Headers }) => reply.headers.get('idempotent-replayed');

test('an Idempotency-Key expires one day after its first use, even if its result was replayed since', async () => {
  const sandbox = createTestSandbox();
  const halfDayMs = 12 * 60 * 60 * 1000;
  const seen: (string | null)[] = [];
  for (let call = 0; call < 4; call += 1) {
    seen.push(readReplayed(await sandbox.call('POST', still, callWithKey('k1'))));
    sandbox.clock.advance(halfDayMs);
  }
  expect(seen).toEqual([null, 'true', null, 'true']);
});

test('the sandbox only accepts Idempotency-Keys that an owner’s overlay of the specification allows (OP-032)', async () => {
  const overlay = join(mkdtempSync(join(tmpdir(), 'keys-')), 'keys.overlay.yaml');
  const action = '{ target: $.components.parameters.IdempotencyKey.schema, update: { pattern: "^[a-z ]+$" } }';
  writeFileSync(overlay, `overlay: 1.0.0\ninfo: { title: Keys, version: "1" }\nactions: [${action}]`);
  const sandbox = createTestSandbox({ specs: buildEffectiveSpecs({ ...defaultSpecSettings, overlays: [overlay] }) });
  const statuses = ['two words', 'K1'].map(async (key) => (await sandbox.call('POST', still, callWithKey(key))).status);
  expect(await Promise.all(statuses)).toEqual([200, 400]);
});
