import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles } from './node-files.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switchyard-files-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('a commit', () => {
  test('writes files, removes others with the folders they emptied, and leaves nothing of its own', async () => {
    mkdirSync(join(root, 'gone/deep'), { recursive: true });
    writeFileSync(join(root, 'gone/deep/file'), 'x');
    await nodeFiles.commit({
      root,
      writes: [
        { path: 'a/b/c.txt', bytes: 'text' },
        { path: 'd.bin', bytes: Uint8Array.of(1, 2) },
      ],
      removals: ['gone/deep/file', 'never/there'],
      last: { path: 'lock', bytes: 'lock' },
    });
    expect(readdirSync(root).sort()).toEqual(['a', 'd.bin', 'lock']);
    expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('text');
  });

  test('that cannot be written changes nothing', async () => {
    writeFileSync(join(root, 'kept'), 'old');
    writeFileSync(join(root, 'file'), 'a file where a folder should be');
    const change = {
      root,
      writes: [
        { path: 'kept', bytes: 'new' },
        { path: 'file/inside', bytes: 'x' },
      ],
      removals: [],
    };
    await expect(nodeFiles.commit(change)).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(readFileSync(join(root, 'kept'), 'utf8')).toBe('old');
    expect(readdirSync(root).sort()).toEqual(['file', 'kept']);
  });

  test('that fails half-way gives back what it had replaced and takes away what it had added', async () => {
    writeFileSync(join(root, 'first'), 'old');
    mkdirSync(join(root, 'third/full'), { recursive: true });
    const writes = ['first', 'second', 'third'].map((path) => ({ path, bytes: 'new' }));
    await expect(nodeFiles.commit({ root, writes, removals: ['first'] })).rejects.toThrow(
      /EISDIR|EPERM|ENOTEMPTY|EEXIST/,
    );
    expect(readdirSync(root).sort()).toEqual(['first', 'third']);
    expect(readFileSync(join(root, 'first'), 'utf8')).toBe('old');
  });

  test('of secrets is readable by the owner alone', async () => {
    const folder = join(root, 'cache');
    await nodeFiles.commit({ root: folder, writes: [{ path: 'objects/x', bytes: 'x' }], removals: [], secret: true });
    const modes = [folder, join(folder, 'objects'), join(folder, 'objects/x')].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600]);
  });
});

test('reading leaves out what is not there or is no file', async () => {
  writeFileSync(join(root, 'a'), 'x');
  const found = await nodeFiles.read([join(root, 'a'), join(root, 'b'), join(root, 'a/b'), root]);
  expect([...found.keys()]).toEqual([join(root, 'a')]);
});

test('a folder lists its files, sorted; one that is not there has none', async () => {
  writeFileSync(join(root, 'b'), '');
  writeFileSync(join(root, 'a'), '');
  mkdirSync(join(root, 'c'));
  expect(await nodeFiles.list(root)).toEqual(['a', 'b']);
  expect(await nodeFiles.list(join(root, 'nowhere'))).toEqual([]);
});
