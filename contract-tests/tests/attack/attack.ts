import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { packageRoot } from '../../../specs/src/index.ts';
import { attackDocuments } from './attack-documents.ts';
import { attackServers } from './attack-servers.ts';
import { attackValues } from './attack-values.ts';
import { killChildren } from './child.ts';

const attacks = {
  values: attackValues,
  documents: attackDocuments,
  servers: attackServers,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string' },
    minutes: { type: 'string', default: '5' },
  },
});
const chosen = Object.entries(attacks).filter(([name]) => values.only?.includes(name) ?? true);
if (chosen.length === 0) throw new Error(`--only takes ${Object.keys(attacks).join(', ')}, got ${values.only}`);
const end = performance.now() + Number(values.minutes) * 60_000;
// Inside the repository, so that generated packages find their dependencies.
const parent = join(packageRoot(), '.switchyard');
mkdirSync(parent, { recursive: true });
process.stdout.write(`seed ${values.seed}\n`);

for (const [at, [name, attack]] of chosen.entries()) {
  const startedAt = performance.now();
  const folder = mkdtempSync(join(parent, `attack-${name}-`));
  // An attack gets an equal share of the remaining time. It fails if that share is too short for one case.
  const interruptAfterTimeLimit = (end - startedAt) / (chosen.length - at);
  const { path } = values;
  try {
    const run = await attack(folder, { seed: Number(values.seed), ...(path && { path }), interruptAfterTimeLimit });
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    process.stdout.write(`${run.failed ? 'FAIL' : 'ok  '} ${name}: ${run.numRuns} cases in ${seconds} s\n`);
    if (!run.failed) continue;
    process.exitCode = 1;
    // Each attack has its own type of case.
    process.stdout.write(`${fc.defaultReportMessage(run as fc.RunDetails<unknown>)}\n`);
    const { seed, counterexamplePath } = run;
    process.stdout.write(`again: npm run attack -- --only ${name} --seed ${seed} --path ${counterexamplePath}\n`);
  } finally {
    killChildren();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
