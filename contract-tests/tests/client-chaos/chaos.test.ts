import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';
import { findObstacle, killScenes, runKills } from './kills.ts';

test('a client behind a broken network ends every call and starts no run twice', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`client chaos: seed ${seed}\n`);
  const report = await runChaos({ seed, calls: 1000 });
  expect(report.problems, JSON.stringify({ seed, ...report })).toEqual([]);
}, 120_000);

const allowed = killScenes.filter((scene) => {
  const obstacle = findObstacle(scene);
  if (obstacle !== undefined) process.stdout.write(`killed client: left out ${scene}, since ${obstacle}\n`);
  return obstacle === undefined;
});
test.each(allowed)(
  'a client that is killed (%s) goes on with its keys, starts no run twice and loses no result',
  async (scene) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    process.stdout.write(`killed client (${scene}): seed ${seed}\n`);
    const report = await runKills(scene, { seed, calls: 40 });
    expect(report.problems, JSON.stringify({ seed, ...report })).toEqual([]);
    expect(report.billed).toBeGreaterThan(scene === 'file-operations' ? 2 : 5);
    if (scene !== 'full-disk') expect(report.kills).toBeGreaterThan(1);
    // Where a process is killed by the clock, it may never have come to a call.
    if (scene === 'file-operations') expect(report.collected).toBeGreaterThan(0);
  },
  180_000,
);
