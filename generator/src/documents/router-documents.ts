import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type ModelId, pathOf } from '../catalog/model-id.ts';
import { readCatalog } from '../catalog/read-catalog.ts';
import type { RouterClient, RouterResponse } from '../catalog/router-client.ts';
import { describeFacts, factsOf, routerError } from '../catalog/router-errors.ts';
import { type Diagnostic, GeneratorError } from '../diagnostics.ts';
import { digestOf } from '../digest.ts';
import { parseJsonBody } from '../json-body.ts';
import type { Progress } from '../ports.ts';
import { readCached } from './cached-documents.ts';
import type { DocumentCache } from './document-cache.ts';
import { compareEntityTags, readEntityTag } from './entity-tags.ts';
import { type DocumentResult, type DocumentSource, failed, type IsCurrent } from './schema-snapshot.ts';

type HttpResponse = Extract<RouterResponse, { kind: 'response' }>;
type RouterDocumentsOptions = {
  readonly router: RouterClient;
  readonly cache: DocumentCache;
  readonly isCurrent: IsCurrent;
  readonly onProgress: Progress;
};
type Tally = { asked: number; notModified: number; fetched: number; unreachableInARow: number; lostMs: number };

const operation = 'readSchemaDocument';
const unreachableAtMost = 5;
/** What failed responses, their deadlines and the waits between them may take of a run, added up over all models. */
const lostAtMostMs = 15 * 60_000;

/** One conditional GET per model (MR-SCH-03, MR-SCH-24). A model that fails is a result; a source that is gone throws. */
export function openRouterDocuments(context: RouterDocumentsOptions): DocumentSource {
  const tally: Tally = { asked: 0, notModified: 0, fetched: 0, unreachableInARow: 0, lostMs: 0 };
  return {
    readCatalog: () => readCatalog(context.router, context.onProgress),
    async readDocument(entry) {
      const { id } = entry;
      if (tally.lostMs > lostAtMostMs) return failed(entry, notRequested(id, tally.lostMs));
      const known = context.cache.find(id);
      const first = await requestDocument(id, known?.entityTag, context.router, tally);
      if (first.kind !== 'response' || first.status !== 304) return readFresh(entry, first, context, tally);
      const cached = known?.entityTag === undefined ? undefined : readCached(entry, known, context);
      if (cached !== undefined) {
        tally.notModified++;
        return cached;
      }
      // A 304 without the document in the cache: request it again, without an entity tag.
      return readFresh(entry, await requestDocument(id, undefined, context.router, tally), context, tally);
    },
    end: () => ({ asked: tally.asked, notModified: tally.notModified, fetched: tally.fetched }),
  };
}

async function requestDocument(
  model: ModelId,
  entityTag: string | undefined,
  router: RouterClient,
  tally: Tally,
): Promise<RouterResponse> {
  tally.asked++;
  const headers: Record<string, string> = entityTag === undefined ? {} : { 'if-none-match': entityTag };
  const began = router.now();
  const response = await router.get(`/v2/models/${pathOf(model)}/openapi.json`, headers);
  if (response.kind !== 'response' || response.status >= 400) tally.lostMs += router.now() - began;
  const isUnreachable = response.kind === 'no-response' && response.because !== 'too-large';
  tally.unreachableInARow = isUnreachable ? tally.unreachableInARow + 1 : 0;
  return response;
}

function readFresh(
  entry: CatalogEntry,
  response: RouterResponse,
  { router, cache, isCurrent }: RouterDocumentsOptions,
  tally: Tally,
): DocumentResult {
  const { id } = entry;
  if (response.kind !== 'response' || response.status !== 200)
    return failed(entry, failureOf(id, response, router, tally));
  const { bytes } = response;
  const body = parseJsonBody(bytes, response.headers.get('content-type'));
  // Kept out of the cache, whose document stays good for offline runs.
  if (body.kind === 'not-json') return failed(entry, notJson(id, response, body.because, router));
  tally.fetched++;
  const tag = readEntityTag(id, response.headers.get('etag'));
  const facts = { entityTag: tag.entityTag, digest: digestOf(bytes) };
  const diagnostics = [...tag.diagnostics, ...compareEntityTags(id, facts, cache.find(id))];
  cache.add(id, facts, bytes);
  if (isCurrent(entry, facts)) return { entry, kind: 'current', diagnostics };
  return { entry, kind: 'read', snapshot: { modelId: id, ...facts, bytes }, diagnostics };
}

/** The failure of one model. Throws GeneratorError when it is the failure of all of them. */
function failureOf(model: ModelId, response: RouterResponse, router: RouterClient, tally: Tally): Diagnostic {
  const error =
    response.kind === 'response' && response.status === 304
      ? uselessNotModified(model, response, router)
      : routerError(response, { operation, model }, router);
  const isRefused = response.kind === 'response' && response.status === 401;
  const isGone = response.kind === 'no-response' && response.because === 'refused';
  if (isRefused || isGone || tally.unreachableInARow >= unreachableAtMost) throw error;
  const isTooLarge = response.kind === 'no-response' && response.because === 'too-large';
  return diagnosticOf(error, isTooLarge ? 'document-too-large' : 'document-not-read', model);
}

function uselessNotModified(model: ModelId, response: HttpResponse, router: RouterClient): GeneratorError {
  const { status, requestId } = factsOf(response, router.brand);
  return new GeneratorError('source-refused', 'status 304 for a request without an entity tag', {
    ...{ operation, model, status, requestId },
    help: 'The source calls a document unchanged that was requested unconditionally.',
  });
}

function notJson(model: ModelId, response: HttpResponse, because: string, router: RouterClient): Diagnostic {
  const facts = factsOf(response, router.brand);
  const message = `the document is not JSON: ${because} (${describeFacts(facts)})`;
  const help = 'Something between here and the router may be answering in its place.';
  return diagnosticOf({ message, requestId: facts.requestId, help }, 'document-not-json', model);
}

function notRequested(model: ModelId, lostMs: number): Diagnostic {
  const message = `not requested any more: failed responses have taken ${Math.round(lostMs / 60_000)} minutes`;
  const help = 'The source is busy or down for now; run again later.';
  return diagnosticOf({ message, requestId: undefined, help }, 'document-not-read', model);
}

function diagnosticOf(
  { message, requestId, help }: Pick<GeneratorError, 'message' | 'requestId' | 'help'>,
  code: string,
  model: ModelId,
): Diagnostic {
  const from = requestId === undefined ? '' : ` (request id ${requestId})`;
  const helps = [...(help === undefined ? [] : [help]), 'The model keeps its last good output, if it has one.'];
  return { severity: 'error', code, model, message: `${operation}: ${message}${from}`, help: helps.join(' ') };
}
