import type { Brand } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import { type Diagnostic, GeneratorError } from '../diagnostics.ts';
import { describeFacts, factsOf } from '../source/answer-facts.ts';
import type { Source, SourceAnswer } from '../source/source.ts';
import { sourceError } from '../source/source-error.ts';

type Context = { readonly brand: Brand; readonly source: Source };

const operation = 'readSchemaDocument';
const keeps = 'The model keeps its last good output, if it has one.';

/** What an answer that is no document of the model says, as the error it would end a run with. */
export function failedAnswer(model: ModelId, answer: SourceAnswer, { brand, source }: Context): GeneratorError {
  if (answer.kind !== 'answer' || answer.status !== 304)
    return sourceError(answer, { operation, model, brand, baseUrl: source.baseUrl });
  const { requestId } = factsOf(answer, brand);
  return new GeneratorError('source-refused', 'status 304 for a request without an entity tag', {
    operation,
    model,
    status: answer.status,
    ...(requestId === undefined ? {} : { requestId }),
    help: 'The source calls a document unchanged that was asked for as a whole.',
  });
}

export function failureOf(error: GeneratorError, code: string, model: ModelId): Diagnostic {
  const { message, requestId } = error;
  const from = requestId === undefined ? '' : ` (request id ${requestId})`;
  const help = error.help === undefined ? keeps : `${error.help} ${keeps}`;
  return { severity: 'error', code, model, message: `${operation}: ${message}${from}`, help };
}

/** A 200 that brought something else than JSON, a page for people mostly. */
export function notJson(
  model: ModelId,
  answer: Extract<SourceAnswer, { kind: 'answer' }>,
  { because, brand }: { because: string; brand: Brand },
): Diagnostic {
  const facts = factsOf(answer, brand);
  const error = new GeneratorError(
    'source-not-json',
    `the document is not JSON: ${because} (${describeFacts(facts)})`,
    {
      operation,
      ...(facts.requestId === undefined ? {} : { requestId: facts.requestId }),
      help: 'Something between here and the router may be answering in its place.',
    },
  );
  return failureOf(error, 'document-not-json', model);
}

export function notAsked(model: ModelId, lostMs: number): Diagnostic {
  const error = new GeneratorError(
    'source-unavailable',
    `not asked for any more: answers that failed have cost ${Math.round(lostMs / 60_000)} minutes`,
    { operation, help: 'The source is busy or down for now; run again later.' },
  );
  return failureOf(error, 'document-not-read', model);
}
