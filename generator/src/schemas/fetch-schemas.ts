import pMap from 'p-map';
import type { Brand } from '../../../specs/src/index.ts';
import { type ModelId, pathOf } from '../catalog/model-id.ts';
import type { Progress } from '../config.ts';
import { type Diagnostic, GeneratorError } from '../diagnostics.ts';
import { digestOf } from '../digest.ts';
import type { Source, SourceAnswer } from '../source/source.ts';
import { sourceError } from '../source/source-error.ts';
import type { SchemaCache } from './schema-cache.ts';
import type { SchemaSnapshot } from './schema-snapshot.ts';

export type Fetched = {
  snapshots: readonly SchemaSnapshot[];
  /** Models without a document, each with its error diagnostic. */
  failed: readonly ModelId[];
  diagnostics: readonly Diagnostic[];
  requests: { asked: number; notModified: number; fetched: number };
};
type Context = {
  source: Source;
  cache: SchemaCache;
  brand: Brand;
  concurrency: number;
  onProgress: Progress;
};
type Tally = { asked: number; notModified: number; fetched: number; unreachableInARow: number };
type Result = { snapshot: SchemaSnapshot } | { diagnostic: Diagnostic };

const unreachableAtMost = 5;

/** One conditional GET per model (MR-SCH-03, MR-SCH-24). A model that fails is a diagnostic; a source that is gone ends the run. */
export async function fetchSchemas(models: readonly ModelId[], context: Context): Promise<Fetched> {
  const tally: Tally = { asked: 0, notModified: 0, fetched: 0, unreachableInARow: 0 };
  let done = 0;
  const results = await pMap(
    models,
    async (model): Promise<Result> => {
      const result = await fetchSchema(model, context, tally);
      context.onProgress({ phase: 'schemas', done: ++done, total: models.length, model });
      return result;
    },
    { concurrency: context.concurrency },
  );
  return {
    snapshots: results.flatMap((result) => ('snapshot' in result ? [result.snapshot] : [])),
    failed: models.filter((_, index) => results[index] !== undefined && 'diagnostic' in results[index]),
    diagnostics: results.flatMap((result) => ('diagnostic' in result ? [result.diagnostic] : [])),
    requests: { asked: tally.asked, notModified: tally.notModified, fetched: tally.fetched },
  };
}

async function fetchSchema(model: ModelId, context: Context, tally: Tally): Promise<Result> {
  const cached = context.cache.find(model);
  const first = await ask(model, { context, tally, entityTag: cached?.entityTag });
  if (first.kind === 'answer' && first.status === 304 && cached !== undefined) {
    tally.notModified++;
    return { snapshot: { modelId: model, ...cached, origin: 'unchanged' } };
  }
  // A 304 for something we do not hold helps nobody: ask again, without any tag.
  const retried = first.kind === 'answer' && first.status === 304;
  const answer = retried ? await ask(model, { context, tally, entityTag: undefined }) : first;
  if (answer.kind === 'answer' && answer.status === 200) {
    tally.fetched++;
    const entityTag = answer.headers.get('etag');
    const snapshot = { modelId: model, entityTag, bytes: answer.bytes, digest: digestOf(answer.bytes) };
    return { snapshot: { ...snapshot, origin: 'fetched' } };
  }
  return { diagnostic: failure(model, answer, context, tally) };
}

async function ask(
  model: ModelId,
  how: { context: Context; tally: Tally; entityTag: string | undefined },
): Promise<SourceAnswer> {
  how.tally.asked++;
  const headers: Record<string, string> = how.entityTag === undefined ? {} : { 'if-none-match': how.entityTag };
  const answer = await how.context.source.get(`/v2/models/${pathOf(model)}/openapi.json`, headers);
  const unreachable = answer.kind === 'no-answer' && answer.because !== 'too-large';
  how.tally.unreachableInARow = unreachable ? how.tally.unreachableInARow + 1 : 0;
  return answer;
}

function failure(model: ModelId, answer: SourceAnswer, context: Context, tally: Tally): Diagnostic {
  const error = describe(model, answer, context);
  const refused = answer.kind === 'answer' && answer.status === 401;
  const gone = answer.kind === 'no-answer' && answer.because === 'refused';
  if (refused || gone || tally.unreachableInARow >= unreachableAtMost) throw error;
  return {
    severity: 'error',
    code: answer.kind === 'no-answer' && answer.because === 'too-large' ? 'document-too-large' : 'document-not-read',
    model,
    message: describeError(error),
    ...(error.help === undefined ? {} : { help: error.help }),
  };
}

function describe(model: ModelId, answer: SourceAnswer, context: Context): GeneratorError {
  const operation = 'readSchemaDocument';
  if (answer.kind === 'answer' && answer.status === 304) {
    return new GeneratorError('source-refused', `status 304 for a request without an entity tag`, {
      operation,
      model,
    });
  }
  return sourceError(answer, { operation, model, brand: context.brand, baseUrl: context.source.baseUrl });
}

function describeError({ operation, message, requestId }: GeneratorError): string {
  return `${operation}: ${message}${requestId === undefined ? '' : ` (request id ${requestId})`}`;
}
