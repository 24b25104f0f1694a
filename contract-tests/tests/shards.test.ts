import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSandbox, listen, manualClock, shiftedClock } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import {
  type ConformanceReport,
  conformToFolder,
  exitCodeOf,
  inProcessPorts,
  mergeFolders,
  runConformance,
} from '../src/index.ts';
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

/** Active rules of both APIs, and passive rules. */
const rules = ['catalog.page.*', 'model.*', 'workflow.job.*', 'passive.*', 'trace.*'];

function verdicts({ results, counts, missingRequired, shortfalls }: ConformanceReport): unknown {
  return {
    outcomes: results.map(({ ruleId, outcome }) => [ruleId, outcome.kind]),
    counts,
    missing: missingRequired.map(({ ruleId }) => ruleId),
    shortfalls,
  };
}

test('the parts of a check, merged, say what the whole check says', async () => {
  // Each machine starts a sandbox of its own, at a port of its own.
  const startTarget = async () => {
    const sandbox = createSandbox({ specs, catalog, faults: ['model.detail.billing-missing'], clock: shiftedClock() });
    const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
    ends.push(() => server.close());
    return { target: targetAt(server.url), specs, rules };
  };
  const whole = await conformToFolder(await startTarget(), join(folder, 'whole'));
  const parts: ConformanceReport[] = [];
  for (const index of [1, 2]) {
    const input = { ...(await startTarget()), shard: { index, of: 2 } };
    parts.push(await conformToFolder(input, join(folder, `part-${index}`)));
  }
  const folders = [2, 1].map((index) => join(folder, `part-${index}`));
  const merged = await mergeFolders(folders, join(folder, 'merged'));
  expect(verdicts(merged)).toEqual(verdicts(whole));
  expect([exitCodeOf(merged), exitCodeOf(whole)]).toEqual([1, 1]);
  const active = parts.flatMap(({ results }) => results.filter(({ family }) => !['passive', 'trace'].includes(family)));
  expect(new Set(active.map(({ ruleId }) => ruleId)).size, 'no rule runs twice').toBe(active.length);
  await expect(mergeFolders(folders.slice(1), join(folder, 'merged'))).rejects.toThrow('part 2 of 2 is missing');
  await expect(mergeFolders([...folders, ...folders], join(folder, 'merged'))).rejects.toThrow('there twice');
  // A part that others wrote, who did not know what is secret here.
  const [, other = ''] = folders;
  const text = readFileSync(join(other, 'shard.json'), 'utf8');
  const secret = 'of-this-machine-1';
  writeFileSync(join(other, 'shard.json'), text.replaceAll('billing', secret));
  await mergeFolders(folders, join(folder, 'merged'), { secrets: [secret], formats: ['har'] });
  for (const name of ['result.json', 'report.html', 'report.har'])
    expect([name, readFileSync(join(folder, 'merged', name), 'utf8').includes(secret)]).toEqual([name, false]);
  writeFileSync(join(other, 'shard.json'), '{"format":"switchyard-shard-2","record":[null]}');
  await expect(mergeFolders(folders, join(folder, 'merged'))).rejects.toThrow('is damaged');
});

/** Models with the document of one, under ids of their own. */
function manyModels(count: number, changed: (text: string, index: number) => string) {
  const own = catalog.find(({ id }) => id === 'text-provider/embed');
  if (own === undefined) throw new Error('the catalog has no text-provider/embed');
  const text = new TextDecoder().decode(own.bytes);
  return Array.from({ length: count }, (_, index) => {
    const id = `many/model-${String(index).padStart(3, '0')}`;
    return { ...own, id, bytes: new TextEncoder().encode(changed(text.replaceAll(own.id, id), index)) };
  });
}

test.each([
  { models: 'all', shard: undefined, finds: true },
  { models: 'many/*-075', shard: undefined, finds: true },
  { models: 'many/*-074', shard: undefined, finds: false },
  { models: 'all', shard: { index: 2, of: 2 }, finds: true },
  { models: 'all', shard: { index: 1, of: 2 }, finds: false },
  { models: 2, shard: undefined, finds: false },
])(
  'with the models $models of shard $shard a document that only one model has wrong is found: $finds',
  async (given) => {
    const wrong = (text: string): string => text.replace(/"openapi": ?"3[^"]*"/, '"openapi":"2.0"');
    const many = manyModels(80, (text, index) => (index === 75 ? wrong(text) : text));
    const clock = manualClock();
    const sandbox = createSandbox({ specs, catalog: many, clock });
    const { hooks: _, ...deployed } = targetAt('http://many.test');
    const target = { ...deployed, kind: 'live' as const };
    const { models, shard } = given;
    const input = { target, specs, rules: ['passive.*'], models, ...(shard === undefined ? {} : { shard }) };
    const report = await runConformance(input, inProcessPorts(sandbox.handle, clock, {}));
    expect(sandbox.ledger().dispatches).toBe(0);
    sandbox.close();
    const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed');
    expect(failed.length > 0).toBe(given.finds);
    if (given.finds) expect(JSON.stringify(failed)).toContain('many/model-075');
  },
);
