import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../../specs/src/index.ts';
import { cacheAttack } from './attack-caches.ts';
import { callerAttack } from './attack-callers.ts';
import type { AttackClass, Defect } from './attack-class.ts';
import { commandAttack } from './attack-commands.ts';
import { documentAttack } from './attack-documents.ts';
import { killAttack } from './attack-kills.ts';
import { recordingAttack } from './attack-recordings.ts';
import { serverAttack } from './attack-servers.ts';
import { valueAttack } from './attack-values.ts';
import { openCheckout } from './checkout.ts';

const classes: readonly AttackClass[] = [
  documentAttack,
  valueAttack,
  serverAttack,
  killAttack,
  cacheAttack,
  callerAttack,
  commandAttack,
  recordingAttack,
];
const defaultSeed = 20_261_122;

const usage = `node attack.ts [--root CHECKOUT] [--seed N] [--only CLASS] [--cases N] [--first K] [--case K] [--json]
Attacks the command of a checkout, this one by default. Exit code 1 when anything was found.
Classes: ${classes.map(({ name, cases }) => `${name} (${cases})`).join(', ')}
`;

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: packageRoot() },
    seed: { type: 'string', default: String(defaultSeed) },
    only: { type: 'string', multiple: true },
    /** How many cases per class in place of its full number. */
    cases: { type: 'string' },
    first: { type: 'string', default: '0' },
    case: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const chosen = classes.filter(({ name }) => values.only?.includes(name) ?? true);

if (values.help || chosen.length === 0) {
  process.stdout.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  process.exitCode = (await attack()) ? 1 : 0;
}

/** True when a class found a defect. */
async function attack(): Promise<boolean> {
  const checkout = await openCheckout(resolve(values.root));
  const seed = Number(values.seed);
  // Below a checkout, so that the packages there resolve; the name is not known before.
  const parent = join(packageRoot(), '.switchyard');
  mkdirSync(parent, { recursive: true });
  const results: { name: string; cases: number; seconds: number; defects: Defect[] }[] = [];
  for (const one of chosen) {
    const folder = mkdtempSync(join(parent, `attack-${one.name}-`));
    const startedAt = performance.now();
    const first = Number(values.first);
    const count = Number(values.cases ?? one.cases);
    const cases = values.case?.map(Number) ?? Array.from({ length: count }, (_, at) => first + at);
    try {
      const progress = (done: number): void =>
        void (process.stderr.isTTY && process.stderr.write(`\r${one.name} ${done}/${cases.length} `));
      const defects = onePerKind(await one.run({ checkout, seed, cases, folder, progress }));
      const seconds = (performance.now() - startedAt) / 1000;
      results.push({ name: one.name, cases: cases.length, seconds, defects });
      if (!values.json) process.stdout.write(summary(one.name, { cases: cases.length, seconds, defects, seed }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ root: checkout.root, seed, results }, null, 2)}\n`);
  return results.some(({ defects }) => defects.length > 0);
}

/** The first defect of each kind in a case: one cause often shows in many places. */
function onePerKind(defects: readonly Defect[]): Defect[] {
  const byCase = defects.toSorted((one, other) => one.case - other.case).toReversed();
  return [...new Map(byCase.map((defect) => [`${defect.case} ${defect.kind}`, defect])).values()].reverse();
}

function summary(
  name: string,
  { cases, seconds, defects, seed }: { cases: number; seconds: number; defects: Defect[]; seed: number },
): string {
  const lines = defects.map(
    ({ case: index, kind, what }) => `  case ${index}  ${kind}: ${what.replaceAll('\n', ' ').slice(0, 300)}\n`,
  );
  const again =
    defects[0] === undefined
      ? ''
      : `  again: npm run attack -- --only ${name} --seed ${seed} --case ${defects[0].case}\n`;
  const kinds = Object.entries(Object.groupBy(defects, ({ kind }) => kind)).map(
    ([kind, all]) => `${kind} ${all?.length ?? 0}`,
  );
  const counted = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  return `${name}: ${cases} cases, ${defects.length} defects${counted} in ${seconds.toFixed(0)} s\n${lines.join('')}${again}`;
}
