import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../../specs/src/index.ts';
import { attackCaches } from './attack-caches.ts';
import { attackCallers } from './attack-callers.ts';
import { attackDocuments } from './attack-documents.ts';
import { attackRecordings } from './attack-recordings.ts';
import { attackServers } from './attack-servers.ts';
import { attackValues } from './attack-values.ts';
import { killChildren } from './child.ts';
import type { AttackOptions, AttackResult } from './property.ts';

const attacks: Readonly<Record<string, (options: AttackOptions) => Promise<AttackResult>>> = {
  values: attackValues,
  recordings: attackRecordings,
  caches: attackCaches,
  callers: attackCallers,
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
const chosen = values.only ?? Object.keys(attacks);
const end = performance.now() + Number(values.minutes) * 60_000;
// Inside the repository, so that generated packages find their dependencies.
const parent = join(packageRoot(), '.switchyard');
mkdirSync(parent, { recursive: true });
process.stdout.write(`seed ${values.seed}\n`);

for (const [at, name] of chosen.entries()) {
  const attack = attacks[name];
  if (attack === undefined) throw new Error(`--only takes ${Object.keys(attacks).join(', ')}, got ${name}`);
  const startedAt = performance.now();
  const folder = mkdtempSync(join(parent, `attack-${name}-`));
  // An attack gets an equal share of the remaining time.
  const until = startedAt + (end - startedAt) / (chosen.length - at);
  const options = { seed: Number(values.seed), folder, until };
  try {
    const found = await attack(values.path === undefined ? options : { ...options, path: values.path });
    // An attack without a single case proves nothing.
    const result =
      found.cases > 0 || found.failure
        ? found
        : { ...found, failure: { problem: 'no case ran in its time: give it more --minutes', path: '' } };
    process.stdout.write(describeResult(name, result, (performance.now() - startedAt) / 1000));
    if (result.failure !== undefined) process.exitCode = 1;
  } finally {
    killChildren();
    rmSync(folder, { recursive: true, force: true });
  }
}

function describeResult(name: string, { cases, planned, failure }: AttackResult, seconds: number): string {
  const left = cases < planned && failure === undefined ? `, the deadline left out ${planned - cases}` : '';
  const line = `${failure === undefined ? 'ok  ' : 'FAIL'} ${name}: ${cases} cases in ${seconds.toFixed(0)} s${left}\n`;
  if (failure === undefined) return line;
  const path = failure.path === '' ? '' : ` --path ${failure.path}`;
  const again = `again: npm run attack -- --only ${name} --seed ${values.seed}${path}`;
  return `${line}${`${failure.problem}\n${again}`.replace(/^/gm, '     ')}\n`;
}
