import { readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, type TlsSettings } from '../../../specs/src/index.ts';
import { type Digest, toDigest } from '../content.ts';
import { explainCause, GeneratorError } from '../diagnostics.ts';
import type { Files, Ports } from '../ports.ts';
import { isAbsence, lockFolder } from './folder-lock.ts';
import { createNodeHttp } from './node-http.ts';
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
      throw unreadable(folder, error);
    }
  },
  store(path, bytes) {
    makeFolder(dirname(path), ownerOnly.folder);
    writeFileSync(path, bytes, { mode: ownerOnly.file });
  },
  async update(path, change, say) {
    const lock = await lockFolder(`${path}.lock`, say);
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
  // A link can lead to a device, which never ends.
  if (findFile(path) === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): GeneratorError {
  const help = 'Check its rights, and those of the folders above.';
  return new GeneratorError('file-unreadable', `${path} cannot be read: ${explainCause(cause)}`, {
    operation: 'readFile',
    help,
    cause,
  });
}

// Most files looked up in a first generation are absent, and an error for each would be slower than this check.
function findFile(path: string): Stats | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats : undefined;
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Over size and time of change, which no program can set. */
function fingerprint(folder: string, paths: Iterable<string>): Digest | undefined {
  const seen: number[] = [];
  const now = systemClock.now();
  for (const path of paths) {
    const stats = findFile(`${folder}/${path}`);
    if (stats === undefined) return undefined;
    const { size, ctimeMs } = stats;
    // Within one tick of the file system's clock a second change would not show; some clocks tick in seconds.
    if (now - ctimeMs < (ctimeMs % 1000 === 0 ? 3000 : 50)) return undefined;
    seen.push(size, ctimeMs);
  }
  return toDigest(new Uint8Array(Float64Array.from(seen).buffer));
}
