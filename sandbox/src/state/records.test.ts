import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleRun } from '../../tests/sample-run.ts';
import { SandboxError } from '../errors.ts';
import { jsonReply, type Reply } from '../http/messages.ts';
import { type KeyRecord, openRecords, retentionMs } from './records.ts';
import { ledgerLifetimeMs } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const record: KeyRecord = {
  fingerprint: 'f',
  firstAcceptedAt: 0,
  runId: 'a',
  answerId: 'a',
  releasedAt: 0,
  endsAt: 300,
  unreplayable: undefined,
};
const binary: Reply = { status: 200, headers: {}, body: new Uint8Array([0, 255, 7]) };
const admission = { run: sampleRun(), replies: { a: binary }, claim: { slot: 's k', record } };

test.each([
  ['in memory', undefined],
  ['in a file', join(folder, 'one.db')],
])('records kept %s contain admitted runs', (_, file) => {
  const records = openRecords(file, 0);
  records.admit(admission, 0);
  expect(records.findRun('a')).toEqual(sampleRun({ key: undefined }));
  expect(records.findKey('s k')).toEqual(record);
  expect(records.findReply('a')).toEqual(binary);
  records.admit({ run: sampleRun({ id: 'b' }), replies: { b: jsonReply(201, { x: 'ü' }) }, claim: undefined }, 0);
  expect(records.findReply('b')).toEqual(jsonReply(201, { x: 'ü' }));
  for (const found of [records.findRun('c'), records.findKey('k'), records.findReply('c')])
    expect(found).toBeUndefined();
  expect(records.ledger(300).runs.map(({ id }) => id)).toEqual(['a', 'b']);
  records.change({ ...sampleRun(), replays: 3 });
  expect(records.ledger(300).replays).toBe(3);
  records.clear();
  expect(records.findRun('a')).toBeUndefined();
  records.close();
});

test('records discard the whole admission of a run if one part cannot be saved', () => {
  const file = join(folder, 'four.db');
  const records = openRecords(file, 0);
  const broken = {
    ...admission,
    claim: { slot: 's k', record: Object.defineProperty({ ...record }, 'toJSON', { enumerable: true, value: fail }) },
  };
  expect(() => records.admit(broken, 0)).toThrow('broken');
  expect(records.findRun('a')).toBeUndefined();
  expect(records.live.count('workspace:one', 0)).toBe(0);
  records.close();
  const again = openRecords(file, 0);
  expect(again.findRun('a')).toBeUndefined();
  again.admit(admission, 0);
  expect(again.findRun('a')).toBeDefined();
  again.close();
});

test('a database file keeps the order, changes and removals of records and the runs in progress, and distinguishes bytes from text', () => {
  const file = join(folder, 'five.db');
  const first = openRecords(file, 0);
  for (const id of ['a', 'b', 'c']) first.admit({ ...admission, run: sampleRun({ id }) }, 0);
  first.change(sampleRun({ id: 'a', replays: 3 }));
  first.change(sampleRun({ id: 'b', endsAt: 900 }));
  first.close();
  const second = openRecords(file, 400);
  expect(second.findKey('s k')).toEqual(record);
  expect(second.live.count('workspace:one', 400)).toBe(1); // A run is still in progress.
  expect(second.ledger(0).runs.map(({ id, replays }) => `${id} ${replays}`)).toEqual(['a 3', 'b 0', 'c 0']);
  expect(second.findReply('a')).toEqual(binary);
  second.clear();
  second.close();
  const third = openRecords(file, 0);
  expect([third.findRun('a'), third.findReply('a'), third.findKey('s k')]).toEqual([undefined, undefined, undefined]);
  third.close();
  expect(() => third.findRun('a')).toThrow(SandboxError);
});

test('records remove keys and replies after a day, and runs after a week', () => {
  const records = openRecords(undefined, 0);
  records.admit(admission, 0);
  const later = (id: string, at: number): void => {
    const run = sampleRun({ id, submittedAt: at, startsAt: at, endsAt: at });
    records.admit({ run, replies: {}, claim: undefined }, at);
  };
  later('b', retentionMs + 1);
  expect([records.findKey('s k'), records.findReply('a')]).toEqual([undefined, undefined]);
  expect(records.findRun('a')?.id).toBe('a');
  later('c', ledgerLifetimeMs + 1);
  expect(records.ledger(ledgerLifetimeMs + 1).runs.map(({ id }) => id)).toEqual(['b', 'c']);
  records.close();
});

function fail(): never {
  throw new Error('broken');
}
