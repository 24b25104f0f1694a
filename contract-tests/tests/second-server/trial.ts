import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../../specs/src/index.ts';
import { exitCodeOf } from '../../src/index.ts';
import { bugs } from './bugs.ts';
import { failedRules, runGate } from './gate-run.ts';

/**
 * `node trial.ts [BUG…]`: the gate on the second server with and without its test hooks, which has to be clean, and with each of
 * its bugs without them. Prints which rules find a bug. Exit code 1 when a healthy server fails a rule, or fewer than 30 of the 32
 * bugs are found.
 */
const wanted = 30;

const specs = await buildEffectiveSpecs(defaultSpecSettings);
const asked = process.argv.slice(2);
const chosen = bugs.filter(({ id }) => asked.length === 0 || asked.includes(id));
const isClean = [await checkHealthy(specs, false), await checkHealthy(specs, true)].every(Boolean);
let found = 0;
for (const { id, operation } of chosen) if (await tryBug(id, operation)) found += 1;
print(`${found} of ${chosen.length} bugs found without test hooks`);
process.exitCode = isClean && found >= Math.min(wanted, chosen.length) ? 0 : 1;

async function checkHealthy(specs: EffectiveSpecs, withHooks: boolean): Promise<boolean> {
  const run = await runGate(specs, { withHooks });
  const { coverage, budget, results } = run.report;
  const failed = failedRules(run);
  print(
    `healthy, ${withHooks ? 'with' : 'without'} hooks: ${coverage.checked} of ${coverage.rules} rules checked, ${budget?.used} runs, ${failed.length} failed`,
  );
  for (const rule of failed) print(`  failed ${rule}`);
  for (const { ruleId, outcome } of results)
    if (outcome.kind === 'not-applicable' || outcome.kind === 'not-observable')
      print(`  unchecked ${ruleId}: ${outcome.because}`);
  return exitCodeOf(run.report) === 0 && run.dispatched <= 20;
}

/** What needs hours is tried with test hooks too, and does not count. */
async function tryBug(bug: string, operation: string): Promise<boolean> {
  const rules = failedRules(await runGate(specs, { bug }));
  if (rules.length > 0) {
    print(`found  ${bug} (${operation}) by ${rules.slice(0, 3).join(', ')}`);
    return true;
  }
  const withHooks = failedRules(await runGate(specs, { bug, withHooks: true }));
  print(`missed ${bug} (${operation})${withHooks.length === 0 ? '' : `; with hooks found by ${withHooks.join(', ')}`}`);
  return false;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
