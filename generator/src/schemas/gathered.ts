import type { ModelId } from '../catalog/model-id.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { DocumentFacts, SchemaSnapshot } from './schema-snapshot.ts';

/** What asking for the documents of a run's models came to. */
export type Gathered = {
  readonly snapshots: readonly SchemaSnapshot[];
  /** Models whose output is already what their document says; their bytes were not needed. */
  readonly current: readonly ModelId[];
  /** Models without a document, each with its error diagnostic. */
  readonly failed: readonly ModelId[];
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: { asked: number; notModified: number; fetched: number };
};
/** Whether the output holds just what would be made of this document. */
export type IsCurrent = (model: ModelId, facts: DocumentFacts) => boolean;
/** What one model came to. */
export type GatheredModel = { readonly notes?: readonly Diagnostic[] } & (
  | { readonly snapshot: SchemaSnapshot }
  | { readonly current: ModelId }
  | { readonly failure: Diagnostic }
);

export function gather(
  models: readonly ModelId[],
  results: readonly GatheredModel[],
  requests: Gathered['requests'],
): Gathered {
  return {
    snapshots: results.flatMap((result) => ('snapshot' in result ? [result.snapshot] : [])),
    current: results.flatMap((result) => ('current' in result ? [result.current] : [])),
    failed: models.filter((_, index) => results[index] !== undefined && 'failure' in results[index]),
    diagnostics: results.flatMap((result) => [
      ...(result.notes ?? []),
      ...('failure' in result ? [result.failure] : []),
    ]),
    requests,
  };
}
