import { expect, test } from 'vitest';
import type { Outcome } from '../finding.ts';
import type { Exchange } from '../probe.ts';
import { defineRule, wholeRun } from '../rule.ts';
import { type Accusations, evidenceFor, noteAccusations, numbered } from './whole-run.ts';

const exchange = (step: string): Exchange => ({
  step,
  attempt: 1,
  api: 'router',
  request: { method: 'GET', url: 'http://target.test/', headers: [], body: undefined },
  result: { kind: 'response', status: 200, headers: [], body: new Uint8Array() },
  timing: { startedAtMs: 0, durationMs: 0 },
});
const ruleOf = (requirement: string) =>
  defineRule({
    id: 'a.rule',
    family: 'a',
    requirements: [requirement],
    api: 'router',
    probe: wholeRun,
    check: () => [],
  });

test('an answer that was found wrong is read by rules of the same requirement only', () => {
  const journal = [exchange('ask'), exchange('ask'), exchange('then')];
  const finding = { ruleId: 'a.rule', code: 'bytes-differ', expected: '', actual: '', at: { step: 'ask' } } as const;
  const evidence = journal.slice(1);
  const failed: Outcome = { kind: 'failed', findings: [finding], evidence };
  const accusations: Accusations = new Map();
  noteAccusations(ruleOf('MR-ONE-01'), failed, accusations);
  noteAccusations(ruleOf('MR-ONE-02'), { kind: 'passed', evidence }, accusations);
  const run = numbered(journal);
  const stepsFor = (requirement: string) => evidenceFor(ruleOf(requirement), run, accusations).map(({ step }) => step);
  expect(stepsFor('MR-ONE-01')).toEqual(['1 ask', '2 ask', '3 then']);
  expect(stepsFor('MR-ONE-02')).toEqual(['1 ask', '3 then']);
});
