import type { ModelId } from '../catalog/model-id.ts';
import { type Digest, toDigest } from '../digest.ts';
import type { CacheIndex } from '../documents/cache-index.ts';
import type { Files } from '../ports.ts';
import { presentDigest } from './content-digest.ts';
import {
  type FileDigests,
  type LockedModel,
  type Lockfile,
  lockedFiles,
  lockName,
  parseLockfile,
  printLockfile,
} from './lockfile.ts';

/** What an output folder holds. */
export type Output = {
  readonly outDir: string;
  /** Undefined without a lockfile. */
  readonly lockDigest: Digest | undefined;
  /** Undefined when there is none or it cannot be read. */
  readonly lock: Lockfile | undefined;
  /** Every file that the lockfile names. */
  readonly locked: ReadonlyMap<string, Digest>;
  readonly isDamaged: boolean;
  /** Of all files that the lockfile names, when they are as it says. */
  readonly fingerprint: Digest | undefined;
  /** Whether this very generator made the output with these settings, so that intact files of unchanged inputs need not be printed again. */
  readonly isTrusted: boolean;
  /** Whether files of the lockfile are just as it says. */
  isIntact(files: FileDigests): boolean;
  /** Of any file of the folder, under which the lockfile lists its content; undefined when it does not exist. */
  readDigest(path: string): Digest | undefined;
};

/** Files are read only where size or time of change differ from what the cache knows. */
export function readOutput(
  outDir: string,
  files: Files,
  known: Pick<CacheIndex, 'outputs'> & { code: Digest },
): Output {
  const lockBytes = files.read(`${outDir}/${lockName}`);
  const parsed = parseLockfile(lockBytes);
  const lock = parsed === 'damaged' ? undefined : parsed;
  const lockDigest = lockBytes === undefined ? undefined : digestOfLock(lockBytes, lock);
  const before = lockDigest === undefined ? undefined : known.outputs.get(lockDigest);
  const locked = lockedFiles(lock);
  // Taken before the files are read: what changes afterwards has another fingerprint the next time.
  const fingerprint = files.fingerprint(outDir, locked.keys());
  const isUntouched = fingerprint !== undefined && fingerprint === before?.fingerprint;
  const digestAt = (path: string): Digest | undefined =>
    presentDigest(path, files, { folder: outDir, expected: locked.get(path) });
  const present = isUntouched ? locked : digestAll(locked.keys(), digestAt);
  const areAsLocked = (expected: Iterable<[path: string, digest: Digest]>): boolean => {
    for (const [path, digest] of expected) if (present.get(path) !== digest) return false;
    return true;
  };
  const others = new Map<string, Digest | undefined>();
  return {
    outDir,
    lockDigest,
    lock,
    locked,
    isDamaged: parsed === 'damaged',
    fingerprint: isUntouched || areAsLocked(locked) ? fingerprint : undefined,
    isTrusted: before?.code === known.code,
    isIntact: (expected) => isUntouched || areAsLocked(Object.entries(expected)),
    readDigest(path) {
      if (locked.has(path)) return present.get(path);
      if (!others.has(path)) others.set(path, digestAt(path));
      return others.get(path);
    },
  };
}

// Of the text as it was written: line ends and layout are no change, members that no lockfile has are one.
function digestOfLock(bytes: Uint8Array, lock: Lockfile | undefined): Digest {
  const start = new TextDecoder().decode(bytes.subarray(0, lockStart.length));
  if (lock === undefined || start === lockStart) return toDigest(bytes);
  const printed = printLockfile(lock);
  const isSame = JSON.stringify(JSON.parse(new TextDecoder().decode(bytes))) === JSON.stringify(JSON.parse(printed));
  return toDigest(isSame ? printed : bytes);
}

const lockStart = '{\n  "format"';

function digestAll(paths: Iterable<string>, digestAt: (path: string) => Digest | undefined): Map<string, Digest> {
  const found = new Map<string, Digest>();
  for (const path of paths) {
    const digest = digestAt(path);
    if (digest !== undefined) found.set(path, digest);
  }
  return found;
}

export function lockedModel({ lock }: Output, id: ModelId): LockedModel | undefined {
  return lock?.models[id]; // the slash of an id is in no inherited name
}
