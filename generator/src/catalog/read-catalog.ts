import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { JsonBody } from '../content.ts';
import { createDiagnosticList, type Diagnostic, GeneratorError, maxDiagnostics } from '../diagnostics.ts';
import type { Progress } from '../ports.ts';
import { type CatalogEntry, parseCatalogEntry } from './catalog-entry.ts';
import type { ModelId } from './model-id.ts';
import type { RouterClient } from './router-client.ts';
import type { ResponseFacts } from './router-reply.ts';

export type Catalog = { entries: readonly CatalogEntry[]; diagnostics: readonly Diagnostic[]; pages: number };

const operation = 'listModels';
/**
 * Maximum length of a cursor in characters. The router's cursors are a quarter of this; servers reject longer request
 * lines.
 */
const longestCursor = 2048;
/** Limits of a walk through the catalog; a larger catalog is treated as endless. */
const bounds = { pages: 20_000, models: 200_000, minutes: 15 };
/** Up to this number, malformed entries are only reported, even if most entries are malformed. */
const maxMalformed = 500;

/**
 * Returns every model of the catalog, sorted by id. Follows the cursor while `has_more` is true, also after short or empty pages.
 * If the router rejects a cursor during the walk, starts again once. Ignores repeated entries. Throws GeneratorError.
 */
export async function readCatalog(router: RouterClient, onProgress: Progress): Promise<Catalog> {
  const began = router.now();
  const entries = new Map<ModelId, CatalogEntry>();
  const startWalk = () => ({
    number: 0,
    malformed: 0,
    followed: new Set<string>(),
    diagnostics: createDiagnosticList(maxDiagnostics.document),
  });
  let walk = startWalk();
  let isSecondWalk = false;
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const number = ++walk.number;
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const reply = await router.get(`/v2/models?limit=100${query}`, { operation });
    if (reply.kind === 'failed') {
      const { error } = reply;
      // Only a 400 with this category means that the cursor was rejected; other ones may come from a proxy.
      if (error.status !== 400 || error.category !== 'invalid_input' || cursor === undefined) throw error;
      if (isSecondWalk) throw makeRejectedTwiceError(error);
      walk = startWalk();
      isSecondWalk = true;
      cursor = undefined;
      continue;
    }
    const { data, next } = parsePage(reply.body, number, reply.facts);
    for (const [index, value] of data.entries()) {
      const parsed = parseCatalogEntry(value, `entry ${index + 1} of page ${number}`);
      if ('entry' in parsed) {
        if (!entries.has(parsed.entry.id)) entries.set(parsed.entry.id, parsed.entry);
      } else {
        walk.malformed++;
        walk.diagnostics.add(parsed.diagnostic);
      }
    }
    if (walk.malformed > maxMalformed && walk.malformed > entries.size) {
      const [first] = walk.diagnostics.all();
      throw makePageError(
        'catalog-malformed',
        `most entries of the catalog are malformed: ${first?.message}`,
        reply.facts,
      );
    }
    const elapsedMs = router.now() - began;
    const isLong = next !== undefined && (pages >= bounds.pages || elapsedMs > bounds.minutes * 60_000);
    if (isLong || entries.size > bounds.models) {
      const soFar = `${pages} pages, ${entries.size} models and ${Math.round(elapsedMs / 1000)} seconds`;
      throw makePageError('catalog-endless', `the catalog does not end after ${soFar}`, reply.facts);
    }
    onProgress('catalog', { done: entries.size });
    if (next === undefined) {
      const sorted = [...entries.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
      return { entries: sorted, diagnostics: walk.diagnostics.all(), pages };
    }
    if (walk.followed.has(next))
      throw makePageError(
        'cursor-loop',
        `the cursor of page ${number} of the catalog was already followed`,
        reply.facts,
      );
    walk.followed.add(next);
    cursor = next;
  }
}

function makeRejectedTwiceError({ requestId }: GeneratorError): GeneratorError {
  const message = 'the catalog cannot be read: the router rejected its own cursor twice';
  return new GeneratorError('cursor-rejected', message, { operation, status: 400, requestId });
}

/** Returns the entries of a page, and the cursor of the next page if there is one. */
function parsePage(
  body: JsonBody,
  number: number,
  facts: ResponseFacts,
): { data: readonly JsonValue[]; next: string | undefined } {
  const refuse = (code: GeneratorError['code'], what: string): GeneratorError =>
    makePageError(code, `page ${number} of the catalog ${what}`, facts);
  if (body.kind === 'not-json') throw refuse('source-not-json', `is not JSON: ${body.because} (${facts.description})`);
  const { value } = body;
  if (!isJsonObject(value) || !Array.isArray(value['data']) || typeof value['has_more'] !== 'boolean')
    throw refuse('catalog-malformed', `is not a list of models (${facts.description})`);
  const { data, has_more: hasMore, next_cursor: next } = value;
  if (!hasMore) return { data, next: undefined };
  if (typeof next !== 'string' || next === '') throw refuse('cursor-missing', 'has has_more but no next_cursor');
  if (!next.isWellFormed() || next.length > longestCursor)
    throw refuse('cursor-missing', 'has a next_cursor that cannot be sent back');
  return { data, next };
}

function makePageError(
  code: GeneratorError['code'],
  what: string,
  { status, requestId }: ResponseFacts,
): GeneratorError {
  return new GeneratorError(code, what, { operation, status, requestId });
}
