import { readFileSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Change, Files } from '../ports.ts';

/** The disk. Paths in a change are relative to its root and use `/`. */
export const nodeFiles: Files = {
  async read(paths) {
    const found = new Map<string, Uint8Array>();
    for (const path of paths) {
      const bytes = readIfFile(path);
      if (bytes !== undefined) found.set(path, bytes);
    }
    return found;
  },
  async list(folder) {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort();
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  },
  async commit(change) {
    const staging = join(change.root, `.staging-${process.pid}`);
    try {
      const files = await stage(change, staging);
      await replaceAll(files);
      await removeAll(change);
      if (change.last !== undefined) await rename(join(staging, 'last'), join(change.root, change.last.path));
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  },
};

// Thousands of small files are read several times faster one after the other than through the thread pool.
function readIfFile(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

/** A file written aside, the place it belongs to, and where what it replaces is kept meanwhile. */
type Staged = { readonly aside: string; readonly target: string; readonly backup: string };

async function stage(change: Change, staging: string): Promise<Staged[]> {
  const mode = change.secret === true ? { folder: 0o700, file: 0o600 } : { folder: 0o777, file: 0o666 };
  await mkdir(staging, { recursive: true, mode: mode.folder });
  if (change.secret === true) await chmod(change.root, mode.folder);
  const files: Staged[] = [];
  for (const [index, { path, bytes }] of change.writes.entries()) {
    const aside = join(staging, String(index));
    await writeFile(aside, bytes, { mode: mode.file });
    files.push({ aside, target: join(change.root, path), backup: `${aside}.before` });
  }
  if (change.last !== undefined) await writeFile(join(staging, 'last'), change.last.bytes, { mode: mode.file });
  for (const folder of new Set(files.map(({ target }) => dirname(target)))) {
    await mkdir(folder, { recursive: true, mode: mode.folder });
  }
  return files;
}

/** All or nothing: when one place refuses its file, the places before it get theirs back. */
async function replaceAll(files: readonly Staged[]): Promise<void> {
  const done: Staged[] = [];
  try {
    for (const file of files) {
      await keepBackup(file);
      done.push(file);
      await rename(file.aside, file.target);
    }
  } catch (error) {
    for (const file of done.toReversed()) await restore(file);
    throw error;
  }
}

async function keepBackup({ target, backup }: Staged): Promise<void> {
  try {
    await link(target, backup);
  } catch (error) {
    if (isAbsence(error)) return;
    await copyFile(target, backup); // some file systems know no links
  }
}

async function restore({ aside, target, backup }: Staged): Promise<void> {
  try {
    await rename(backup, target);
  } catch (error) {
    if (!isAbsence(error)) throw error;
    // Nothing was there before: take away what was put there, unless it is still aside.
    if (readIfFile(aside) === undefined) await rm(target, { force: true });
  }
}

async function removeAll({ root, removals }: Change): Promise<void> {
  for (const path of removals) {
    await rm(join(root, path), { force: true });
    await removeEmptyFolders(root, dirname(path));
  }
}

async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  for (let current = folder; current !== '.'; current = dirname(current)) {
    try {
      await rmdir(join(root, current));
    } catch {
      return; // not empty, so neither are the folders above
    }
  }
}
