import { createRequire } from 'node:module';
import type picomatch from 'picomatch';
import type { Diagnostic } from '../diagnostics.ts';
import type { CatalogEntry } from './catalog-entry.ts';

const load = createRequire(import.meta.url); // most runs select everything

/** The entries that any glob matches; a glob that matches none is worth a warning. */
export function selectModels(
  entries: readonly CatalogEntry[],
  only: readonly string[],
): { selected: readonly CatalogEntry[]; diagnostics: readonly Diagnostic[] } {
  if (only.length === 0) return { selected: entries, diagnostics: [] };
  const match = load('picomatch') as typeof picomatch; // by its own types
  const globs = only.map((glob) => ({ glob, matches: match(glob, { dot: true }) }));
  return {
    selected: entries.filter((entry) => globs.some(({ matches }) => matches(entry.id))),
    diagnostics: globs
      .filter(({ matches }) => !entries.some((entry) => matches(entry.id)))
      .map(({ glob }) => ({
        severity: 'warning',
        code: 'selection-empty',
        message: `no model of the catalog matches ${JSON.stringify(glob)}`,
      })),
  };
}
