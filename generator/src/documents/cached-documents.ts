import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { GeneratorError } from '../diagnostics.ts';
import type { DocumentCache } from './document-cache.ts';
import {
  type DocumentFacts,
  type DocumentResult,
  type DocumentSource,
  failed,
  type IsCurrent,
} from './schema-snapshot.ts';

type CachedDocumentsOptions = { readonly cache: DocumentCache; readonly isCurrent: IsCurrent };

/** The documents seen last, without any request; what is missing is a result of its model. */
export function openCachedDocuments(
  readLockedEntries: () => readonly CatalogEntry[] | undefined,
  context: CachedDocumentsOptions,
): DocumentSource {
  return {
    async readCatalog() {
      // A lockfile beside an empty cache still says which documents are missing.
      const entries = context.cache.catalog ?? readLockedEntries();
      if (entries !== undefined) return { entries, diagnostics: [], pages: 0 };
      throw new GeneratorError('cache-empty', 'the cache knows nothing of this source', {
        operation: 'listModels',
        help: 'Run once without --offline, with the same router address and credential; the cache belongs to both.',
      });
    },
    async readDocument(entry) {
      const known = context.cache.find(entry.id);
      const cached = known === undefined ? undefined : readCached(entry, known, context);
      if (cached !== undefined) return cached;
      return failed(entry, {
        severity: 'error',
        code: 'document-not-cached',
        model: entry.id,
        message:
          known === undefined ? 'the cache has no document of this model' : 'the cached document is gone or damaged',
        help: 'Run once without --offline, with the same router address and credential.',
      });
    },
    end: () => ({ asked: 0, notModified: 0, fetched: 0 }),
  };
}

/** The document as the cache has it; undefined when its bytes are needed and gone. */
export function readCached(
  entry: CatalogEntry,
  { entityTag, digest }: DocumentFacts,
  { cache, isCurrent }: CachedDocumentsOptions,
): DocumentResult | undefined {
  if (isCurrent(entry, { entityTag, digest })) return { entry, kind: 'current', diagnostics: [] };
  const bytes = cache.load(digest);
  if (bytes === undefined) return undefined;
  return { entry, kind: 'read', snapshot: { modelId: entry.id, entityTag, digest, bytes }, diagnostics: [] };
}
