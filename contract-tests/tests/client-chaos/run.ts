import { parseArgs } from 'node:util';
import { runOnBrokenNetwork, runWithRestarts } from './chaos.ts';
import { killScenes, runKills } from './kills.ts';

// Sends `--calls` calls to a sandbox through a broken network, then as many while its socket is closed and opened again, then a quarter as
// many in each scene of killed clients. `--seed` makes the disturbances repeatable.
const { values } = parseArgs({ options: { calls: { type: 'string', default: '10000' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const calls = Number(values.calls);
process.stdout.write(`seed ${seed}\n`);
const scenes = [
  () => runOnBrokenNetwork({ seed, calls }),
  () => runWithRestarts({ seed, calls }),
  ...killScenes.map((scene) => () => runKills(scene, { seed, calls: calls / killScenes.length })),
];
for (const run of scenes) {
  const report = await run();
  process.stdout.write(`${JSON.stringify(report)}\n`);
  if (report.problems.length > 0) process.exitCode = 1;
}
