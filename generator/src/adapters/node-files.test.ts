import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../ports.ts';
import { nodeFiles } from './node-files.ts';

let parent = '';
let root = '';

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'switchyard-files-'));
  root = join(parent, 'out');
});
afterEach(() => {
  rmSync(parent, { recursive: true, force: true });
});

function put(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function listing(): string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => !path.startsWith('node_modules')).sort();
}

function change(files: Record<string, string>, more: Partial<Change> = {}): Change {
  const writes = Object.entries(files).map(([path, bytes]) => ({ path, bytes }));
  return { root, writes, removals: [], last: { path: 'lock', bytes: 'new lock', before: undefined }, ...more };
}

describe.each([
  ['that can be moved', () => {}],
  ['that holds an installation', () => put({ 'node_modules/x': '' })],
])('a change to a folder %s', (_, prepare) => {
  test('writes files, removes others with the folders they emptied, and leaves nothing of its own', async () => {
    prepare();
    put({ 'gone/deep/file': 'x', 'kept/mine.md': 'mine', 'd.bin': 'old' });
    const writes = [
      { path: 'a/b/c.txt', bytes: 'text' },
      { path: 'd.bin', bytes: Uint8Array.of(65, 66) },
    ];
    expect(await nodeFiles.commit(change({}, { writes, removals: ['gone/deep/file', 'never/there'] }))).toBe('done');
    expect(listing()).toEqual(['a', 'a/b', 'a/b/c.txt', 'd.bin', 'kept', 'kept/mine.md', 'lock']);
    expect(readFileSync(join(root, 'd.bin'), 'utf8')).toBe('AB');
    expect(readdirSync(parent)).toEqual(['out']);
  });

  test('that cannot be written changes nothing', async () => {
    prepare();
    put({ kept: 'old', file: 'a file where a folder should be' });
    const impossible = change({ kept: 'new', 'file/inside': 'x' });
    await expect(nodeFiles.commit(impossible)).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(readFileSync(join(root, 'kept'), 'utf8')).toBe('old');
    expect([listing(), readdirSync(parent)]).toEqual([['file', 'kept'], ['out']]);
  });

  test('that fails half-way gives back what it had replaced and removed, and takes away what it had added', async () => {
    prepare();
    put({ first: 'old', 'third/full/x': '', lock: 'old lock' });
    const removals = ['first'];
    const writes = ['second/deep', 'third'].map((path) => ({ path, bytes: 'new' }));
    const last = { path: 'lock', bytes: 'new lock', before: 'old lock' };
    await expect(nodeFiles.commit({ root, writes, removals, last })).rejects.toThrow(/EISDIR|EPERM|ENOTEMPTY|EEXIST/);
    expect(listing()).toEqual(['first', 'lock', 'third', 'third/full', 'third/full/x']);
    expect(readFileSync(join(root, 'lock'), 'utf8')).toBe('old lock');
  });

  test('is refused when another run has changed the folder meanwhile', async () => {
    prepare();
    put({ lock: 'of another run' });
    const last = { path: 'lock', bytes: 'new lock', before: 'old lock' };
    expect(await nodeFiles.commit(change({ a: 'x' }, { last }))).toBe('stale');
    expect(listing()).toEqual(['lock']);
  });
});

test('a change makes the folder, keeps links and empty folders, and goes through a link to the folder', async () => {
  await nodeFiles.commit(change({ a: 'x' }));
  mkdirSync(join(root, 'empty'));
  symlinkSync('a', join(root, 'link'));
  symlinkSync('out', join(parent, 'alias'));
  const last = { path: 'lock', bytes: 'newer', before: 'new lock' };
  await nodeFiles.commit({ ...change({ b: 'x' }, { last }), root: join(parent, 'alias') });
  expect(listing()).toEqual(['a', 'b', 'empty', 'link', 'lock']);
  expect([readlinkSync(join(root, 'link')), readlinkSync(join(parent, 'alias'))]).toEqual(['a', 'out']);
});

test('nothing is written through a link within the folder', async () => {
  await nodeFiles.commit(change({ a: 'x' }));
  mkdirSync(join(parent, 'away'));
  symlinkSync('../away', join(root, 'b'));
  const last = { path: 'lock', bytes: 'newer', before: 'new lock' };
  await expect(nodeFiles.commit(change({ 'b/c/d': 'x' }, { last }))).rejects.toThrow('b is a symbolic link');
  expect([readdirSync(join(parent, 'away')), listing()]).toEqual([[], ['a', 'b', 'lock']]);
});

describe('what a killed run left', () => {
  const gone = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() });
  const place = () => join(parent, '.out.switchyard');
  const leave = (folder: string, files: Record<string, string>, owner = gone): void => {
    for (const [path, text] of Object.entries({ ...files, 'owner.json': owner })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };

  test('before it had begun is thrown away', async () => {
    put({ a: 'old' });
    leave(place(), { 'next/a': 'new', 'next/lock': 'l' });
    leave(`${place()}-77-x`, { 'files/0': 'half' });
    await nodeFiles.recover(root);
    expect([listing(), readdirSync(parent)]).toEqual([['a'], ['out']]);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('old');
  });

  test('between the two renames gets its new state', async () => {
    leave(place(), { 'next/a': 'new', 'old/a': 'old' });
    await nodeFiles.recover(root);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new');
    expect(readdirSync(parent)).toEqual(['out']);
  });

  test('in the middle of replacing files is finished', async () => {
    put({ a: 'new', b: 'old', c: 'old' });
    const journal = JSON.stringify({ writes: ['a', 'b', 'lock'], removals: ['c'] });
    leave(place(), { 'journal.json': journal, 'before/0': 'old', 'files/1': 'new', 'files/2': 'l', 'removed/x': '' });
    await nodeFiles.recover(root);
    expect(listing()).toEqual(['a', 'b', 'lock']);
    expect(readFileSync(join(root, 'b'), 'utf8')).toBe('new');
  });

  test('with a journal that reaches out of the folder is thrown away', async () => {
    put({ a: 'old' });
    const journal = JSON.stringify({ writes: ['../stolen'], removals: [] });
    leave(place(), { 'journal.json': journal, 'files/0': 'x', 'before/x': '' });
    await nodeFiles.recover(root);
    expect(existsSync(join(parent, 'stolen'))).toBe(false);
  });

  test('is left to a run that is still alive', async () => {
    put({ a: 'old' });
    leave(place(), { 'next/a': 'new' }, JSON.stringify({ pid: process.ppid, host: hostname() }));
    await nodeFiles.recover(root);
    expect(existsSync(join(place(), 'next/a'))).toBe(true);
  });
});

test('private files and their folders are readable by the owner alone, and half-written ones are cleared away', async () => {
  mkdirSync(join(root, 'partial'), { recursive: true });
  writeFileSync(join(root, 'partial/half'), '');
  const files = { root, writes: [{ path: 'objects/x', bytes: 'x' }], removals: ['objects/y'] };
  await nodeFiles.exclusively(root, () => nodeFiles.store(files));
  const modes = [root, join(root, 'objects'), join(root, 'objects/x')].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600]);
  expect(listing()).toEqual(['objects', 'objects/x', 'partial']);
});

test('exclusive work of one folder never overlaps', async () => {
  let inside = 0;
  const most: number[] = [];
  const work = async (): Promise<void> => {
    most.push(++inside);
    await new Promise((done) => setTimeout(done, 5));
    inside--;
  };
  await Promise.all(Array.from({ length: 5 }, () => nodeFiles.exclusively(root, work)));
  expect(most).toEqual([1, 1, 1, 1, 1]);
});

test('reading leaves out what is not there or is no file', async () => {
  put({ a: 'x' });
  const found = await nodeFiles.read([join(root, 'a'), join(root, 'b'), join(root, 'a/b'), root]);
  expect([...found.keys()]).toEqual([join(root, 'a')]);
});

test('a folder lists its files, sorted; one that is not there has none', async () => {
  put({ b: '', a: '', 'c/d': '' });
  expect(await nodeFiles.list(root)).toEqual(['a', 'b']);
  expect(await nodeFiles.list(join(root, 'nowhere'))).toEqual([]);
});
