import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles } from './node-files.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switchyard-files-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const bytes = (text: string) => new TextEncoder().encode(text);

test('creates files and folders of the cache that only their owner can read', async () => {
  nodeFiles.store(join(root, 'cache/objects/x'), bytes('x'));
  await nodeFiles.update(join(root, 'cache/index'), () => 'i');
  const modes = ['cache', 'cache/objects', 'cache/objects/x', 'cache/index'].map(
    (path) => statSync(join(root, path)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
  expect(readdirSync(join(root, 'cache'))).toEqual(['index', 'objects']);
});

test('runs updates of one file one after the other, each with the result of the previous one', async () => {
  const path = join(root, 'cache/index');
  const add = (letter: string) =>
    nodeFiles.update(path, (before) => `${before === undefined ? '' : new TextDecoder().decode(before)}${letter}`);
  await Promise.all([...'abcde'].map(add));
  expect([...readFileSync(path, 'utf8')].sort()).toEqual([...'abcde']);
});

test('returns undefined for a missing path and for a path that is not a file', () => {
  writeFileSync(join(root, 'a'), 'x');
  symlinkSync('/dev/zero', join(root, 'endless'));
  const paths = ['a', 'b', 'a/b', '.', 'endless'].map((path) => join(root, path));
  expect(paths.map((path) => nodeFiles.read(path)?.length)).toEqual([1, undefined, undefined, undefined, undefined]);
});

test('lists the files of a folder in sorted order, and none for a missing folder', () => {
  for (const name of ['b', 'a']) writeFileSync(join(root, name), '');
  mkdirSync(join(root, 'c'));
  expect(nodeFiles.list(root)).toEqual(['a', 'b']);
  expect(nodeFiles.list(join(root, 'nowhere'))).toEqual([]);
});
