import { expect, test } from 'vitest';
import { sampleRun } from '../../tests/sample-run.ts';
import { createLiveRuns } from './live-runs.ts';
import { withdraw } from './run.ts';

test('counts the waiting requests of the same model ahead, from any caller', () => {
  const live = createLiveRuns();
  const withdrawn = sampleRun({ id: 'withdrawn' });
  const last = sampleRun({ id: 'last', submittedAt: 20, startsAt: 120 });
  live.put(sampleRun({ id: 'other-model', modelId: 'p/other' }));
  live.put(sampleRun({ id: 'synchronous', operation: 'run', startsAt: 0 }));
  live.put(sampleRun({ id: 'first' }));
  live.put(sampleRun({ id: 'foreign', scope: 'user:x', startsAt: 110 }));
  live.put(withdrawn);
  live.put(last);
  expect(live.countAhead(sampleRun({ id: 'first' }), 20)).toBe(0);
  expect(live.countAhead(last, 20)).toBe(3);
  live.put(withdraw(withdrawn, 0, 30));
  expect(live.countAhead(last, 30)).toBe(2);
  expect(live.countAhead(last, 105)).toBe(1);
  expect(live.countAhead(last, 115)).toBe(0);
  expect(live.countAhead(last, 5000)).toBe(0);
});

test('counts the calls of a scope until they close', () => {
  const live = createLiveRuns();
  const first = sampleRun({ id: 'first' });
  for (const run of [first, sampleRun({ id: 'second' }), sampleRun({ id: 'foreign', scope: 'user:x' })]) live.put(run);
  expect(live.count('workspace:one', 0)).toBe(2);
  live.put(withdraw(first, 0, 10));
  expect([10, 299, 300].map((now) => live.count('workspace:one', now))).toEqual([1, 1, 0]);
  expect(live.count('workspace:none', 0)).toBe(0);
  live.put(sampleRun({ id: 'third', submittedAt: 400, startsAt: 400, endsAt: 500 }));
  expect(live.count('workspace:one', 450)).toBe(1);
  live.clear();
  expect(live.count('workspace:one', 450)).toBe(0);
});
