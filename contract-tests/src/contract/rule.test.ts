import { expect, test } from 'vitest';
import { hook, state } from '../requires.ts';
import { passiveRule, ruleIn } from './rule.ts';
import { scenario } from './scenario.ts';

const statement = { sentence: 'A.', requirements: ['MR-GEN-01'], check: () => [] };
const free = scenario({}, async () => ({}));
const family = { name: 'a', concern: 'money', usualCause: 'because' } as const;
const rule = ruleIn(family);

test('a rule inherits API, cost and requirements on the target from its scenario', () => {
  const billed = scenario({ api: 'workflow', cost: 'billed', requires: [state] }, async () => ({}));
  const made = rule('a.one', billed, { ...statement, requires: hook('clock') });
  expect(made).toMatchObject({ api: 'workflow', cost: 'billed', requires: [state, ...hook('clock')] });
});

test('a rule inherits members that it does not set from its family', () => {
  const rules = [rule('a.one', free, { ...statement, concern: 'access' }), passiveRule(family, 'a.two', statement)];
  const usualCause = 'because';
  expect(rules).toMatchObject([
    { family: 'a', concern: 'access', usualCause },
    { family: 'a', concern: 'money', usualCause },
  ]);
});

test('a rule inherits members that it does not set from its group', () => {
  const groupRule = ruleIn(family, { needs: ['a.one'], concern: 'access', requires: hook('clock') });
  const made = groupRule('a.two', free, { ...statement, concern: 'results' });
  expect(made).toMatchObject({ needs: ['a.one'], concern: 'results', requires: hook('clock') });
});

test.each([
  { name: 'a malformed id', id: 'A one', given: {}, message: 'malformed rule id' },
  { name: 'the id of another family', id: 'b.one', given: {}, message: 'must begin with its family, a.' },
  { name: 'an empty list of requirements', id: 'a.one', given: { requirements: [] }, message: 'cites no requirement' },
])('rejects a rule with $name', ({ id, given, message }) => {
  expect(() => rule(id, free, { ...statement, ...given })).toThrow(message);
  expect(() => passiveRule(family, id, { ...statement, ...given })).toThrow(message);
});
