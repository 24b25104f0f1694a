import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';
import { openStaging } from './staging-folder.ts';

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

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

async function commit(files: Record<string, string>, removals: readonly string[] = [], folder = root): Promise<void> {
  const staging = await openStaging(folder);
  try {
    for (const [path, text] of Object.entries(files)) staging.write(path, text);
    staging.commit({ writes: Object.keys(files), removals });
  } finally {
    staging.close();
  }
}

describe.each([
  ['that can be renamed', () => {}],
  ['that contains node_modules', () => put({ 'node_modules/x': '' })],
])('committing to an output folder %s', (_, prepare) => {
  test('writes and removes the listed files, removes emptied folders, and leaves no temporary files', async () => {
    prepare();
    put({ 'gone/deep/file': 'x', 'kept/mine.md': 'mine', d: 'old' });
    await commit({ 'a/b/c.txt': 'text', d: 'new' }, ['gone/deep/file', 'never/there']);
    expect(listing()).toEqual(['a', 'a/b', 'a/b/c.txt', 'd', 'kept', 'kept/mine.md']);
    expect([readText('d'), readdirSync(parent)]).toEqual(['new', ['out']]);
  });

  test('replaces only the files listed in the commit, even if others were staged', async () => {
    prepare();
    put({ a: 'edited' });
    const staging = await openStaging(root);
    staging.write('a', 'new');
    staging.write('b', ['in ', 'parts']);
    expect(staging.read('b')).toBe('in parts');
    expect(staging.read('c')).toBeUndefined();
    staging.commit({ writes: ['b'], removals: [] });
    staging.close();
    expect([readText('a'), readText('b')]).toEqual(['edited', 'in parts']);
  });

  test('changes nothing if there is a file where a folder is needed', async () => {
    prepare();
    put({ kept: 'old', file: 'x' });
    await expect(commit({ kept: 'new', 'file/inside': 'x' })).rejects.toThrow(
      'file is a file where a folder is needed',
    );
    expect([readText('kept'), listing(), readdirSync(parent)]).toEqual(['old', ['file', 'kept'], ['out']]);
  });

  test('changes nothing if there is a folder where a file is needed', async () => {
    prepare();
    put({ first: 'old', 'third/full/x': '', lock: 'old' });
    const failed = commit({ 'second/deep': 'new', third: 'new', lock: 'new' }, ['first']);
    await expect(failed).rejects.toThrow('third is a folder where a file is needed');
    expect(listing()).toEqual(['first', 'lock', 'third', 'third/full', 'third/full/x']);
    expect(readText('lock')).toBe('old');
  });

  test('writes nothing through a symbolic link in the folder', async () => {
    prepare();
    put({ a: 'x' });
    mkdirSync(join(parent, 'away'));
    symlinkSync('../away', join(root, 'b'));
    await expect(commit({ 'b/c/d': 'x' })).rejects.toThrow('b is a symbolic link');
    expect([readdirSync(join(parent, 'away')), listing()]).toEqual([[], ['a', 'b']]);
  });
});

test('a commit creates the output folder, keeps links and empty folders in it, and follows a link to it', async () => {
  await commit({ a: 'x' });
  mkdirSync(join(root, 'empty'));
  symlinkSync('a', join(root, 'link'));
  symlinkSync('out', join(parent, 'alias'));
  await commit({ b: 'x' }, [], join(parent, 'alias'));
  expect(listing()).toEqual(['a', 'b', 'empty', 'link']);
  expect([readlinkSync(join(root, 'link')), readlinkSync(join(parent, 'alias'))]).toEqual(['a', 'out']);
});

test('a staging folder without an output folder stores files and rejects a commit', async () => {
  const staging = await openStaging(undefined);
  staging.write('a/b', 'x');
  expect(staging.read('a/b')).toBe('x');
  expect(() => staging.commit({ writes: ['a/b'], removals: [] })).toThrow('cannot be committed');
  staging.close();
  expect(() => staging.read('a/b')).toThrow('ENOENT');
});

describe('opening a staging folder that a killed run left', () => {
  const place = () => join(parent, '.out.switchyard');
  /** Creates the files of a killed run, and its claim with an old heartbeat. */
  const leave = (files: Record<string, string>): void => {
    for (const [path, text] of Object.entries({ ...files, 'owner.claim-1': 'token of a killed run' })) {
      mkdirSync(dirname(join(place(), path)), { recursive: true });
      writeFileSync(join(place(), path), text);
    }
    utimesSync(join(place(), 'owner.claim-1'), 0, 0);
  };
  const recover = async () => (await openStaging(root)).close();
  const journal = (writes: string[], removals: string[] = []) => JSON.stringify({ writes, removals });

  test.each([
    ['while it printed files', {}],
    ['before it moved the output folder', { 'journal.json': journal(['.']) }],
  ])('discards the files of a run that was killed %s', async (_, files) => {
    put({ a: 'old' });
    leave({ 'next/a': 'new', 'next/lock': 'l', ...files });
    await recover();
    expect([readText('a'), listing(), readdirSync(parent)]).toEqual(['old', ['a'], ['out']]);
  });

  test('completes a commit that was killed between its two renames', async () => {
    leave({ 'journal.json': journal(['.']), 'next/a': 'new', 'old/a': 'old' });
    await recover();
    expect([readText('a'), readdirSync(parent)]).toEqual(['new', ['out']]);
  });

  test('completes a commit that was killed while replacing single files', async () => {
    put({ a: 'new', b: 'old', c: 'old' });
    leave({
      'journal.json': journal(['a', 'b', 'lock'], ['c']),
      'old/a': 'old',
      'next/b': 'new',
      'next/lock': 'l',
    });
    await recover();
    expect([listing(), readText('b'), readdirSync(parent)]).toEqual([['a', 'b', 'lock'], 'new', ['out']]);
  });

  test('rolls back an interrupted commit if one of its files can no longer be moved', async () => {
    put({ a: 'new', 'b/x': 'mine' });
    writeFileSync(join(root, 'd'), '');
    leave({ 'journal.json': journal(['a', 'd/e']), 'old/a': 'old', 'next/d/e': 'new' });
    await recover();
    expect([listing(), readText('a')]).toEqual([['a', 'b', 'b/x', 'd'], 'old']);
  });

  test('discards a journal with paths outside of the output folder', async () => {
    put({ a: 'old' });
    leave({ 'journal.json': journal(['../stolen']), 'next/x': 'x' });
    await recover();
    expect(existsSync(join(parent, 'stolen'))).toBe(false);
  });

  test('leaves the output unchanged if another run took over the lock', async () => {
    put({ a: 'old' });
    const first = await openStaging(root);
    first.write('a', 'first');
    utimesSync(join(place(), 'owner.claim-1'), 0, 0);
    const second = await openStaging(root);
    second.write('a', 'second');
    expect(() => first.commit({ writes: ['a'], removals: [] })).toThrow('has taken over');
    first.close();
    expect(readText('a')).toBe('old');
    second.commit({ writes: ['a'], removals: [] });
    second.close();
    expect([readText('a'), readdirSync(parent)]).toEqual(['second', ['out']]);
  });

  test('waits for a lock for less than two minutes after its last heartbeat', async () => {
    put({ a: 'old' });
    leave({ 'next/a': 'new' });
    const claim = join(place(), 'owner.claim-1');
    const age = (seconds: number) => utimesSync(claim, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);
    age(110);
    const recovered = recover();
    await new Promise((later) => setTimeout(later, 500));
    expect(existsSync(join(place(), 'next/a'))).toBe(true);
    age(130);
    await recovered;
    expect(readdirSync(parent)).toEqual(['out']);
  });

  test('waits while the lock has a fresh heartbeat', async () => {
    put({ a: 'old' });
    leave({ 'next/a': 'new' });
    const claim = join(place(), 'owner.claim-1');
    utimesSync(claim, new Date(), new Date());
    const recovered = recover();
    await new Promise((later) => setTimeout(later, 100));
    expect(existsSync(join(place(), 'next/a'))).toBe(true);
    utimesSync(claim, 0, 0);
    await recovered;
    expect([readText('a'), readdirSync(parent)]).toEqual(['old', ['out']]);
  });
});

test('reports after one second which folder lock the run is waiting for', async () => {
  const folder = join(parent, 'locked');
  const first = await lockFolder(folder);
  const notices: string[] = [];
  const second = lockFolder(folder, (notice) => notices.push(notice));
  await new Promise((later) => setTimeout(later, 1_300));
  first.release();
  (await second).release();
  expect(notices).toEqual([expect.stringMatching(/^waiting for the lock of .*locked, held since \d{4}-\d\d-\d\dT/)]);
  expect(existsSync(folder)).toBe(false);
});

test('a staging folder is only opened for one run at a time', async () => {
  let inside = 0;
  const most: number[] = [];
  const work = async (): Promise<void> => {
    const staging = await openStaging(root);
    most.push(++inside);
    await new Promise((later) => setTimeout(later, 5));
    inside--;
    staging.close();
  };
  await Promise.all(Array.from({ length: 5 }, work));
  expect(most).toEqual([1, 1, 1, 1, 1]);
});

test('a commit creates missing parents of the output folder with default permissions', async () => {
  const usual = join(parent, 'usual');
  mkdirSync(usual);
  await commit({ a: 'x' }, [], join(parent, 'deep/er/out'));
  const modes = ['deep', 'deep/er', 'deep/er/out'].map((path) => statSync(join(parent, path)).mode);
  expect(modes).toEqual(modes.map(() => statSync(usual).mode));
});

test('a commit keeps the permissions of the output folder', async () => {
  put({ a: 'x' });
  chmodSync(root, 0o750);
  await commit({ b: 'x' });
  expect(statSync(root).mode & 0o777).toBe(0o750);
});
