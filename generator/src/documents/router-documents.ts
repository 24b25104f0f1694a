import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type ModelId, printModelPath } from '../catalog/model-id.ts';
import { readCatalog } from '../catalog/read-catalog.ts';
import type { RouterClient } from '../catalog/router-client.ts';
import type { RouterReply } from '../catalog/router-reply.ts';
import { toDigest } from '../content.ts';
import type { Diagnostic, GeneratorError } from '../diagnostics.ts';
import type { Progress } from '../ports.ts';
import type { KnownDocuments } from './cached-documents.ts';
import {
  type DocumentFacts,
  type DocumentResult,
  type DocumentSource,
  type Failure,
  failed,
  readAs,
} from './fetch-documents.ts';

type Tally = { asked: number; notModified: number; fetched: number };

const operation = 'readSchemaDocument';

/** One conditional GET per model (MR-SCH-03, MR-SCH-24). All are tried until the deadline: a model that fails is a result. */
export function openRouterDocuments(router: RouterClient, known: KnownDocuments, onProgress: Progress): DocumentSource {
  const tally: Tally = { asked: 0, notModified: 0, fetched: 0 };
  return {
    readCatalog: () => readCatalog(router, onProgress),
    async readDocument(entry) {
      const { id } = entry;
      const before = known.cache.models.get(id);
      const first = await requestDocument(id, before?.entityTag, router, tally);
      if (first.kind === 'body' || first.because !== 'not-modified') return readReply(entry, first, known, tally);
      const cached = before?.entityTag === undefined ? undefined : known.read(entry, before);
      if (cached !== undefined) {
        tally.notModified++;
        return cached;
      }
      // A 304 without the document in the cache: request it again, without an entity tag.
      return readReply(entry, await requestDocument(id, undefined, router, tally), known, tally);
    },
    end: () => ({ asked: tally.asked, notModified: tally.notModified, fetched: tally.fetched }),
  };
}

async function requestDocument(
  model: ModelId,
  entityTag: string | undefined,
  router: RouterClient,
  tally: Tally,
): Promise<RouterReply> {
  tally.asked++;
  const headers: Record<string, string> = entityTag === undefined ? {} : { 'if-none-match': entityTag };
  return router.get(`/v2/models/${printModelPath(model)}/openapi.json`, { operation, model }, headers);
}

function readReply(entry: CatalogEntry, reply: RouterReply, known: KnownDocuments, tally: Tally): DocumentResult {
  const { id } = entry;
  if (reply.kind === 'failed') return reportFailure(entry, reply);
  const { bytes, body } = reply;
  // Kept out of the cache, whose document stays good for offline generations.
  if (body.kind === 'not-json') {
    const message = `the schema document is not JSON: ${body.because} (${reply.facts.description})`;
    const help = 'Something between here and the router may be answering in its place.';
    return failed(entry, makeDiagnostic({ message, requestId: reply.facts.requestId, help }, 'document-not-json', id));
  }
  tally.fetched++;
  const tag = readEntityTag(id, reply.entityTag);
  const facts = { entityTag: tag.entityTag, digest: toDigest(bytes) };
  const diagnostics = [...tag.diagnostics, ...compareEntityTags(id, facts, known.cache.models.get(id))];
  known.cache.add(id, facts, bytes);
  if (known.isCurrent(entry, facts)) return { entry, kind: 'current', diagnostics };
  return { ...readAs(entry, facts, bytes), diagnostics };
}

function reportFailure(entry: CatalogEntry, reply: Extract<RouterReply, { kind: 'failed' }>): DocumentResult {
  const error = reply.error();
  const as = (code: string, kind: Failure): DocumentResult =>
    failed(entry, makeDiagnostic(error, code, entry.id), kind);
  if (reply.because === 'too-large') return as('document-too-large', 'unusable');
  // Another caller, or none, may be meant by the other codes that a 403 can have.
  const isWithheld = error.code === 'source-forbidden' || (error.status === 404 && error.code === 'source-refused');
  return isWithheld ? as('document-withheld', 'withheld') : as('document-not-read', 'unread');
}

function makeDiagnostic(
  { message, requestId, help }: Pick<GeneratorError, 'message' | 'requestId' | 'help'>,
  code: string,
  model: ModelId,
): Diagnostic {
  const from = requestId === undefined ? '' : ` (request id ${requestId})`;
  const helps = [...(help === undefined ? [] : [help]), 'The model keeps its last good output, if it has one.'];
  return { severity: 'error', code, model, message: `${message}${from}`, help: helps.join(' ') };
}

const longestTag = 512;

/** The tag if it is well-formed: `*` or a bare word sent back would match every document. */
export function readEntityTag(
  model: ModelId,
  value: string | undefined,
): { entityTag: string | undefined; diagnostics: readonly Diagnostic[] } {
  const isTag = value === undefined || (value.length <= longestTag && /^(?:W\/)?"[^"\p{Cc}]*"$/u.test(value));
  if (isTag) return { entityTag: value, diagnostics: [] };
  const message = `the source sent a malformed entity tag: ${JSON.stringify(value.slice(0, 60))}`;
  const help = 'Without one, the document is fetched as a whole each time.';
  const diagnostic: Diagnostic = { severity: 'note', code: 'entity-tag-malformed', model, message, help };
  return { entityTag: undefined, diagnostics: [diagnostic] };
}

/** What a 200 reveals about its source: a tag that stayed while the bytes changed, or the other way round. */
export function compareEntityTags(
  model: ModelId,
  fetched: DocumentFacts,
  known: DocumentFacts | undefined,
): Diagnostic[] {
  if (known?.entityTag === undefined) return [];
  const isSameTag = known.entityTag === fetched.entityTag;
  if ((known.digest === fetched.digest) === isSameTag) return [];
  if (isSameTag) {
    const message = `the document has changed under the same entity tag ${fetched.entityTag}`;
    const help = 'A source that does this may answer 304 for a document that has changed; delete the cache to be sure.';
    return [{ severity: 'warning', code: 'entity-tag-reused', model, message, help }];
  }
  const now = fetched.entityTag === undefined ? 'no entity tag' : `the entity tag ${fetched.entityTag}`;
  const message = `the same bytes came with ${now} and with ${known.entityTag} before`;
  return [{ severity: 'note', code: 'entity-tag-restless', model, message }];
}
