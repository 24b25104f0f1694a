import { expect, test } from 'vitest';
import { sampleRun } from '../../tests/sample-run.ts';
import {
  cancelRun,
  findCloseTime,
  findDispatchTime,
  findPhase,
  hasClosed,
  hasExpired,
  measureTimeToNextPhase,
  OpenRuns,
  type Run,
  readLedger,
  runLifetimeMs,
  wasBilled,
} from './run.ts';

const endedPhase = (errorType: string) => ({ kind: 'ended', errorType });
const phaseOfKind = (name: string) => ({ kind: name });
const failing = sampleRun({ errorType: 'provider_error', isBilled: false });
const tooLate = sampleRun({ timesOutAt: 80 });
const cancelledWaiting = cancelRun(sampleRun(), 50, 60);
const cancelledRunning = cancelRun(sampleRun(), 50, 150);
const cancelledTooLate = cancelRun(sampleRun(), 500, 150);

test.each<[string, Run, number, object, number]>([
  ['a run', sampleRun(), 0, phaseOfKind('waiting'), 100],
  ['a run', sampleRun(), 99, phaseOfKind('waiting'), 1],
  ['a run', sampleRun(), 100, phaseOfKind('running'), 200],
  ['a run', sampleRun(), 299, phaseOfKind('running'), 1],
  ['a run', sampleRun(), 300, phaseOfKind('succeeded'), 0],
  ['a run', sampleRun(), runLifetimeMs, phaseOfKind('succeeded'), 0],
  ['a run whose provider fails', failing, 299, phaseOfKind('running'), 1],
  ['a run whose provider fails', failing, 300, endedPhase('provider_error'), 0],
  ['a run that times out in the queue', tooLate, 79, phaseOfKind('waiting'), 1],
  ['a run that times out in the queue', tooLate, 80, endedPhase('queue_timeout'), 0],
  ['a run that times out in the queue', tooLate, 500, endedPhase('queue_timeout'), 0],
  ['a run cancelled while it waits', cancelledWaiting, 60, endedPhase('cancelled'), 0],
  ['a run cancelled while it waits', cancelledWaiting, 400, endedPhase('cancelled'), 0],
  ['a run cancelled while it runs', cancelledRunning, 160, phaseOfKind('cancelling'), 40],
  ['a run cancelled while it runs', cancelledRunning, 200, endedPhase('cancelled'), 0],
  ['a run cancelled while it runs', cancelledRunning, 300, endedPhase('cancelled'), 0],
  ['a run that ends before its cancellation takes effect', cancelledTooLate, 200, phaseOfKind('running'), 100],
  ['a run that ends before its cancellation takes effect', cancelledTooLate, 300, phaseOfKind('succeeded'), 0],
])('findPhase() returns the phase of %s (case %#)', (_, run, now, phase, left) => {
  expect(findPhase(run, now)).toEqual(phase);
  expect(measureTimeToNextPhase(run, now)).toBe(left);
  expect(hasClosed(run, now)).toBe(left === 0);
});

test.each<[string, Run, number | undefined, number, boolean]>([
  ['a run that succeeds', sampleRun(), 100, 300, true],
  ['a run that fails', failing, 100, 300, false],
  ['a run that times out in the queue', tooLate, undefined, 80, false],
  ['a run cancelled before its dispatch', cancelledWaiting, undefined, 60, false],
  ['a run cancelled after its dispatch', cancelledRunning, 100, 200, false],
  ['a run cancelled too late', cancelledTooLate, 100, 300, true],
])('the times of dispatch, end and billing of %s', (_, run, sentAt, closed, billed) => {
  expect([findDispatchTime(run), findCloseTime(run), wasBilled(run, 299), wasBilled(run, 300)]).toEqual([
    sentAt,
    closed,
    false,
    billed,
  ]);
});

test('cancelRun() leaves a closed or cancelled run unchanged', () => {
  for (const run of [sampleRun(), failing]) expect(cancelRun(run, 0, 300)).toBe(run);
  expect(cancelRun(tooLate, 0, 90)).toBe(tooLate);
  for (const run of [cancelledWaiting, cancelledRunning]) expect(cancelRun(run, 0, 170)).toBe(run);
});

test('a run expires a day after its submission', () => {
  expect([runLifetimeMs - 1, runLifetimeMs].map((now) => hasExpired(sampleRun(), now))).toEqual([false, true]);
});

test('the queue position counts waiting requests of the same model from any caller', () => {
  const live = new OpenRuns();
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
  live.put(cancelRun(withdrawn, 0, 30));
  expect(live.countAhead(last, 30)).toBe(2);
  expect(live.countAhead(last, 105)).toBe(1);
  expect(live.countAhead(last, 115)).toBe(0);
  expect(live.countAhead(last, 5000)).toBe(0);
});

test('open runs count the calls of a scope until they end', () => {
  const live = new OpenRuns();
  const first = sampleRun({ id: 'first' });
  for (const run of [first, sampleRun({ id: 'second' }), sampleRun({ id: 'foreign', scope: 'user:x' })]) live.put(run);
  expect(live.count('workspace:one', 0)).toBe(2);
  live.put(cancelRun(first, 0, 10));
  expect([10, 299, 300].map((now) => live.count('workspace:one', now))).toEqual([1, 1, 0]);
  expect(live.count('workspace:none', 0)).toBe(0);
  live.put(sampleRun({ id: 'third', submittedAt: 400, startsAt: 400, endsAt: 500 }));
  expect(live.count('workspace:one', 450)).toBe(1);
  live.clear();
  expect(live.count('workspace:one', 450)).toBe(0);
});

const runs = [
  sampleRun({ id: 'one', key: 'k', replays: 2 }),
  sampleRun({ id: 'two', key: 'k', startsAt: 400, endsAt: 500, disconnectedAt: 450 }),
  sampleRun({ id: 'elsewhere', key: 'k', scope: 'user:x', errorType: 'provider_error', isBilled: false }),
  cancelRun(sampleRun({ id: 'withdrawn' }), 0, 10),
];

test('the ledger counts dispatched, billed and replayed runs up to now, in total and by key', () => {
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
])('the ledger lists the newest %i runs and counts all of them', (atMost, ids) => {
  const ledger = readLedger(runs, 500, atMost);
  expect(ledger.runs.map(({ id }) => id)).toEqual(ids);
  expect(ledger.billed).toBe(2);
});
