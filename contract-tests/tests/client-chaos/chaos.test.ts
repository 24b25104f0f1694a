import { expect, test } from 'vitest';
import { runOnBrokenNetwork, runWithRestarts } from './chaos.ts';
import { runKills } from './kills.ts';

// `npm run test:long` uses random seeds, more calls, and also the scenes shared-folder and full-disk.
const seed = 1;

test('a client on a broken network ends every call and starts no run twice', async () => {
  const report = await runOnBrokenNetwork({ seed, calls: 300 });
  expect(report.problems, JSON.stringify({ seed, ...report })).toEqual([]);
});

test('a client whose server restarts gets every result and starts no run twice', async () => {
  const report = await runWithRestarts({ seed, calls: 100 });
  expect(report.problems, JSON.stringify({ seed, ...report })).toEqual([]);
  expect(report.disturbed['restarts']).toBeGreaterThan(0);
});

test.each(['host', 'file-operations'] as const)(
  'a client that is killed continues with its keys, starts no run twice and loses no result (scene %s)',
  async (scene) => {
    const report = await runKills(scene, { seed, calls: scene === 'file-operations' ? 10 : 24 });
    expect(report.problems, JSON.stringify({ seed, ...report })).toEqual([]);
    expect(report.billed).toBeGreaterThan(0);
    // In the scene host, processes are killed after a random time, which may be before their first call.
    if (scene === 'file-operations') expect(Math.min(report.kills, report.collected)).toBeGreaterThan(0);
  },
);
