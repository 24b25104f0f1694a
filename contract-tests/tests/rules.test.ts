import { describe, expect, test } from 'vitest';
import { listFaults } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, parseBrand, readRequirements } from '../../specs/src/index.ts';
import { listRules, reasonOf } from '../src/index.ts';
import { readingFamilies, runningFamilies, toldFamilies, wholeRunFamilies } from './rule-families.ts';
import { tryRules } from './trial-run.ts';

const healthy = await tryRules({});

describe('on the healthy sandbox', () => {
  test.each(healthy.results.map((result): [string, (typeof healthy.results)[number]] => [result.ruleId, result]))(
    '%s comes to a verdict and does not fail',
    (_, { family, outcome }) => {
      // Some rules over the whole run speak of answers that a healthy target never gives.
      const come = wholeRunFamilies.includes(family)
        ? ['passed', 'observed', 'not-observable']
        : ['passed', 'observed'];
      expect(come, reasonOf(outcome)).toContain(outcome.kind);
    },
  );
});

test.each([
  ['another brand', { brand: parseBrand('Acme-Labs') }],
  ['other status words', { queueStatuses: ['QUEUED', 'RUNNING'] as const }],
])('a sandbox with %s comes to the same verdicts', async (_, difference) => {
  const specs = await buildEffectiveSpecs({ ...defaultSpecSettings, ...difference });
  const report = await tryRules({ specs });
  expect(report.counts).toEqual(healthy.counts);
});

test('each family has its rules', () => {
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
  expect([...new Set(families)].sort()).toEqual(
    [...readingFamilies, ...runningFamilies, ...toldFamilies, ...wholeRunFamilies].sort(),
  );
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
