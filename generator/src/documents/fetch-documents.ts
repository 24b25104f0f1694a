import { pMapIterable } from 'p-map';
import { measureJson } from '../../../specs/src/index.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Catalog } from '../catalog/read-catalog.ts';
import type { Digest } from '../content.ts';
import type { Deadline } from '../deadline.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Progress } from '../ports.ts';

/** The received bytes of a model's schema document and their entity tag. */
export type SchemaSnapshot = DocumentFacts & { readonly bytes: Uint8Array };

export type DocumentFacts = {
  /** Includes the quotes. Undefined if the source sent no entity tag. */
  readonly entityTag?: string | undefined;
  readonly digest: Digest;
};

/** True if the output already has the files for this entry and document, so that the document isn't needed. */
export type IsCurrent = (entry: CatalogEntry, facts: DocumentFacts) => boolean;

/**
 * The reason why a model has no new output: its document could not be read, was withheld (403 or 404), or can't be turned
 * into code.
 */
export type Failure = 'unread' | 'withheld' | 'unusable';

export type DocumentResult = { readonly entry: CatalogEntry; readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly kind: 'current' | Failure }
  | { readonly kind: 'read'; readonly snapshot: SchemaSnapshot }
);

/** The reason why a model failed, for its diagnostic. */
type Refusal = Pick<Diagnostic, 'code' | 'message' | 'help'>;

export function fail(entry: CatalogEntry, { code, ...words }: Refusal, kind: Failure = 'unread'): DocumentResult {
  return { entry, kind, diagnostics: [{ severity: 'error', code, model: entry.id, ...words }] };
}

/** The source of the catalog and the schema documents: the router, the cache, or the documents listed in the lockfile. */
export type DocumentSource = {
  /** Throws GeneratorError. */
  readCatalog(): Promise<Catalog>;
  /**
   * Reads a model's document. Returns the failure of a single model; throws GeneratorError if the whole source is
   * unusable.
   */
  readDocument(entry: CatalogEntry): Promise<DocumentResult>;
  /** Called after the last document. Returns request counts. Throws GeneratorError if a locked document is missing. */
  end(): { readonly asked: number; readonly notModified: number; readonly fetched: number };
};

/** Limits of a document, checked before parsing. Real documents have fewer than 50 levels and 1,000 values. */
const bounds = { levels: 300, values: 300_000 };

/** Yields the documents in the order of the entries. Reads only a few at a time, because thousands would not fit in memory. */
export async function* fetchDocuments(
  entries: readonly CatalogEntry[],
  source: DocumentSource,
  { concurrency, onProgress, deadline }: { concurrency: number; onProgress: Progress; deadline: Deadline },
): AsyncGenerator<DocumentResult> {
  let done = 0;
  const read = async (entry: CatalogEntry): Promise<DocumentResult> => {
    const result = deadline.isOver() ? fail(entry, tooLate) : await source.readDocument(entry);
    onProgress('documents', { done: ++done, total: entries.length, subject: entry.id });
    return result;
  };
  for await (const result of pMapIterable(entries, read, { concurrency, backpressure: 4 * concurrency })) {
    if (result.kind !== 'read') yield result;
    // Check again: a document that was read before the deadline may still take long to compile.
    else if (deadline.isOver()) yield fail(result.entry, tooLate);
    else {
      const refusal = findLimitExceeded(result.snapshot);
      yield refusal === undefined ? result : fail(result.entry, refusal, 'unusable');
    }
  }
}

function findLimitExceeded({ bytes }: SchemaSnapshot): Refusal | undefined {
  const { deepest, values } = measureJson(bytes);
  const isTooDeep = deepest > bounds.levels;
  if (!isTooDeep && values < bounds.values) return undefined;
  const code = isTooDeep ? 'document-too-deep' : 'document-too-large';
  const what = isTooDeep ? `is nested more than ${bounds.levels} levels deep` : `has more than ${bounds.values} values`;
  const help = 'The model keeps its last good output, if it has one; the other models are not affected.';
  return { code, message: `the schema document ${what}`, help };
}

const tooLate: Refusal = {
  code: 'document-not-read',
  message: 'the schema document was not read, because the deadline of the run has passed',
  help: 'The model keeps its last good output, if it has one. Run again, or increase --deadline.',
};
