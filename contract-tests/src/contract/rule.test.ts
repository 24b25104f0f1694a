import { expect, test } from 'vitest';
import { hook, state } from '../requires.ts';
import { passiveRule, rule } from './rule.ts';
import { scenario } from './scenario.ts';

const statement = { sentence: 'A.', requirements: ['MR-GEN-01'], check: () => [] };
const free = scenario({}, async () => ({}));

test('a rule inherits API, cost and requirements on the target from its scenario', () => {
  const billed = scenario({ api: 'workflow', cost: 'billed', requires: [state] }, async () => ({}));
  const made = rule('a.one', billed, { ...statement, requires: hook('clock') });
  expect(made).toMatchObject({ api: 'workflow', cost: 'billed', requires: [state, ...hook('clock')] });
});

test('the first word of a rule id is its family', () => {
  const rules = [rule('a-b.one', free, statement), passiveRule('c.two.three', statement)];
  expect(rules.map(({ family }) => family)).toEqual(['a-b', 'c']);
});

test.each([
  { name: 'a malformed id', id: 'A one', given: {}, message: 'malformed rule id' },
  { name: 'no requirement', id: 'a.one', given: { requirements: [] }, message: 'cites no requirement' },
])('rejects a rule with $name', ({ id, given, message }) => {
  expect(() => rule(id, free, { ...statement, ...given })).toThrow(message);
  expect(() => passiveRule(id, { ...statement, ...given })).toThrow(message);
});
