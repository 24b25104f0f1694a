import type { JsonValue } from '../../../specs/src/index.ts';
import { GeneratorError } from '../diagnostics.ts';
import type { EmittedFile } from '../emit/emitted-file.ts';
import { parseJsonBody } from '../json-body.ts';
import { type Lockfile, lockedFiles, lockName, parseLockfile } from '../output/lockfile.ts';
import type { Files } from '../ports.ts';

/** An output, on the disk or in memory, as far as its JSON goes. */
export type OutputTree = {
  readonly lock: Lockfile;
  /** Undefined when there is no such file, or it is no JSON. */
  json(path: string): JsonValue | undefined;
};

/** The output in a folder. Throws GeneratorError when no run has written there. */
export async function readOutputTree(folder: string, files: Files): Promise<OutputTree> {
  const read = (path: string): [string, Uint8Array][] => {
    const bytes = files.read(`${folder}/${path}`);
    return bytes === undefined ? [] : [[path, bytes]];
  };
  const lock = parseLockfile(files.read(`${folder}/${lockName}`));
  if (lock === undefined || lock === 'damaged') {
    const what = lock === undefined ? 'holds no' : 'holds a damaged';
    throw new GeneratorError('output-missing', `${folder} ${what} ${lockName}`, {
      operation: 'readOutputTree',
      help: 'Name a folder that a run has written, such as the one given to --out.',
    });
  }
  const wanted = [...lockedFiles(lock).keys()].filter((path) => path.endsWith('.json'));
  return treeOf(lock, new Map(wanted.flatMap(read)));
}

/** The output that a preview has made. */
export function outputTreeOf(files: readonly EmittedFile[]): OutputTree {
  const text = new TextEncoder();
  const contents = new Map(
    files.filter(({ path }) => path.endsWith('.json')).map(({ path, contents }) => [path, text.encode(contents)]),
  );
  const lock = parseLockfile(contents.get(lockName));
  if (lock !== undefined && lock !== 'damaged') return treeOf(lock, contents);
  throw new GeneratorError('output-missing', 'the preview has no lockfile', { operation: 'outputTreeOf' });
}

function treeOf(lock: Lockfile, contents: ReadonlyMap<string, Uint8Array>): OutputTree {
  return {
    lock,
    json(path) {
      const bytes = contents.get(path);
      const body = bytes === undefined ? undefined : parseJsonBody(bytes, undefined);
      return body?.kind === 'json' ? body.value : undefined;
    },
  };
}
