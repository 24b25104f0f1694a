import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
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
    const mode = change.secret === true ? { folder: 0o700, file: 0o600 } : { folder: 0o777, file: 0o666 };
    try {
      await stage(change, { staging, mode });
      await publish(change, { staging, mode });
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

type Staging = { staging: string; mode: { folder: number; file: number } };

async function stage(change: Change, { staging, mode }: Staging): Promise<void> {
  await mkdir(staging, { recursive: true, mode: mode.folder });
  if (change.secret === true) await chmod(change.root, mode.folder);
  const contents = [
    ...change.writes.map((write) => write.bytes),
    ...(change.last === undefined ? [] : [change.last.bytes]),
  ];
  for (const [index, bytes] of contents.entries()) {
    await writeFile(join(staging, String(index)), bytes, { mode: mode.file });
  }
  for (const folder of new Set(change.writes.map((write) => dirname(join(change.root, write.path))))) {
    await mkdir(folder, { recursive: true, mode: mode.folder });
  }
}

async function publish(change: Change, { staging }: Staging): Promise<void> {
  for (const [index, write] of change.writes.entries()) {
    await rename(join(staging, String(index)), join(change.root, write.path));
  }
  for (const path of change.removals) {
    await rm(join(change.root, path), { force: true });
    await removeEmptyFolders(change.root, dirname(path));
  }
  if (change.last !== undefined) {
    await rename(join(staging, String(change.writes.length)), join(change.root, change.last.path));
  }
}

async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  for (let current = folder; current !== '.' && current !== ''; current = dirname(current)) {
    try {
      await rmdir(join(root, current));
    } catch {
      return; // not empty, so neither are the folders above
    }
  }
}
