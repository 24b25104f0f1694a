import { formatPointer, type JsonValue } from '../json.ts';
import type { CanonicalSchema } from './canonical-schema.ts';
import type { Definition, DefinitionNames } from './definition-names.ts';

/** A part of a document that could not be read as a schema; `pointer` leads to it, with long names shortened. */
export type SchemaProblem = { code: string; pointer: string; message: string };

/** The state of reading one document's schemas. */
export type DocumentReading = {
  readonly names: DefinitionNames;
  /** Called for each reference that leads to a schema. */
  readonly onReference: (target: Definition) => void;
  readonly report: (problem: SchemaProblem) => void;
  readonly canonicalise: (raw: JsonValue, at: SchemaLocation) => CanonicalSchema;
  /** Patterns that no matcher reads. */
  readonly unreadPatterns: Set<string>;
  /** Every pattern so far. */
  readonly patterns: Set<string>;
  /** Whether a schema so far is `readOnly` or `writeOnly`. */
  isMarked: boolean;
  /** Schemas left before the document counts as too large. */
  budget: number;
};

/** Where a schema is in its document; formatted as a pointer only when a problem is reported. */
export type SchemaLocation = {
  /** At the root of a reading a whole pointer, below it one step. */
  readonly step: string | number;
  readonly parent: SchemaLocation | undefined;
  readonly depth: number;
  readonly reading: DocumentReading;
};

export function childAt(at: SchemaLocation, step: string | number): SchemaLocation {
  return { step, parent: at, depth: at.depth + 1, reading: at.reading };
}

const longestStep = 200;

export function reportAt(at: SchemaLocation, code: string, message: string): void {
  const steps: string[] = [];
  let start = at;
  for (; start.parent !== undefined; start = start.parent) steps.push(String(start.step).slice(0, longestStep));
  at.reading.report({ code, pointer: `${start.step}${formatPointer(steps.reverse())}`, message });
}
