import type { JsonValue } from '../../../specs/src/index.ts';
import { GeneratorError } from '../diagnostics.ts';
import type { EmittedFile } from '../emit/emitted-file.ts';
import { parseJsonBody } from '../json-body.ts';
import { type Lockfile, lockedFiles, lockName, parseLockfile } from '../output/lockfile.ts';
import type { Files } from '../ports.ts';

/** An output, on the disk or in memory, as far as its data and declarations go. */
export type OutputTree = {
  readonly lock: Lockfile;
  /** Undefined when there is no such file, or it is no JSON. */
  json(path: string): JsonValue | undefined;
  /** Undefined when there is no such file. */
  text(path: string): string | undefined;
};

type Read = (path: string) => Uint8Array | undefined;

/** The output in a folder. Throws GeneratorError when no run has written there. */
export async function readOutputTree(folder: string, files: Files): Promise<OutputTree> {
  const read: Read = (path) => files.read(`${folder}/${path}`);
  const lock = parseLockfile(read(lockName));
  if (lock !== undefined && lock !== 'damaged') return outputTreeFrom(lock, read);
  const what = lock === undefined ? 'holds no' : 'holds a damaged';
  throw new GeneratorError('output-missing', `${folder} ${what} ${lockName}`, {
    operation: 'readOutputTree',
    help: 'Name a folder that a run has written, such as the one given to --out.',
  });
}

/** The output that a preview has made. */
export function outputTreeOf(files: readonly EmittedFile[]): OutputTree {
  const texts = new Map(files.map(({ path, contents }) => [path, contents]));
  const read: Read = (path) => (texts.has(path) ? new TextEncoder().encode(texts.get(path)) : undefined);
  const lock = parseLockfile(read(lockName));
  if (lock !== undefined && lock !== 'damaged') return outputTreeFrom(lock, read);
  throw new GeneratorError('output-missing', 'the preview has no lockfile', { operation: 'outputTreeOf' });
}

/** An output whose files are read by `read`; only those that the lockfile lists are. */
export function outputTreeFrom(lock: Lockfile, read: Read): OutputTree {
  const locked = lockedFiles(lock);
  const readLocked: Read = (path) => (locked.has(path) ? read(path) : undefined);
  return {
    lock,
    json(path) {
      const bytes = readLocked(path);
      const body = bytes && parseJsonBody(bytes, undefined);
      return body?.kind === 'json' ? body.value : undefined;
    },
    text(path) {
      const bytes = readLocked(path);
      return bytes && new TextDecoder().decode(bytes);
    },
  };
}
