import type { Decorator, Fault } from '../decorator.ts';
import {
  type Answer,
  headerOf,
  parseBody,
  refusal,
  rewriteAnswer,
  type Where,
  withHeader,
} from '../making/answer-rewrite.ts';
import { renameKey } from './keys.ts';

const ran: Where = { on: ['runModel'], status: 200 };

function changeReplays(change: (answer: Answer) => Answer): Decorator {
  return rewriteAnswer(ran, (answer) =>
    answer.headers.get('idempotent-replayed') === 'true' ? change(answer) : answer,
  );
}

export const runReplayFaults: readonly Fault[] = [
  {
    id: 'run.retry.not-marked',
    requirements: ['MR-HDR-14', 'MR-IDM-01'],
    description: 'A replayed result is not marked as replayed.',
    decorate: changeReplays((answer) => {
      const headers = new Headers(answer.headers);
      headers.delete('idempotent-replayed');
      return { ...answer, headers };
    }),
    trips: ['MR-IDM-40', 'MR-IDM-41', 'MR-IDM-46', 'MR-IDM-54'],
  },
  {
    id: 'run.retry.runs-again',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    description: 'Idempotency keys are ignored; each retry runs the model again.',
    decorate: renameKey(() => undefined),
    trips: ['MR-CTG-05', 'MR-CTG-16', 'MR-IDM-16', 'MR-IDM-40', 'MR-IDM-41', 'MR-IDM-46', 'MR-IDM-54', 'MR-RUN-46'],
  },
  {
    id: 'run.retry.other-bytes',
    requirements: ['MR-IDM-01'],
    description: 'A replay repeats the result with other white space.',
    decorate: changeReplays((answer) => {
      const body = parseBody(answer);
      return body === undefined
        ? answer
        : { ...answer, body: new TextEncoder().encode(`${JSON.stringify(body, null, 3)}\n`) };
    }),
    trips: ['MR-AST-17', 'MR-IDM-46'],
  },
  {
    id: 'run.retry.refused',
    requirements: ['MR-IDM-01', 'MR-RUN-34'],
    description: 'A retry of a finished call is refused with 409.',
    decorate: rewriteAnswer(ran, (answer, { context }) =>
      answer.headers.get('idempotent-replayed') === 'true'
        ? refusal(answer, context, { status: 409, category: 'invalid_input' })
        : answer,
    ),
    trips: ['MR-AST-17', 'MR-IDM-41', 'MR-IDM-46', 'MR-IDM-54'],
  },
  {
    id: 'run.first.marked-replayed',
    requirements: ['MR-HDR-14'],
    description: 'Every result is marked as replayed.',
    decorate: rewriteAnswer(ran, (answer) => withHeader(answer, 'Idempotent-Replayed', 'true')),
    trips: ['MR-IDM-32', 'MR-IDM-33', 'MR-IDM-40', 'MR-IDM-48'],
  },
  {
    id: 'run.retry.credits-repeated',
    requirements: ['MR-HDR-27'],
    description: 'A replay repeats the credits that the first call used.',
    decorate: rewriteAnswer(ran, (answer, { context }) =>
      withHeader(answer, headerOf({ branded: 'Credits-Used' }, context), '3'),
    ),
  },
];
