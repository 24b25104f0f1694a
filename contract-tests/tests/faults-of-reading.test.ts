import { expect, test } from 'vitest';
import { listFaults } from '../../sandbox/src/index.ts';
import { proveFamilies } from './fault-proof.ts';
import { readingFamilies, runningFamilies, toldFamilies } from './rule-families.ts';

await proveFamilies(readingFamilies);

test('every fault belongs to a family', () => {
  const families = new Set(listFaults().map(({ id }) => id.split('.')[0]));
  expect([...families].sort()).toEqual([...readingFamilies, ...runningFamilies, ...toldFamilies].sort());
});
