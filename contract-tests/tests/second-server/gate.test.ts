import { beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../../specs/src/index.ts';
import { type ConformanceReport, exitCodeOf } from '../../src/index.ts';
import type { RunRecord } from '../../src/wire/call.ts';
import { type GateRun, runGate } from './gate-run.ts';
import { bugIds } from './world.ts';

const specs = buildEffectiveSpecs();
let plan: NonNullable<ConformanceReport['budget']>;
let run: GateRun;
beforeAll(async () => {
  const { budget } = (await runGate(specs, { planOnly: true })).report;
  if (budget === undefined) throw new Error('a live target has a budget');
  plan = budget;
  run = await runGate(specs, { runs: plan.needed ?? 0 });
}, 180_000);

const listStarted = (calls: readonly RunRecord[] = []) => calls.filter(({ state }) => state !== 'returned');

test('the gate finds no defect in the second server, which was written only from the API reference', () => {
  expect(run.failed).toEqual([]);
  expect(exitCodeOf(run.report)).toBe(0);
});

test('the gate starts the runs that its plan lists', () => {
  const [planned, used] = [plan.plan, run.report.budget?.calls].map((calls) =>
    listStarted(calls).map(({ ruleId, step }) => `${ruleId} ${step}`),
  );
  expect(used?.toSorted()).toEqual(planned?.toSorted());
  expect(run.report.budget?.used).toBe((plan.needed ?? 0) - 1);
  expect(run.dispatched).toBeLessThanOrEqual(used?.length ?? 0);
  const skippedForBudget = run.report.results.filter(
    ({ outcome }) => 'because' in outcome && outcome.because.includes('the budget'),
  );
  expect(skippedForBudget.map(({ ruleId }) => ruleId)).toEqual([]);
});

test('the gate tests the alternate and the strict-mode input that are configured for each model', () => {
  const tried = (run.report.budget?.calls ?? []).map(({ states, model }) => `${states} ${model}`);
  const expected = ['alternate', 'strictInput'].flatMap((states) =>
    ['image-provider/still-1.2', 'image-provider/flaky-still'].map((model) => `${states} ${model}`),
  );
  expect(tried).toEqual(
    expect.arrayContaining([...expected, 'fallback image-provider/flaky-still', 'barred image-provider/flaky-still']),
  );
});

test('a rule about the committed spend is only observed if a small budget leaves it without a response', async () => {
  const { report } = await runGate(specs, { runs: 12 });
  expect(
    report.results.find(({ ruleId }) => ruleId === 'trace.spend.is-free-when-calls-have-ended')?.outcome,
  ).toMatchObject({
    kind: 'observed',
    observation: expect.stringContaining('no response showed the committed spend after the last call'),
  });
});

test.each([
  'authentication.barred-model.is-forbidden.run',
  'authentication.barred-model.is-forbidden.schema-document',
  'run.retry.on-another-model-conflicts',
  'run.retry.with-another-query-conflicts',
  'providers.strict.body-is-unchanged',
  'providers.fallback.serves',
  'providers.fallback.is-named',
  'providers.fallback.none.policy',
  'dependencies.read-job-workflow.upstream-error',
])('with configured statements about models, the gate decides the rule %s', (ruleId) => {
  expect(run.report.results.find((one) => one.ruleId === ruleId)?.outcome.kind).toBe('passed');
});

// `npm run test:long` tries all bugs, which takes minutes.
const bugs = process.env['SWITCHYARD_ALL_BUGS'] === '1' ? bugIds : bugIds.slice(0, 1);
test.each(bugs)(
  'the gate detects the bug %s of the second server',
  async (bug) => {
    const rules = bugs.length === 1 ? ['catalog.*'] : [];
    const { failed } = await runGate(specs, { bug, runs: 60, ...(rules.length > 0 && { rules }) });
    expect(failed).not.toEqual([]);
  },
  120_000,
);

test('the gate only requests providers that are in the configuration or the catalog', () => {
  const urls = run.report.results.flatMap(({ evidence }) => evidence.map(({ request }) => new URL(request.url)));
  const named = urls.flatMap(({ searchParams }) => [
    ...searchParams.getAll('model_provider'),
    ...searchParams.getAll('fallback_provider'),
  ]);
  expect([...new Set(named)]).toEqual(['second-image-provider']);
});
