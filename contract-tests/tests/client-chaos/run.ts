import { parseArgs } from 'node:util';
import { runChaos } from './chaos.ts';
import { runKills } from './kills.ts';

// Calls a sandbox through a broken network, `--calls` of them by the dice of `--seed`, and from a client that is killed.
const { values } = parseArgs({ options: { calls: { type: 'string', default: '10000' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const report = await runChaos({ seed, calls: Number(values.calls) });
const kills = await runKills({ seed, calls: 100 });
process.stdout.write(`${JSON.stringify({ seed, ...report, killed: kills }, undefined, 2)}\n`);
process.exitCode = report.problems.length + kills.problems.length === 0 ? 0 : 1;
