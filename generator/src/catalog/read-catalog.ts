import { type Brand, isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Progress } from '../config.ts';
import { type Diagnostic, GeneratorError } from '../diagnostics.ts';
import { type AnswerFacts, describeFacts, factsOf } from '../source/answer-facts.ts';
import { parseJsonBody } from '../source/json-body.ts';
import type { Source } from '../source/source.ts';
import { sourceError } from '../source/source-error.ts';
import { type CatalogEntry, parseCatalogEntry } from './catalog-entry.ts';
import type { ModelId } from './model-id.ts';

export type Catalog = { entries: readonly CatalogEntry[]; diagnostics: readonly Diagnostic[]; pages: number };

type Page = { data: readonly JsonValue[]; next: string | undefined; facts: AnswerFacts };
type Walk = {
  entries: Map<ModelId, CatalogEntry>;
  diagnostics: Map<string, Diagnostic>;
  pages: number;
  readonly began: number;
};

const operation = 'listModels';
/** The router's own are a quarter of this; much longer ones fit into no request line. */
const longestCursor = 2048;
/** A catalog beyond any of these is taken for one that never ends. */
const bounds = { pages: 20_000, models: 200_000, minutes: 15 };

/**
 * Every model of the catalog, sorted by id. Follows the cursor while `has_more`, over short and empty pages too. A
 * cursor refused mid-walk restarts the walk once; entries seen twice count once. Throws GeneratorError.
 */
export async function readCatalog(source: Source, context: { brand: Brand; onProgress: Progress }): Promise<Catalog> {
  const walk: Walk = { entries: new Map(), diagnostics: new Map(), pages: 0, began: source.now() };
  const ended = await walkPages(source, walk, context);
  if (ended.kind === 'cursor-rejected' && (await walkPages(source, walk, context)).kind === 'cursor-rejected') {
    throw new GeneratorError('cursor-rejected', `a cursor was refused in two walks (${describeFacts(ended.facts)})`, {
      operation,
      ...identityOf(ended.facts),
      help: 'The catalog may be rebuilt too often to be read; run again later.',
    });
  }
  const entries = [...walk.entries.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
  return { entries, diagnostics: [...walk.diagnostics.values()], pages: walk.pages };
}

async function walkPages(
  source: Source,
  walk: Walk,
  context: { brand: Brand; onProgress: Progress },
): Promise<{ kind: 'complete' } | { kind: 'cursor-rejected'; facts: AnswerFacts }> {
  const seen = new Set<string>();
  for (let cursor: string | undefined, number = 1; ; number++) {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await source.get(`/v2/models?limit=100${query}`);
    walk.pages++;
    if (answer.kind === 'answer' && answer.status === 400 && cursor !== undefined) {
      return { kind: 'cursor-rejected', facts: factsOf(answer, context.brand) };
    }
    if (answer.kind !== 'answer' || answer.status !== 200) {
      throw sourceError(answer, { operation, brand: context.brand, baseUrl: source.baseUrl });
    }
    const page = parsePage(answer, number, context.brand);
    collect(page, number, walk);
    context.onProgress({ phase: 'catalog', done: walk.entries.size });
    if (page.next === undefined) return { kind: 'complete' };
    refuseLoop(page, number, seen);
    refuseEndless(page, walk, source.now() - walk.began);
    seen.add(page.next);
    cursor = page.next;
  }
}

function collect(page: Page, number: number, walk: Walk): void {
  page.data.forEach((value, index) => {
    const parsed = parseCatalogEntry(value, `entry ${index + 1} of page ${number}`);
    if ('diagnostic' in parsed) walk.diagnostics.set(parsed.diagnostic.message, parsed.diagnostic);
    else if (!walk.entries.has(parsed.entry.id)) walk.entries.set(parsed.entry.id, parsed.entry);
  });
}

function refuseLoop(page: Page, number: number, seen: ReadonlySet<string>): void {
  if (page.next !== undefined && seen.has(page.next)) {
    throw pageError('cursor-loop', `the cursor of page ${number} was already followed`, page.facts);
  }
}

function refuseEndless(page: Page, { pages, entries }: Walk, elapsedMs: number): void {
  const isEndless = pages >= bounds.pages || entries.size > bounds.models || elapsedMs > bounds.minutes * 60_000;
  if (!isEndless) return;
  const sofar = `${pages} pages, ${entries.size} models and ${Math.round(elapsedMs / 1000)} seconds`;
  throw pageError('catalog-endless', `the catalog goes on after ${sofar}`, page.facts);
}

function parsePage(
  answer: { status: number; headers: ReadonlyMap<string, string>; bytes: Uint8Array },
  number: number,
  brand: Brand,
): Page {
  const facts = factsOf(answer, brand);
  const body = parseJsonBody(answer.bytes, facts.mediaType);
  if (body.kind === 'not-json') {
    throw pageError('source-not-json', `page ${number} is not JSON: ${body.because} (${describeFacts(facts)})`, facts);
  }
  const { value } = body;
  if (!isJsonObject(value) || !Array.isArray(value['data']) || typeof value['has_more'] !== 'boolean') {
    throw pageError('catalog-malformed', `page ${number} is no list of models (${describeFacts(facts)})`, facts);
  }
  const next = value['next_cursor'];
  if (!value['has_more']) return { data: value['data'], next: undefined, facts };
  if (typeof next !== 'string' || next === '') {
    throw pageError('cursor-missing', `page ${number} says has_more but gives no next_cursor`, facts);
  }
  if (!next.isWellFormed() || next.length > longestCursor) {
    throw pageError('cursor-missing', `page ${number} gives a next_cursor that cannot be sent back`, facts);
  }
  return { data: value['data'], next, facts };
}

function pageError(code: GeneratorError['code'], what: string, facts: AnswerFacts): GeneratorError {
  return new GeneratorError(code, what, {
    operation,
    ...identityOf(facts),
    help:
      code === 'source-not-json' || code === 'catalog-malformed'
        ? 'Something between here and the router may be answering in its place; check the address.'
        : 'The catalog cannot be read completely, so nothing was generated from it.',
  });
}

function identityOf(facts: AnswerFacts): { status: number; requestId?: string } {
  return { status: facts.status, ...(facts.requestId === undefined ? {} : { requestId: facts.requestId }) };
}
