import { expect, test } from 'vitest';
import { decideKey, type KeyDecision, type KeyRecord, retentionMs } from './idempotency.ts';

const spent: KeyDecision = { kind: 'spent' };

const dispatched: KeyRecord = {
  fingerprint: 'first',
  firstAcceptedAt: 1000,
  runId: 'r',
  answerId: 'a',
  releasedAt: 1200,
  endsAt: 1200,
  unreplayable: undefined,
};
const late: KeyRecord = { ...dispatched, releasedAt: 1100 };
const replay: KeyDecision = { kind: 'replay', runId: 'r', answerId: 'a' };
const end = 1000 + retentionMs;

test.each<[string, KeyRecord | undefined, string, number, KeyDecision]>([
  ['no record', undefined, 'first', 1000, { kind: 'fresh' }],
  ['while it is held', dispatched, 'first', 1000, { kind: 'still-running', forMs: 200 }],
  ['in its last moment', dispatched, 'first', 1199, { kind: 'still-running', forMs: 1 }],
  ['once it has ended', dispatched, 'first', 1200, replay],
  ['at the end of the window', dispatched, 'first', end - 1, replay],
  ['after the window', dispatched, 'first', end, { kind: 'fresh' }],
  ['another call while it is held', dispatched, 'other', 1100, { kind: 'conflict' }],
  ['another call after it ended', dispatched, 'other', 1300, { kind: 'conflict' }],
  ['another call after the window', dispatched, 'other', end, { kind: 'fresh' }],
  ['held no more, and not ended', late, 'first', 1150, { kind: 'collect-later', forMs: 50 }],
  ['ended after it was let go', late, 'first', 1200, replay],
  ['a response too long', { ...dispatched, unreplayable: 'oversized' }, 'first', 1300, spent],
  ['an asset that dies', { ...dispatched, unreplayable: 'unsafe-asset' }, 'first', 1300, spent],
  ['a write that failed', { ...dispatched, unreplayable: 'failed-write' }, 'first', 1300, spent],
  [
    'one of these while it is held',
    { ...dispatched, unreplayable: 'oversized' },
    'first',
    1100,
    { kind: 'still-running', forMs: 100 },
  ],
  [
    'one of these when it is late',
    { ...late, unreplayable: 'oversized' },
    'first',
    1150,
    { kind: 'collect-later', forMs: 50 },
  ],
  ['a handle that was lost', { ...late, unreplayable: 'lost' }, 'first', 1150, spent],
  ['another call after that', { ...late, unreplayable: 'lost' }, 'other', 1150, { kind: 'conflict' }],
  ['one of these after the window', { ...dispatched, unreplayable: 'lost' }, 'first', end, { kind: 'fresh' }],
])('%s', (_, record, fingerprint, now, decision) => {
  expect(decideKey(record, fingerprint, now)).toEqual(decision);
});
