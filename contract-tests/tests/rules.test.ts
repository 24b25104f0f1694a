import { describe, expect, test } from 'vitest';
import { listFaults } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, parseBrand, readRequirements } from '../../specs/src/index.ts';
import { listRules, reasonOf } from '../src/index.ts';
import { checkSandbox, wholeRunFamilies } from './sandbox-under-test.ts';

const healthy = await checkSandbox({});

describe('on the healthy sandbox', () => {
  test.each(healthy.results.map((result): [string, (typeof healthy.results)[number]] => [result.ruleId, result]))(
    '%s reaches a verdict and does not fail',
    (_, { family, outcome }) => {
      // A rule over the whole check may be about responses that a healthy target never gives.
      const expected = wholeRunFamilies.includes(family)
        ? ['passed', 'observed', 'not-applicable']
        : ['passed', 'observed'];
      expect(expected, reasonOf(outcome)).toContain(outcome.kind);
    },
  );
});

test.each([
  ['another brand', { brand: parseBrand('Acme-Labs') }],
  ['other status words', { queueStatuses: ['QUEUED', 'RUNNING'] as const }],
])('a sandbox with %s gets the same outcomes', async (_, difference) => {
  const specs = await buildEffectiveSpecs({ ...defaultSpecSettings, ...difference });
  const report = await checkSandbox({ specs });
  expect(report.counts).toEqual(healthy.counts);
});

test('rules and faults cite requirements of the register only', () => {
  const known = new Set(readRequirements().map(({ id }) => id));
  const cited = [...listRules(), ...listFaults()].flatMap(({ requirements }) => requirements);
  const tripped = listFaults().flatMap(({ alsoViolates }) => alsoViolates ?? []);
  expect([...new Set([...cited, ...tripped])].filter((id) => !known.has(id))).toEqual([]);
});
