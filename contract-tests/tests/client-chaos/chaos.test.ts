import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';
import { runKills } from './kills.ts';

test('a client behind a broken network ends every call and starts no run twice', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`client chaos: seed ${seed}\n`);
  const report = await runChaos({ seed, calls: 1000 });
  expect(report.problems, JSON.stringify({ seed, ...report })).toEqual([]);
}, 120_000);

test('a client that is killed goes on with its keys and starts no run twice', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`killed client: seed ${seed}\n`);
  const report = await runKills({ seed, calls: 60 });
  expect(report.problems, JSON.stringify({ seed, ...report })).toEqual([]);
  expect(report.kills).toBeGreaterThan(1);
  expect(report.resumed).toBeGreaterThan(0);
}, 120_000);
