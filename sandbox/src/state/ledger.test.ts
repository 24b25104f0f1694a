import { expect, test } from 'vitest';
import { sampleRun } from '../../tests/sample-run.ts';
import { readLedger } from './ledger.ts';
import { withdraw } from './run.ts';

const runs = [
  sampleRun({ id: 'one', key: 'k', replays: 2 }),
  sampleRun({ id: 'two', key: 'k', startsAt: 400, endsAt: 500, disconnectedAt: 450 }),
  sampleRun({ id: 'elsewhere', key: 'k', scope: 'user:x', errorType: 'provider_error', isBilled: false }),
  withdraw(sampleRun({ id: 'withdrawn' }), 0, 10),
];

test('counts dispatches, bills and replays up to now, in total and by key', () => {
  expect(readLedger(runs, 350)).toMatchObject({ dispatches: 2, billed: 1, replays: 2, clientDisconnects: 1 });
  const ledger = readLedger(runs, 500);
  expect(ledger).toMatchObject({ dispatches: 3, billed: 2 });
  expect(ledger.keys).toEqual([
    { scope: 'workspace:one', key: 'k', dispatches: 2, billed: 2, replays: 2 },
    { scope: 'user:x', key: 'k', dispatches: 1, billed: 0, replays: 0 },
  ]);
  expect(readLedger(runs, 350).runs.map(({ endedAt }) => endedAt)).toEqual([300, undefined, 300, 10]);
  expect(ledger.runs.map(({ id, outcome, billed }) => [id, outcome, billed])).toEqual([
    ['one', 'succeeded', true],
    ['two', 'succeeded', true],
    ['elsewhere', 'provider_error', false],
    ['withdrawn', 'cancelled', false],
  ]);
});

test.each([
  [0, []],
  [1, ['withdrawn']],
  [3, ['two', 'elsewhere', 'withdrawn']],
  [9, ['one', 'two', 'elsewhere', 'withdrawn']],
])('lists the newest %i runs and counts all of them', (atMost, ids) => {
  const ledger = readLedger(runs, 500, atMost);
  expect(ledger.runs.map(({ id }) => id)).toEqual(ids);
  expect(ledger.billed).toBe(2);
});
