import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { printModelPath } from '../catalog/model-id.ts';
import type { RouterClient } from '../catalog/router-client.ts';
import { type Digest, toDigest } from '../content.ts';
import { GeneratorError } from '../diagnostics.ts';
import type { KnownDocuments } from './cached-documents.ts';
import { type DocumentFacts, type DocumentSource, failed, readAs } from './fetch-documents.ts';

/** A model as the lockfile has it. */
export type LockedDocument = DocumentFacts & { readonly entry: CatalogEntry };
const namedAtMost = 5;
const endsGeneration: ReadonlySet<string> = new Set(['source-unauthorised', 'source-forbidden', 'source-not-enabled']);
const operation = 'readSchemaDocument';

/** Exactly the documents that the lockfile names, from the cache or the router. The end throws when one is missing. */
export function openLockedDocuments(
  router: RouterClient | undefined,
  known: KnownDocuments,
  locked: readonly LockedDocument[] | undefined,
): DocumentSource {
  const missing: string[] = [];
  const requests = { asked: 0, notModified: 0, fetched: 0 };
  const byId = new Map(locked?.map((document) => [document.entry.id, document]));
  return {
    async readCatalog() {
      if (locked !== undefined) return { entries: locked.map(({ entry }) => entry), diagnostics: [], pages: 0 };
      throw new GeneratorError('lock-missing', 'the output folder has no lockfile that can be read', {
        operation: 'listModels',
        help: 'A frozen generation builds what switchyard.lock.json names. Run once without --frozen and commit the file.',
      });
    },
    async readDocument(entry) {
      const document = byId.get(entry.id);
      if (document === undefined) throw new Error(`${entry.id} is not in the lockfile`);
      const cached = known.read(entry, document);
      if (cached !== undefined) return cached;
      const bytes = await fetchLocked(document, router, requests);
      if (bytes instanceof Uint8Array) {
        known.cache.add(entry.id, document, bytes);
        return readAs(entry, document, bytes);
      }
      missing.push(`${entry.id}: ${bytes}`);
      return failed(entry, { severity: 'error', code: 'lock-unavailable', model: entry.id, message: bytes });
    },
    end() {
      if (missing.length > 0) throw unavailable(missing, router === undefined);
      return requests;
    },
  };
}

/** The bytes, or why they cannot be had. */
async function fetchLocked(
  { entry: { id }, digest }: LockedDocument,
  router: RouterClient | undefined,
  requests: { asked: number; fetched: number },
): Promise<Uint8Array | string> {
  if (router === undefined) return 'the cache does not hold the document';
  requests.asked++;
  const reply = await router.get(`/v2/models/${printModelPath(id)}/openapi.json`, { operation, model: id });
  if (reply.kind === 'failed') {
    const error = reply.error();
    // What is true of one document is true of all of them then.
    if (endsGeneration.has(error.code) || reply.because === 'refused') throw error;
    return error.message;
  }
  requests.fetched++;
  const found = toDigest(reply.bytes);
  return found === digest ? reply.bytes : `the source has ${shorten(found)}, the lockfile ${shorten(digest)}`;
}

function shorten(digest: Digest): string {
  return digest.slice(0, 'sha256:'.length + 12);
}

function unavailable(missing: readonly string[], isOffline: boolean): GeneratorError {
  const named = missing.slice(0, namedAtMost);
  const more = missing.length > namedAtMost ? `; and ${missing.length - namedAtMost} more` : '';
  const message = `${missing.length} of the locked documents cannot be had (${named.join('; ')}${more})`;
  return new GeneratorError('lock-unavailable', message, {
    operation,
    help: isOffline
      ? 'Run without --offline, or restore the cache that belongs to this lockfile.'
      : 'The documents have changed since the lockfile was written. Run without --frozen to take them over.',
  });
}
