import { expect, test } from 'vitest';
import { allRules } from '../src/conform.ts';
import { exitCodeOf, type Target, type TargetKind } from '../src/index.ts';
import { hookNames } from '../src/requires.ts';
import { ruleApplicability } from '../src/run/plan.ts';
import { checkSandbox, targetAt } from './sandbox-under-test.ts';

/** Those that are discovered of a sandbox included. */
const capabilities = ['state', 'validation', 'authentication', ...hookNames] as const;

/** A target of that kind with everything that a caller can configure. */
function equipped(kind: TargetKind): Target {
  const target = { ...targetAt('http://sandbox.test'), kind };
  return kind === 'sandbox' ? { ...target, capabilities } : target;
}

test.each(['mock', 'sandbox', 'live'] as const)('every rule that is required of a %s can apply there', (kind) => {
  const required = allRules.filter(({ requiredOf }) => requiredOf.includes(kind));
  expect(required.length).toBeGreaterThan(0);
  const applies = (rule: (typeof required)[number]) => ruleApplicability(rule, equipped(kind)).kind === 'applies';
  expect(required.filter((rule) => !applies(rule)).map(({ id }) => id)).toEqual([]);
});

test('a healthy sandbox shows every rule that is required of it, and no other', async () => {
  const report = await checkSandbox({});
  const shown = report.results.filter(({ outcome }) => outcome.kind === 'passed' || outcome.kind === 'observed');
  const required = allRules.filter(({ requiredOf }) => requiredOf.includes('sandbox')).map(({ id }) => id);
  expect(shown.map(({ ruleId }) => ruleId).filter((id) => !required.includes(id))).toEqual([]);
  expect(report.missingRequired).toEqual([]);
  expect(exitCodeOf(report)).toBe(0);
});
