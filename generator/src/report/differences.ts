import { listFirst } from '../diagnostics.ts';
import type { Lockfile } from '../output/lockfile.ts';
import type { Write } from '../output/plan-writes.ts';

type DifferenceKind = 'missing' | 'outdated' | 'superfluous' | 'changed' | 'edited-by-hand' | 'not-ours';
/** A file that differs. `models`: the models that the file belongs to; empty for other files of the packages. */
type FileDifference = {
  readonly path: string;
  readonly kind: DifferenceKind;
  readonly models: readonly string[];
};
export type Differences = {
  /** Sorted model ids. */
  readonly models: readonly string[];
  readonly files: readonly FileDifference[];
};

const kinds = { create: 'missing', replace: 'outdated', remove: 'superfluous' } as const;

/** Lists the changes that a run would make to an output, for `--check`. */
export function findDifferences(writes: readonly Write[], locks: readonly (Lockfile | undefined)[]): Differences {
  const differing = writes.flatMap((write) => {
    if (write.kind === 'keep') return [];
    return [{ path: write.path, kind: write.kind === 'refuse' ? write.because : kinds[write.kind] }];
  });
  return nameModels(differing, locks);
}

/** Adds to each file the models that the lockfiles list it for. */
export function nameModels(
  files: readonly Omit<FileDifference, 'models'>[],
  locks: readonly (Lockfile | undefined)[],
): Differences {
  const owners = new Map<string, Set<string>>(files.map(({ path }) => [path, new Set()]));
  for (const lock of files.length === 0 ? [] : locks)
    for (const [id, model] of Object.entries(lock?.models ?? {}))
      for (const path in model.files) owners.get(path)?.add(id);
  const models = new Set([...owners.values()].flatMap((ids) => [...ids]));
  return {
    models: [...models].sort(),
    files: files.map((file) => ({ ...file, models: [...(owners.get(file.path) ?? [])].sort() })),
  };
}

const maxListed = 50;

/** Prints the differences: models first, then files. */
export function renderDifferences({ models, files }: Differences): string {
  const sections = [
    { title: 'models that differ', entries: models },
    { title: 'files that differ', entries: files.map(({ path, kind }) => `${path}  ${kind.replaceAll('-', ' ')}`) },
  ];
  const shown = sections.flatMap(({ title, entries }) => {
    const listed = listFirst(entries, maxListed).map((entry) => `  ${entry}`);
    return entries.length === 0 ? [] : [`${title} (${entries.length})`, ...listed];
  });
  return shown.map((line) => `${line.replace(/\p{Cc}/gu, ' ')}\n`).join('');
}
