import { beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { exitCodeOf } from '../../src/index.ts';
import { failedRules, type GateRun, runGate } from './gate-run.ts';

// With test hooks, and with each of the bugs, the gate takes minutes: trial.ts does that (npm run test:long).

let run: GateRun;
beforeAll(async () => {
  run = await runGate(await buildEffectiveSpecs(defaultSpecSettings));
}, 60_000);

test('finds nothing wrong with a server that was written from the reference alone', () => {
  expect(failedRules(run)).toEqual([]);
  expect(exitCodeOf(run.report)).toBe(0);
});

test('needs at most twenty runs for its billed rules', () => {
  expect(run.report.budget?.used).toBeLessThanOrEqual(20);
  expect(run.dispatched).toBeLessThanOrEqual(20);
  const unpaid = run.report.results.filter(
    ({ cost, outcome }) => cost === 'billed' && 'because' in outcome && outcome.because.includes('budget'),
  );
  expect(unpaid.map(({ ruleId }) => ruleId)).toEqual([]);
});

test('names the provider that the owner states where another query comes under a used key', () => {
  // This server refuses a provider that a model does not have before it looks at the key.
  const compared = run.report.results.find(({ ruleId }) => ruleId === 'run.retry.with-another-query-conflicts');
  expect(compared?.outcome.kind).toBe('passed');
});
