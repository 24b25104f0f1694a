import { formatPointer, type JsonValue } from '../../../specs/src/index.ts';
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
/** Where a schema stands; spelt out as a pointer only when there is something to say about it. */
export type Place = {
  /** A pointer for where reading began, a step for every part of it. */
  readonly step: string | number;
  readonly outer: Place | undefined;
  readonly depth: number;
  readonly document: DocumentReading;
};
export type ReadSchema = (raw: JsonValue, place: Place) => CanonicalSchema;

export function startAt(pointer: string, document: DocumentReading): Place {
  return { step: pointer, outer: undefined, depth: 0, document };
}

/** The place of a part of what stands here. */
export function within(place: Place, step: string | number): Place {
  return { step, outer: place, depth: place.depth + 1, document: place.document };
}

function pointerOf(place: Place): string {
  const steps: string[] = [];
  let at = place;
  for (; at.outer !== undefined; at = at.outer) steps.unshift(String(at.step));
  return `${at.step}${formatPointer(steps)}`;
}

export function complain(place: Place, code: string, message: string): void {
  place.document.report({ severity: 'warning', code, pointer: pointerOf(place), message });
}
