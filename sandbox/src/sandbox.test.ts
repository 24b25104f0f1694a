import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFaultDescriptions } from '../../specs/src/index.ts';
import { createTestSandbox, testSpecs as specs } from '../tests/test-sandbox.ts';
import { listFaults, listVariants } from './deviations.ts';
import { SandboxError } from './errors.ts';
import { createSandbox } from './sandbox.ts';

const openInput = '/v2/models/raw-provider/open-input';

test('rejects an unknown fault or variant, with its id in the message', () => {
  expect(() => createSandbox({ specs, faults: ['no.such.fault'] })).toThrow(SandboxError);
  expect(() => createSandbox({ specs, variants: ['no.such.variant'] })).toThrow('no.such.variant');
});

test('lists faults and variants with unique ids and descriptions', () => {
  const listed = [...listFaults(), ...listVariants()];
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  for (const { id, description } of listed) expect(description, id).toMatch(/\w/);
});

test('specs/faults.yaml describes every fault, and nothing else', () => {
  expect(Object.keys(readFaultDescriptions()).toSorted()).toEqual(
    listFaults()
      .map(({ id }) => id)
      .toSorted(),
  );
});

test('a held run returns 503 when the sandbox closes', async () => {
  const sandbox = createTestSandbox({ timings: { providerMs: 500_000 } });
  const held = sandbox.call('POST', openInput, { json: {} });
  await new Promise((later) => setTimeout(later, 5));
  sandbox.close();
  expect((await held).status).toBe(503);
});

test('a closed sandbox reports that it is closed, and can be closed twice', async () => {
  for (const isUsed of [true, false]) {
    const sandbox = createSandbox({ specs });
    if (isUsed) expect(sandbox.ledger().billed).toBe(0);
    sandbox.close();
    sandbox.close();
    expect(() => sandbox.ledger()).toThrow('the sandbox is closed');
  }
});

test('runs produce the same output for the same seed', async () => {
  const run = async (seed: number): Promise<Uint8Array> => {
    const json = { text: 'Good morning.' };
    return (await createTestSandbox({ seed }).call('POST', '/v2/models/audio-provider/speech_v2', { json })).bytes;
  };
  expect(await run(1)).toEqual(await run(1));
  expect(await run(1)).not.toEqual(await run(2));
});

test('a sandbox continues from a database file where the previous one stopped, even with a manual clock', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const db = join(folder, 'state.db');
  const keyed = { json: {}, headers: { 'Idempotency-Key': 'k' } };
  const first = createTestSandbox({ db });
  first.clock.advance('90d');
  const fresh = await first.call('POST', openInput, keyed);
  first.close();
  const second = createTestSandbox({ db });
  const again = await second.call('POST', openInput, keyed);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.bytes).toEqual(fresh.bytes);
  expect(second.ledger()).toMatchObject({ dispatches: 1, billed: 1, replays: 1 });
  second.close();
  rmSync(folder, { recursive: true });
});
