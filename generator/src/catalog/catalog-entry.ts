import * as v from 'valibot';
import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type Diagnostic, truncate } from '../diagnostics.ts';
import { type ModelId, parseModelId } from './model-id.ts';

const maxShown = 200;

export const charges = v.picklist(['yes', 'no', 'unknown']);
export type Charges = v.InferOutput<typeof charges>;
export type CatalogEntry = { readonly id: ModelId; readonly chargesOnPolicyRejection: Charges };

/** Parses a catalog entry. Malformed entries are skipped; undocumented billing values become `unknown` (MR-CAT-48). */
export function parseCatalogEntry(
  value: JsonValue,
  place: string,
): { entry: CatalogEntry } | { diagnostic: Diagnostic } {
  const id = isJsonObject(value) ? value['id'] : undefined;
  if (!isJsonObject(value) || typeof id !== 'string') return malformedEntry(`${place} has no id`);
  const parsed = parseModelId(id);
  if ('problem' in parsed)
    return malformedEntry(`${place}: id ${JSON.stringify(truncate(id, maxShown))} ${parsed.problem}`);
  const billing = value['billing'];
  const stated = isJsonObject(billing) ? billing['charges_on_policy_rejection'] : undefined;
  return { entry: { id: parsed.id, chargesOnPolicyRejection: v.is(charges, stated) ? stated : 'unknown' } };
}

function malformedEntry(message: string): { diagnostic: Diagnostic } {
  return { diagnostic: { severity: 'error', code: 'catalog-entry-malformed', message } };
}
