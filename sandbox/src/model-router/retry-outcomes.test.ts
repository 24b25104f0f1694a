import { expect, test } from 'vitest';
import type { Reply } from '../http/messages.ts';
import { type KeyRecord, retentionMs } from '../state/records.ts';
import { retryOutcome } from './admission.ts';
import { deadlineExceeded, keyStillRunning, refusals } from './replies.ts';

const { keyConflict: conflict, keySpent: spent } = refusals;

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
const end = 1000 + retentionMs;

test.each<[string, KeyRecord, string, number, Reply | 'replay' | undefined]>([
  ['while it is held', dispatched, 'first', 1000, keyStillRunning(200)],
  ['in its last moment', dispatched, 'first', 1199, keyStillRunning(1)],
  ['once it has ended', dispatched, 'first', 1200, 'replay'],
  ['at the end of the window', dispatched, 'first', end - 1, 'replay'],
  ['after the window', dispatched, 'first', end, undefined],
  ['another call while it is held', dispatched, 'other', 1100, conflict],
  ['another call after it ended', dispatched, 'other', 1300, conflict],
  ['another call after the window', dispatched, 'other', end, undefined],
  ['held no more, and not ended', late, 'first', 1150, deadlineExceeded(50)],
  ['ended after it was let go', late, 'first', 1200, 'replay'],
  ['a response too long', { ...dispatched, unreplayable: 'oversized' }, 'first', 1300, spent],
  ['an asset that dies', { ...dispatched, unreplayable: 'unsafe-asset' }, 'first', 1300, spent],
  ['a write that failed', { ...dispatched, unreplayable: 'failed-write' }, 'first', 1300, spent],
  ['one of these while it is held', { ...dispatched, unreplayable: 'oversized' }, 'first', 1100, keyStillRunning(100)],
  ['one of these when it is late', { ...late, unreplayable: 'oversized' }, 'first', 1150, deadlineExceeded(50)],
  ['a handle that was lost', { ...late, unreplayable: 'lost' }, 'first', 1150, spent],
  ['another call after that', { ...late, unreplayable: 'lost' }, 'other', 1150, conflict],
  ['one of these after the window', { ...dispatched, unreplayable: 'lost' }, 'first', end, undefined],
])('%s', (_, record, fingerprint, now, outcome) => {
  expect(retryOutcome(record, fingerprint, now)).toEqual(outcome);
});
