import { buildEffectiveSpecs } from '../../../specs/src/index.ts';
import { exitCodeOf } from '../../src/index.ts';
import { bugIds } from './bugs.ts';
import { runGate } from './gate-run.ts';

/**
 * `node trial.ts [BUG…]`: runs the gate on the second server, which has to be clean, and with each of its bugs. Prints the rules that
 * find a bug. Exit code 1 if the healthy server fails a rule, or if a bug is missed.
 */
const runsForBugs = 60;

const specs = await buildEffectiveSpecs();
const wanted = process.argv.slice(2);
const chosen = bugIds.filter((id) => wanted.length === 0 || wanted.includes(id));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const { report, failed, dispatched } = await runGate(specs);
const { coverage, budget, results } = report;
print(`healthy: ${coverage.checked} of ${coverage.rules} rules checked, ${budget?.used} runs, ${failed.length} failed`);
for (const rule of failed) print(`  failed ${rule}`);
for (const { ruleId, outcome } of results)
  if (outcome.kind === 'not-applicable') print(`  unchecked ${ruleId}: ${outcome.because}`);

let missed = 0;
for (const bug of chosen) {
  const { failed } = await runGate(specs, { bug, runs: runsForBugs });
  if (failed.length === 0) missed += 1;
  print(failed.length === 0 ? `missed ${bug}` : `found  ${bug} by ${failed.slice(0, 3).join(', ')}`);
}
print(`${chosen.length - missed} of ${chosen.length} bugs found`);
process.exitCode = exitCodeOf(report) === 0 && dispatched <= 20 && missed === 0 ? 0 : 1;
