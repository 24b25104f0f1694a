import { pMapIterable } from 'p-map';
import { measureJson } from '../../../specs/src/index.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type ModelId, printModelPath } from '../catalog/model-id.ts';
import { type Catalog, readCatalog } from '../catalog/read-catalog.ts';
import type { RouterClient } from '../catalog/router-client.ts';
import type { RouterReply } from '../catalog/router-reply.ts';
import { type Digest, toDigest } from '../content.ts';
import type { Deadline } from '../deadline.ts';
import { type Diagnostic, type DiagnosticCode, GeneratorError, listFirst } from '../diagnostics.ts';
import type { Progress } from '../ports.ts';
import type { DocumentCache, DocumentFacts } from './document-cache.ts';

/** The received bytes of a model's schema document and their entity tag. */
export type SchemaSnapshot = DocumentFacts & { readonly bytes: Uint8Array };

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

function makeFailure(
  entry: CatalogEntry,
  code: DiagnosticCode,
  message: string,
  kind: Failure = 'unread',
): DocumentResult {
  return { entry, kind, diagnostics: [{ severity: 'error', code, model: entry.id, message }] };
}

/** The source of the catalog and the schema documents: the router, the cache, or the documents listed in the lockfile. */
type DocumentSource = {
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
    const result = deadline.isOver() ? failAfterDeadline(entry) : await source.readDocument(entry);
    onProgress('documents', { done: ++done, total: entries.length, subject: entry.id });
    return result;
  };
  for await (const result of pMapIterable(entries, read, { concurrency, backpressure: 4 * concurrency })) {
    if (result.kind !== 'read') yield result;
    // Check again: a document that was read before the deadline may still take long to compile.
    else if (deadline.isOver()) yield failAfterDeadline(result.entry);
    else {
      const { deepest, values } = measureJson(result.snapshot.bytes);
      if (deepest > bounds.levels) {
        const message = `the schema document is nested more than ${bounds.levels} levels deep`;
        yield makeFailure(result.entry, 'document-too-deep', message, 'unusable');
      } else if (values >= bounds.values) {
        const message = `the schema document has more than ${bounds.values} values`;
        yield makeFailure(result.entry, 'document-too-large', message, 'unusable');
      } else yield result;
    }
  }
}

function failAfterDeadline(entry: CatalogEntry): DocumentResult {
  const message =
    'the schema document was not read, because the deadline of the run has passed: run again, or increase --deadline';
  return makeFailure(entry, 'document-not-read', message);
}

/** A model's document as recorded in the lockfile. */
export type LockedDocument = DocumentFacts & { readonly entry: CatalogEntry };

type Sources = {
  /** Undefined for a run that sends no requests. */
  readonly router: RouterClient | undefined;
  readonly cache: DocumentCache;
  readonly isCurrent: IsCurrent;
  /** The documents listed in the lockfile; undefined if there is none. */
  readonly locked: readonly LockedDocument[] | undefined;
  readonly onProgress: Progress;
};

/**
 * Opens the source of the documents: the router, or the cache if there is no router. With `frozen`, the source has
 * exactly the documents listed in the lockfile, and reads them from the cache or the router.
 */
export function openDocuments(sources: Sources, frozen: boolean): DocumentSource {
  if (frozen) return openLockedDocuments(sources);
  const { router } = sources;
  return router === undefined ? openCachedDocuments(sources) : openRouterDocuments(router, sources);
}

const operation = 'readSchemaDocument';
const noRequests = { asked: 0, notModified: 0, fetched: 0 };

function requestDocument(router: RouterClient, model: ModelId, headers: Record<string, string>): Promise<RouterReply> {
  return router.get(`/v2/models/${printModelPath(model)}/openapi.json`, { operation, model }, headers);
}

/** Reads the document with these facts without a request; undefined if its bytes are needed but not in the cache. */
function readCached(
  entry: CatalogEntry,
  facts: DocumentFacts | undefined,
  { cache, isCurrent }: Sources,
): DocumentResult | undefined {
  if (facts === undefined) return undefined;
  if (isCurrent(entry, facts)) return { entry, kind: 'current', diagnostics: [] };
  const bytes = cache.load(facts.digest);
  return bytes && makeReadResult(entry, facts, bytes);
}

function makeReadResult(entry: CatalogEntry, { entityTag, digest }: DocumentFacts, bytes: Uint8Array): DocumentResult {
  return { entry, kind: 'read', snapshot: { entityTag, digest, bytes }, diagnostics: [] };
}

/** Reads the most recent documents from the cache, without requests. A missing document only affects its own model. */
function openCachedDocuments(sources: Sources): DocumentSource {
  const { cache, locked } = sources;
  return {
    async readCatalog() {
      // Without a cached catalog, use the models of the lockfile, so that each missing document is reported.
      const entries = cache.catalog ?? locked?.map(({ entry }) => entry);
      if (entries !== undefined) return { entries, diagnostics: [], pages: 0 };
      throw new GeneratorError('cache-empty', 'the cache has no catalog from this source', { operation: 'listModels' });
    },
    async readDocument(entry) {
      const cached = cache.models.get(entry.id);
      const message =
        cached === undefined ? 'the cache has no document of this model' : 'the cached document is missing or damaged';
      return readCached(entry, cached, sources) ?? makeFailure(entry, 'document-not-cached', message);
    },
    end: () => noRequests,
  };
}

const maxListed = 5;
/** Error codes that would be the same for every document. */
const endsRun: ReadonlySet<string> = new Set(['source-unauthorised', 'source-forbidden', 'source-not-enabled']);

/** Reads exactly the documents listed in the lockfile, from the cache or the router. `end` throws if one is missing. */
function openLockedDocuments(sources: Sources): DocumentSource {
  const { router, cache, locked } = sources;
  const missing: string[] = [];
  const requests = { ...noRequests };
  const byId = new Map(locked?.map((document) => [document.entry.id, document]));
  return {
    async readCatalog() {
      if (locked !== undefined) return { entries: locked.map(({ entry }) => entry), diagnostics: [], pages: 0 };
      throw new GeneratorError('lock-missing', 'the output folder has no readable lockfile', {
        operation: 'listModels',
      });
    },
    async readDocument(entry) {
      const document = byId.get(entry.id);
      if (document === undefined) throw new Error(`${entry.id} is not in the lockfile`);
      const cached = readCached(entry, document, sources);
      if (cached !== undefined) return cached;
      let problem = 'the document is not in the cache';
      if (router !== undefined) {
        requests.asked++;
        const reply = await requestDocument(router, entry.id, {});
        if (reply.kind === 'failed') {
          // All other documents would fail for the same reason.
          if (endsRun.has(reply.error.code) || reply.because === 'refused') throw reply.error;
          problem = reply.error.message;
        } else {
          requests.fetched++;
          const digest = toDigest(reply.bytes);
          if (digest === document.digest) {
            cache.add(entry.id, document, reply.bytes);
            return makeReadResult(entry, document, reply.bytes);
          }
          problem = `the source has ${shorten(digest)}, the lockfile ${shorten(document.digest)}`;
        }
      }
      missing.push(`${entry.id}: ${problem}`);
      return makeFailure(entry, 'lock-unavailable', problem);
    },
    end() {
      if (missing.length === 0) return requests;
      const listed = listFirst(missing, maxListed).join('; ');
      const message = `${missing.length} of the locked documents can't be read (${listed})`;
      const help = router === undefined ? 'Run without --offline, or restore the cache of this lockfile.' : undefined;
      throw new GeneratorError('lock-unavailable', message, { operation, help });
    },
  };
}

function shorten(digest: Digest): string {
  return digest.slice(0, 'sha256:'.length + 12);
}

/** Sends one conditional GET per model (MR-SCH-03, MR-SCH-24). The failure of one model doesn't stop the others. */
function openRouterDocuments(router: RouterClient, sources: Sources): DocumentSource {
  const { cache, isCurrent, onProgress } = sources;
  const requests = { ...noRequests };
  return {
    readCatalog: () => readCatalog(router, onProgress),
    async readDocument(entry) {
      const { id } = entry;
      const before = cache.models.get(id);
      requests.asked++;
      const tag = before?.entityTag;
      let reply = await requestDocument(router, id, tag === undefined ? {} : { 'if-none-match': tag });
      if (reply.kind === 'failed' && reply.because === 'not-modified') {
        const cached = tag === undefined ? undefined : readCached(entry, before, sources);
        if (cached !== undefined) {
          requests.notModified++;
          return cached;
        }
        // The document for this entity tag is no longer in the cache: request it again without the tag.
        requests.asked++;
        reply = await requestDocument(router, id, {});
      }
      if (reply.kind === 'failed') return reportFailure(entry, reply);
      const { bytes, body, facts } = reply;
      // Don't add this response to the cache, so that offline runs keep using the last valid document.
      if (body.kind === 'not-json') {
        const message = `the schema document is not JSON: ${body.because} (${facts.description})`;
        return makeFailureOfError(entry, { message, requestId: facts.requestId }, 'document-not-json');
      }
      requests.fetched++;
      const digest = toDigest(bytes);
      const received = { entityTag: isEntityTag(reply.entityTag) ? reply.entityTag : undefined, digest };
      cache.add(id, received, bytes);
      return isCurrent(entry, received)
        ? { entry, kind: 'current', diagnostics: [] }
        : makeReadResult(entry, received, bytes);
    },
    end: () => requests,
  };
}

/** False for a malformed tag, because sending back `*` would match every document. */
export function isEntityTag(tag: string | undefined): boolean {
  return tag !== undefined && tag.length <= 512 && /^(?:W\/)?"[^"\p{Cc}]*"$/u.test(tag);
}

function reportFailure(entry: CatalogEntry, reply: Extract<RouterReply, { kind: 'failed' }>): DocumentResult {
  const { error } = reply;
  if (reply.because === 'too-large') return makeFailureOfError(entry, error, 'document-too-large', 'unusable');
  // Other errors with status 403 may concern every model of the caller, not only this one.
  const isWithheld = error.code === 'source-forbidden' || (error.status === 404 && error.code === 'source-refused');
  return isWithheld
    ? makeFailureOfError(entry, error, 'document-withheld', 'withheld')
    : makeFailureOfError(entry, error, 'document-not-read', 'unread');
}

function makeFailureOfError(
  entry: CatalogEntry,
  { message, requestId }: Pick<GeneratorError, 'message' | 'requestId'>,
  code: DiagnosticCode,
  kind?: Failure,
): DocumentResult {
  const from = requestId === undefined ? '' : ` (request id ${requestId})`;
  return makeFailure(entry, code, `${message}${from}`, kind);
}
