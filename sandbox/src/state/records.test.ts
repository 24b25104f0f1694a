import { expect, test } from 'vitest';
import { sampleRun } from '../../tests/sample-run.ts';
import type { Reply } from '../http/messages.ts';
import { type KeyRecord, Records, retentionMs } from './records.ts';
import { ledgerLifetimeMs } from './run.ts';

const record: KeyRecord = {
  fingerprint: 'f',
  firstAcceptedAt: 0,
  runId: 'a',
  replyId: 'a',
  releasedAt: 0,
  endsAt: 300,
  unreplayable: undefined,
};
const reply: Reply = { status: 200, headers: {}, body: new Uint8Array([0, 255, 7]) };
const admission = { run: sampleRun(), replies: { a: reply }, claim: { slot: 's k', record } };

test('records contain runs in the order of their admission, until they are cleared', () => {
  const records = new Records();
  records.addRun(admission, 0);
  expect(records.findRun('a')).toEqual(sampleRun({ key: undefined }));
  expect(records.findKey('s k')).toEqual(record);
  expect(records.findReply('a')).toEqual(reply);
  records.addRun({ run: sampleRun({ id: 'b' }), replies: {}, claim: undefined }, 0);
  for (const found of [records.findRun('c'), records.findKey('k'), records.findReply('b')])
    expect(found).toBeUndefined();
  records.updateRun({ ...sampleRun(), replays: 3 });
  expect(records.ledger(300).runs.map(({ id, replays }) => `${id} ${replays}`)).toEqual(['a 3', 'b 0']);
  records.clear();
  expect([records.findRun('a'), records.findReply('a'), records.findKey('s k')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(records.live.count('workspace:one', 0)).toBe(0);
});

test('records remove keys and replies after a day, and runs after a week', () => {
  const records = new Records();
  records.addRun(admission, 0);
  const addRunAt = (id: string, at: number): void => {
    const run = sampleRun({ id, submittedAt: at, startsAt: at, endsAt: at });
    records.addRun({ run, replies: {}, claim: undefined }, at);
  };
  addRunAt('b', retentionMs + 1);
  expect([records.findKey('s k'), records.findReply('a')]).toEqual([undefined, undefined]);
  expect(records.findRun('a')?.id).toBe('a');
  addRunAt('c', ledgerLifetimeMs + 1);
  expect(records.ledger(ledgerLifetimeMs + 1).runs.map(({ id }) => id)).toEqual(['b', 'c']);
});
