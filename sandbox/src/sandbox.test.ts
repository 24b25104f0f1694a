import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, readFaultDescriptions } from '../../specs/src/index.ts';
import { listFaults, listVariants } from './deviations.ts';
import { SandboxError } from './errors.ts';
import { sandboxCredentials } from './http/authentication.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

const specs = await buildEffectiveSpecs(defaultSpecSettings);

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
  const sandbox = createSandbox({ specs, clock: 'manual', timings: { providerMs: 500_000 } });
  const held = sandbox.fetch(
    new Request('http://sandbox.test/v2/models/raw-provider/open-input', {
      method: 'POST',
      headers: { 'X-API-Key': sandboxCredentials.router.main },
      body: '{}',
    }),
  );
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
  const run = async (seed: number): Promise<string> => {
    const sandbox = createSandbox({ specs, seed });
    const response = await sandbox.fetch(
      new Request('http://sandbox.test/v2/models/audio-provider/speech_v2', {
        method: 'POST',
        headers: { 'X-API-Key': sandboxCredentials.router.main },
        body: JSON.stringify({ text: 'Good morning.' }),
      }),
    );
    return Buffer.from(await response.arrayBuffer()).toString('base64');
  };
  expect(await run(1)).toBe(await run(1));
  expect(await run(1)).not.toBe(await run(2));
});

test('a sandbox continues from a database file where the previous one stopped, even with a manual clock', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const options = { specs, clock: 'manual', db: join(folder, 'state.db') } as const;
  const keyed = (sandbox: Sandbox): Promise<Response> =>
    sandbox.fetch(
      new Request('http://sandbox.test/v2/models/raw-provider/open-input', {
        method: 'POST',
        headers: { 'X-API-Key': sandboxCredentials.router.main, 'Idempotency-Key': 'k' },
        body: '{}',
      }),
    );
  const first = createSandbox(options);
  first.clock.advance('90d');
  const fresh = await keyed(first);
  first.close();
  const second = createSandbox(options);
  const again = await keyed(second);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.text()).toBe(await fresh.text());
  expect(second.ledger()).toMatchObject({ dispatches: 1, billed: 1, replays: 1 });
  second.close();
  rmSync(folder, { recursive: true });
});
