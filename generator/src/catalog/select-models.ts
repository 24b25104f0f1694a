import picomatch from 'picomatch';
import { type Diagnostic, GeneratorError } from '../diagnostics.ts';
import type { CatalogEntry } from './catalog-entry.ts';

export type ModelSelection = { readonly entries: readonly CatalogEntry[]; readonly diagnostics: readonly Diagnostic[] };

/**
 * Returns the entries that match at least one glob, or all entries if there are no globs. Warns about globs that match nothing.
 * Throws GeneratorError if nothing is selected, unless `allowEmpty` is set.
 */
export function selectModels(
  entries: readonly CatalogEntry[],
  { only, allowEmpty }: { only: readonly string[]; allowEmpty: boolean },
): ModelSelection {
  const globs = only.map((glob) => ({ glob, matches: picomatch(glob, { dot: true }) }));
  const selected = entries.filter((entry) => only.length === 0 || globs.some(({ matches }) => matches(entry.id)));
  if (selected.length > 0 || allowEmpty) {
    const unmatched = globs.filter(({ matches }) => !entries.some((entry) => matches(entry.id)));
    const diagnostics = unmatched.map(({ glob }): Diagnostic => {
      const message = `no model of the catalog matches ${JSON.stringify(glob)}`;
      return { severity: 'warning', code: 'selection-empty', message };
    });
    return { entries: selected, diagnostics };
  }
  const operation = 'listModels';
  const effect = 'Generating without models would remove every model from the output';
  if (entries.length === 0)
    throw new GeneratorError('catalog-empty', 'the catalog lists no models', {
      operation,
      help: `${effect}. Pass --allow-empty if you want that.`,
    });
  const listed = only.map((glob) => JSON.stringify(glob)).join(', ');
  const ids = entries.slice(0, 3).map(({ id }) => id);
  throw new GeneratorError('catalog-empty', `no model of the catalog matches ${listed}`, {
    operation,
    help: `Correct --only or generate.only: the catalog lists ${ids.join(', ')}${entries.length > 3 ? ' and other models' : ''}. ${effect}.`,
  });
}
