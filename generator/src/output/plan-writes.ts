import type { Digest } from '../digest.ts';
import { type FileDigests, type LockedModel, type LockedPackage, type Lockfile, lockedFiles } from './lockfile.ts';
import type { PrintedFile } from './printed-file.ts';

/** A part of the output: printed now, or kept as the lockfile has it. */
export type OutputPart<Facts> = {
  readonly facts: Facts;
  readonly files: readonly PrintedFile[] | { readonly kept: FileDigests };
};
export type Desired = {
  readonly generator: string;
  readonly packages: ReadonlyMap<string, OutputPart<Omit<LockedPackage, 'files'>>>;
  readonly models: ReadonlyMap<string, OutputPart<Omit<LockedModel, 'files'>>>;
};
export type Write =
  | { readonly kind: 'create' | 'replace'; readonly file: PrintedFile }
  | { readonly kind: 'remove' | 'keep'; readonly path: string }
  | { readonly kind: 'refuse'; readonly path: string; readonly because: 'edited-by-hand' | 'not-ours' };
export type WritePlan = { readonly writes: readonly Write[]; readonly lock: Lockfile };

/** Digests of what lies on the disk, by path: of the paths in the lockfile and of those in the new output. */
export type OnDisk = ReadonlyMap<string, Digest>;

/**
 * Turns what should be there into single writes. Files that differ from what the last run wrote are a person's work, and
 * files that no run wrote are someone else's: neither is touched. Pure.
 */
export function planWrites(desired: Desired, lock: Lockfile | undefined, disk: OnDisk): WritePlan {
  const known = lockedFiles(lock);
  const writes: Write[] = [];
  const settle = ({ files }: OutputPart<unknown>): FileDigests => {
    const planned = 'kept' in files ? planKept(files.kept) : files.map((file) => planFile(file, known, disk));
    writes.push(...planned.map(({ write }) => write));
    return Object.fromEntries(planned.flatMap(({ locked }) => (locked === undefined ? [] : [locked])));
  };
  const packages = mapValues(desired.packages, (part) => ({ ...part.facts, files: settle(part) }));
  const models = mapValues(desired.models, (part) => ({ ...part.facts, files: settle(part) }));
  writes.push(...planRemovals(known, new Set(writes.map(pathOf)), disk));
  // Models that ask for the same share a validator: it is written once, and kept where any of them keeps it.
  const byPath = new Map<string, Write>();
  for (const write of writes) {
    const known = byPath.get(pathOf(write));
    if (known === undefined || write.kind === 'keep') byPath.set(pathOf(write), write);
  }
  const sorted = [...byPath.values()].sort((left, right) => (pathOf(left) < pathOf(right) ? -1 : 1));
  return { writes: sorted, lock: { format: 1, generator: desired.generator, packages, models } };
}

function pathOf(write: Write): string {
  return 'file' in write ? write.file.path : write.path;
}

type Planned = { write: Write; locked: [path: string, digest: Digest] | undefined };

function planKept(kept: FileDigests): Planned[] {
  return Object.entries(kept).map((locked) => ({ write: { kind: 'keep', path: locked[0] }, locked }));
}

function planFile(file: PrintedFile, known: ReadonlyMap<string, Digest>, disk: OnDisk): Planned {
  const { path, digest } = file;
  const before = known.get(path);
  const present = disk.get(path);
  if (present === digest) return { write: { kind: 'keep', path }, locked: [path, digest] };
  if (present === undefined) return { write: { kind: 'create', file }, locked: [path, digest] };
  if (before === undefined) return { write: { kind: 'refuse', path, because: 'not-ours' }, locked: undefined };
  if (present === before) return { write: { kind: 'replace', file }, locked: [path, digest] };
  // The old digest stays, so that the next run still sees the difference.
  return { write: { kind: 'refuse', path, because: 'edited-by-hand' }, locked: [path, before] };
}

function planRemovals(known: ReadonlyMap<string, Digest>, wanted: ReadonlySet<string>, disk: OnDisk): Write[] {
  return [...known].flatMap(([path, digest]): Write[] => {
    const present = disk.get(path);
    if (wanted.has(path) || present === undefined) return [];
    return [present === digest ? { kind: 'remove', path } : { kind: 'refuse', path, because: 'edited-by-hand' }];
  });
}

function mapValues<T, U>(entries: ReadonlyMap<string, T>, convert: (value: T) => U): Record<string, U> {
  return Object.fromEntries([...entries].map(([name, value]) => [name, convert(value)]));
}
