import { expect, test } from 'vitest';
import type { Freedom } from '../../../specs/src/index.ts';
import { checkServers, combine, renderConforming } from './conforming.ts';
import type { Deviation, DeviationRun } from './worker.ts';

const freedoms: readonly Freedom[] = [
  ...Array.from(
    { length: 12 },
    (_, index): Freedom => ({
      id: `free.${index}`,
      kind: 'freedom',
      requirements: '',
      variants: [`one.${index}`, `other.${index}`],
    }),
  ),
  { id: 'strict', kind: 'freedom', why: 'it is a name', requirements: '' },
  { id: 'noise', kind: 'freedom', requirements: '', variants: ['noise.a', 'noise.b'], always: true },
];

const unread = { isPassive: false, failsByReading: false, isHeadline: false };

/** A gate that raises an alarm if a server has both of these variants. */
const alarmingOn =
  (...both: readonly string[]) =>
  ({ variants }: Deviation): Promise<DeviationRun> =>
    Promise.resolve(
      ['a.rule', 'a.sound-rule'].map((ruleId) => {
        const isWrong = ruleId === 'a.rule' && both.every((one) => variants.includes(one));
        return {
          ruleId,
          requirements: ['MR-ONE-01'],
          kind: isWrong ? 'failed' : 'passed',
          reason: 'because',
          ...unread,
        };
      }),
    );

test('picks at most one variant for each behaviour that the API text leaves open, in order', () => {
  for (let number = 1; number <= 50; number += 1) {
    const { variants } = combine(freedoms, 1, number);
    const indices = variants.slice(0, -2).map((one) => Number(one.split('.')[1]));
    expect(indices).toEqual([...new Set(indices)].toSorted((one, other) => one - other));
    expect(variants.slice(-2)).toEqual(['noise.a', 'noise.b']);
  }
});

test('picks the variants of each open behaviour independently, and the same ones for the same seed', () => {
  const drawn = Array.from({ length: 200 }, (_, number) => combine(freedoms, 1, number));
  expect(new Set(drawn.flatMap(({ variants }) => variants)).size).toBe(26);
  expect(combine(freedoms, 1, 7)).toEqual(drawn[7]);
  expect(combine(freedoms, 2, 7)).not.toEqual(drawn[7]);
  expect(drawn[7]?.variants).toEqual(expect.arrayContaining([...combine(freedoms.slice(3), 1, 7).variants]));
});

test('reports each server with an alarm and its variants', async () => {
  const run = alarmingOn('one.3', 'noise.b');
  const report = await checkServers({ freedoms, count: 60, seed: 1, concurrency: 2, run });
  const alarming = report.servers.filter(({ alarms }) => alarms.length > 0);
  expect(alarming.length).toBeGreaterThan(1);
  for (const { combination } of alarming)
    expect(combination.variants).toEqual(expect.arrayContaining(['one.3', 'noise.b']));
  expect(renderConforming(report)).toContain('false alarm: a.rule  because');
});

test('prints the seed if no rule raises an alarm', async () => {
  const done: number[] = [];
  const report = await checkServers({
    freedoms,
    count: 3,
    seed: 9,
    concurrency: 1,
    run: alarmingOn('unknown'),
    onProgress: (progress) => done.push(progress.done),
  });
  expect(done).toEqual([1, 2, 3]);
  expect(renderConforming(report)).toBe('3 conforming servers (seed 9); 0 raised alarms');
});
