import { readdirSync, readFileSync } from 'node:fs';
import type { Files } from '../ports.ts';
import { commitFolder, recoverFolder } from './commit-folder.ts';
import { isAbsence } from './error-code.ts';
import { fileStamps } from './file-stamps.ts';
import { exclusively, storeFiles } from './private-files.ts';
import { openSpool } from './spool.ts';

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
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort();
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  },
  stamps: fileStamps,
  commit: commitFolder,
  async recover(root) {
    recoverFolder(root);
  },
  exclusively,
  async store(files) {
    storeFiles(files);
  },
  openSpool,
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
