import type { ModelId } from '../catalog/model-id.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { Files } from '../ports.ts';
import { type FileDigests, type LockedModel, type Lockfile, lockedFiles, lockName, parseLockfile } from './lockfile.ts';

/** What an output folder holds. */
export type Output = {
  readonly outDir: string;
  readonly lockText: string | undefined;
  /** Undefined when there is none or it cannot be read. */
  readonly lock: Lockfile | undefined;
  readonly isDamaged: boolean;
  /** Digests of those files that the lockfile names and that exist. */
  readonly locked: ReadonlyMap<string, Digest>;
  /** Of all files that the lockfile names, when they are as it says. */
  readonly fingerprint: Digest | undefined;
  /** Whether this very generator made the output, so that intact files of unchanged inputs need not be printed again. */
  readonly isTrusted: boolean;
  /** Of any file of the folder; undefined when it does not exist. */
  digestOf(path: string): Digest | undefined;
};

/** What the cache knows of outputs, by the digest of their lockfiles. */
export type KnownOutputs = ReadonlyMap<Digest, { readonly code: Digest; readonly fingerprint: Digest | undefined }>;

/** Files are read only where size or time of change differ from what the cache knows. */
export function readOutput(outDir: string, files: Files, known: { outputs: KnownOutputs; code: Digest }): Output {
  const lockBytes = files.read(`${outDir}/${lockName}`);
  const parsed = parseLockfile(lockBytes);
  const lock = parsed === 'damaged' ? undefined : parsed;
  const before = lockBytes === undefined ? undefined : known.outputs.get(digestOf(lockBytes));
  const named = lockedFiles(lock);
  // Taken before the files are read: what changes afterwards has another fingerprint the next time.
  const fingerprint = files.fingerprint([...named.keys()].map((path) => `${outDir}/${path}`));
  const isUntouched = fingerprint !== undefined && fingerprint === before?.fingerprint;
  const locked = new Map(isUntouched ? named : []);
  if (!isUntouched) {
    for (const path of named.keys()) {
      const digest = files.digest(`${outDir}/${path}`);
      if (digest !== undefined) locked.set(path, digest);
    }
  }
  const others = new Map<string, Digest | undefined>();
  return {
    outDir,
    lockText: lockBytes === undefined ? undefined : new TextDecoder().decode(lockBytes),
    lock,
    isDamaged: parsed === 'damaged',
    locked,
    fingerprint: isIntact(Object.fromEntries(named), locked) ? fingerprint : undefined,
    isTrusted: before?.code === known.code,
    digestOf(path) {
      if (named.has(path)) return locked.get(path);
      if (!others.has(path)) others.set(path, files.digest(`${outDir}/${path}`));
      return others.get(path);
    },
  };
}

export function lockedModel({ lock }: Output, id: ModelId): LockedModel | undefined {
  return lock !== undefined && Object.hasOwn(lock.models, id) ? lock.models[id] : undefined;
}

/** Whether files are just as they were written. */
export function isIntact(files: FileDigests, disk: ReadonlyMap<string, Digest>): boolean {
  return Object.entries(files).every(([path, digest]) => disk.get(path) === digest);
}
