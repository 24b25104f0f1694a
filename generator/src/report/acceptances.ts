import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { matchIds } from '../catalog/select-models.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Clock } from '../ports.ts';

/** Accepts a diagnostic code for models whose id matches the glob, up to and including the day `until` (UTC). */
export type AcceptedDiagnostic = { readonly model: string; readonly code: string; readonly until?: string | undefined };

export type AcceptSettings = {
  readonly acceptances: readonly AcceptedDiagnostic[];
  readonly clock: Pick<Clock, 'now' | 'parseInstant'>;
};

type SelectedModels = AcceptSettings & {
  readonly entries: readonly CatalogEntry[];
  /** True if the selected models are the whole catalog. */
  readonly hasAll: boolean;
};

/**
 * Removes accepted diagnostics. Warns about acceptances that match no diagnostic or have expired. `isAccepted`: true for a
 * model if all of its errors are accepted.
 */
export function acceptDiagnostics(
  diagnostics: readonly Diagnostic[],
  { acceptances, clock, entries, hasAll }: SelectedModels,
): { diagnostics: readonly Diagnostic[]; isAccepted: (model: string) => boolean } {
  const rows = acceptances.map((one) => {
    const end = one.until === undefined ? undefined : clock.parseInstant(`${one.until}T24:00:00Z`);
    return { ...one, isValid: end === undefined || clock.now() < end, matches: matchIds(one.model) };
  });
  const used = new Set<object>();
  const withAccepted = new Set<string>();
  const withOpen = new Set<string>();
  const remaining = diagnostics.filter(({ model = '', code, severity }) => {
    const row = rows.find((one) => one.isValid && one.code === code && one.matches(model));
    if (row !== undefined) used.add(row);
    if (severity === 'error') (row === undefined ? withOpen : withAccepted).add(model);
    return row === undefined;
  });
  // An acceptance for a model that wasn't selected isn't stale, because that model wasn't checked.
  const stale = rows.filter(
    (one) => !used.has(one) && (hasAll || !one.isValid || entries.some(({ id }) => one.matches(id))),
  );
  return {
    diagnostics: [
      ...remaining,
      ...stale.map(({ model, code, until, isValid }): Diagnostic => {
        const why = isValid ? 'matches no reported diagnostic' : `was valid until ${until}`;
        const message = `generate.accept: ${code} of ${model} ${why}`;
        const help = 'Remove it from the configuration, or set a later date.';
        return { severity: 'warning', code: 'acceptance-stale', message, help };
      }),
    ],
    isAccepted: (model) => withAccepted.has(model) && !withOpen.has(model),
  };
}
