import { parseArgs } from 'node:util';
import { runChaos } from './chaos.ts';
import { killScenes, runKills } from './kills.ts';

// Calls a sandbox through a broken network, `--calls` of them by the dice of `--seed`, and a fifth of them from clients that are killed.
const { values } = parseArgs({ options: { calls: { type: 'string', default: '10000' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const calls = Number(values.calls);
const report = await runChaos({ seed, calls });
process.stdout.write(`${JSON.stringify({ seed, ...report }, undefined, 2)}\n`);
let problems = report.problems.length;
for (const scene of killScenes) {
  const killed = await runKills(scene, { seed, calls: calls / killScenes.length });
  problems += killed.problems.length;
  process.stdout.write(`${JSON.stringify(killed)}\n`);
}
process.exitCode = problems === 0 ? 0 : 1;
