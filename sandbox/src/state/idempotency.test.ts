import { expect, test } from 'vitest';
import { jsonAnswer } from '../answer.ts';
import { decideKey, type KeyRecord, type KeyRecords, recordAnswer, startRecord } from './idempotency.ts';

const dayMs = 24 * 60 * 60 * 1000;
const answer = jsonAnswer(200, { done: true });
const running: KeyRecord = { fingerprint: 'f', firstSeenAt: 1000, answer: undefined };
const recorded: KeyRecord = { ...running, answer };

test.each([
  ['no record', undefined, 'f', 1000, { kind: 'fresh' }],
  ['a call under way', running, 'f', 1001, { kind: 'still-running' }],
  ['a recorded answer', recorded, 'f', 1001, { kind: 'replay', answer }],
  ['another request while the first runs', running, 'other', 1001, { kind: 'conflict' }],
  ['another request', recorded, 'other', 1001, { kind: 'conflict' }],
  ['the last moment of the day', recorded, 'f', 1000 + dayMs - 1, { kind: 'replay', answer }],
  ['the end of the day', recorded, 'f', 1000 + dayMs, { kind: 'fresh' }],
  ['another request after the day', recorded, 'other', 1000 + dayMs, { kind: 'fresh' }],
])('%s decides the call', (_, record, fingerprint, now, decision) => {
  expect(decideKey(record, fingerprint, now)).toEqual(decision);
});

test('the window counts from the first call, and expired records are let go of', () => {
  const records: KeyRecords = new Map();
  startRecord(records, { slot: 'one', fingerprint: 'f' }, 0);
  recordAnswer(records, 'one', answer);
  expect(records.get('one')).toEqual({ fingerprint: 'f', firstSeenAt: 0, answer });
  startRecord(records, { slot: 'two', fingerprint: 'g' }, dayMs);
  expect([...records.keys()]).toEqual(['two']);
});
