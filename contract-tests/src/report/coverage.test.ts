import { expect, test } from 'vitest';
import type { Outcome } from '../definitions/finding.ts';
import { defineRule, type Rule } from '../definitions/rule.ts';
import {
  type AppliesTo,
  allOf,
  hasCapability,
  hasCredential,
  hasJob,
  hasState,
  type Target,
} from '../definitions/target.ts';
import { ruleApplicability } from '../engine/plan.ts';
import { coverageOf } from './coverage.ts';
import { coverageLine, skippedLines } from './render-coverage.ts';
import { type ConformanceReport, exitCodeOf } from './report.ts';

const router = { url: 'http://router.test', credentials: { main: 'sk-main' } };
const live: Target = {
  kind: 'live',
  router,
  workflow: { url: 'http://jobs.test', credentials: {}, jobs: { save: 'a' } },
};

function rule(id: string, appliesTo: AppliesTo, cost: Rule['cost'] = 'free'): Rule {
  const api = id.startsWith('workflow') ? 'workflow' : 'router';
  return defineRule({ id, family: 'a', requirements: ['MR-CAT-01'], api, cost, appliesTo, probe: [], check: () => [] });
}

const rules = [
  rule('a.checked', hasState),
  rule('a.foreign', hasCredential('router', 'neighbour')),
  rule('a.foreign-run', allOf(hasState, hasCredential('router', 'neighbour')), 'billed'),
  rule('a.run', hasState, 'billed'),
  rule('a.hour', hasCapability('clock'), 'billed'),
  rule('workflow.expired', hasJob('save', 'expired')),
];

/** As a run decides them: what applies passes. */
const decided = rules.map((one) => {
  const applicability = ruleApplicability(one, live);
  const outcome: Outcome =
    applicability.kind === 'applies' ? { kind: 'passed', evidence: [] } : { ...applicability, evidence: [] };
  return { rule: one, outcome };
});

test('says what each unchecked rule lacks', () => {
  expect(coverageOf(decided, live)).toEqual({
    rules: 6,
    checked: 1,
    lacking: [
      { needs: ['a credential of another workspace'], rules: ['a.foreign'] },
      { needs: ['a credential of another workspace', 'a budget'], rules: ['a.foreign-run'] },
      { needs: ['a budget'], rules: ['a.run'] },
      { needs: ['test hooks'], rules: ['a.hour'] },
      { needs: ['a job of kind "expired"'], rules: ['workflow.expired'] },
    ],
  });
});

test('lacks nothing that an owner could give where the catalog gives no occasion', () => {
  const [first] = rules;
  const outcome: Outcome = { kind: 'not-applicable', because: 'the catalog lists no second model', evidence: [] };
  const coverage = coverageOf(first === undefined ? [] : [{ rule: first, outcome }], live);
  expect(coverage.lacking).toEqual([{ needs: ['the catalog lists no second model'], rules: ['a.checked'] }]);
});

const results = decided.map(({ rule: { id }, outcome }) => ({ ruleId: id, outcome }));
// The lines read these members alone.
const report = {
  coverage: coverageOf(decided, live),
  budget: { runs: 0, used: 0, calls: [], needed: 12 },
  counts: { passed: 1, failed: 0, errored: 0, observed: 0 },
  reachability: { kind: 'reachable' },
  missingRequired: [],
  shortfalls: [],
  results,
} as unknown as ConformanceReport;

test('is said in one line', () => {
  expect(coverageLine(report)).toBe(
    'checked 1 of 6 rules (16 %); a credential of another workspace would add 1, ' +
      'a credential of another workspace and --budget 12 would add 1, --budget 12 would add 1, test hooks would add 1, ' +
      'a job of kind "expired" would add 1',
  );
});

test('names skipped rules when asked to', () => {
  expect(skippedLines(report, false)).toHaveLength(4);
  expect(skippedLines(report, true)).toContain('    a.run');
});

test.each([
  [16, 0],
  [17, 4],
  [100, 4],
])('with at least %d percent to be checked ends with %d', (percent, code) => {
  expect(exitCodeOf(report, percent)).toBe(code);
});
