import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleRun } from '../../tests/sample-run.ts';
import { SandboxError } from '../errors.ts';
import { jsonReply, type Reply } from '../http/handler.ts';
import { type KeyRecord, retentionMs } from './idempotency.ts';
import { ledgerLifetimeMs } from './ledger.ts';
import { openRecords, type Records, recordTables } from './records.ts';
import { openStore } from './store.ts';
import type { Store } from './table.ts';

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
const binary: Reply = { status: 200, headers: {}, serviceHeaders: {}, body: new Uint8Array([0, 255, 7]) };
const admission = { run: sampleRun(), replies: { a: binary }, claim: { slot: 's k', record } };

function open(file: string | undefined, now: number): { records: Records; store: Store } {
  const store = openStore(file, recordTables);
  return { records: openRecords(store, now, file !== undefined), store };
}

test.each([
  ['in memory', undefined],
  ['in a file', join(folder, 'one.db')],
])('%s, finds what was admitted', (_, file) => {
  const { records, store } = open(file, 0);
  records.admit(admission, 0);
  expect(records.findRun('a')).toEqual(sampleRun({ key: undefined }));
  expect(records.findKey('s k')).toEqual(record);
  expect(records.findReply('a')).toEqual(binary);
  records.admit({ run: sampleRun({ id: 'b' }), replies: { b: jsonReply(201, { x: 'ü' }) }, claim: undefined }, 0);
  expect(records.findReply('b')).toEqual(jsonReply(201, { x: 'ü' }));
  expect([records.findRun('c'), records.findKey('k'), records.findReply('c')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(records.ledger(300).runs.map(({ id }) => id)).toEqual(['a', 'b']);
  records.change({ ...sampleRun(), replays: 3 });
  expect(records.ledger(300).replays).toBe(3);
  records.startLedgerPage();
  expect(records.ledger(300).runs).toEqual([]);
  records.clear();
  expect(records.findRun('a')).toBeUndefined();
  store.close();
});

test('continues from a file, with the runs still under way', () => {
  const file = join(folder, 'two.db');
  const first = open(file, 0);
  first.records.admit(admission, 0);
  first.records.startLedgerPage();
  first.records.admit({ run: sampleRun({ id: 'b', endsAt: 900, ledgerPage: 1 }), replies: {}, claim: undefined }, 0);
  first.store.close();
  const second = open(file, 400);
  expect(second.records.findKey('s k')).toEqual(record);
  expect(second.records.live.count('workspace:one', 400)).toBe(1);
  expect(second.records.ledgerPage()).toBe(1);
  second.store.close();
});

test('rolls back a change that fails', () => {
  const { records, store } = open(undefined, 0);
  const broken = {
    ...admission,
    claim: { slot: 's k', record: Object.defineProperty({ ...record }, 'toJSON', { value: fail }) },
  };
  expect(() => records.admit(broken, 0)).toThrow('broken');
  expect(records.findRun('a')).toBeUndefined();
  expect(records.live.count('workspace:one', 0)).toBe(0);
  records.admit(admission, 0);
  expect(records.findRun('a')).toBeDefined();
  store.close();
});

test('removes keys and replies after a day, runs after a week', () => {
  const { records, store } = open(undefined, 0);
  records.admit(admission, 0);
  const later = (id: string, at: number): void => {
    records.admit(
      { run: sampleRun({ id, submittedAt: at, startsAt: at, endsAt: at }), replies: {}, claim: undefined },
      at,
    );
  };
  later('b', retentionMs + 1);
  expect([records.findKey('s k'), records.findReply('a'), records.findRun('a')?.id]).toEqual([
    undefined,
    undefined,
    'a',
  ]);
  later('c', ledgerLifetimeMs + 1);
  expect(records.ledger(ledgerLifetimeMs + 1).runs.map(({ id }) => id)).toEqual(['b', 'c']);
  store.close();
});

test('refuses a file that is not a database, and one in use, by name', () => {
  expect(() => openStore(folder, recordTables)).toThrow(SandboxError);
  const file = join(folder, 'three.db');
  const store = openStore(file, recordTables);
  openRecords(store, 0, true).admit(admission, 0);
  expect(() => openStore(file, recordTables)).toThrow('three.db');
  store.close();
});

function fail(): never {
  throw new Error('broken');
}
