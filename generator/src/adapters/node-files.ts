import {
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolder, type TlsSettings } from '../../../specs/src/index.ts';
import { explainCause, GeneratorError } from '../diagnostics.ts';
import type { Clock, Files, Ports } from '../ports.ts';
import { isAbsence, lockFolder } from './folder-lock.ts';
import { createNodeHttp } from './node-http.ts';
import { openStaging } from './staging-folder.ts';

const ownerOnly = { folder: 0o700, file: 0o600 };

export function nodePorts(tls?: TlsSettings): Ports {
  return { http: createNodeHttp(tls), files: nodeFiles, clock: systemClock };
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep,
  parseInstant(httpDate) {
    const instant = Date.parse(httpDate);
    return Number.isNaN(instant) ? undefined : instant;
  },
};

/** Reads and writes files on disk. */
export const nodeFiles: Files = {
  read: readFile,
  list: (folder, below) => listEntries(folder, below, (entry) => entry.isFile()),
  listFolders: (folder, below) => listEntries(folder, below, (entry) => entry.isDirectory()),
  store(path, bytes, below) {
    refuseLinks(path, below);
    createFolder(dirname(path), ownerOnly.folder);
    writeFileSync(path, bytes, { mode: ownerOnly.file });
  },
  async update(path, change, { onProgress, below } = {}) {
    refuseLinks(path, below);
    const lock = await lockFolder(`${path}.lock`, onProgress);
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

function listEntries(folder: string, below: string | undefined, isWanted: (entry: Dirent) => boolean): string[] {
  refuseLinks(folder, below);
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(isWanted)
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (isAbsence(error)) return [];
    throw makeUnreadableError(folder, error);
  }
}

const largestFile = 128 * 1024 * 1024;

// Reads synchronously, which is several times faster for thousands of small files than asynchronous reads.
function readFile(path: string, below?: string): Uint8Array | undefined {
  refuseLinks(path, below);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // The path may be a link to a device, which has no end.
    if (found?.isFile() !== true) return undefined;
    if (found.size > largestFile) throw new Error('it is larger than 128 MiB');
    return readFileSync(path);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw makeUnreadableError(path, error);
  }
}

// Returns false if the check fails: the read or write that follows will fail too, with a better message.
function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** Throws GeneratorError if the path, or a folder between `below` and the path, is a symbolic link. */
function refuseLinks(path: string, below: string | undefined): void {
  if (below === undefined) return;
  let at = below;
  for (const name of relative(below, path).split(sep)) {
    at = join(at, name);
    if (!isLink(at)) continue;
    throw new GeneratorError('file-unreadable', `${at} is a symbolic link, which is not allowed here`, {
      operation: 'readFile',
      help: 'Delete the link: outputs and caches may only contain regular files and folders. (The top folder itself may be a link.)',
    });
  }
}

function makeUnreadableError(path: string, cause: unknown): GeneratorError {
  const message = `${path} cannot be read: ${explainCause(cause)}`;
  return new GeneratorError('file-unreadable', message, { operation: 'readFile', cause });
}
