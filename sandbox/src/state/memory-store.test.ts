import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SandboxError } from '../errors.ts';
import { openStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['in memory', undefined],
  ['in a file', join(folder, 'a.db')],
])('%s, a store keeps order and copies, undoes a failed transaction, and forgets the oldest', (_, file) => {
  const store = openStore(file, ['runs']);
  const runs = store.table<{ n: number }>('runs');
  const all = (): number[] => [...runs.each()].map(({ n }) => n);
  const put = (id: string, at: number, n: number): void => runs.put(id, at, { value: { n } });
  for (const n of [1, 2, 3]) put(`r${n}`, n, n);
  put('r1', 1, 10);
  expect(all()).toEqual([10, 2, 3]);

  const body = new Uint8Array([1, 2]);
  runs.put('r2', 2, { value: { n: 2 }, body });
  body[0] = 9;
  const read = runs.getEntry('r2');
  expect(read).toEqual({ value: { n: 2 }, body: new Uint8Array([1, 2]) });
  if (read !== undefined) read.value.n = 99;
  expect(runs.get('r2')).toEqual({ n: 2 });

  const fail = (): never => {
    throw new Error('undone');
  };
  for (const change of [() => runs.forgetBefore(3), () => store.clear(), () => put('r1', 1, 11)])
    expect(() =>
      store.transaction(() => {
        put('r4', 4, 4);
        store.transaction(change);
        fail();
      }),
    ).toThrow('undone');
  expect(all()).toEqual([10, 2, 3]);

  runs.forgetBefore(3);
  expect(all()).toEqual([3]);
  runs.forgetBefore(9);
  expect(all()).toEqual([]);
  store.close();
  expect(() => runs.get('r1')).toThrow(SandboxError);
});
