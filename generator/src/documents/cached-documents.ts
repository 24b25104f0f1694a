import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { GeneratorError } from '../diagnostics.ts';
import type { DocumentCache } from './document-cache.ts';
import {
  type DocumentFacts,
  type DocumentResult,
  type DocumentSource,
  failed,
  type IsCurrent,
  readAs,
} from './fetch-documents.ts';

/** What an earlier generation has left of documents. */
export type KnownDocuments = ReturnType<typeof knownDocuments>;

export function knownDocuments(cache: DocumentCache, isCurrent: IsCurrent) {
  return {
    cache,
    isCurrent,
    /** The document of these facts; undefined when its bytes are needed and gone. */
    read(entry: CatalogEntry, facts: DocumentFacts): DocumentResult | undefined {
      if (isCurrent(entry, facts)) return { entry, kind: 'current', diagnostics: [] };
      const bytes = cache.load(facts.digest);
      return bytes && readAs(entry, facts, bytes);
    },
  };
}

/** The documents seen last, without any request; what is missing is a result of its model. */
export function openCachedDocuments(
  { cache, read }: KnownDocuments,
  readLockedEntries: () => readonly CatalogEntry[] | undefined,
): DocumentSource {
  return {
    async readCatalog() {
      // A lockfile beside an empty cache still says which documents are missing.
      const entries = cache.catalog ?? readLockedEntries();
      if (entries !== undefined) return { entries, diagnostics: [], pages: 0 };
      throw new GeneratorError('cache-empty', 'the cache knows nothing of this source', {
        operation: 'listModels',
        help: 'Run once without --offline, with the same router address and credential; the cache belongs to both.',
      });
    },
    async readDocument(entry) {
      const known = cache.models.get(entry.id);
      const cached = known === undefined ? undefined : read(entry, known);
      if (cached !== undefined) return cached;
      const message =
        known === undefined ? 'the cache has no document of this model' : 'the cached document is gone or damaged';
      const help = 'Run once without --offline, with the same router address and credential.';
      return failed(entry, { severity: 'error', code: 'document-not-cached', model: entry.id, message, help });
    },
    end: () => ({ asked: 0, notModified: 0, fetched: 0 }),
  };
}
