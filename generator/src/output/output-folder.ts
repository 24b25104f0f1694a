import { GeneratorError } from '../diagnostics.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { Committed, Files, Ports, Stamp } from '../ports.ts';
import { type Lockfile, lockedFiles, lockName, parseLockfile } from './lockfile.ts';
import type { WritePlan } from './plan-writes.ts';
import { isSettled, type Seen, type Witness } from './witness.ts';

/** What lies in an output folder: its lockfile, and digests of its files. */
export type OutputFolder = {
  readonly lockText: string | undefined;
  /** Undefined when there is none or it cannot be read. */
  readonly lock: Lockfile | undefined;
  readonly isDamaged: boolean;
  /** Of the files that the lockfile names, those that are there. */
  readonly locked: ReadonlyMap<string, Digest>;
  /** Those of them whose look vouches for their bytes from now on. */
  readonly settled: Witness;
  /** How many of them had to be read. */
  readonly readAgain: number;
  digests(paths: Iterable<string>): Promise<Map<string, Digest>>;
  contents(paths: Iterable<string>): Promise<Map<string, string>>;
};

/** With a witness, files that look as they did then are not read. */
export async function openOutput(
  outDir: string,
  { files, clock }: Pick<Ports, 'files' | 'clock'>,
  witness: Witness,
): Promise<OutputFolder> {
  const read = async (paths: Iterable<string>): Promise<[path: string, bytes: Uint8Array][]> => {
    const found = await files.read([...new Set(paths)].map((path) => `${outDir}/${path}`));
    return [...found].map(([path, bytes]) => [path.slice(outDir.length + 1), bytes]);
  };
  const digests = async (paths: Iterable<string>): Promise<Map<string, Digest>> =>
    new Map((await read(paths)).map(([path, bytes]) => [path, digestOf(bytes)]));
  const text = new TextDecoder();
  const [lockBytes] = (await read([lockName])).map(([, bytes]) => bytes);
  const parsed = parseLockfile(lockBytes);
  const lock = parsed === 'damaged' ? undefined : parsed;
  const paths = [...lockedFiles(lock).keys()];
  // Before anything is read: what changes afterwards looks different the next time.
  const stamps = files.stamps(paths.map((path) => `${outDir}/${path}`));
  const stampOf = new Map(paths.map((path, index): [string, Stamp | undefined] => [path, stamps[index]]));
  const vouched = paths.flatMap((path): [string, Digest][] => {
    const seen = witness.get(path);
    return seen !== undefined && seen.mark === stampOf.get(path)?.mark ? [[path, seen.digest]] : [];
  });
  const known = new Map(vouched);
  const again = await digests(paths.filter((path) => !known.has(path)));
  const locked = new Map([...known, ...again]);
  const now = clock.now();
  return {
    lockText: lockBytes === undefined ? undefined : text.decode(lockBytes),
    lock,
    isDamaged: parsed === 'damaged',
    locked,
    settled: new Map(
      [...locked].flatMap(([path, digest]): [string, Seen][] => {
        const stamp = stampOf.get(path);
        return stamp !== undefined && isSettled(stamp, now) ? [[path, { mark: stamp.mark, digest }]] : [];
      }),
    ),
    readAgain: again.size,
    digests,
    contents: async (paths) => new Map((await read(paths)).map(([path, bytes]) => [path, text.decode(bytes)])),
  };
}

/** Makes the folder what the plan says, as a whole; writes nothing at all when nothing differs. */
export async function applyWrites(
  { plan, lockText }: { plan: WritePlan; lockText: string },
  target: { outDir: string; before: string | undefined },
  files: Files,
): Promise<Committed> {
  const writes = plan.writes.flatMap((write) =>
    'file' in write ? [{ path: write.file.path, bytes: write.file.read }] : [],
  );
  const removals = plan.writes.flatMap((write) => (write.kind === 'remove' ? [write.path] : []));
  if (writes.length === 0 && removals.length === 0 && lockText === target.before) return 'done';
  const last = { path: lockName, bytes: lockText, before: target.before };
  try {
    return await files.commit({ root: target.outDir, writes, removals, last });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GeneratorError('output-unwritable', `writing to ${target.outDir}: ${reason}`, {
      operation: 'applyWrites',
      help: 'Nothing is replaced before everything has been written aside; the earlier output is as it was.',
      cause,
    });
  }
}
