import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type ModelId, pathOf } from '../catalog/model-id.ts';
import type { RouterClient, RouterResponse } from '../catalog/router-client.ts';
import { routerError } from '../catalog/router-errors.ts';
import { GeneratorError } from '../diagnostics.ts';
import { type Digest, digestOf } from '../digest.ts';
import { readCached } from './cached-documents.ts';
import type { DocumentCache } from './document-cache.ts';
import { type DocumentFacts, type DocumentSource, failed, type IsCurrent } from './schema-snapshot.ts';

/** A model as the lockfile has it. */
export type LockedDocument = DocumentFacts & { readonly entry: CatalogEntry };
type LockedDocumentsOptions = {
  /** Undefined when no request is allowed. */
  readonly router: RouterClient | undefined;
  readonly cache: DocumentCache;
  readonly isCurrent: IsCurrent;
};
type Missing = { readonly id: ModelId; readonly because: string };
type LockedReading = LockedDocumentsOptions & {
  readonly missing: Missing[];
  readonly requests: { asked: number; fetched: number };
};

const namedAtMost = 5;
const operation = 'readSchemaDocument';

/** Exactly the documents that the lockfile names, from the cache or the router. The end throws when one is missing. */
export function openLockedDocuments(
  locked: readonly LockedDocument[] | undefined,
  context: LockedDocumentsOptions,
): DocumentSource {
  const run: LockedReading = { ...context, missing: [], requests: { asked: 0, fetched: 0 } };
  const byId = new Map(locked?.map((document) => [document.entry.id, document]));
  return {
    async readCatalog() {
      if (locked !== undefined) return { entries: locked.map(({ entry }) => entry), diagnostics: [], pages: 0 };
      throw new GeneratorError('lock-missing', 'the output folder has no lockfile that can be read', {
        operation: 'listModels',
        help: 'A frozen run builds what switchyard.lock.json names. Run once without --frozen and commit the file.',
      });
    },
    async readDocument(entry) {
      const document = byId.get(entry.id);
      if (document === undefined) throw new Error(`${entry.id} is not in the lockfile`);
      const { entityTag, digest } = document;
      const cached = readCached(entry, document, context);
      if (cached !== undefined) return cached;
      const bytes = await fetchLocked(document, run);
      if (bytes instanceof Uint8Array)
        return { entry, kind: 'read', snapshot: { modelId: entry.id, entityTag, digest, bytes }, diagnostics: [] };
      run.missing.push(bytes);
      return failed(entry, { severity: 'error', code: 'lock-unavailable', model: entry.id, message: bytes.because });
    },
    end() {
      if (run.missing.length > 0) throw unavailable(run.missing, context.router === undefined);
      return { ...run.requests, notModified: 0 };
    },
  };
}

async function fetchLocked(
  { entry: { id }, entityTag, digest }: LockedDocument,
  { router, cache, requests }: LockedReading,
): Promise<Uint8Array | Missing> {
  if (router === undefined) return { id, because: 'the cache does not hold the document' };
  requests.asked++;
  const response = await router.get(`/v2/models/${pathOf(id)}/openapi.json`);
  if (isRefusal(response)) throw routerError(response, { operation, model: id }, router);
  if (response.kind !== 'response' || response.status !== 200) return { id, because: describe(response) };
  requests.fetched++;
  const found = digestOf(response.bytes);
  if (found !== digest) return { id, because: `the source has ${shorten(found)}, the lockfile ${shorten(digest)}` };
  cache.add(id, { entityTag, digest }, response.bytes);
  return response.bytes;
}

// What is true of one document is true of all of them then.
function isRefusal(response: RouterResponse): boolean {
  return response.kind === 'response'
    ? response.status === 401 || response.status === 403
    : response.kind === 'no-response' && response.because === 'refused';
}

function describe(response: RouterResponse): string {
  if (response.kind === 'redirect-refused') return `the source redirects to ${response.origin}`;
  if (response.kind === 'no-response') return `the source did not answer (${response.detail})`;
  return `the source answered with status ${response.status}`;
}

function shorten(digest: Digest): string {
  return digest.slice(0, 'sha256:'.length + 12);
}

function unavailable(missing: readonly Missing[], isOffline: boolean): GeneratorError {
  const named = missing.slice(0, namedAtMost).map(({ id, because }) => `${id}: ${because}`);
  const more = missing.length > namedAtMost ? `; and ${missing.length - namedAtMost} more` : '';
  const [only] = missing;
  const message = `${missing.length} of the locked documents cannot be had (${named.join('; ')}${more})`;
  return new GeneratorError('lock-unavailable', message, {
    operation,
    ...(missing.length === 1 && only !== undefined ? { model: only.id } : {}),
    help: isOffline
      ? 'Run without --offline, or restore the cache that belongs to this lockfile.'
      : 'The documents have changed since the lockfile was written. Run without --frozen to take them over.',
  });
}
