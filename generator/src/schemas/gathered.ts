import type { ModelId } from '../catalog/model-id.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { DocumentFacts, SchemaSnapshot } from './schema-snapshot.ts';

/** What asking for the documents of a run's models came to. */
export type Gathered = {
  readonly snapshots: readonly SchemaSnapshot[];
  /** Models whose output is already what their document says; their bytes were not needed. */
  readonly current: readonly ModelId[];
  /** Models that were printed from this document before; their bytes were not needed either. */
  readonly printed: readonly PrintedModel[];
  /** Models without a document, each with its error diagnostic. */
  readonly failed: readonly ModelId[];
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: { asked: number; notModified: number; fetched: number };
};
export type PrintedModel = DocumentFacts & { readonly modelId: ModelId };
/**
 * Whether anything has to be made of a document: not when the output holds just that already (`current`), or when an earlier run has
 * printed it (`printed`).
 */
export type StandingOf = (model: ModelId, facts: DocumentFacts) => 'current' | 'printed' | undefined;
/** What one model came to. */
export type GatheredModel = { readonly notes?: readonly Diagnostic[] } & (
  | { readonly snapshot: SchemaSnapshot }
  | { readonly current: ModelId }
  | { readonly printed: PrintedModel }
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
    printed: results.flatMap((result) => ('printed' in result ? [result.printed] : [])),
    failed: models.filter((_, index) => results[index] !== undefined && 'failure' in results[index]),
    diagnostics: results.flatMap((result) => [
      ...(result.notes ?? []),
      ...('failure' in result ? [result.failure] : []),
    ]),
    requests,
  };
}

/** Undefined when its bytes are needed. */
export function withoutBytes(model: ModelId, facts: DocumentFacts, standingOf: StandingOf): GatheredModel | undefined {
  switch (standingOf(model, facts)) {
    case 'current':
      return { current: model };
    case 'printed':
      return { printed: { modelId: model, entityTag: facts.entityTag, digest: facts.digest } };
    case undefined:
      return undefined;
  }
}
