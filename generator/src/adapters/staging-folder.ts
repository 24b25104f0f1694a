import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { createFolder } from '../../../specs/src/index.ts';
import type { Progress, Staging } from '../ports.ts';
import { exchangeFiles, finishExchange, linkUnchanged } from './exchange-files.ts';
import { lockFolder, runAtExit } from './folder-lock.ts';

/**
 * Opens the staging folder of an output folder, which also serves as its lock. New files are written to `next` in the
 * staging folder. A commit replaces the whole output folder with `next` if possible, otherwise the files one by one.
 * Without `outDir`, opens a temporary folder that can't be committed.
 */
export async function openStaging(outDir: string | undefined, onProgress?: Progress): Promise<Staging> {
  if (outDir === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-'));
    const close = runAtExit(() => rmSync(folder, { recursive: true, force: true }));
    const commit = (): never => {
      throw new Error('a temporary staging folder cannot be committed');
    };
    return { ...createNextFolder(folder), commit, close };
  }
  const root = existsSync(outDir) ? realpathSync(outDir) : resolve(outDir);
  const stagingPath = locateStagingFolder(root);
  // Files in the staging folder are moved and removed. If the folder were a link, this would affect another folder.
  if (lstatSync(stagingPath, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${stagingPath} is a symbolic link: delete it`);
  const { folder, check, release } = await lockFolder(stagingPath, onProgress);
  finishExchange(root, folder);
  // If a run is killed, the folder stays for the next run, so git must ignore it.
  writeFileSync(join(folder, '.gitignore'), '*\n');
  const mode = statSync(root, { throwIfNoEntry: false })?.mode;
  const { staged, write, read } = createNextFolder(folder, mode === undefined ? undefined : mode & 0o777);
  return {
    read,
    write(path, contents) {
      check(false);
      write(path, contents);
    },
    commit({ writes, removals }) {
      checkTargets(root, writes, removals);
      const wanted = new Set(writes);
      for (const path of staged) if (!wanted.has(path)) rmSync(join(folder, 'next', path), { force: true });
      const dropped = new Set([...writes, ...removals]);
      const isInside = `${process.cwd()}${sep}`.startsWith(`${root}${sep}`);
      const isMovable = dirname(folder) === dirname(root) && !isInside;
      const isWhole = isMovable && linkUnchanged(root, folder, dropped);
      check();
      if (isWhole && exchangeFiles(root, folder, { writes: ['.'], removals: [] }) === undefined) return;
      const failure = exchangeFiles(root, folder, { writes, removals });
      if (failure !== undefined) throw failure;
    },
    close: release,
  };
}

function createNextFolder(
  folder: string,
  mode?: number,
): Pick<Staging, 'write' | 'read'> & { staged: ReadonlySet<string> } {
  const next = join(folder, 'next');
  const staged = new Set<string>();
  const createdFolders = new Set<string>();
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, mode === undefined ? {} : { mode });
  return {
    staged,
    write(path, contents) {
      const target = join(next, path);
      const parent = dirname(target);
      if (!createdFolders.has(parent)) mkdirSync(parent, { recursive: true });
      createdFolders.add(parent);
      const descriptor = openSync(target, 'w');
      try {
        for (const piece of typeof contents === 'string' ? [contents] : contents) writeFileSync(descriptor, piece);
      } finally {
        closeSync(descriptor);
      }
      staged.add(path);
    },
    read: (path) => (staged.has(path) ? readFileSync(join(next, path), 'utf8') : undefined),
  };
}

// Throws if a file would be written or removed through a symbolic link, or if it would replace a folder.
function checkTargets(root: string, writes: readonly string[], removals: readonly string[]): void {
  const checked = new Set(['.']);
  const find = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false });
  const checkFolder = (path: string): void => {
    if (checked.has(path)) return;
    checkFolder(dirname(path));
    const found = find(path);
    if (found?.isSymbolicLink())
      throw new Error(`${path} is a symbolic link, and files are never written through links`);
    if (found?.isDirectory() === false) throw new Error(`${path} is a file where a folder is needed`);
    checked.add(path);
  };
  for (const path of [...removals, ...writes]) checkFolder(dirname(path));
  for (const path of writes)
    if (find(path)?.isDirectory()) throw new Error(`${path} is a folder where a file is needed`);
}

// The staging folder is next to the output folder. If the output folder can't be renamed, because it is a mounted volume
// or its parent isn't writable, the staging folder is inside it.
function locateStagingFolder(root: string): string {
  const sibling = join(dirname(root), `.${basename(root)}.switchyard`);
  if (!existsSync(root)) {
    createFolder(dirname(root)); // Only the staging folder itself gets private permissions.
    return sibling;
  }
  try {
    accessSync(dirname(root), constants.W_OK);
    if (statSync(dirname(root)).dev === statSync(root).dev) return sibling;
  } catch {
    // The parent directory isn't writable.
  }
  return join(root, '.switchyard-staging');
}
