import { expect, test } from 'vitest';
import type { Reply } from '../http/messages.ts';
import { type KeyRecord, retentionMs } from '../state/records.ts';
import { decideRetry } from './admission.ts';
import { deadlineExceeded, keyStillRunning, routerErrors } from './replies.ts';

const { keyConflict: conflict, keySpent: spent } = routerErrors;

const dispatched: KeyRecord = {
  fingerprint: 'first',
  firstAcceptedAt: 1000,
  runId: 'r',
  replyId: 'a',
  releasedAt: 1200,
  endsAt: 1200,
  unreplayable: undefined,
};
const late: KeyRecord = { ...dispatched, releasedAt: 1100 };
const end = 1000 + retentionMs;

test.each<[string, KeyRecord, string, number, Reply | 'replay' | undefined]>([
  ['while the call is held', dispatched, 'first', 1000, keyStillRunning(200)],
  ['just before the call ends', dispatched, 'first', 1199, keyStillRunning(1)],
  ['when the call has ended', dispatched, 'first', 1200, 'replay'],
  ['at the end of the retention', dispatched, 'first', end - 1, 'replay'],
  ['after the retention', dispatched, 'first', end, undefined],
  ['a different call while the first one is held', dispatched, 'other', 1100, conflict],
  ['a different call after the first one has ended', dispatched, 'other', 1300, conflict],
  ['a different call after the retention', dispatched, 'other', end, undefined],
  ['after the hold time, but before the run ends', late, 'first', 1150, deadlineExceeded(50)],
  ['when the run has ended after the hold time', late, 'first', 1200, 'replay'],
  ['a response that is too long', { ...dispatched, unreplayable: 'oversized' }, 'first', 1300, spent],
  ['an asset that expires', { ...dispatched, unreplayable: 'unsafe-asset' }, 'first', 1300, spent],
  [
    'an unreplayable response while the call is held',
    { ...dispatched, unreplayable: 'oversized' },
    'first',
    1100,
    keyStillRunning(100),
  ],
  [
    'an unreplayable response after the hold time',
    { ...late, unreplayable: 'oversized' },
    'first',
    1150,
    deadlineExceeded(50),
  ],
  ['a handle that was lost', { ...late, unreplayable: 'lost' }, 'first', 1150, spent],
  ['a different call after a lost handle', { ...late, unreplayable: 'lost' }, 'other', 1150, conflict],
  ['a lost handle after the retention', { ...dispatched, unreplayable: 'lost' }, 'first', end, undefined],
])('a call with a used key has the documented outcome: %s', (_, record, fingerprint, now, outcome) => {
  expect(decideRetry(record, fingerprint, now)).toEqual(outcome);
});
