import { expect, test } from 'vitest';
import type { Rule } from '../contract/rule.ts';
import { rule as scenarioRule } from '../contract/rule.ts';
import { type Scenario, scenario } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import { state } from '../requires.ts';
import { planConformance, unmatchedPatterns } from './plan.ts';

const sandbox: Target = { kind: 'sandbox', router: { url: 'http://h:1', credentials: {} } };

type Given = Partial<Omit<Scenario, 'run'>> & { readonly needs?: readonly string[] };

function rule(id: string, { needs = [], ...of }: Given = {}): Rule {
  const statement = { sentence: 'A.', requirements: ['MR-GEN-01'], needs, check: () => [] };
  return scenarioRule(
    id,
    scenario(of, async () => ({})),
    statement,
  );
}
const planIds = (rules: readonly Rule[], patterns?: readonly string[]) =>
  planConformance(rules, sandbox, patterns).map((planned) => planned.rule.id);

test('sorts a rule after the rules that it needs', () => {
  expect(
    planIds([rule('a.third', { needs: ['a.second'] }), rule('a.second', { needs: ['a.first'] }), rule('a.first')]),
  ).toEqual(['a.first', 'a.second', 'a.third']);
});

test('only adds rules that the selected rules need', () => {
  const rules = [rule('a.first'), rule('a.second', { needs: ['a.first'] }), rule('a.third')];
  expect(planIds(rules, ['a.sec*'])).toEqual(['a.first', 'a.second']);
});

test('returns patterns that match no rule', () => {
  expect(unmatchedPatterns([rule('a.first')], ['a.*', 'b.*'])).toEqual(['b.*']);
});

test.each([
  { given: [rule('a.one'), rule('a.one')], want: 'duplicate rule ids' },
  { given: [rule('a.one', { needs: ['a.two'] }), rule('a.two', { needs: ['a.one'] })], want: 'need each other' },
  { given: [rule('a.one', { needs: ['a.none'] })], want: 'does not exist' },
])('rejects invalid rule declarations: $want', ({ given, want }) => {
  expect(() => planConformance(given, sandbox)).toThrow(want);
});

test.each([
  {
    target: { ...sandbox, kind: 'live' },
    given: { cost: 'billed' },
    want: { kind: 'not-applicable', because: 'it may start a run, and the budget is 0' },
  },
  {
    target: sandbox,
    given: { api: 'workflow' },
    want: { kind: 'not-applicable', because: 'the target lacks the workflow API (--workflow-url)' },
  },
  {
    target: { ...sandbox, kind: 'mock' },
    given: { requires: [state] },
    want: { kind: 'not-observable', because: 'the mock lacks state' },
  },
  {
    target: { ...sandbox, capabilities: [] },
    given: { requires: [state] },
    want: { kind: 'not-applicable', because: 'the target lacks state' },
  },
] as const)('for a $target.kind target, a rule with $given is $want.kind', ({ target, given, want }) => {
  expect(planConformance([rule('a.one', given)], target)[0]?.skip).toMatchObject(want);
});

test('a rule applies to a target that meets its requirements', () => {
  const [planned] = planConformance([rule('a.one', { requires: [state], cost: 'billed' })], sandbox);
  expect(planned?.skip).toBeUndefined();
});
