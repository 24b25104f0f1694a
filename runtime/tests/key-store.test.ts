import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { KeyRecord, KeyRecords } from '../src/key-store/index.ts';
import { createKeyStore } from '../src/key-store/index.ts';
import { createFileKeyStore, createFileRecords } from '../src/node/file-key-store.ts';
import { createMemoryKeyStore, type KeyStore, type StoredCall } from '../src/router/key-store.ts';
import { keyRecordsTests } from './key-records-tests.ts';
import { keyStoreTests } from './key-store-tests.ts';
import { manualClock } from './scripted-server.ts';

const root = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;
/** The files of a folder and its subfolders. */
const listFiles = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)));
const folder = (): string => join(root, `store-${count++}`);

const clock = manualClock();
const hourMs = 3_600_000;
const call = (idempotencyKey: string, more: Partial<StoredCall> = {}): StoredCall => ({
  idempotencyKey,
  operation: 'run',
  model: 'image-provider/still',
  url: 'https://router.example/v2/models/image-provider/still',
  body: '{"prompt":"a"}',
  owner: 'owner-1',
  firstSentAt: clock.now(),
  isExplicit: false,
  ...more,
});
const addresses = { requestId: 'r', statusUrl: 's', responseUrl: 'r', cancelUrl: 'c' };
const openFolder = (path: string): KeyStore => createKeyStore(createFileRecords(path), { clock });

/** Records in memory, which another program could share. */
function createTable(): KeyRecords {
  const rows = new Map<string, KeyRecord>();
  return {
    list: async (key) => [...rows.values()].filter((row) => (key ?? row.key) === row.key),
    add: async (record) => !rows.has(record.key) && rows.set(record.key, record).has(record.key),
    async update(key, text) {
      const row = rows.get(key);
      if (row !== undefined) rows.set(key, { ...row, text });
    },
    async hold(key, holder, was) {
      const row = rows.get(key);
      if (row === undefined || (row.holder ?? undefined) !== was) return false;
      rows.set(key, { ...row, holder });
      return true;
    },
    async remove(key) {
      rows.delete(key);
    },
  };
}

const places: [name: string, create: () => KeyRecords][] = [
  ['a table', createTable],
  ['a folder', () => createFileRecords(folder())],
];
describe.each(places)('records in %s', (_, create) => {
  it.each(keyRecordsTests)('$name', ({ run }) => run(create));
});

const stores: [name: string, create: () => KeyStore][] = [
  ['memory', () => createMemoryKeyStore({ clock: manualClock() })],
  ['a table', () => createKeyStore(createTable(), { clock: manualClock() })],
  ['a folder', () => openFolder(folder())],
];
describe.each(stores)('a key store in %s', (_, create) => {
  it.each(keyStoreTests)('$name', ({ run }) => run(create));
});

describe('a key store', () => {
  it('a key store drops results after a day, and lists calls for another day', async () => {
    const records = createTable();
    const store = createKeyStore(records, { clock });
    const ages = { fresh: 23, refused: 25, old: 49 };
    for (const [key, hours] of Object.entries(ages)) {
      const firstSentAt = clock.now() - hours * hourMs;
      for (const one of [key, `${key}-queued`]) await store.begin(call(one, { firstSentAt, body: key }));
      await store.admit(`${key}-queued`, { ...addresses, requestId: key });
      for (const one of [key, `${key}-queued`]) await store.release(one);
    }
    expect((await store.pending()).map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual([
      'fresh',
      'fresh-queued',
      'refused',
    ]);
    expect(await records.list()).toHaveLength(3);
  });

  it('an in-memory key store drops calls without an outcome after two days', async () => {
    const late = manualClock();
    const store = createMemoryKeyStore({ clock: late });
    for (let index = 0; index < 10; index += 1) {
      await store.begin(call(`k${index}`, { firstSentAt: late.now(), body: `${index}` }));
      await store.release(`k${index}`);
      late.advance(12 * hourMs);
    }
    expect(await store.pending()).toHaveLength(3);
  });

  it('a key store keeps explicit keys for thirty days, and bodies for one', async () => {
    const later = manualClock();
    const records = createTable();
    const store = createKeyStore(records, { clock: later });
    for (const key of ['done', 'open']) await store.begin(call(key, { isExplicit: true, firstSentAt: later.now() }));
    await store.finish('done');
    await store.release('open');
    expect(await records.list('open')).toMatchObject([{ text: expect.stringContaining('prompt') }]);
    later.advance(25 * hourMs);
    expect(await store.pending()).toMatchObject([{ idempotencyKey: 'open', bodyHash: expect.any(String) }]);
    for (const { text } of await records.list()) expect(text).not.toContain('prompt');
    later.advance(28 * 24 * hourMs);
    expect(await store.pending()).toEqual([]);
    for (const key of ['done', 'open'])
      expect(await store.begin(call(key, { isExplicit: true }))).toMatchObject({
        isNew: false,
        stored: { isExplicit: true },
      });
    for (const key of ['done', 'open']) await store.release(key);
    later.advance(2 * 24 * hourMs);
    await store.pending();
    expect(await records.list()).toEqual([]);
  });

  it('a key store in memory keeps 16 MB of the bodies of calls without an outcome', async () => {
    const later = manualClock();
    const store = createMemoryKeyStore({ clock: later });
    const size = 1024 * 1024;
    for (let index = 0; index < 200; index += 1) {
      await store.begin(call(`k${index}`, { firstSentAt: later.now(), body: `${index}`.padEnd(size, 'x') }));
      await store.release(`k${index}`);
    }
    const kept = async () =>
      (await store.pending()).filter((one) => one.damaged === undefined && one.body !== undefined);
    expect(await store.pending()).toHaveLength(200);
    expect((await kept()).map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array.from({ length: 16 }, (_, index) => `k${184 + index}`),
    );
    const again = call('k7', { body: '7'.padEnd(size, 'x') });
    expect(await store.begin({ ...again, body: 'another' })).toMatchObject({
      stored: { bodyHash: expect.any(String) },
    });
    expect(await store.begin(again)).toMatchObject({ isNew: false, stored: { body: again.body } });
  });

  it('a full in-memory key store rejects new calls, and keeps all stored ones', async () => {
    const store = createMemoryKeyStore({ maxCalls: 2, clock });
    for (const key of ['k1', 'k2']) await store.begin(call(key));
    await expect(store.begin(call('k3'))).rejects.toThrow('it is full');
    await store.finish('k1');
    expect((await store.begin(call('k3'))).isNew).toBe(true);
  });

  it('an in-memory key store drops the body of a call ten minutes after it ended without an outcome', async () => {
    const time = manualClock();
    const store = createMemoryKeyStore({ clock: time });
    for (const key of ['ended', 'running']) await store.begin(call(key));
    await store.release('ended');
    time.advance(600_000 - 1);
    expect(await store.pending()).toEqual([{ ...call('ended'), isHeld: false }]);
    time.advance(1);
    const { body, ...rest } = call('ended');
    expect(await store.pending()).toEqual([{ ...rest, bodyHash: expect.any(String), isHeld: false }]);
    await store.release('running');
    expect(await store.take('running')).toMatchObject({ body });
  });

  it('an in-memory key store finds a call among many as fast as among few', async () => {
    const store = createMemoryKeyStore({ clock });
    const calls = async (from: number, count: number): Promise<number> => {
      const before = process.cpuUsage().user;
      for (let index = from; index < from + count; index += 1) {
        await store.begin(call(`k${index}`, { isExplicit: true, operation: 'submit' }));
        await store.admit(`k${index}`, { ...addresses, requestId: `${index}` });
        await store.release(`k${index}`);
      }
      return (process.cpuUsage().user - before) / 1_000;
    };
    await calls(0, 2000);
    await calls(2000, 40_000);
    expect(await calls(50_000, 1000)).toBeLessThan(1000); // A linear search would take 6.8 ms for each call.
  });

  it('a key store lists calls of another program, and accepts calls with the same keys', async () => {
    const records = createTable();
    const store = createKeyStore(records, { clock });
    await store.begin(call('k1'));
    await store.release('k1');
    await records.hold('k1', `elsewhere ${clock.now() - 1000}`, undefined);
    expect(await store.pending()).toEqual([{ ...call('k1'), isHeld: true }]);
    expect((await store.begin(call('k2'))).isNew).toBe(true);
    expect(await store.begin(call('k1'))).toMatchObject({ stored: call('k1'), isNew: false });
  });

  it('a key store keeps the record of a call that started no run while another store works on it', async () => {
    const records = createTable();
    const [store, other] = [createKeyStore(records, { clock }), createKeyStore(records, { clock })];
    await store.begin(call('k1'));
    expect((await other.begin(call('k1'))).isNew).toBe(false);
    await store.discard('k1');
    await other.release('k1');
    expect(await store.pending()).toMatchObject([{ idempotencyKey: 'k1' }]);
  });

  it('a key store adds a new record after it has removed one for a call that started no run', async () => {
    const [started, removing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const records = createTable();
    const remove = async (key: string): Promise<void> => {
      started.resolve();
      await removing.promise;
      await records.remove(key);
    };
    const slow = { ...records, remove };
    const [store, other] = [createKeyStore(slow, { clock }), createKeyStore(records, { clock })];
    await store.begin(call('k1'));
    const discarded = store.discard('k1');
    await started.promise;
    const again = [store, other].map((one) => one.begin(call('k1')));
    expect(await other.take('k1')).toBeUndefined();
    removing.resolve();
    await discarded;
    expect((await Promise.all(again)).map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    expect(await records.list('k1')).toHaveLength(1);
  });

  it.each(['finish', 'release', 'discard'] as const)(
    'a key store lists a call again after its records failed at %s',
    async (end) => {
      const records = createTable();
      const fail = async (): Promise<never> => {
        throw new Error('the disk is full');
      };
      let isFull = true;
      const failing = (name: 'update' | 'hold' | 'remove') => ({
        [name]: (...values: never[]) => (isFull ? fail() : Reflect.apply(records[name], records, values)),
      });
      const full = { ...records, ...failing('update'), ...failing('hold'), ...failing('remove') };
      const store = createKeyStore(full, { clock });
      for (const isExplicit of [true, false]) {
        isFull = true;
        await store.begin(call('k1', { isExplicit }));
        await expect(store[end]('k1')).rejects.toThrow('the disk is full');
        isFull = false;
        expect(await store.pending()).toMatchObject([{ idempotencyKey: 'k1', isHeld: false }]);
        expect(await store.take('k1')).toMatchObject({ idempotencyKey: 'k1' });
        await store.forget('k1');
      }
    },
  );

  it('a key store writes heartbeats while it works on a call', async () => {
    const records = createTable();
    const store = createKeyStore(records, { clock });
    await store.begin(call('k1'));
    const [before] = await records.list();
    clock.advance(1);
    await expect.poll(async () => (await records.list())[0]?.holder, { timeout: 5000 }).not.toBe(before?.holder);
    await store.release('k1');
    expect((await records.list())[0]?.holder).toBeUndefined();
  });
});

describe('a key store in a folder', () => {
  it('a file key store writes files that only their owner can read', async () => {
    const path = folder();
    await openFolder(path).begin(call('k1'));
    expect(listFiles(path)).toHaveLength(2);
    for (const name of listFiles(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('a file key store leaves no file of a finished call or of a killed process', async () => {
    const path = folder();
    const keys = openFolder(path);
    await keys.begin(call('k1'));
    await keys.release('k1');
    await keys.take('k1');
    const name = listFiles(path).find((one) => one.endsWith('.json')) ?? '';
    writeFileSync(join(path, `${name.split('.')[0]}.draft-1`), 'half');
    await keys.finish('k1');
    expect(listFiles(path)).toEqual([]);
  });

  it('a file key store removes files that a killed process left for a call without a record', async () => {
    const path = folder();
    const keys = openFolder(path);
    await keys.begin(call('k1'));
    rmSync(join(path, listFiles(path).find((one) => one.endsWith('.json')) ?? ''));
    const [claim = ''] = listFiles(path);
    await keys.pending();
    expect(listFiles(path)).toEqual([claim]);
    const old = new Date(Date.now() - 2 * hourMs);
    utimesSync(join(path, claim), old, old);
    await keys.pending();
    expect(listFiles(path)).toEqual([]);
  });

  it('a file key store adds a call that a killed process had only claimed, and removes that claim', async () => {
    const path = folder();
    const records = createFileRecords(path);
    await records.add({ key: 'k1', text: 't', holder: 'killed 1' });
    rmSync(join(path, listFiles(path).find((one) => one.endsWith('.json')) ?? ''));
    expect(await records.add({ key: 'k1', text: 't', holder: 'next 2' })).toBe(true);
    expect(listFiles(path)).toHaveLength(2);
    expect(await records.list()).toMatchObject([{ key: 'k1', holder: expect.stringMatching(/^next /) }]);
  });

  it('a file key store resumes a call without a claim, as in a copied folder', async () => {
    const path = folder();
    const records = createFileRecords(path);
    await records.add({ key: 'k1', text: 't', holder: 'first 1' });
    rmSync(join(path, listFiles(path).find((one) => one.includes('.claim-')) ?? ''));
    expect(await records.hold('k1', 'second 2', 'first 1')).toBe(false);
    expect(await records.hold('k1', 'second 2', undefined)).toBe(true);
    expect(await records.hold('k1', 'third 3', undefined)).toBe(false);
  });

  it('a key store does not treat an unreadable folder as an empty one', async () => {
    const path = folder();
    writeFileSync(path, 'a file');
    await expect(openFolder(path).pending()).rejects.toThrow('ENOTDIR');
  });

  it('a file key store records a call with the key of a caller before its folder exists', async () => {
    const keys = openFolder(join(folder(), 'deeper'));
    expect(await keys.take('order-1')).toBeUndefined();
    expect((await keys.begin(call('order-1'))).isNew).toBe(true);
  });

  it('a file key store finds the call of a key without listing other folders', async () => {
    const path = folder();
    const keys = openFolder(path);
    const named = call('k1', { isExplicit: true });
    await keys.begin(named);
    expect(listFiles(path)[0]).toMatch(/^[0-9a-f]{3}\/[0-9a-f]{64}\./);
    writeFileSync(join(path, '000'), ''); // Listing this file as a folder fails.
    expect((await keys.begin(named)).isNew).toBe(false);
    await keys.finish('k1');
    await expect(keys.pending()).rejects.toThrow('ENOTDIR');
  });

  it('a file key store rejects a call that it cannot record, and records a second call with the same key', async () => {
    const path = folder();
    const records = createFileRecords(path);
    const full = { toString: () => expect.unreachable('no space is left on the device') };
    const holder = 'another 1';
    await expect(records.add({ key: 'k1', text: full as never, holder })).rejects.toThrow('no space');
    expect(await records.add({ key: 'k1', text: 't', holder })).toBe(true);
    expect(await records.list('k1')).toHaveLength(1);
  });
});

it('a file key store keeps the earlier record if the program is killed while it writes a new one', async () => {
  const path = folder();
  const keys = openFolder(path);
  await keys.begin(call('k1'));
  const [name = ''] = listFiles(path).filter((one) => one.endsWith('.json'));
  const before = readFileSync(join(path, name));
  const cut = { toString: () => expect.unreachable('it is killed here') };
  await expect(createFileRecords(path).update('k1', cut as never)).rejects.toThrow('killed');
  expect(readFileSync(join(path, name))).toEqual(before);
  expect(await openFolder(path).begin(call('k1'))).toMatchObject({ isNew: false, stored: { idempotencyKey: 'k1' } });
  await keys.admit('k1', addresses);
  await keys.finish('k1');
  expect(listFiles(path)).toEqual([]);
});

describe('a record that cannot be read', () => {
  const damages: [name: string, damage: (path: string) => void][] = [
    ['truncated', (path) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, -20))],
    ['emptied', (path) => writeFileSync(path, '')],
    ['with a changed character', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('prompt', 'prompd'))],
  ];
  it.each(damages)('a record that is %s blocks calls with its key until it is removed', async (_, damage) => {
    const path = folder();
    const keys = openFolder(path);
    await keys.begin(call('k1'));
    await keys.release('k1');
    const name = listFiles(path).find((one) => one.endsWith('.json')) ?? '';
    damage(join(path, name));
    await expect(keys.begin(call('k1'))).rejects.toThrow('cannot be read');
    await expect(keys.take('k1')).rejects.toThrow('cannot be read');
    expect((await keys.begin(call('k3', { body: '{}' }))).isNew).toBe(true);
    expect((await keys.begin(call('k4'))).isNew).toBe(true);
    const [damaged, ...rest] = await keys.pending();
    expect([damaged?.damaged, rest]).toEqual([expect.stringContaining('damaged'), []]);
    await keys.forget(damaged?.idempotencyKey ?? '');
    expect(await keys.pending()).toEqual([]);
    expect((await keys.begin(call('k1'))).isNew).toBe(true);
  });
});

/** Runs a program in a separate process until it writes a word. */
async function startProgram(text: string, command: readonly string[] = []) {
  const program = `
    import { createFileKeyStore } from ${JSON.stringify(join(import.meta.dirname, '../src/node/file-key-store.ts'))};
    ${text}
    process.stdout.write('ready');
    setInterval(() => {}, 1000);`;
  const [file = process.execPath, ...args] = [...command, process.execPath, '--input-type=module', '--eval', program];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([new Promise((ready) => child.stdout.once('data', ready)), exited]);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

describe('a process of this machine', () => {
  const begin = (path: string, own = call('k1')): string =>
    `await createFileKeyStore(${JSON.stringify(path)}).begin(${JSON.stringify(own)});`;

  it('lists a call of a killed process as held for some seconds, and continues it with the same key', async () => {
    const path = folder();
    const own = call('k1', { firstSentAt: Date.now() });
    await (await startProgram(begin(path, own))).kill();
    const keys = createFileKeyStore(path);
    expect(await keys.pending()).toEqual([{ ...own, isHeld: true }]);
    const claim = listFiles(path).find((name) => name.includes('.claim-')) ?? '';
    const before = new Date(Date.now() - 15_000);
    utimesSync(join(path, claim), before, before);
    expect(await keys.pending()).toEqual([{ ...own, isHeld: false }]);
    expect(await keys.begin({ ...own, firstSentAt: Date.now() })).toEqual({ stored: own, isNew: false });
  });

  it('a key store keeps using its folder if the working directory changes', async () => {
    const text = `process.chdir(${JSON.stringify(root)});
      const keys = createFileKeyStore('relative');
      process.chdir('..');
      await keys.begin(${JSON.stringify(call('k1'))});`;
    await (await startProgram(text)).kill();
    expect(await openFolder(join(root, 'relative')).pending()).toMatchObject([{ idempotencyKey: 'k1' }]);
  });

  it('only one of many callers can take over a call of a killed process', async () => {
    const path = folder();
    await (await startProgram(begin(path))).kill();
    const taken = await Promise.all(Array.from({ length: 20 }, () => openFolder(path).take('k1')));
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
  });
});
