import { expect, test } from 'vitest';
import type { Outcome } from '../contract/finding.ts';
import type { Rule } from '../contract/rule.ts';
import { rule as scenarioRule } from '../contract/rule.ts';
import { type Cost, scenario } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import { anyOf, credential, hook, input, job, requisites, state } from '../requires.ts';
import { planConformance } from '../run/plan.ts';
import { listReliedSettings, measureCoverage } from './coverage.ts';
import { createResult } from './fixtures/example-report.ts';
import { renderSkipped } from './render-text.ts';
import { type ConformanceReport, exitCodeOf } from './report.ts';
import { describeCoverage, describeSettingsReliedOn, explainUnchecked } from './view.ts';

const router = { url: 'http://router.test', credentials: { main: 'sk-main' } };
const live: Target = {
  kind: 'live',
  router,
  workflow: { url: 'http://jobs.test', credentials: {}, jobs: { save: 'a' } },
};

function rule(id: string, requires: Rule['requires'], cost: Cost = 'free'): Rule {
  const api = id.startsWith('workflow') ? 'workflow' : 'router';
  const statement = { sentence: 'A.', requirements: ['MR-CAT-01'], check: () => [] };
  return scenarioRule(
    id,
    scenario({ api, cost, requires }, async () => ({})),
    statement,
  );
}

const rules = [
  rule('a.checked', [state]),
  rule('a.foreign', credential('router', 'neighbour')),
  rule('a.foreign-run', [state, ...credential('router', 'neighbour')], 'billed'),
  rule('a.run', [state], 'billed'),
  rule('a.hour', hook('clock'), 'billed'),
  rule('workflow.expired', job('save', 'expired')),
];

/** Decides the rules as a check in which every rule that applies passes. */
const decided = planConformance(rules, live).map(({ rule, skip }) => {
  const outcome: Outcome = skip === undefined ? { kind: 'passed', evidence: [] } : { ...skip, evidence: [] };
  return { rule, outcome, why: outcome.why };
});

test('lists what each unchecked rule needs', () => {
  expect(measureCoverage(decided, live)).toMatchObject({
    rules: 6,
    checked: 1,
    lacking: [
      { needs: ['a credential of a different workspace'], rules: ['a.foreign'] },
      {
        needs: ['a credential of a different workspace', 'a budget', 'models in conform.live.models'],
        rules: ['a.foreign-run'],
      },
      { needs: ['a budget', 'models in conform.live.models'], rules: ['a.run'] },
      { needs: ['test hooks'], requisites: ['clock'], rules: ['a.hour'] },
      { needs: ['a job of kind "expired"'], rules: ['workflow.expired'] },
    ],
  });
});

test('lists the configured settings that the findings of a rule rely on, for a live target', () => {
  const target: Target = {
    ...live,
    budget: { runs: 9, models: [{ id: 'a/b', input: {}, slowInput: { slow: true } }] },
  };
  const slow = anyOf(hook('outcomes'), input('slowInput'));
  const own = rule('a.own', [state, ...credential('router', 'main'), ...job('save'), slow]);
  const statements = ['conform.live.credentials.router.main', 'conform.jobs.save', 'conform.live.models[].slowInput'];
  expect(listReliedSettings(own, target)).toEqual(statements);
  expect(listReliedSettings(own, { ...target, kind: 'sandbox' })).toEqual([]);
  const [, , described] = describeSettingsReliedOn({ ...createResult('a.own', { kind: 'passed' }), statements });
  expect(described).toMatch(/^relies on your setting conform\.live\.models\[\]\.slowInput: An input for which/);
});

test('does not suggest settings if the catalog has no suitable model', () => {
  const [first] = rules;
  const outcome: Outcome = { kind: 'not-applicable', because: 'the catalog lists no second model', evidence: [] };
  const coverage = measureCoverage(first === undefined ? [] : [{ rule: first, outcome }], live);
  expect(coverage.lacking).toEqual([
    { needs: ['the catalog lists no second model'], requisites: [], rules: ['a.checked'] },
  ]);
});

const results = decided.map(({ rule: { id }, outcome }) => ({ ruleId: id, outcome }));
// The tested functions only read these members.
const report = {
  target: { kind: 'live' },
  coverage: measureCoverage(decided, live),
  budget: { runs: 0, used: 0, calls: [], needed: 12 },
  counts: { passed: 1, failed: 0, errored: 0, observed: 0 },
  reachability: { kind: 'reachable' },
  missingRequired: [],
  shortfalls: [],
  results,
} as unknown as ConformanceReport;

test('prints coverage in one line and one line per missing setting', () => {
  expect(describeCoverage(report)).toBe('checked 1 of 6 rules (16 %)');
  expect(explainUnchecked(report)).toEqual([
    'not checked: 2 rules: they need a budget, models in conform.live.models; add --budget 12, conform.live.models',
    'not checked: 1 rule: they need a credential of a different workspace; add conform.live.credentials.router.neighbour',
    'not checked: 1 rule: they need test hooks; add --hooks',
    'not checked: 1 rule: they need a job of kind "expired"; add conform.jobs.expired',
  ]);
});

test('prints the five most frequent reasons why rules were not checked', () => {
  const lacking = [
    ['the router API', 'the workflow API'],
    ['test hooks'],
    ['a budget'],
    ['a router credential'],
    ['a job of kind "save"', 'a job of kind "api"', 'the graphs of the jobs', 'a job of kind "expired"'],
    ['no model returns bytes'],
    ['the catalog lists no second model'],
    ['failed'],
  ].map((needs, index) => ({
    needs,
    requisites: requisites.filter(({ need }) => needs.includes(need)).map(({ id }) => id),
    rules: Array.from({ length: 9 - index }, (_, at) => `a.${index}.${at}`),
  }));
  const lines = explainUnchecked({ ...report, coverage: { rules: 50, checked: 8, lacking } });
  expect(lines.map((line) => line.slice(0, 60))).toEqual([
    'not checked: 9 rules: they need the router API, the workflow',
    'not checked: 8 rules: they need test hooks; add --hooks',
    'not checked: 7 rules: they need a budget; add --budget 12',
    'not checked: 7 rules: no setting enables them: no model retu',
    'not checked: 6 rules: they need a router credential; add con',
    'not checked: 1 more reason, in result.json',
  ]);
});

test('groups skipped rules by reason', () => {
  expect(renderSkipped(report)).toContain('    a.run');
});

test.each([
  [16, 0],
  [17, 4],
  [100, 4],
])('if %d percent of the rules must be checked and 16 percent were, the exit code is %d', (percent, code) => {
  expect(exitCodeOf(report, percent)).toBe(code);
});
