import { expect, test } from 'vitest';
import { checkRules, isSound, renderSelfCheck, type SelfCheckReport } from './self-check.ts';
import type { Deviation, Trial, Verdict } from './trial.ts';

const verdict = (ruleId: string, requirement: string, kind: Verdict['kind'] = 'passed'): Verdict => ({
  ruleId,
  requirements: [requirement],
  kind,
  reason: kind === 'passed' ? '' : `${kind} for a reason`,
});
const healthy: Trial = [verdict('a.one', 'MR-ONE-01'), verdict('a.two', 'MR-TWO-02')];
const with_ = (id: string, kind: Verdict['kind']): Trial =>
  healthy.map((one) => (one.ruleId === id ? { ...one, kind, reason: kind } : one));
const faults = [
  { id: 'first', requirements: ['MR-ONE-01'] },
  { id: 'second', requirements: ['MR-TWO-02'], alsoViolates: ['MR-ONE-01'] },
];

function check(trials: Readonly<Record<string, Trial>>, atOnce = 1): Promise<SelfCheckReport> {
  let now = 0;
  const tryOut = ({ faults: [fault], variants: [variant] }: Deviation): Promise<Trial> => {
    now += 250;
    return Promise.resolve(trials[fault ?? variant ?? 'healthy'] ?? healthy);
  };
  const input = { faults, variants: [{ id: 'odd' }], atOnce, tryOut, now: () => now };
  return checkRules(input, () => undefined);
}

const sound = { first: with_('a.one', 'failed'), second: with_('a.two', 'failed') };

test.each<{ name: string; given: Readonly<Record<string, Trial>>; want: string | undefined }>([
  { name: 'every fault caught, no alarm', given: sound, want: undefined },
  { name: 'a fault that nothing catches', given: { ...sound, first: healthy }, want: 'missed first' },
  {
    name: 'a fault caught by a rule of another requirement only',
    given: { ...sound, first: with_('a.two', 'failed') },
    want: 'false alarm on first: a.two',
  },
  {
    name: 'a rule that breaks on a fault',
    given: { ...sound, first: [...with_('a.one', 'failed').slice(0, 1), verdict('a.two', 'MR-TWO-02', 'errored')] },
    want: 'false alarm on first: a.two',
  },
  {
    name: 'an alarm on a near-miss',
    given: { ...sound, odd: with_('a.two', 'failed') },
    want: 'false alarm on odd: a.two',
  },
  {
    name: 'a rule that fails on the healthy',
    given: { ...sound, healthy: with_('a.two', 'failed') },
    want: 'unsound a.two',
  },
  {
    name: 'a rule that comes to nothing',
    given: { ...sound, healthy: with_('a.two', 'setup-failed') },
    want: 'unsound a.two',
  },
  { name: 'a rule that no fault fails', given: { first: sound.first }, want: 'unproven a.two' },
])('$name', async ({ given, want }) => {
  const report = await check(given);
  expect(isSound(report)).toBe(want === undefined);
  if (want !== undefined) expect(renderSelfCheck(report)).toContain(want);
});

test('a fault may trip the requirements that it names, and only those', async () => {
  const both = healthy.map((one): Verdict => ({ ...one, kind: 'failed' }));
  expect((await check({ ...sound, second: both })).falseAlarms).toBe(0);
  expect((await check({ ...sound, first: both })).falseAlarms).toBe(1);
});

test('the figures come last, whatever runs at once', async () => {
  const reports = [await check(sound), await check(sound, 8)];
  expect(reports[0]).toEqual(reports[1]);
  expect(
    renderSelfCheck(await check(sound))
      .split('\n')
      .at(-1),
  ).toBe('2 rules; 2 of 2 faults caught; 0 false alarms on 2 faults and 1 variants; 1.0 s');
});

test('progress names every trial once', async () => {
  const seen: string[] = [];
  const input = { faults, variants: [{ id: 'odd' }], atOnce: 2, tryOut: () => Promise.resolve(healthy), now: () => 0 };
  await checkRules(input, ({ done, total, id }) => seen.push(`${id} ${done}/${total}`));
  expect(seen).toEqual(['first 1/3', 'second 2/3', 'odd 3/3']);
});
