import pMap from 'p-map';
import type { Brand } from '../../../specs/src/index.ts';
import { type ModelId, pathOf } from '../catalog/model-id.ts';
import type { Progress } from '../config.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { digestOf } from '../digest.ts';
import type { Spool } from '../ports.ts';
import { looksLikeObject, parseJsonBody } from '../source/json-body.ts';
import type { Source, SourceAnswer } from '../source/source.ts';
import type { Known } from './cache-index.ts';
import { entityTagNotes, readEntityTag } from './entity-tag-notes.ts';
import { failedAnswer, failureOf, notAsked, notJson } from './fetch-failure.ts';
import { type Gathered, type GatheredModel, gather, type StandingOf, withoutBytes } from './gathered.ts';
import type { SchemaCache } from './schema-cache.ts';
import type { SchemaSnapshot } from './schema-snapshot.ts';

type Context = {
  source: Source;
  cache: SchemaCache;
  spool: Spool;
  standingOf: StandingOf;
  brand: Brand;
  concurrency: number;
  onProgress: Progress;
};
type Tally = { asked: number; notModified: number; fetched: number; unreachableInARow: number; lostMs: number };

const unreachableAtMost = 5;
/** What failed answers, their deadlines and the waits between them may cost a run, added up over all models. */
const lostAtMostMs = 15 * 60_000;

/** One conditional GET per model (MR-SCH-03, MR-SCH-24). A model that fails is a diagnostic; a source that is gone ends the run. */
export async function fetchSchemas(models: readonly ModelId[], context: Context): Promise<Gathered> {
  const tally: Tally = { asked: 0, notModified: 0, fetched: 0, unreachableInARow: 0, lostMs: 0 };
  let done = 0;
  const results = await pMap(
    models,
    async (model): Promise<GatheredModel> => {
      const result = await fetchSchema(model, context, tally);
      context.onProgress({ phase: 'schemas', done: ++done, total: models.length, model });
      return result;
    },
    { concurrency: context.concurrency },
  );
  const { asked, notModified, fetched } = tally;
  return gather(models, results, { asked, notModified, fetched });
}

async function fetchSchema(model: ModelId, context: Context, tally: Tally): Promise<GatheredModel> {
  if (tally.lostMs > lostAtMostMs) return { failure: notAsked(model, tally.lostMs) };
  const known = context.cache.find(model);
  const first = await ask(model, { context, tally, entityTag: known?.entityTag });
  if (first.kind !== 'answer' || first.status !== 304) return read(model, first, { context, tally, known });
  const kept = known?.entityTag === undefined ? undefined : await fromCache(model, known, context);
  if (kept !== undefined) {
    tally.notModified++;
    return kept;
  }
  // A 304 for something we do not hold helps nobody: ask again, without any tag.
  return read(model, await ask(model, { context, tally, entityTag: undefined }), { context, tally, known });
}

async function fromCache(model: ModelId, known: Known, context: Context): Promise<GatheredModel | undefined> {
  const { entityTag, digest } = known;
  const done = withoutBytes(model, known, context.standingOf);
  if (done !== undefined) return done;
  const bytes = await context.cache.load(digest);
  return bytes === undefined
    ? undefined
    : { snapshot: { modelId: model, entityTag, digest, read: context.spool.keep(bytes), origin: 'unchanged' } };
}

function read(
  model: ModelId,
  answer: SourceAnswer,
  how: { context: Context; tally: Tally; known: Known | undefined },
): GatheredModel {
  if (answer.kind !== 'answer' || answer.status !== 200) return { failure: failure(model, answer, how) };
  const body = looksLikeObject(answer.bytes)
    ? undefined
    : parseJsonBody(answer.bytes, answer.headers.get('content-type'));
  // Kept out of the cache: what stands there stays good for runs that ask nobody.
  if (body?.kind === 'not-json')
    return { failure: notJson(model, answer, { because: body.because, brand: how.context.brand }) };
  how.tally.fetched++;
  const { entityTag, notes } = readEntityTag(model, answer.headers.get('etag'));
  const snapshot: SchemaSnapshot = {
    modelId: model,
    entityTag,
    read: how.context.spool.keep(answer.bytes),
    digest: digestOf(answer.bytes),
    origin: 'fetched',
  };
  return { snapshot, notes: [...notes, ...entityTagNotes(snapshot, how.known)] };
}

async function ask(
  model: ModelId,
  how: { context: Context; tally: Tally; entityTag: string | undefined },
): Promise<SourceAnswer> {
  how.tally.asked++;
  const headers: Record<string, string> = how.entityTag === undefined ? {} : { 'if-none-match': how.entityTag };
  const began = how.context.source.now();
  const answer = await how.context.source.get(`/v2/models/${pathOf(model)}/openapi.json`, headers);
  if (answer.kind !== 'answer' || answer.status >= 400) how.tally.lostMs += how.context.source.now() - began;
  const unreachable = answer.kind === 'no-answer' && answer.because !== 'too-large';
  how.tally.unreachableInARow = unreachable ? how.tally.unreachableInARow + 1 : 0;
  return answer;
}

function failure(
  model: ModelId,
  answer: SourceAnswer,
  { context, tally }: { context: Context; tally: Tally },
): Diagnostic {
  const error = failedAnswer(model, answer, context);
  const refused = answer.kind === 'answer' && answer.status === 401;
  const gone = answer.kind === 'no-answer' && answer.because === 'refused';
  if (refused || gone || tally.unreachableInARow >= unreachableAtMost) throw error;
  const isTooLarge = answer.kind === 'no-answer' && answer.because === 'too-large';
  return failureOf(error, isTooLarge ? 'document-too-large' : 'document-not-read', model);
}
