import type { JsonObject } from '../../../specs/src/index.ts';
import { type Digest, toDigest } from '../content.ts';
import { type LockedModel, type LockedPackage, type Lockfile, printLockfile } from './lockfile.ts';

/**
 * The new output as the lockfile will list it. The contents of new files are in the staging folder, and the contents of
 * unchanged files in the output folder. An unchanged model or package has the same `files` object as in the old lockfile.
 */
export type NewOutput = {
  readonly generator: string;
  readonly brand: string;
  readonly settings?: JsonObject | undefined;
  readonly packages: ReadonlyMap<string, LockedPackage>;
  readonly models: ReadonlyMap<string, LockedModel>;
};
type LockedPart = LockedModel | LockedPackage;
/** The change of one file. `refuse`: the file is not overwritten. `not-ours`: the file was not generated. */
export type Write =
  | { readonly kind: 'create' | 'replace' | 'remove' | 'keep'; readonly path: string }
  | { readonly kind: 'refuse'; readonly path: string; readonly because: 'edited-by-hand' | 'not-ours' };
export type WritePlan = {
  readonly writes: readonly Write[];
  readonly lock: Lockfile;
  readonly lockDigest: Digest;
};

/** Numbers of files that a plan creates, replaces, removes and keeps. */
export type WriteCounts = { created: number; replaced: number; removed: number; kept: number };

export function countWrites({ writes }: WritePlan): WriteCounts {
  const count = (kind: Write['kind']): number => writes.filter((write) => write.kind === kind).length;
  return { created: count('create'), replaced: count('replace'), removed: count('remove'), kept: count('keep') };
}

/** The current state of the output folder. */
export type CurrentOutput = {
  /** Undefined if the lockfile is missing or unreadable. */
  readonly lock: Lockfile | undefined;
  /** Undefined if there is no lockfile. */
  readonly lockDigest: Digest | undefined;
  /** Digest of every file in the lockfile, by path. */
  readonly locked: ReadonlyMap<string, Digest>;
  /** Returns the digest of a file, as listed in the lockfile; undefined if the file doesn't exist. */
  readDigest(path: string): Digest | undefined;
};

/**
 * Plans one write for each file. Doesn't touch files that were edited since the last run, or files that were not
 * generated.
 */
export function planWrites(wanted: NewOutput, present: CurrentOutput): WritePlan {
  const { lock: before, locked, readDigest } = present;
  const writes: Write[] = [];
  const planPart = <Part extends LockedPart>(part: Part, known: LockedPart | undefined): Part => {
    if (part.files === known?.files) {
      for (const path in part.files) writes.push({ kind: 'keep', path });
      return part;
    }
    const files: Record<string, Digest> = {};
    for (const [path, digest] of Object.entries(part.files)) {
      const write = planFile(path, digest, present);
      writes.push(write);
      // An edited file keeps its old digest, so that the next run detects the edit again. A file that was never
      // generated isn't listed.
      const listed = write.kind === 'refuse' ? locked.get(path) : digest;
      if (listed !== undefined) files[path] = listed;
    }
    return { ...part, files };
  };
  const packages = mapEntries(wanted.packages, (name, part) => planPart(part, before?.packages[name]));
  const models = mapEntries(wanted.models, (id, part) => planPart(part, before?.models[id]));
  const wantedPaths = new Set(writes.map(({ path }) => path));
  for (const [path, digest] of locked) {
    const obsolete = wantedPaths.has(path) ? undefined : readDigest(path);
    if (obsolete === digest) writes.push({ kind: 'remove', path });
    else if (obsolete !== undefined) writes.push({ kind: 'refuse', path, because: 'edited-by-hand' });
  }
  // Models with the same schema share a validator: it is written once, and kept if any of these models keeps it.
  const byPath = new Map<string, Write>();
  for (const write of writes) if (!byPath.has(write.path) || write.kind === 'keep') byPath.set(write.path, write);
  const sorted = [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  const { generator, brand, settings } = wanted;
  const lock: Lockfile = { format: 1, generator, brand, ...(settings && { settings }), packages, models };
  return { writes: sorted, lock, lockDigest: toDigest(printLockfile(lock)) };
}

function planFile(path: string, digest: Digest, { locked, readDigest }: CurrentOutput): Write {
  const [before, present] = [locked.get(path), readDigest(path)];
  if (present === digest) return { kind: 'keep', path };
  if (present === undefined) return { kind: 'create', path };
  if (present === before) return { kind: 'replace', path };
  return { kind: 'refuse', path, because: before === undefined ? 'not-ours' : 'edited-by-hand' };
}

function mapEntries<T>(entries: ReadonlyMap<string, T>, convert: (name: string, value: T) => T): Record<string, T> {
  return Object.fromEntries([...entries].map(([name, value]) => [name, convert(name, value)]));
}
