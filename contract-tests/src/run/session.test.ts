import { expect, test } from 'vitest';
import type { Outcome } from '../contract/finding.ts';
import type { Exchange } from '../contract/probe.ts';
import { defineRule, wholeCheck } from '../contract/rule.ts';
import { type Attributions, attribute, numbered, selectEvidence } from './session.ts';

const exchange = (step: string): Exchange => ({
  step,
  attempt: 1,
  api: 'router',
  request: { method: 'GET', url: 'http://target.test/', headers: [], body: undefined },
  result: { kind: 'response', status: 200, headers: [], body: new Uint8Array() },
  timing: { startedAtMs: 0, durationMs: 0 },
});
const createRule = (requirement: string) =>
  defineRule({
    id: 'a.rule',
    sentence: 'A.',
    family: 'a',
    requirements: [requirement],
    api: 'router',
    probe: wholeCheck,
    check: () => [],
  });

test('an exchange with an attributed finding is read only by rules of the same requirement', () => {
  const log = [exchange('ask'), exchange('ask'), exchange('then')];
  const finding = { ruleId: 'a.rule', code: 'bytes-differ', expected: '', actual: '', at: { step: 'ask' } } as const;
  const evidence = log.slice(1);
  const failed: Outcome = { kind: 'failed', findings: [finding], evidence };
  const attributions: Attributions = new Map();
  attribute(createRule('MR-ONE-01'), failed, attributions);
  attribute(createRule('MR-ONE-02'), { kind: 'passed', evidence }, attributions);
  const all = numbered(log);
  const stepsFor = (requirement: string) =>
    selectEvidence(createRule(requirement), all, attributions).map(({ step }) => step);
  expect(stepsFor('MR-ONE-01')).toEqual(['1 ask', '2 ask', '3 then']);
  expect(stepsFor('MR-ONE-02')).toEqual(['1 ask', '3 then']);
});
