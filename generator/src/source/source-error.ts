import type { Brand } from '../../../specs/src/index.ts';
import { GeneratorError } from '../diagnostics.ts';
import { describeFacts, factsOf } from './answer-facts.ts';
import type { SourceAnswer } from './source.ts';

type Context = { operation: string; brand: Brand; baseUrl: string; model?: string };

/** The error that an answer other than the wanted one ends the run with (MR-CAT-58: a 503 is no empty catalog). */
export function sourceError(answer: SourceAnswer, context: Context): GeneratorError {
  const base = { operation: context.operation, ...(context.model === undefined ? {} : { model: context.model }) };
  if (answer.kind === 'redirect-refused') {
    return new GeneratorError('redirect-refused', `redirected to another origin, ${answer.origin}`, {
      ...base,
      status: answer.status,
      help: 'The credential is sent to the configured origin only. Configure the final address if it is the right one.',
    });
  }
  if (answer.kind === 'no-answer') {
    return new GeneratorError('source-unreachable', `the source is not reachable (${answer.detail})`, {
      ...base,
      help: `Is the router running at ${context.baseUrl}?`,
    });
  }
  const facts = factsOf(answer, context.brand);
  const { code, help } = meaningOf(answer.status);
  return new GeneratorError(code, describeFacts(facts), {
    ...base,
    status: facts.status,
    ...(facts.requestId === undefined ? {} : { requestId: facts.requestId }),
    help,
  });
}

function meaningOf(status: number): { code: GeneratorError['code']; help: string } {
  if (status === 401) {
    return { code: 'source-unauthorised', help: 'The credential is missing or was refused; it was not tried again.' };
  }
  if (status === 403) {
    return { code: 'source-forbidden', help: 'The credential is valid but may not read this; it was not tried again.' };
  }
  if (status === 429 || status === 503) {
    return { code: 'source-unavailable', help: 'The source is busy or down for now; run again later.' };
  }
  return { code: 'source-refused', help: 'Does the configured address belong to a model router?' };
}
