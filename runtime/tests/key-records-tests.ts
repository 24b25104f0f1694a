import { expect as expectValue } from 'vitest';
import type { KeyRecord, KeyRecords } from '../src/key-store/index.ts';

const expect = (value: unknown, wanted: unknown): void => expectValue(value).toEqual(wanted);

const checks: Readonly<Record<string, (records: KeyRecords) => Promise<void>>> = {
  'finds the record of a key, or all records': async (records) => {
    expect(await records.list(), []);
    for (const key of ['k1', 'k2', 'k3']) await records.add(record(key));
    expect(keysOf(await records.list('k2')), ['k2']);
    expect(keysOf(await records.list()), ['k1', 'k2', 'k3']);
    expect(await records.list('k4'), []);
  },
  'keeps keys and texts with any characters': async (records) => {
    const keys = ['a/../b', "'; DROP TABLE keys; --", '%_*', 'k'.repeat(255)];
    const text = `{"prompt":"Hafen 港 🚢 \\u0000 ' \\n"}${'x'.repeat(200_000)}\n`;
    for (const key of keys) expect(await records.add(record(key, text)), true);
    for (const key of keys) expect((await records.list(key)).map(pick), [pick(record(key, text))]);
  },
  'adds only one of several records with the same key': async (records) => {
    const added = await Promise.all(texts(10).map((text) => records.add(record('k1', text))));
    expect(added.filter(Boolean).length, 1);
    expect((await records.list()).length, 1);
    expect(await records.add(record('k1', 'other')), false);
    expect((await records.list())[0]?.text, texts(10)[added.indexOf(true)]);
  },
  'changes the text of a record, and keeps its holder': async (records) => {
    await records.add(record('k1'));
    await records.update('k1', 'changed');
    expect((await records.list()).map(pick), [{ key: 'k1', text: 'changed', holder: 'a' }]);
    await records.update('k2', 'of no record');
    expect(keysOf(await records.list()), ['k1']);
  },
  'changes the holder of a record only if the caller names the current holder': async (records) => {
    await records.add(record('k1'));
    expect(await records.hold('k1', 'b 2', undefined), false);
    expect(await records.hold('k1', 'b 2', 'c 1'), false);
    const was = (await records.list('k1'))[0]?.holder ?? undefined;
    expect(await records.hold('k1', 'a 2', was), true); // a heartbeat
    expect(await records.hold('k1', 'b 2', 'a 2'), true);
    expect((await records.list()).map(holderOf), ['b']);
    expect(await records.hold('k1', undefined, 'b 2'), true);
    expect((await records.list()).map(holderOf), [undefined]);
    expect(await records.hold('k1', 'c 3', undefined), true);
    expect((await records.list()).map(holderOf), ['c']);
  },
  'lets only one of many programs become the holder of a record': async (records) => {
    for (const key of texts(5)) {
      await records.add(record(key));
      await records.hold(key, undefined, 'a 1');
      const taken = await Promise.all(texts(20).map((holder) => records.hold(key, `${holder} 1`, undefined)));
      expect(taken.filter(Boolean).length, 1);
    }
  },
  'removes a record, whose key can be added again': async (records) => {
    for (const key of ['k1', 'k2']) await records.add(record(key));
    await records.remove('k1');
    await records.remove('k1');
    expect(keysOf(await records.list()), ['k2']);
    expect(await records.add(record('k1')), true);
    expect((await records.list('k1')).map(holderOf), ['a']);
  },
};

/** Checks that every implementation of key records has to pass. */
export const keyRecordsTests = Object.entries(checks).map(([name, check]) => ({
  name,
  run: async (create: () => KeyRecords | Promise<KeyRecords>) => check(await create()),
}));

const record = (key: string, text = `text of ${key}`) => ({ key, text, holder: 'a 1' });

const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `number-${index}`);
const keysOf = (found: readonly KeyRecord[]): string[] => found.map(({ key }) => key).sort();
/** Returns the holder without the time of its heartbeat, which a store may represent in its own way. */
const holderOf = ({ holder }: KeyRecord): string | undefined => holder?.split(' ')[0];
const pick = (one: KeyRecord): object => ({ key: one.key, text: one.text, holder: holderOf(one) });
