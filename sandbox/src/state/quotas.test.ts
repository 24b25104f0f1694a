import { expect, test } from 'vitest';
import { type Limits, type RateWindow, sumSpend, takeCall, toSpendHeaders } from './quotas.ts';

const limits: Limits = {
  inFlight: undefined,
  callsPerWindow: 2,
  workflowCallsPerWindow: undefined,
  windowMs: 1000,
  spendCents: 100,
  callCents: 5,
};

test.each<[string, RateWindow | undefined, number, RateWindow, number]>([
  ['the first call', undefined, 50, { startedAt: 50, calls: 1 }, 0],
  ['the last that fits', { startedAt: 50, calls: 1 }, 60, { startedAt: 50, calls: 2 }, 0],
  ['one too many', { startedAt: 50, calls: 2 }, 60, { startedAt: 50, calls: 2 }, 990],
  ['one too many at the end', { startedAt: 50, calls: 2 }, 1049, { startedAt: 50, calls: 2 }, 1],
  ['the first of the next window', { startedAt: 50, calls: 2 }, 1050, { startedAt: 1050, calls: 1 }, 0],
])('%s', (_, window, now, after, waitMs) => {
  const windows = new Map(window === undefined ? [] : [['one', window]]);
  expect(takeCall(windows, 'one', { calls: 2, windowMs: 1000 }, now)).toBe(waitMs);
  expect(windows.get('one')).toEqual(after);
});

test('admits every call without a quota', () => {
  const windows = new Map([['one', { startedAt: 0, calls: 1_000_000 }]]);
  expect(takeCall(windows, 'one', { calls: undefined, windowMs: 1000 }, 1)).toBe(0);
});

test.each([
  [0, 0, [100, 0, 100]],
  [3, 0, [100, 15, 85]],
  [3, 80, [100, 95, 5]],
  [4, 98, [100, 100, 0]],
  [50, 0, [100, 100, 0]],
])(
  'sums %i calls in progress and %i cents elsewhere as committed spend',
  (calls, elsewhere, [limit, current, remaining]) => {
    expect(toSpendHeaders(sumSpend(limits, calls, elsewhere))).toEqual({
      'X-Committed-Spend-Limit': String(limit),
      'X-Committed-Spend-Current': String(current),
      'X-Committed-Spend-Remaining': String(remaining),
    });
  },
);
