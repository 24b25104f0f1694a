import { expect, test } from 'vitest';
import { checkRules, type Deviations, isSound, renderSelfCheck, type SelfCheckReport } from './self-check.ts';
import type { Deviation, DeviationRun, RuleVerdict } from './worker.ts';

const verdict = (ruleId: string, requirement: string, kind: RuleVerdict['kind'] = 'passed'): RuleVerdict => ({
  ruleId,
  requirements: [requirement],
  kind,
  reason: kind === 'passed' ? '' : `${kind} for a reason`,
  failsByReading: false,
  isPassive: false,
  isHeadline: false,
});
const healthy: DeviationRun = [verdict('a.one', 'MR-ONE-01'), verdict('a.two', 'MR-TWO-02')];
const withVerdict = (id: string, kind: RuleVerdict['kind']): DeviationRun =>
  healthy.map((one) => (one.ruleId === id ? { ...one, kind, reason: kind } : one));
const faults = [
  { id: 'first', requirements: ['MR-ONE-01'] },
  { id: 'second', requirements: ['MR-TWO-02'], alsoViolates: ['MR-ONE-01'] },
];

function check(runs: Readonly<Record<string, DeviationRun>>, concurrency = 1): Promise<SelfCheckReport> {
  let now = 0;
  const run = ({ faults: [fault], variants: [variant] }: Deviation): Promise<DeviationRun> => {
    now += 250;
    return Promise.resolve(runs[fault ?? variant ?? 'healthy'] ?? healthy);
  };
  return checkRules({ faults, variants: [{ id: 'odd' }], concurrency, run, now: () => now });
}

const sound = { first: withVerdict('a.one', 'failed'), second: withVerdict('a.two', 'failed') };

test.each<{ name: string; given: Readonly<Record<string, DeviationRun>>; want: string | undefined }>([
  { name: 'no problems if every fault is caught without false alarms', given: sound, want: undefined },
  { name: 'a fault that no rule catches', given: { ...sound, first: healthy }, want: 'missed first' },
  {
    name: 'a fault that only a rule for a different requirement catches',
    given: { ...sound, first: withVerdict('a.two', 'failed') },
    want: 'false alarm on first: a.two',
  },
  {
    name: 'a rule that is errored on a fault',
    given: {
      ...sound,
      first: [...withVerdict('a.one', 'failed').slice(0, 1), verdict('a.two', 'MR-TWO-02', 'errored')],
    },
    want: 'false alarm on first: a.two',
  },
  {
    name: 'a rule that fails on a variant',
    given: { ...sound, odd: withVerdict('a.two', 'failed') },
    want: 'false alarm on odd: a.two',
  },
  {
    name: 'a rule that fails on the healthy system',
    given: { ...sound, healthy: withVerdict('a.two', 'failed') },
    want: 'unsound a.two',
  },
  {
    name: 'a rule that is undecided on the healthy system',
    given: { ...sound, healthy: withVerdict('a.two', 'setup-failed') },
    want: 'unsound a.two',
  },
])('the self-check reports $name', async ({ given, want }) => {
  const report = await check(given);
  expect(isSound(report)).toBe(want === undefined);
  if (want !== undefined) expect(renderSelfCheck(report)).toContain(want);
});

test('only allows the additional violations that a fault declares', async () => {
  const both = healthy.map((one): RuleVerdict => ({ ...one, kind: 'failed' }));
  expect((await check({ ...sound, second: both })).falseAlarms).toBe(0);
  expect((await check({ ...sound, first: both })).falseAlarms).toBe(1);
});

test('lists the rules that no declared fault makes fail', async () => {
  expect((await check(sound)).rules.withoutFault).toEqual([]);
  expect((await check({ first: sound.first })).rules.withoutFault).toEqual(['a.two']);
});

test('counts the faults that are only caught because of our readings', async () => {
  const byReading = sound.first.map((one) => ({ ...one, failsByReading: one.kind === 'failed' }));
  const { faults: figures } = await check({ ...sound, first: byReading });
  expect([figures.caught, figures.notedOnly]).toEqual([2, 1]);
});

test('prints the totals last, regardless of the concurrency', async () => {
  const reports = [await check(sound), await check(sound, 8)];
  expect(reports[0]).toEqual(reports[1]);
  expect(
    renderSelfCheck(await check(sound))
      .split('\n')
      .at(-1),
  ).toBe(
    '2 rules; 2 of 2 faults caught, 0 of them only because of our readings; 0 false alarms on 2 faults and 1 variants; 1.0 s',
  );
});

test('reports progress once for each fault and variant', async () => {
  const seen: string[] = [];
  const onProgress: Deviations['onProgress'] = ({ done, total, id }) => seen.push(`${id} ${done}/${total}`);
  const run = () => Promise.resolve(healthy);
  await checkRules({ faults, variants: [{ id: 'odd' }], concurrency: 2, run, now: () => 0, onProgress });
  expect(seen).toEqual(['first 1/3', 'second 2/3', 'odd 3/3']);
});
