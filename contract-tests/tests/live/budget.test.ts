import { expect, test } from 'vitest';
import { type Broken, checkDeployed, ownModels } from './deployed-sandbox.ts';
import { checkRandomPlans } from './random-plans.ts';

const brokenServers: readonly { readonly broken: readonly Broken[] }[] = [
  { broken: [] },
  { broken: ['validation'] },
  { broken: ['authentication'] },
  { broken: ['validation', 'authentication'] },
];

test.each(brokenServers)('dispatches nothing with a budget of 0 at a server without $broken', async ({ broken }) => {
  const { report, admitted } = await checkDeployed({ runs: 0, broken });
  expect(admitted).toEqual([]);
  expect(report.budget).toMatchObject({ runs: 0, used: 0, calls: [] });
});

test('checks every rule that needs no hook with a budget of 20', async () => {
  const { report, admitted } = await checkDeployed({ runs: 20 });
  const reasons = report.coverage.lacking.map(({ needs }) => needs.join(', '));
  expect(reasons.toSorted()).toEqual([
    'test hooks',
    // Rules over the whole run that concern responses which only scripted outcomes bring about.
    'the run has no response that it concerns',
    'whether it may read is not known',
  ]);
  expect(report.counts).toMatchObject({ failed: 0, errored: 0, blocked: 0, 'setup-failed': 0 });
  expect(admitted.length).toBeLessThanOrEqual(20);
  expect(report.budget?.used).toBe(admitted.length);
});

test('dispatches no more than its budget, whatever the plan and the server', async () => {
  const count = Number(process.env['SWITCHYARD_PLANS'] ?? 6);
  const seed = Number(process.env['SWITCHYARD_SEED'] ?? Date.now() % 100_000);
  const exceeded = await checkRandomPlans({ count, seed });
  expect(exceeded, `seed ${seed}`).toEqual([]);
}, 300_000);

test('sends nothing more to a model that accepted what it had to reject', async () => {
  const { report } = await checkDeployed({ runs: 20, broken: ['validation'] });
  const calls = report.budget?.calls ?? [];
  for (const { id } of ownModels) {
    const ofModel = calls.filter(({ model }) => model === id);
    const accepted = ofModel.findIndex(
      ({ expectsRejection, state, status }) =>
        expectsRejection && state === 'spent' && status !== undefined && status < 400,
    );
    expect(accepted === -1 || accepted === ofModel.length - 1, id).toBe(true);
  }
  expect(calls.some(({ expectsRejection, state }) => expectsRejection && state === 'spent')).toBe(true);
});

test('cancels in the end what it queued', async () => {
  const { admitted } = await checkDeployed({ runs: 20, rules: ['submit.handle.*', 'limits.submit-key.*'] });
  expect(admitted.map(({ outcome }) => outcome)).not.toEqual([]);
  expect(new Set(admitted.map(({ outcome }) => outcome))).toEqual(new Set(['cancelled']));
});

test('asks only the models that the owner names', async () => {
  const models = ownModels.slice(0, 1);
  const { report, admitted } = await checkDeployed({ runs: 20, models });
  expect(new Set(admitted.map(({ model }) => model))).toEqual(new Set([models[0]?.id]));
  expect(report.counts.failed).toBe(0);
});
