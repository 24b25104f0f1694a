import { expect, test } from 'vitest';
import type { Concern } from '../contract/concerns.ts';
import type { Rule } from '../contract/rule.ts';
import { scenario } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import { rule } from '../own-rules.ts';
import { anyOf, credential, hook, input, job } from '../requires.ts';
import { createFinding, createResult } from './fixtures/example-report.ts';
import { listReliedSettings } from './relied-settings.ts';
import type { FindingRecord } from './report.ts';
import { describeReliedSettings } from './view.ts';

const target: Target = {
  kind: 'live',
  router: { url: 'https://router.test', credentials: { main: 'sk-main-0123', neighbour: 'sk-neighbour' } },
  workflow: { url: 'https://workflow.test', credentials: { main: 'wf-0123456' }, jobs: { save: 'job-1' } },
  budget: { runs: 9, models: [{ id: 'a/b', input: {}, slowInput: { slow: true }, deterministic: true }] },
};
const ruleOf = (requires: Rule['requires'], concern: Concern = 'results'): Rule =>
  rule(
    'a.one',
    scenario({ requires }, async () => ({})),
    { sentence: 'One is one.', requirements: ['MR-CAT-01'], concern, check: () => [] },
  );
const found = (more: Partial<FindingRecord> = {}): FindingRecord => ({
  ...createFinding('a.one', 'a cause'),
  ...more,
  seen: { exchange: 0, method: 'POST', url: 'https://router.test/v2/models/a/b', status: 422, curl: 'curl', notes: [] },
});

test.each<[string, Rule, FindingRecord, readonly string[]]>([
  [
    'a caller and a job',
    ruleOf([...credential('router', 'neighbour'), ...job('save')]),
    found(),
    ['conform.live.credentials.router.neighbour', 'conform.jobs.save'],
  ],
  [
    'an input that replaces a hook',
    ruleOf([anyOf(hook('outcomes'), input('slowInput'))]),
    found(),
    ['conform.live.models[].slowInput'],
  ],
  ['the setting deterministic', ruleOf([]), found({ code: 'bytes-differ' }), ['conform.live.models[].deterministic']],
  ['no setting if a replay differs', ruleOf([], 'money'), found({ code: 'bytes-differ' }), []],
  ['an input that the model rejects', ruleOf([]), found({ concern: 'served' }), ['conform.live.models[].input']],
  ['no setting if none is involved', ruleOf([]), found(), []],
])('a finding relies on %s', (_, rule, finding, want) => {
  expect(listReliedSettings(rule, [finding], target)).toEqual(want);
  expect(listReliedSettings(rule, [finding], { ...target, kind: 'sandbox' })).toEqual([]);
});

test('describes a setting that a finding relies on in a sentence', () => {
  const statements = ['conform.live.models[].slowInput', 'conform.live.models[].deterministic'];
  const [slow, deterministic] = describeReliedSettings({ ...createResult('a.one', { kind: 'passed' }), statements });
  expect(slow).toMatch(/^relies on your setting conform\.live\.models\[\]\.slowInput: \S/);
  expect(deterministic).toBe(
    'relies on your setting conform.live.models[].deterministic: The same input always gives the same output.',
  );
});
