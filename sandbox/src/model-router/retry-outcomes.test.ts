import { expect, test } from 'vitest';
import type { Reply } from '../http/messages.ts';
import { type KeyRecord, retentionMs } from '../state/records.ts';
import { decideRetry } from './admission.ts';
import { deadlineExceeded, keyStillRunning, routerErrors } from './replies.ts';

const { keyConflict: conflict, keySpent: spent } = routerErrors;

const finishedRecord: KeyRecord = {
  fingerprint: 'first',
  firstAcceptedAt: 1000,
  runId: 'r',
  replyId: 'a',
  releasedAt: 1200,
  endsAt: 1200,
  unreplayable: undefined,
};
const timedOutRecord: KeyRecord = { ...finishedRecord, releasedAt: 1100 };
const end = 1000 + retentionMs;

test.each<[string, KeyRecord, string, number, Reply | 'replay' | undefined]>([
  ['while the first call is running', finishedRecord, 'first', 1000, keyStillRunning(200)],
  ['just before the first call ends', finishedRecord, 'first', 1199, keyStillRunning(1)],
  ['when the first call has ended', finishedRecord, 'first', 1200, 'replay'],
  ['just before the key expires', finishedRecord, 'first', end - 1, 'replay'],
  ['after the key has expired', finishedRecord, 'first', end, undefined],
  ['a different call while the first one is running', finishedRecord, 'other', 1100, conflict],
  ['a different call after the first one has ended', finishedRecord, 'other', 1300, conflict],
  ['a different call after the key has expired', finishedRecord, 'other', end, undefined],
  ['after the hold time, but before the run ends', timedOutRecord, 'first', 1150, deadlineExceeded(50)],
  ['when the run has ended after the hold time', timedOutRecord, 'first', 1200, 'replay'],
  ['a response that is too long', { ...finishedRecord, unreplayable: 'oversized' }, 'first', 1300, spent],
  ['an asset that expires', { ...finishedRecord, unreplayable: 'unsafe-asset' }, 'first', 1300, spent],
  [
    'an unreplayable response while the first call is running',
    { ...finishedRecord, unreplayable: 'oversized' },
    'first',
    1100,
    keyStillRunning(100),
  ],
  [
    'an unreplayable response after the hold time',
    { ...timedOutRecord, unreplayable: 'oversized' },
    'first',
    1150,
    deadlineExceeded(50),
  ],
  ['a handle that was lost', { ...timedOutRecord, unreplayable: 'lost' }, 'first', 1150, spent],
  ['a different call after a lost handle', { ...timedOutRecord, unreplayable: 'lost' }, 'other', 1150, conflict],
  ['a lost handle after the retention', { ...finishedRecord, unreplayable: 'lost' }, 'first', end, undefined],
])('a call with a used key has the documented outcome: %s', (_, record, fingerprint, now, outcome) => {
  expect(decideRetry(record, fingerprint, now)).toEqual(outcome);
});
