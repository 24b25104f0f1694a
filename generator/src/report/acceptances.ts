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

type Given = AcceptSettings & {
  /** The selected models, and whether they are the whole catalog. */
  readonly entries: readonly CatalogEntry[];
  readonly hasAll: boolean;
};

/** Removes accepted diagnostics, and reports entries that match none. A model is accepted if all of its errors are. */
export function acceptDiagnostics(
  diagnostics: readonly Diagnostic[],
  { acceptances, clock, entries, hasAll }: Given,
): { diagnostics: readonly Diagnostic[]; isAccepted: (model: string) => boolean } {
  const rows = acceptances.map((one) => {
    const end = one.until === undefined ? undefined : clock.parseInstant(`${one.until}T24:00:00Z`);
    return { ...one, isValid: end === undefined || clock.now() < end, matches: matchIds(one.model) };
  });
  const used = new Set<object>();
  const accepted = new Set<string>();
  const open = new Set<string>();
  const kept = diagnostics.filter(({ model = '', code, severity }) => {
    const row = rows.find((one) => one.isValid && one.code === code && one.matches(model));
    if (row !== undefined) used.add(row);
    if (severity === 'error') (row === undefined ? open : accepted).add(model);
    return row === undefined;
  });
  // An entry for a model that wasn't selected isn't stale, because the model wasn't checked.
  const stale = rows.filter(
    (one) => !used.has(one) && (hasAll || !one.isValid || entries.some(({ id }) => one.matches(id))),
  );
  return {
    diagnostics: [
      ...kept,
      ...stale.map(({ model, code, until, isValid }): Diagnostic => {
        const why = isValid ? 'matches no reported diagnostic' : `was valid until ${until}`;
        const message = `generate.accept: ${code} of ${model} ${why}`;
        const help = 'Remove it from the configuration, or set a later date.';
        return { severity: 'warning', code: 'acceptance-stale', message, help };
      }),
    ],
    isAccepted: (model) => accepted.has(model) && !open.has(model),
  };
}
