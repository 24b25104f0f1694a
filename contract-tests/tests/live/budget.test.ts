import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type ConformanceReport, exitCodeOf, listRules, renderText } from '../../src/index.ts';
import {
  type Checked,
  checkDeployed,
  type Deployment,
  knownInputs,
  type MissingPart,
  ownModels,
} from './deployed-sandbox.ts';

let bare: Checked;
let healthy: Checked;
beforeAll(async () => {
  bare = await checkDeployed({ runs: 0, models: [] });
  healthy = await checkDeployed({ runs: 20 });
});

test('a check with a budget of 0 dispatches nothing', () => {
  expect(bare.admitted).toEqual([]);
  expect(bare.report.counts.failed).toBe(0);
});

// A server that lacks only validation or only authentication accepts fewer calls.
test('a check with a budget of 0 dispatches nothing on a server without validation and authentication', async () => {
  const { report, admitted } = await checkDeployed({ runs: 0, broken: ['validation', 'authentication'] });
  expect(admitted).toEqual([]);
  expect(report.budget).toMatchObject({ runs: 0, used: 0, calls: [] });
});

test('the list of unchecked rules on the console is the one in docs/how-to/check-a-service.md', () => {
  const text = renderText({ ...bare.report, durationMs: 1_200 });
  const end = text.slice(text.indexOf('not checked:'));
  // Ignore the numbers, which each new rule changes.
  const [page, printed] = [readFileSync('docs/how-to/check-a-service.md', 'utf8'), end].map((one) =>
    one.replace(/\d+/g, 'N'),
  );
  expect(page).toContain(`\n${printed}\n`);
});

/** Lists the rules that a report names as unchecked only because they need `need`. */
function lacking({ coverage }: ConformanceReport, need: string): readonly string[] {
  return coverage.lacking.filter(({ needs }) => needs.join() === need).flatMap(({ rules }) => rules);
}

test('a budget of 20 runs is sufficient for every rule that needs no test hook', () => {
  const { report, admitted } = healthy;
  const needHooks = lacking(bare.report, 'test hooks');
  const unchecked = report.coverage.lacking.filter(({ rules }) => !rules.every((rule) => needHooks.includes(rule)));
  // Rules about responses that only scripted outcomes cause, and rules that need settings that this configuration lacks.
  expect(unchecked.map(({ needs }) => needs.join()).sort()).toEqual([
    'a model that is barred',
    'conform.live.ceiling',
    'conform.live.exclusive',
    'the check saw no response that the rule applies to',
  ]);
  expect(report.counts).toMatchObject({ failed: 0, errored: 0, blocked: 0, 'setup-failed': 0 });
  expect(admitted.length).toBeLessThanOrEqual(20);
  expect(report.budget?.used).toBe(admitted.length);
});

test('a check is incomplete if none of its runs succeeds', async () => {
  const { report } = await checkDeployed({ runs: 20, broken: ['providers'] });
  expect(report.counts.failed).toBe(0);
  expect(report.shortfalls).toEqual([
    expect.stringMatching(/^none of the \d+ runs that should have succeeded did; .* returned 503$/),
  ]);
  expect(exitCodeOf(report)).toBe(4);
});

test('configured inputs that fail or take long make rules applicable that otherwise need test hooks', async () => {
  const [first, ...others] = ownModels;
  const withKnownInputs = first === undefined ? [] : [{ ...first, ...knownInputs }, ...others];
  const { report } = await checkDeployed({ runs: 100, models: withKnownInputs });
  const needHooks = lacking(bare.report, 'test hooks');
  const isChecked = (kind: string): boolean => ['passed', 'failed', 'observed'].includes(kind);
  const reached = report.results.filter(({ ruleId, outcome }) => needHooks.includes(ruleId) && isChecked(outcome.kind));
  expect(reached.filter(({ outcome }) => outcome.kind === 'failed')).toEqual([]);
  // The plan must include the runs of all callers.
  expect(report.budget?.used).toBeLessThanOrEqual(report.budget?.needed ?? 0);
  expect(reached).not.toEqual([]);
});

test('a report names a configured rejectedInput that the server accepted', async () => {
  const models = ownModels.map((model) => ({ ...model, rejectedInput: model.input }));
  const { report } = await checkDeployed({ runs: 10, models, rules: ['outcomes.run.policy'] });
  expect(renderText(report)).toMatch(
    /^discovery: conform\.live\.models\[\]\.rejectedInput of \S+ was answered with 200 instead of an error/m,
  );
});

const families = [...new Set(listRules().map(({ family }) => `${family}.**`))];
const plans = fc.record(
  {
    runs: fc.nat(23),
    models: fc.oneof(fc.constant([...ownModels]), fc.subarray([...ownModels])),
    broken: fc.subarray<MissingPart>(['validation', 'authentication']),
    rules: fc.subarray(families, { minLength: 1 }),
  },
  { requiredKeys: ['runs', 'models', 'broken'] },
);

// `npm run test:long` tries 200 plans.
test('a check never starts more runs than its budget, for random budgets, models, rules and defects of the server', async () => {
  const numRuns = Number(process.env['SWITCHYARD_PLANS'] ?? 3);
  const seed = Number(process.env['SWITCHYARD_SEED'] ?? 1);
  const isWithin = async (plan: Deployment): Promise<boolean> =>
    (await checkDeployed(plan)).admitted.length <= plan.runs;
  await fc.assert(fc.asyncProperty(plans, isWithin), { seed, numRuns, endOnFailure: true });
}, 1_200_000);

test('if a server accepts an invalid call, a check sends no other call with the same flaw, and reports that', async () => {
  const { report } = await checkDeployed({ runs: 20, broken: ['validation'] });
  const accepted = (report.budget?.calls ?? []).filter(
    ({ expectsRejection, state, status = 500 }) => expectsRejection && state === 'spent' && status < 400,
  );
  // For runs and for submissions: two invalid inputs, a body that isn't an object, and a different body with a used key.
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted.length).toBeLessThanOrEqual(8);
  expect(renderText(report)).toMatch(
    /^stopped sending calls: [a-z].* no further call with an invalid input like it is sent$/m,
  );
});

test('a check still decides most rules if the server accepts an invalid input', async () => {
  const { report } = await checkDeployed({ runs: 40, faults: ['run.constraints.enumerations-overlooked'] });
  expect(report.counts.failed).toBeGreaterThan(0);
  expect(report.coverage.checked).toBeGreaterThan(0.85 * healthy.report.coverage.checked);
});

test.each([
  ['bodies.run.array-accepted', 'bodies.*-are-refused', 'bodies.run.non-objects-are-refused'],
  ['limits.run-key.of-256-accepted', 'limits.run-key.longer-*', 'limits.run-key.longer-ones-are-refused'],
])(
  'with the fault %s, a check sends at most one call that is wrongly accepted, and reports the fault',
  async (fault, rules, rule) => {
    const { report, admitted } = await checkDeployed({ runs: 5, rules: [rules], faults: [fault] });
    // A finding that depends on a reading of the text is observed.
    const found = report.results.filter(({ outcome }) => ['failed', 'observed'].includes(outcome.kind));
    expect(found.map(({ ruleId }) => ruleId)).toEqual([rule]);
    expect(admitted.length).toBeLessThanOrEqual(1);
  },
);

test('a check covers keys, runs and the queue for a catalog without authored schemas', async () => {
  const { report } = await checkDeployed({ runs: 40, unauthored: true });
  expect(report.results.filter(({ outcome }) => outcome.kind === 'failed').map(({ ruleId }) => ruleId)).toEqual([]);
  const decided = report.results.filter(({ outcome }) => ['passed', 'observed'].includes(outcome.kind));
  expect(decided.map(({ ruleId }) => ruleId)).toEqual(
    expect.arrayContaining([
      'run.retry.is-marked-replayed',
      'status.read.answers-with-200',
      'cancel.pending.is-requested',
    ]),
  );
  expect(report.discovery.problems.join()).toContain('no model has an authored schema');
});

test('a check cancels its queued requests', async () => {
  const { admitted } = await checkDeployed({ runs: 20, rules: ['submit.handle.*', 'limits.submit-key.*'] });
  expect(admitted.map(({ outcome }) => outcome)).not.toEqual([]);
  expect(new Set(admitted.map(({ outcome }) => outcome))).toEqual(new Set(['cancelled']));
});

test('a check calls only the configured models', async () => {
  const models = ownModels.slice(0, 1);
  const { report, admitted } = await checkDeployed({ runs: 20, models });
  expect(new Set(admitted.map(({ model }) => model))).toEqual(new Set([models[0]?.id]));
  expect(report.counts.failed).toBe(0);
});

test('no rule fails for a deployment that accepts only bearer tokens', async () => {
  const { report } = await checkDeployed({ runs: 20, bearerOnly: true });
  expect(report.results.filter(({ outcome }) => outcome.kind === 'failed').map(({ ruleId }) => ruleId)).toEqual([]);
  expect(report.counts).toMatchObject({ errored: 0, 'setup-failed': 0 });
});
