import type { JsonObject } from '../../../specs/src/index.ts';
import { parseJsonObject } from '../content.ts';
import type { Files } from '../ports.ts';
import { indexLockedFiles, type Lockfile, requireLockfile } from './lockfile.ts';

/** The files of an output, on disk or in memory. Reading a file that is missing or not in the lockfile gives undefined. */
export type OutputTree = {
  readonly lock: Lockfile;
  text(path: string): string | undefined;
  /** Also undefined for a file that isn't a JSON object. */
  json(path: string): JsonObject | undefined;
};

/** Reads the output in a folder. Throws GeneratorError if `generate` has not written it. */
export async function readOutputTree(folder: string, files: Files): Promise<OutputTree> {
  return outputTreeFrom(requireLockfile(folder, files), (path) => {
    const bytes = files.read(`${folder}/${path}`, folder);
    return bytes && new TextDecoder().decode(bytes);
  });
}

/** Returns an output whose listed files are read with `read`. */
export function outputTreeFrom(lock: Lockfile, read: (path: string) => string | undefined): OutputTree {
  const locked = indexLockedFiles(lock);
  const text = (path: string): string | undefined => (locked.has(path) ? read(path) : undefined);
  return { lock, text, json: (path) => parseJsonObject(text(path)) };
}
