import type { JsonValue } from '../../../specs/src/index.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { CanonicalSchema } from './canonical-schema.ts';
import type { References, Target } from './references.ts';

/** What reading one document's schemas shares: the names, the parts still to read, and where complaints go. */
export type DocumentReading = {
  readonly references: References;
  /** Called for every reference that leads somewhere; reading the target is the caller's later work. */
  readonly refer: (target: Target) => void;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Schemas left before the document counts as too large. */
  budget: number;
};
/** Where a schema stands. */
export type Place = { readonly pointer: string; readonly depth: number; readonly document: DocumentReading };
export type ReadSchema = (raw: JsonValue, place: Place) => CanonicalSchema;

/** The place of a part of what stands here. */
export function within(place: Place, key: string | number): Place {
  const part = typeof key === 'string' && /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
  return { pointer: `${place.pointer}/${part}`, depth: place.depth + 1, document: place.document };
}

export function complain(place: Place, code: string, message: string): void {
  place.document.report({ severity: 'warning', code, pointer: place.pointer, message });
}
