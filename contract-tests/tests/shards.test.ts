import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSandbox, listen, shiftedClock } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import { type ConformanceReport, conformToFolder, exitCodeOf, mergeFolders } from '../src/index.ts';
import { catalog, targetAt } from './sandbox-under-test.ts';

let specs: EffectiveSpecs;
let folder: string;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
  folder = mkdtempSync(join(tmpdir(), 'shards-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Leaves out what takes seconds of real time. */
const rules = [
  'catalog.*',
  'model.*',
  'schema-document.*',
  'errors.*',
  'workflow.*',
  'assets.*',
  'passive.*',
  'trace.*',
];

function verdicts({ results, counts, missingRequired, shortfalls }: ConformanceReport): unknown {
  return {
    outcomes: results.map(({ ruleId, outcome }) => [ruleId, outcome.kind]),
    counts,
    missing: missingRequired.map(({ ruleId }) => ruleId),
    shortfalls,
  };
}

test('the parts of a run, merged, say what the whole run says', async () => {
  const faults = ['model.detail.billing-missing'];
  const sandbox = createSandbox({ specs, catalog, faults, clock: shiftedClock() });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  ends.push(() => server.close());
  const input = { target: targetAt(server.url, sandbox.jobs), specs, rules };
  const whole = await conformToFolder(input, join(folder, 'whole'));
  const parts: ConformanceReport[] = [];
  for (const index of [1, 2, 3])
    parts.push(await conformToFolder({ ...input, shard: { index, of: 3 } }, join(folder, `part-${index}`)));
  const folders = [2, 3, 1].map((index) => join(folder, `part-${index}`));
  const merged = await mergeFolders(folders, join(folder, 'merged'));
  expect(verdicts(merged)).toEqual(verdicts(whole));
  expect([exitCodeOf(merged), exitCodeOf(whole)]).toEqual([1, 1]);
  const active = parts.flatMap(({ results }) => results.filter(({ family }) => !['passive', 'trace'].includes(family)));
  expect(new Set(active.map(({ ruleId }) => ruleId)).size, 'no rule runs twice').toBe(active.length);
  await expect(mergeFolders(folders.slice(1), join(folder, 'merged'))).rejects.toThrow('part 2 of 3 is missing');
  await expect(mergeFolders([...folders, ...folders], join(folder, 'merged'))).rejects.toThrow('there twice');
});

test('a defect of one model among many is found, and named', async () => {
  const sandbox = createSandbox({ specs, catalog, clock: shiftedClock() });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  ends.push(() => server.close());
  const { hooks: _, ...target } = targetAt(server.url, sandbox.jobs);
  const input = { target: { ...target, kind: 'live' as const }, specs, rules: ['model.listed.*', 'passive.*'] };
  const healthy = await conformToFolder({ ...input, models: 'all' }, join(folder, 'models'));
  expect(exitCodeOf(healthy)).toBe(0);
  const reads = sandbox.ledger();
  expect(reads.dispatches).toBe(0);
});
