import { pMapIterable } from 'p-map';
import { measureJson } from '../../../specs/src/index.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Catalog } from '../catalog/read-catalog.ts';
import type { Digest } from '../content.ts';
import type { Deadline } from '../deadline.ts';
import type { Diagnostic, DiagnosticCode } from '../diagnostics.ts';
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

export function fail(
  entry: CatalogEntry,
  code: DiagnosticCode,
  message: string,
  kind: Failure = 'unread',
): DocumentResult {
  return { entry, kind, diagnostics: [{ severity: 'error', code, model: entry.id, message }] };
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
    const result = deadline.isOver() ? failLate(entry) : await source.readDocument(entry);
    onProgress('documents', { done: ++done, total: entries.length, subject: entry.id });
    return result;
  };
  for await (const result of pMapIterable(entries, read, { concurrency, backpressure: 4 * concurrency })) {
    if (result.kind !== 'read') yield result;
    // Check again: a document that was read before the deadline may still take long to compile.
    else if (deadline.isOver()) yield failLate(result.entry);
    else {
      const { deepest, values } = measureJson(result.snapshot.bytes);
      if (deepest > bounds.levels) {
        const message = `the schema document is nested more than ${bounds.levels} levels deep`;
        yield fail(result.entry, 'document-too-deep', message, 'unusable');
      } else if (values >= bounds.values) {
        const message = `the schema document has more than ${bounds.values} values`;
        yield fail(result.entry, 'document-too-large', message, 'unusable');
      } else yield result;
    }
  }
}

function failLate(entry: CatalogEntry): DocumentResult {
  const message =
    'the schema document was not read, because the deadline of the run has passed: run again, or increase --deadline';
  return fail(entry, 'document-not-read', message);
}
