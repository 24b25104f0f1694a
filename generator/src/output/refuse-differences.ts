import { GeneratorError } from '../diagnostics.ts';
import type { Digest } from '../digest.ts';
import { type Lockfile, lockedFiles } from './lockfile.ts';

const namedAtMost = 5;

/** A frozen run makes the very bytes that the lockfile names, or ends here with the paths that differ. */
export function refuseDifferences(made: Lockfile, locked: Lockfile | undefined): void {
  const differing = differences(lockedFiles(made), lockedFiles(locked));
  if (differing.length === 0) return;
  const named = differing.slice(0, namedAtMost).join(', ');
  const more = differing.length > namedAtMost ? ` and ${differing.length - namedAtMost} more` : '';
  const otherGenerator = locked !== undefined && locked.generator !== made.generator;
  throw new GeneratorError('lock-differs', `the output would not be what the lockfile says: ${named}${more}`, {
    operation: 'planOutput',
    help: otherGenerator
      ? `The lockfile was written by switchyard ${locked.generator}, this is ${made.generator}. Use that version, or run without --frozen.`
      : 'The settings (package names, brand, overlays) may differ from those of the lockfile. Run without --frozen to take the output over.',
  });
}

function differences(made: ReadonlyMap<string, Digest>, locked: ReadonlyMap<string, Digest>): string[] {
  const paths = new Set([...made.keys(), ...locked.keys()]);
  return [...paths].filter((path) => made.get(path) !== locked.get(path)).sort();
}
