import { type Digest, toDigest } from '../content.ts';
import { type FileDigests, type LockedModel, type LockedPackage, type Lockfile, printLockfile } from './lockfile.ts';

/** A file of the new output. Its contents lie in the staging folder, or in the output if that holds them already. */
export type PrintedFile = { readonly path: string; readonly digest: Digest };
/** A model or package of the new output: printed now, or kept as the lockfile has it. */
type OutputPart<Facts> = {
  readonly facts: Facts;
  readonly files: readonly PrintedFile[] | { readonly kept: FileDigests };
};
export type ModelPart = OutputPart<Omit<LockedModel, 'files'>>;
export type PackagePart = OutputPart<Omit<LockedPackage, 'files'>>;
export type NewOutput = {
  readonly generator: string;
  readonly brand: string;
  readonly packages: ReadonlyMap<string, PackagePart>;
  readonly models: ReadonlyMap<string, ModelPart>;
};
export type Write =
  | { readonly kind: 'create' | 'replace' | 'remove' | 'keep'; readonly path: string }
  | { readonly kind: 'refuse'; readonly path: string; readonly because: 'edited-by-hand' | 'not-ours' };
export type WritePlan = {
  readonly writes: readonly Write[];
  readonly lock: Lockfile;
  readonly lockDigest: Digest;
};

/** How many files a plan creates, replaces, removes and keeps. */
export function countWrites({ writes }: WritePlan): {
  created: number;
  replaced: number;
  removed: number;
  kept: number;
} {
  const count = (kind: Write['kind']): number => writes.filter((write) => write.kind === kind).length;
  return { created: count('create'), replaced: count('replace'), removed: count('remove'), kept: count('keep') };
}

/** What the output folder holds: its lockfile with the files in it, and the digest of a file if that exists. */
type Present = {
  readonly lock: Lockfile | undefined;
  readonly lockDigest: Digest | undefined;
  readonly locked: ReadonlyMap<string, Digest>;
  readDigest(path: string): Digest | undefined;
};

/**
 * One write for each file. Files that differ from what the last generation wrote are a person's work, and files that no generation
 * wrote are not ours: neither is touched.
 */
export function planWrites(wanted: NewOutput, present: Present): WritePlan {
  const { lock: before, lockDigest, locked } = present;
  if (before !== undefined && lockDigest !== undefined && keepsAll(wanted, before))
    return { writes: [...locked.keys()].map((path) => ({ kind: 'keep', path })), lock: before, lockDigest };
  const writes: Write[] = [];
  const planPart = ({ files }: OutputPart<unknown>): FileDigests => {
    if ('kept' in files) {
      for (const path of Object.keys(files.kept)) writes.push({ kind: 'keep', path });
      return files.kept;
    }
    const planned = files.map((file) => planFile(file, present));
    writes.push(...planned.map(({ write }) => write));
    return Object.fromEntries(planned.flatMap(({ locked }) => (locked === undefined ? [] : [locked])));
  };
  const packages = mapValues(wanted.packages, (part) => ({ ...part.facts, files: planPart(part) }));
  const models = mapValues(wanted.models, (part) => ({ ...part.facts, files: planPart(part) }));
  writes.push(...planRemovals(new Set(writes.map(({ path }) => path)), present));
  // Models with the same schema share a validator: it is written once, and kept where any of them keeps it.
  const byPath = new Map<string, Write>();
  for (const write of writes) if (!byPath.has(write.path) || write.kind === 'keep') byPath.set(write.path, write);
  const sorted = [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  const lock: Lockfile = { format: 1, generator: wanted.generator, brand: wanted.brand, packages, models };
  return { writes: sorted, lock, lockDigest: toDigest(printLockfile(lock)) };
}

// Most generations end here, without a look at thousands of files.
function keepsAll({ generator, brand, models, packages }: NewOutput, lock: Lockfile): boolean {
  const isSame = generator === lock.generator && brand === lock.brand;
  return isSame && keepsParts(packages, lock.packages) && keepsParts(models, lock.models);
}

function keepsParts(
  parts: ReadonlyMap<string, OutputPart<unknown>>,
  locked: Readonly<Record<string, { files: FileDigests }>>,
): boolean {
  if (parts.size !== Object.keys(locked).length) return false;
  for (const [name, { files }] of parts) if (!('kept' in files) || files.kept !== locked[name]?.files) return false;
  return true;
}

type Planned = { write: Write; locked: [path: string, digest: Digest] | undefined };

function planFile({ path, digest }: PrintedFile, { locked, readDigest }: Present): Planned {
  const [before, present] = [locked.get(path), readDigest(path)];
  if (present === digest) return { write: { kind: 'keep', path }, locked: [path, digest] };
  if (present === undefined) return { write: { kind: 'create', path }, locked: [path, digest] };
  if (before === undefined) return { write: { kind: 'refuse', path, because: 'not-ours' }, locked: undefined };
  if (present === before) return { write: { kind: 'replace', path }, locked: [path, digest] };
  // The old digest stays, so that the next generation still sees the difference.
  return { write: { kind: 'refuse', path, because: 'edited-by-hand' }, locked: [path, before] };
}

function planRemovals(wanted: ReadonlySet<string>, { locked, readDigest }: Present): Write[] {
  const writes: Write[] = [];
  for (const [path, digest] of locked) {
    const present = wanted.has(path) ? undefined : readDigest(path);
    if (present === digest) writes.push({ kind: 'remove', path });
    else if (present !== undefined) writes.push({ kind: 'refuse', path, because: 'edited-by-hand' });
  }
  return writes;
}

function mapValues<T, U>(entries: ReadonlyMap<string, T>, convert: (value: T) => U): Record<string, U> {
  return Object.fromEntries([...entries].map(([name, value]) => [name, convert(value)]));
}
