import { availableParallelism } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { listFaults } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { checkRules, type DeclaredFault, listRules, onThreads, type SelfCheckReport } from '../src/index.ts';
import type { Runs } from '../src/prove/self-check.ts';
import { createDerivedProofFinder } from './derived-faults.ts';
import { sandboxUnderTest } from './sandbox-under-test.ts';

// FAULT=model.unknown only tries faults whose ids begin with model.unknown, which takes seconds.
const idPrefix = process.env['FAULT'] ?? '';
// SEED=7 makes the values that the rules send random.
const seed = process.env['SEED'] === undefined ? undefined : Number(process.env['SEED']);
const faults = listFaults().filter(({ id }) => id.startsWith(idPrefix));
if (faults.length === 0) throw new Error(`no fault id begins with ${idPrefix}: sandbox --list-faults lists them`);
const system = new URL('../../scripts/cli/system-under-test.ts', import.meta.url);
let report: SelfCheckReport;

/** Faults that are tried with all rules; the other faults with a selection of rules first. `conform --self-check` always uses all rules. */
const withAllRules: readonly DeclaredFault[] = faults.filter((_, index) => index % 64 === 0 || idPrefix !== '');
const rules = listRules();

/**
 * Returns the rules for the requirements of a fault, then the same with the rules of its family, whose calls give passive rules
 * more responses.
 */
function selectRules(fault: DeclaredFault): readonly (readonly string[])[] {
  if (withAllRules.includes(fault)) return [];
  const violated = [...fault.requirements, ...(fault.alsoViolates ?? [])];
  const ownRules = rules.filter(({ requirements }) => requirements.some((one) => violated.includes(one)));
  const familyRules = rules.filter(({ family }) => fault.id.startsWith(`${family}.`));
  return [ownRules, [...ownRules, ...familyRules]].map((selected) => selected.map(({ id }) => id));
}

/** Runs the selected rules first, and all rules only if no selected rule detects the fault. */
const trySelected =
  (run: Runs['run']): Runs['run'] =>
  async (deviation, readings) => {
    const fault = faults.find(({ id }) => deviation.faults.includes(id));
    const { requirements = [], alsoViolates = [] } = fault ?? {};
    for (const selected of fault === undefined ? [] : selectRules(fault)) {
      const verdicts = await run(deviation, readings, selected);
      const detecting = verdicts.filter(({ kind }) => kind === 'failed');
      const shownRequirements = new Set(detecting.flatMap((verdict) => verdict.requirements));
      if (
        requirements.some((one) => shownRequirements.has(one)) &&
        alsoViolates.every((one) => shownRequirements.has(one))
      )
        return verdicts;
    }
    return run(deviation, readings);
  };

/** Rules that neither a declared fault nor one derived from the documents makes fail. */
let unproven: readonly string[] = [];

beforeAll(async () => {
  const specs = buildEffectiveSpecs();
  const threads = { specs, module: system.href, seed, threads: Math.min(8, availableParallelism()) };
  report = await onThreads(threads, async (runs) => {
    const first = await checkRules({ faults, variants: [], seed, ...runs, run: trySelected(runs.run) });
    if (idPrefix !== '') return first;
    const findDerivedProof = createDerivedProofFinder({
      specs,
      start: (deviation) => sandboxUnderTest(specs, deviation),
    });
    const underived: string[] = [];
    for (const id of first.rules.withoutFault) if ((await findDerivedProof(id)) === undefined) underived.push(id);
    // A selection may have lacked the remaining rules, so try the faults of their requirements again with all rules.
    const missing = rules.filter(({ id }) => underived.includes(id)).flatMap((rule) => rule.requirements);
    const retried = faults.filter(({ requirements }) => requirements.some((one) => missing.includes(one)));
    const found = retried.length > 0 ? await checkRules({ faults: retried, variants: [], seed, ...runs }) : undefined;
    const proven = new Set(found?.faults.runs.flatMap((run) => run.caughtBy));
    unproven = underived.filter((id) => !proven.has(id));
    return first;
  });
}, 1_200_000);

test.each(faults)('a rule for a requirement of the fault $id detects it, and no unrelated rule fails', ({ id }) => {
  const run = report.faults.runs.find((one) => one.id === id);
  const others = run?.unexpectedFailures.map(({ ruleId }) => ruleId).join(' ') || 'none';
  expect(run?.caughtBy.length, `no rule for its requirements fails; other rules that fail: ${others}`).toBeGreaterThan(
    0,
  );
  expect(run?.unexpectedFailures, 'rules for requirements that the fault does not list, not even in `also`').toEqual(
    [],
  );
  expect(run?.unshownViolations, 'requirements in `also` that no failed rule checks').toEqual([]);
});

test.skipIf(idPrefix !== '')('no rule fails on a healthy sandbox, and each rule fails for at least one fault', () => {
  expect(report.rules.unsound).toEqual([]);
  expect(unproven).toEqual([]);
});

// Some faults also violate a more serious requirement, such as one about spending, which is then the headline.
test.skipIf(idPrefix !== '')(
  'the headline of a report is about a requirement of the active fault, for nearly every fault',
  () => {
    const tried = report.faults.runs.filter(({ id }) => withAllRules.some((fault) => fault.id === id));
    const others = tried.filter(({ isHeadline }) => !isHeadline).map(({ id }) => id);
    expect(others.length / tried.length, others.join(' ')).toBeLessThan(0.03);
  },
);

test('every fault id begins with the family of a rule', () => {
  const families = rules.map(({ family }) => family);
  expect(faults.filter(({ id }) => !families.includes(id.split('.')[0] ?? '')).map(({ id }) => id)).toEqual([]);
});
