import { expect, test } from 'vitest';
import { state } from '../requires.ts';
import { defineFamily, type Family, type FamilyMember, wholeCheck } from './rule.ts';

const rule = { sentence: 'A.', requirements: ['MR-GEN-01'], probe: wholeCheck, check: () => [] };

test('inherits members of the family and lets a rule override them', () => {
  const shared: Family = { cost: 'billed', requires: [state], needs: ['a.zero'] };
  const own: FamilyMember = { ...rule, api: 'workflow', cost: 'free', needs: [], requiredOf: ['mock'] };
  expect(defineFamily(shared)({ 'a.one': rule, 'a.two': own })).toMatchObject([
    { id: 'a.one', api: 'router', cost: 'billed', requires: [state], needs: ['a.zero'], requiredOf: ['sandbox'] },
    { id: 'a.two', api: 'workflow', cost: 'free', requires: [state], needs: [], requiredOf: ['mock'] },
  ]);
});

test('names the family of a rule by the first word of its id, also of one that a table makes', () => {
  const rules = defineFamily({})({ 'a-b.one': rule }, [['c.two.three', rule]]);
  expect(rules.map(({ id, family }) => [id, family])).toEqual([
    ['a-b.one', 'a-b'],
    ['c.two.three', 'c'],
  ]);
});

test('needs what its family needs, and never itself', () => {
  const rules = defineFamily({ needs: ['a.one'] })({ 'a.one': rule, 'a.two': rule });
  expect(rules.map(({ needs }) => needs)).toEqual([[], ['a.one']]);
});

test('shares the probe of the family, so that its evidence is shared too', () => {
  const { probe: _, ...bare } = rule;
  const [one, two] = defineFamily({ probe: wholeCheck })({ 'a.one': bare, 'a.two': bare });
  expect(one?.scenario).toBe(two?.scenario);
});

test.each<{ name: string; id?: string; given: Partial<FamilyMember>; message: string }>([
  { name: 'a malformed id', id: 'A one', given: { probe: wholeCheck }, message: 'malformed rule id' },
  { name: 'no requirement', given: { probe: wholeCheck, requirements: [] }, message: 'cites no requirement' },
  { name: 'no probe', given: {}, message: 'has no probe' },
])('refuses a rule with $name', ({ id = 'a.one', given, message }) => {
  const { probe: _, ...bare } = rule;
  expect(() => defineFamily({})({ [id]: { ...bare, ...given } })).toThrow(message);
});
