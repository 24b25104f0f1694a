import { availableParallelism } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { listFaults } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { checkRules, type DeclaredFault, listRules, onThreads, type SelfCheckReport } from '../src/index.ts';

// FAULT=model.unknown tries those whose ids begin so, in seconds: for those who write a fault.
const beginning = process.env['FAULT'] ?? '';
// SEED=7 draws the values that the rules send.
const seed = process.env['SEED'] === undefined ? undefined : Number(process.env['SEED']);
const faults = listFaults().filter(({ id }) => id.startsWith(beginning));
if (faults.length === 0) throw new Error(`no fault id begins with ${beginning}: sandbox --list-faults lists them`);
const system = new URL('../../scripts/cli/system-under-test.ts', import.meta.url);
let report: SelfCheckReport;

/** These are tried with all rules, the others only until a selection of rules catches them; `conform --self-check` tries all with all. */
const withAllRules: readonly DeclaredFault[] = faults.filter((_, index) => index % 32 === 0 || beginning !== '');
const rules = listRules();

/** The rules of its requirements, then those of its family as well, which give passive rules more to see. */
function selectRules(fault: DeclaredFault): readonly (readonly string[])[] {
  if (withAllRules.includes(fault)) return [];
  const violated = [...fault.requirements, ...(fault.alsoViolates ?? [])];
  const own = rules.filter(({ requirements }) => requirements.some((one) => violated.includes(one)));
  const siblings = rules.filter(({ family }) => fault.id.startsWith(`${family}.`));
  return [own, [...own, ...siblings]].map((selected) => selected.map(({ id }) => id));
}

beforeAll(async () => {
  const specs = buildEffectiveSpecs();
  const threads = { specs, module: system.href, seed, threads: Math.min(8, availableParallelism()) };
  report = await onThreads(threads, async ({ prove, ...runs }) => {
    const first = await checkRules({ faults, variants: [], tryFirst: selectRules, seed, ...runs });
    if (beginning !== '') return first;
    // These are about what the documents state of a response: breaking one such statement has to make them fail.
    const proofs = await Promise.all(first.rules.unproven.map(async (id) => [id, await prove?.(id)] as const));
    const underived = proofs.flatMap(([id, proof]) => (proof === undefined ? [id] : []));
    // Other rules may have caught the faults of the rest first, so these faults are tried again with all rules.
    const missing = rules.filter(({ id }) => underived.includes(id)).flatMap((rule) => rule.requirements);
    const again = faults.filter(({ requirements }) => requirements.some((one) => missing.includes(one)));
    const found = again.length > 0 ? await checkRules({ faults: again, variants: [], seed, ...runs }) : undefined;
    const proven = new Set(found?.faults.runs.flatMap((run) => run.caughtBy));
    const unproven = underived.filter((id) => !proven.has(id));
    return { ...first, rules: { ...first.rules, unproven } };
  });
}, 1_200_000);

test.each(faults)('a rule of its own requirements, and no unrelated rule, catches the fault $id', ({ id }) => {
  const run = report.faults.runs.find((one) => one.id === id);
  const others = run?.unexpectedFailures.map(({ ruleId }) => ruleId).join(' ') || 'none';
  expect(run?.caughtBy.length, `no rule of its requirements fails; of others: ${others}`).toBeGreaterThan(0);
  expect(run?.noted?.caughtBy, 'if no reading is required, no rule for its requirements notes it').not.toEqual([]);
  expect(run?.unexpectedFailures, 'rules of requirements that it names nowhere, not even in `also`').toEqual([]);
  expect(run?.noted?.unexpectedFailures ?? []).toEqual([]);
  expect(run?.unshownViolations, 'declared violations that no rule shows').toEqual([]);
});

test.skipIf(beginning !== '')('every rule is correct on a healthy sandbox, and a fault makes it fail', () => {
  expect(report.rules.unsound).toEqual([]);
  expect(report.rules.unproven).toEqual([]);
});

// The rest breaks a graver promise as well, such as that on spending, which then comes first.
test.skipIf(beginning !== '')("the headline of nearly every fault names the fault's own requirements", () => {
  const tried = report.faults.runs.filter(({ id }) => withAllRules.some((fault) => fault.id === id));
  const others = tried.filter(({ isHeadline }) => !isHeadline).map(({ id }) => id);
  expect(others.length / tried.length, others.join(' ')).toBeLessThan(0.03);
});

test('every fault id begins with the family of a rule', () => {
  const families = rules.map(({ family }) => family);
  expect(faults.filter(({ id }) => !families.includes(id.split('.')[0] ?? '')).map(({ id }) => id)).toEqual([]);
});
