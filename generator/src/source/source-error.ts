import type { Brand } from '../../../specs/src/index.ts';
import { GeneratorError } from '../diagnostics.ts';
import { describeFacts, factsOf } from './answer-facts.ts';
import type { SourceAnswer } from './source.ts';

type NoAnswer = Extract<SourceAnswer, { kind: 'no-answer' }>['because'];

type Context = { operation: string; brand: Brand; baseUrl: string; model?: string };

/** The error that an answer other than the wanted one ends the run with (MR-CAT-58: a 503 is no empty catalog). */
export function sourceError(answer: SourceAnswer, context: Context): GeneratorError {
  const base = { operation: context.operation, ...(context.model === undefined ? {} : { model: context.model }) };
  if (answer.kind === 'redirect-refused') {
    const { requestId } = factsOf({ ...answer, bytes: new Uint8Array() }, context.brand);
    return new GeneratorError('redirect-refused', `redirected to another origin, ${answer.origin}`, {
      ...base,
      status: answer.status,
      ...(requestId === undefined ? {} : { requestId }),
      help: 'The credential is sent to the configured origin only. Configure the final address if it is the right one.',
    });
  }
  if (answer.kind === 'no-answer') {
    const { what, help } = wordsFor[answer.because];
    return new GeneratorError('source-unreachable', `${what} (${answer.detail})`, {
      ...base,
      help: help.replace('{address}', () => context.baseUrl),
    });
  }
  const facts = factsOf(answer, context.brand);
  const { code, help } = meaningOf(answer.status, context.model);
  return new GeneratorError(code, describeFacts(facts), {
    ...base,
    status: facts.status,
    ...(facts.requestId === undefined ? {} : { requestId: facts.requestId }),
    help,
  });
}

const wordsFor: Record<NoAnswer, { what: string; help: string }> = {
  refused: { what: 'the source is not reachable', help: 'Is the router running at {address}?' },
  reset: {
    what: 'the connection was lost each time',
    help: 'The network, or something in front of {address}, closes connections; run again later.',
  },
  deadline: {
    what: 'the source took too long each time',
    help: 'The network, or the router at {address}, is slow for now; run again later.',
  },
  'too-large': {
    what: 'the answer is too large',
    help: 'Nothing of this size is read; no document of a model needs it.',
  },
  failed: {
    what: 'the answer cannot be read',
    help: 'Something between here and the router at {address} may be answering in its place; check the address.',
  },
};

function meaningOf(status: number, model: string | undefined): { code: GeneratorError['code']; help: string } {
  if (status === 401) {
    return { code: 'source-unauthorised', help: 'The credential is missing or was refused; it was not tried again.' };
  }
  if (status === 403) {
    return { code: 'source-forbidden', help: 'The credential is valid but may not read this; it was not tried again.' };
  }
  if (status === 429 || status === 503) {
    return { code: 'source-unavailable', help: 'The source is busy or down for now; run again later.' };
  }
  if (status >= 500) {
    return {
      code: 'source-refused',
      help: 'The source failed; run again later, and tell its operators the request id when it stays so.',
    };
  }
  const help =
    model === undefined
      ? 'Does the configured address belong to a model router?'
      : 'The catalog lists the model, but the router does not serve its document.';
  return { code: 'source-refused', help };
}
