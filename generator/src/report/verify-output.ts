import { dirname } from 'node:path/posix';
import { indexLockedFiles, requireLockfile } from '../output/lockfile.ts';
import { readFileDigest } from '../output/output-folder.ts';
import type { Files } from '../ports.ts';
import { type Differences, nameModels } from './differences.ts';

export type Verification = {
  readonly outDir: string;
  /** Version of the generator that wrote the lockfile. */
  readonly generator: string;
  /** Number of files in the lockfile. */
  readonly counts: { readonly models: number; readonly files: number };
  /** Files that differ from the lockfile. */
  readonly differences: Differences;
  /** Files in generated folders that the lockfile doesn't list; a user may have added them. */
  readonly unlisted: readonly string[];
  readonly isSound: boolean;
};

/**
 * Compares an output with its lockfile, without network, cache or credential. Detects accidents such as an edit, a lost
 * file or a bad merge, but not an edit that also changed the lockfile. Throws GeneratorError if there is no lockfile.
 */
export function verifyOutput(outDir: string, files: Files): Verification {
  const lock = requireLockfile(outDir, files);
  const locked = indexLockedFiles(lock);
  const differing = [...locked].flatMap(([path, expected]) => {
    const present = readFileDigest(path, files, { folder: outDir, expected });
    if (present === expected) return [];
    return [{ path, kind: present === undefined ? ('missing' as const) : ('changed' as const) }];
  });
  const byPath = differing.sort((left, right) => (left.path < right.path ? -1 : 1));
  // Only lists generated folders, because the root of the output may contain other files.
  const folders = new Set([...locked.keys()].flatMap((path) => (path.includes('/') ? [dirname(path)] : [])));
  const present = [...folders].flatMap((folder) =>
    files.list(`${outDir}/${folder}`, outDir).map((name) => `${folder}/${name}`),
  );
  return {
    outDir,
    generator: lock.generator,
    counts: { models: Object.keys(lock.models).length, files: locked.size },
    differences: nameModels(byPath, [lock]),
    unlisted: present.filter((path) => !locked.has(path) && !path.endsWith('/CHANGELOG.md')).sort(),
    isSound: differing.length === 0,
  };
}
