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
      // A rule over the whole run may be about responses that a healthy target never gives.
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

test('each family has a minimum of rules', () => {
  const least: Record<string, number> = {
    catalog: 8,
    model: 3,
    'schema-document': 8,
    run: 8,
    submit: 5,
    status: 6,
    collect: 6,
    cancel: 4,
    errors: 6,
    authentication: 6,
    workflow: 10,
    outcomes: 30,
    providers: 20,
    idempotency: 20,
    quotas: 6,
    assets: 15,
    retention: 10,
  };
  const families = listRules().map(({ family }) => family);
  for (const [family, count] of Object.entries(least)) {
    expect(families.filter((one) => one === family).length, family).toBeGreaterThanOrEqual(count);
  }
});

test('rules and faults cite requirements of the register only', () => {
  const known = new Set(readRequirements().map(({ id }) => id));
  const cited = [...listRules(), ...listFaults()].flatMap(({ requirements }) => requirements);
  const tripped = listFaults().flatMap(({ alsoViolates }) => alsoViolates ?? []);
  expect([...new Set([...cited, ...tripped])].filter((id) => !known.has(id))).toEqual([]);
});
