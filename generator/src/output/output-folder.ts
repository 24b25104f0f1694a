import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, parseWithExactIntegers } from '../../../specs/src/index.ts';
import { type Digest, parseJsonObject, toDigest } from '../content.ts';
import { explainCause, GeneratorError } from '../diagnostics.ts';
import type { CacheIndex } from '../documents/document-cache.ts';
import { type EmittedPieces, printManifest } from '../emit/emitted-file.ts';
import type { Files, Progress, Staging } from '../ports.ts';
import { type FileDigests, indexLockedFiles, lockName, parseLockfile, printLockfile } from './lockfile.ts';
import type { CurrentOutput, WritePlan } from './plan-writes.ts';

/** An output folder: its state before the run, and the new files while they are printed. */
export type Output = CurrentOutput & {
  readonly outDir: string;
  /** True if the lockfile exists but can't be read. */
  readonly isDamaged: boolean;
  /** True if this generator version made the output with these settings, so intact files needn't be printed again. */
  readonly isTrusted: boolean;
  /** True if these files have the expected content. */
  isIntact(expected: FileDigests): boolean;
  /** Writes a file to the staging folder. Throws GeneratorError if a different file was already printed to its path. */
  print(file: EmittedPieces): PrintedFile;
  /** Returns the new text of a file, or its current text if it wasn't printed again. Empty if the file doesn't exist. */
  read(path: string): string;
  /** Returns the current text of a file; empty if it doesn't exist. */
  before(path: string): string;
  /** Replaces the text of a printed file. The new text must have the same digest (see `contentDigest`). */
  replace(path: string, text: string): void;
  /** Applies all changes of the plan at once; writes nothing if nothing differs. */
  apply(plan: WritePlan): void;
};

/** `outputs`: digest of the generator and settings that made earlier outputs, by lockfile digest. `code`: of this run. */
type KnownOutputs = Pick<CacheIndex, 'outputs'> & { readonly code: Digest };

type PrintedFile = readonly [path: string, digest: Digest];

/** Opens an output folder. Reads all of its generated files. */
export function openOutput(
  outDir: string,
  { files, staging }: { readonly files: Files; readonly staging: Staging },
  known: KnownOutputs,
): Output {
  const lockBytes = files.read(`${outDir}/${lockName}`, outDir);
  const parsed = parseLockfile(lockBytes);
  const lock = parsed === 'damaged' ? undefined : parsed;
  // The digest of a lockfile ignores line endings and whitespace, but not unknown members or the order of members.
  const lockValue = parseJsonObject(lockBytes);
  const lockDigest = lockBytes && toDigest(lockValue === undefined ? lockBytes : printManifest(lockValue));
  const locked = indexLockedFiles(lock);
  const present = new Map<string, Digest | undefined>();
  const readDigest = (path: string): Digest | undefined => {
    if (!present.has(path))
      present.set(path, readFileDigest(path, files, { folder: outDir, expected: locked.get(path) }));
    return present.get(path);
  };
  const printed = new Map<string, PrintedFile>();
  const before = (path: string): string =>
    withUnixLines(new TextDecoder().decode(files.read(`${outDir}/${path}`, outDir)));
  return {
    outDir,
    lock,
    lockDigest,
    locked,
    isDamaged: parsed === 'damaged',
    isTrusted: lockDigest !== undefined && known.outputs.get(lockDigest) === known.code,
    readDigest,
    isIntact: (expected) => Object.entries(expected).every(([path, digest]) => readDigest(path) === digest),
    print(file) {
      const { path } = file;
      const digest = withinOutput(outDir, () => stage(file, readDigest(path), staging));
      const [otherPath, otherDigest] = printed.get(path.toLowerCase()) ?? [path, digest];
      // Models may share a validator with the same contents. Two different files with one path are a bug of the emitters.
      if (otherPath !== path || otherDigest !== digest)
        throw new GeneratorError('path-collision', `two emitted files share the path ${path}`, { operation: 'emit' });
      printed.set(path.toLowerCase(), [path, digest]);
      return [path, digest];
    },
    read: (path) => staging.read(path) ?? before(path),
    before,
    replace: (path, text) => withinOutput(outDir, () => staging.write(path, text)),
    apply(plan) {
      const listPaths = (...kinds: string[]): string[] =>
        plan.writes.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
      const change = { writes: listPaths('create', 'replace'), removals: listPaths('remove') };
      if (change.writes.length + change.removals.length === 0 && plan.lockDigest === lockDigest) return;
      withinOutput(outDir, () => {
        staging.write(lockName, printLockfile(plan.lock));
        staging.commit({ writes: [...change.writes, lockName], removals: change.removals });
      });
    },
  };
}

/**
 * Returns the digest of a file on disk, or undefined if the file doesn't exist. Returns `expected` if the content only
 * differs in line endings (changed by a checkout) or layout (changed by a formatter).
 */
export function readFileDigest(
  path: string,
  files: Files,
  { folder, expected }: { folder: string; expected?: Digest | undefined },
): Digest | undefined {
  const bytes = files.read(`${folder}/${path}`, folder);
  if (bytes === undefined) return undefined;
  const exact = toDigest(bytes);
  if (exact === expected) return exact;
  const text = withUnixLines(new TextDecoder().decode(bytes));
  if (expected === undefined) return isManifest(path) ? contentDigest(path, text) : exact;
  const value = path.endsWith('.json') ? parseJsonObject(text) : undefined;
  const layouts =
    value === undefined ? [] : [printManifest(value), `${JSON.stringify(parseWithExactIntegers(text))}\n`];
  return [contentDigest(path, text), ...layouts.map(toDigest)].includes(expected) ? expected : exact;
}

/**
 * Computes the digest of a file for the lockfile. For a manifest it ignores versions, the order of members and layout, because
 * releases change versions and formatters rewrite manifests.
 */
function contentDigest(path: string, text: string): Digest {
  const manifest = isManifest(path) ? parseJsonObject(text) : undefined;
  return toDigest(manifest === undefined ? text : printWithoutVersions(manifest));
}

function isManifest(path: string): boolean {
  return path.endsWith('/package.json');
}

function withUnixLines(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

// Prints a manifest without versions, with sorted members. The order inside a member is kept, because Node uses the first
// matching condition of an export.
function printWithoutVersions(manifest: JsonObject): string {
  const { peerDependencies, ...rest }: JsonObject = { ...manifest, version: '0.0.0' };
  const peers = isJsonObject(peerDependencies) ? Object.keys(peerDependencies).sort() : [];
  return JSON.stringify([Object.entries(rest).sort(([left], [right]) => (left < right ? -1 : 1)), peers]);
}

function stage({ path, contents }: EmittedPieces, present: Digest | undefined, staging: Staging): Digest {
  if (typeof contents === 'string') {
    const digest = contentDigest(path, contents);
    // A manifest is always written, because its digest ignores the version.
    if (isManifest(path) || present !== digest) staging.write(path, contents);
    return digest;
  }
  const hash = createHash('sha256');
  const hashed = function* () {
    for (const piece of contents) {
      hash.update(piece);
      yield piece;
    }
  };
  staging.write(path, hashed());
  return `sha256:${hash.digest('hex')}`;
}

/** Locks the output folder after waiting for other runs, and opens its staging folder. */
export async function openOutputStaging(
  outDir: string | undefined,
  files: Files,
  onProgress: Progress,
): Promise<Staging> {
  try {
    return await files.openStaging(outDir, onProgress);
  } catch (cause) {
    throw makeUnwritableError(outDir ?? 'a temporary folder', cause);
  }
}

function withinOutput<T>(outDir: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw makeUnwritableError(outDir, cause);
  }
}

function makeUnwritableError(outDir: string, cause: unknown): GeneratorError {
  return new GeneratorError('output-unwritable', `${outDir} cannot be written: ${explainCause(cause)}`, {
    operation: 'applyWrites',
    help: 'The earlier output is unchanged, because files are only replaced after all new ones have been written.',
    cause,
  });
}
