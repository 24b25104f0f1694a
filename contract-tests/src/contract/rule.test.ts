import { expect, test } from 'vitest';
import { state } from '../requires.ts';
import { defineFamily, type Family, wholeCheck } from './rule.ts';

const family = { family: 'a', api: 'router' } as const satisfies Family;
const rule = { id: 'a.one', sentence: 'A.', requirements: ['MR-GEN-01'], probe: wholeCheck, check: () => [] };

test('gives a rule what its family shares, and lets it override each member', () => {
  const shared = { ...family, cost: 'billed', requires: [state], needs: ['a.zero'] } as const;
  const own = { id: 'a.two', cost: 'free', needs: [], requiredOf: ['mock'] } as const;
  expect(defineFamily(shared, [rule, { ...rule, ...own }])).toMatchObject([
    { family: 'a', cost: 'billed', requires: shared.requires, needs: ['a.zero'], requiredOf: ['sandbox'] },
    { family: 'a', cost: 'free', requires: shared.requires, needs: [], requiredOf: ['mock'] },
  ]);
});

test('needs what its family needs, and never itself', () => {
  const rules = defineFamily({ ...family, needs: ['a.one'] }, [rule, { ...rule, id: 'a.two' }]);
  expect(rules.map(({ needs }) => needs)).toEqual([[], ['a.one']]);
});

test('shares the probe of the family, so that its evidence is shared too', () => {
  const { probe: _, ...bare } = rule;
  const [one, two] = defineFamily({ ...family, probe: wholeCheck }, [bare, { ...bare, id: 'a.two' }]);
  expect(one?.probe).toBe(two?.probe);
});

test.each([
  { name: 'a malformed id', given: { id: 'A one' }, message: 'malformed rule id' },
  { name: 'no requirement', given: { requirements: [] }, message: 'cites no requirement' },
  { name: 'no probe', given: { probe: undefined }, message: 'has no probe' },
])('refuses a rule with $name', ({ given, message }) => {
  const { probe, ...bare } = rule;
  const own = 'probe' in given ? bare : { ...bare, probe, ...given };
  expect(() => defineFamily(family, [own])).toThrow(message);
});
