import { expect, test } from 'vitest';
import { readFaultDescriptions } from '../../specs/src/index.ts';
import { createTestSandbox, testSpecs as specs } from '../tests/test-sandbox.ts';
import { listFaults, listVariants } from './deviations.ts';
import { SandboxError } from './errors.ts';
import { createSandbox } from './sandbox.ts';

const openInput = '/v2/models/raw-provider/open-input';

test('createSandbox() rejects an unknown fault or variant, with its id in the message', () => {
  expect(() => createSandbox({ specs, faults: ['no.such.fault'] })).toThrow(SandboxError);
  expect(() => createSandbox({ specs, variants: ['no.such.variant'] })).toThrow('no.such.variant');
});

test('listFaults() and listVariants() return entries with unique ids and descriptions', () => {
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

test('a run that has not finished returns 503 when the sandbox closes', async () => {
  const sandbox = createTestSandbox({ timings: { providerMs: 500_000 } });
  const held = sandbox.call('POST', openInput, { json: {} });
  await new Promise((later) => setTimeout(later, 5));
  sandbox.close();
  expect((await held).status).toBe(503);
});

test('a sandbox may be closed twice, and its ledger can be read afterwards', () => {
  const sandbox = createSandbox({ specs });
  sandbox.close();
  sandbox.close();
  expect(sandbox.ledger().billed).toBe(0);
});

test('sandboxes with the same seed produce the same output for the same run', async () => {
  const run = async (seed: number): Promise<Uint8Array> => {
    const json = { text: 'Good morning.' };
    return (await createTestSandbox({ seed }).call('POST', '/v2/models/audio-provider/speech_v2', { json })).bytes;
  };
  expect(await run(1)).toEqual(await run(1));
  expect(await run(1)).not.toEqual(await run(2));
});
