import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Digest, toDigest } from '../content.ts';
import type { Files, Ports } from '../ports.ts';
import { isAbsence, lockFolder } from './folder-lock.ts';
import { createNodeHttp, type TlsSettings } from './node-http.ts';
import { openStaging } from './staging-folder.ts';
import { systemClock } from './system-clock.ts';

const ownerOnly = { folder: 0o700, file: 0o600 };

export function nodePorts(tls?: TlsSettings): Ports {
  return { http: createNodeHttp(tls), files: nodeFiles, clock: systemClock };
}

/** The disk. */
export const nodeFiles: Files = {
  read: readFile,
  fingerprint,
  list(folder) {
    try {
      const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
      return files.map(({ name }) => name).sort();
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  },
  store(path, bytes) {
    mkdirSync(dirname(path), { recursive: true, mode: ownerOnly.folder });
    writeFileSync(path, bytes, { mode: ownerOnly.file });
  },
  async update(path, change) {
    const lock = await lockFolder(`${path}.lock`);
    try {
      const next = join(lock.folder, 'next');
      writeFileSync(next, change(readFile(path)), { mode: ownerOnly.file });
      renameSync(next, path);
    } finally {
      lock.release();
    }
  },
  remove: (path) => rmSync(path, { force: true }),
  openStaging,
};

// Thousands of small files are read several times faster one after the other than through the thread pool.
function readFile(path: string): Uint8Array | undefined {
  try {
    // A link can lead to a device, which never ends.
    return isFile(path) ? readFileSync(path) : undefined;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

// Most files looked up in a first generation are absent, and an error for each would be slower than this check.
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Over size and time of change, which no program can set. */
function fingerprint(folder: string, paths: Iterable<string>): Digest | undefined {
  const seen: number[] = [];
  const now = systemClock.now();
  for (const path of paths) {
    const stats = statSync(`${folder}/${path}`, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return undefined;
    const { size, ctimeMs } = stats;
    // Within one tick of the file system's clock a second change would not show; some clocks tick in seconds.
    if (now - ctimeMs < (ctimeMs % 1000 === 0 ? 3000 : 50)) return undefined;
    seen.push(size, ctimeMs);
  }
  return toDigest(new Uint8Array(Float64Array.from(seen).buffer));
}
