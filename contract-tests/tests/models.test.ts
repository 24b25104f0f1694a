import { expect, test } from 'vitest';
import { createSandbox, manualClock } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { inProcessPorts, runConformance } from '../src/index.ts';
import { catalog, targetAt } from './sandbox-under-test.ts';

const specs = buildEffectiveSpecs();

/** Creates models with different ids and copies of the same schema document. */
function manyModels(count: number, changed: (text: string, index: number) => string) {
  const original = catalog.find(({ id }) => id === 'text-provider/embed');
  if (original === undefined) throw new Error('the catalog has no text-provider/embed');
  const text = new TextDecoder().decode(original.bytes);
  return Array.from({ length: count }, (_, index) => {
    const id = `many/model-${String(index).padStart(3, '0')}`;
    return { ...original, id, bytes: new TextEncoder().encode(changed(text.replaceAll(original.id, id), index)) };
  });
}

test.each([
  { models: 'all', finds: true },
  { models: 'many/*-075', finds: true },
  { models: 'many/*-074', finds: false },
  { models: 2, finds: false },
])('a check with --models $models detects the wrong document of one model: $finds', async ({ models, finds }) => {
  const wrong = (text: string): string => text.replace(/"openapi": ?"3[^"]*"/, '"openapi":"2.0"');
  const many = manyModels(80, (text, index) => (index === 75 ? wrong(text) : text));
  const clock = manualClock();
  const sandbox = createSandbox({ specs, catalog: many, clock });
  const { hooks: _, ...deployed } = targetAt('http://many.test');
  const target = { ...deployed, kind: 'live' as const };
  const input = { target, specs, rules: ['passive.*'], models };
  const report = await runConformance(input, inProcessPorts(sandbox.handle, clock, {}));
  expect(sandbox.ledger().dispatches).toBe(0);
  sandbox.close();
  const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed');
  expect(failed.length > 0).toBe(finds);
  if (finds) expect(JSON.stringify(failed)).toContain('many/model-075');
});
