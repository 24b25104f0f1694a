import { GeneratorError } from '../diagnostics.ts';
import { createDigest, type Digest } from '../digest.ts';
import type { EmittedFile, EmittedPieces } from '../emit/emitted-file.ts';
import type { Files, Staging } from '../ports.ts';
import { contentDigest, isManifest, withUnixLines } from './content-digest.ts';
import { lockName, printLockfile } from './lockfile.ts';
import type { PrintedFile, WritePlan } from './plan-writes.ts';
import type { Output } from './read-output.ts';

/** The new output while it is printed. */
export type StagedOutput = {
  /** Throws GeneratorError when another file was printed to the same path. */
  print(file: EmittedFile | EmittedPieces): PrintedFile;
  /** The new text of a file; that of the output where nothing new was printed, empty where there is none. */
  read(path: string): string;
  /** The text that the output has now; empty where there is none. */
  before(path: string): string;
  /** Gives another text with the same digest to a file. */
  replace(path: string, text: string): void;
};

export function createStagedOutput(output: Output, staging: Staging, files: Files): StagedOutput {
  const printed = new Map<string, PrintedFile>();
  const before = (path: string): string =>
    withUnixLines(new TextDecoder().decode(files.read(`${output.outDir}/${path}`)));
  return {
    print(file) {
      const { path } = file;
      const digest = withinOutput(output.outDir, () => stage(file, output, staging));
      const other = printed.get(path.toLowerCase());
      printed.set(path.toLowerCase(), { path, digest });
      // Two emitters that write one file are a mistake of ours. Validators are named by their contents: models share them.
      if (other !== undefined && (other.path !== path || other.digest !== digest))
        throw new GeneratorError('path-collision', `two emitted files share the path ${path}`, { operation: 'emit' });
      return { path, digest };
    },
    read: (path) => staging.read(path) ?? before(path),
    before,
    replace: (path, text) => withinOutput(output.outDir, () => staging.write(path, text)),
  };
}

function stage(file: EmittedFile | EmittedPieces, output: Output, staging: Staging): Digest {
  if ('contents' in file) {
    const digest = contentDigest(file.path, file.contents);
    // The digest of a manifest does not show its version.
    if (isManifest(file.path) || output.readDigest(file.path) !== digest) staging.write(file.path, file.contents);
    return digest;
  }
  const digest = createDigest();
  staging.write(file.path, digest.over(inBlocks(file.pieces)));
  return digest.end();
}

const blockLength = 64 * 1024;

/** Pieces in longer ones: each is written by a call of its own. */
function* inBlocks(pieces: Iterable<string>): Iterable<string> {
  let block = '';
  for (const piece of pieces) {
    block += piece;
    if (block.length < blockLength) continue;
    yield block;
    block = '';
  }
  yield block;
}

/** Makes the output folder what the plan says, as a whole; writes nothing when nothing differs. */
export function applyWrites({ writes, lock, lockDigest }: WritePlan, output: Output, staging: Staging): void {
  const listPaths = (...kinds: string[]): string[] =>
    writes.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
  const change = { writes: listPaths('create', 'replace'), removals: listPaths('remove') };
  if (change.writes.length + change.removals.length === 0 && lockDigest === output.lockDigest) return;
  withinOutput(output.outDir, () => {
    staging.write(lockName, printLockfile(lock));
    staging.commit({ writes: [...change.writes, lockName], removals: change.removals });
  });
}

/** Waits until no other run holds the output folder. */
export async function openOutputStaging(outDir: string | undefined, files: Files): Promise<Staging> {
  try {
    return await files.openStaging(outDir);
  } catch (cause) {
    throw unwritable(outDir ?? 'a temporary folder', cause);
  }
}

function withinOutput<T>(outDir: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw unwritable(outDir, cause);
  }
}

function unwritable(outDir: string, cause: unknown): GeneratorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new GeneratorError('output-unwritable', `${outDir} cannot be written: ${reason}`, {
    operation: 'applyWrites',
    help: 'Nothing is replaced before everything has been written aside; the earlier output is as it was.',
    cause,
  });
}
