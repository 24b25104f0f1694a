import type { Decorator, Fault } from '../decorator.ts';
import { type AnswerChange, headerOf, refusal, withHeader } from '../making/answer-rewrite.ts';
import { withQuery } from '../making/request-rewrite.ts';
import { bytesOf, isTold, type Order, readAs, whenTold } from '../making/told-run.ts';

import { droppedParams } from './dropped-params.ts';

const mayFallBack = ({ query }: Order): boolean => query.has('fallback_provider');

const without = (request: Request, ...names: readonly string[]): string =>
  withQuery(request, (query) => {
    for (const name of names) query.delete(name);
  });

/** As if the alternate had been asked for from the start. */
const fallBackAlways: Decorator = readAs(mayFallBack, (_, request) => ({
  url: withQuery(request, (query) => {
    query.delete('fallback_provider');
    query.set('model_provider', 'sandbox-two');
  }),
}));

const named: AnswerChange = (answer, { context }) =>
  answer.status === 200
    ? withHeader(answer, headerOf({ branded: 'Router-Fallback-Provider' }, context), 'sandbox-two')
    : answer;

export const fallbackFaults: readonly Fault[] = [
  {
    id: 'providers.fallback.never',
    requirements: ['MR-RUN-10', 'MR-RUN-11'],
    description: 'No failed attempt is retried with another provider.',
    decorate: readAs(mayFallBack, (_, request) => ({ url: without(request, 'fallback_provider') })),
    trips: ['MR-IDM-26'],
  },
  {
    id: 'providers.fallback.unnamed',
    requirements: ['MR-HDR-11', 'MR-HDR-12'],
    description: 'A fallback does not say who served the call.',
    decorate: whenTold(mayFallBack, (answer, { context }) => {
      const headers = new Headers(answer.headers);
      headers.delete(headerOf({ branded: 'Router-Fallback-Provider' }, context));
      return { ...answer, headers };
    }),
  },
  {
    id: 'providers.fallback.names-the-first',
    requirements: ['MR-HDR-12'],
    description: 'A fallback names the provider that failed.',
    decorate: whenTold(mayFallBack, (answer, { context }) => {
      const name = headerOf({ branded: 'Router-Fallback-Provider' }, context);
      return answer.headers.has(name) ? withHeader(answer, name, 'sandbox') : answer;
    }),
  },
  {
    id: 'providers.fallback.claimed-without-one',
    requirements: ['MR-HDR-11'],
    description: 'A call that its own provider served names a fallback.',
    decorate: whenTold(mayFallBack, named),
  },
  {
    id: 'providers.fallback.at-once',
    requirements: ['MR-HDR-11', 'MR-RUN-10'],
    description: 'A call that allows a fallback goes to the second provider at once.',
    decorate: fallBackAlways,
  },
  {
    id: 'providers.fallback.drops-silently',
    requirements: ['MR-HDR-10', 'MR-RUN-22'],
    description: 'What a fallback had to drop is not disclosed.',
    decorate: whenTold(
      mayFallBack,
      droppedParams(() => undefined),
    ),
  },
  {
    id: 'providers.fallback.for-refusals',
    requirements: ['MR-RUN-11', 'MR-RUN-12', 'MR-RUN-13'],
    description: 'A request at fault is tried with another provider.',
    decorate: readAs(
      (order) => mayFallBack(order) && isTold('content_policy_violation', 'refused_input', 'refused_request')(order),
      ({ input }) => ({ body: bytesOf({ ...input, outcome: 'provider_error' }) }),
    ),
  },
  {
    id: 'providers.fallback.unasked',
    requirements: ['MR-RUN-10'],
    description: 'A failed attempt is retried with another provider although nobody allowed it.',
    decorate: readAs(
      (order) => !mayFallBack(order) && isTold('provider_error')(order) && [...order.query.keys()].length === 0,
      (_, request) => ({ url: withQuery(request, (query) => query.set('fallback_provider', 'auto')) }),
    ),
    trips: ['MR-CTG-07'],
  },
  {
    id: 'providers.fallback.second-failure-told',
    requirements: ['MR-RUN-13'],
    description: 'When both providers fail, the failure of the second is told.',
    decorate: whenTold(
      (order) => mayFallBack(order) && order.input['alternate_outcome'] === 'provider_timeout',
      (answer, { context }) => refusal(answer, context, { status: 504, category: 'provider_timeout' }),
    ),
  },
  {
    id: 'providers.fallback.failure-relabelled',
    requirements: ['MR-RUN-13'],
    description: 'A failure that is not retried is told as internal_error.',
    decorate: whenTold(mayFallBack, (answer, { context }) =>
      answer.status >= 400 ? refusal(answer, context, { status: 500, category: 'internal_error' }) : answer,
    ),
    trips: ['MR-IDM-26'],
  },
];
