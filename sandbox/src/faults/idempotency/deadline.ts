import type { Decorator, Fault } from '../decorator.ts';
import { putTogether, refusal, rewriteAnswer, takeApart, touches, withHeader } from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';
import { whenTold } from '../making/told-run.ts';
import { renameKey } from '../run/keys.ts';

const on = ['runModel', 'submitRequest'] as const;

const withoutWait: Parameters<typeof rewriteAnswer>[1] = (answer) => {
  const headers = new Headers(answer.headers);
  headers.delete('retry-after');
  return { ...answer, headers };
};

/** A 504 forgets its key: the next call begins anew. */
const forgetsAccepted: Decorator = (app, context) => {
  const missed = new Map<string, number>();
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on: ['runModel'] }, request)) return app(request);
    const times = missed.get(key) ?? 0;
    const response = await renameKey((name) => (times === 0 ? name : `${name}-${times}`))(app, context)(request);
    if (response.status === 504) missed.set(key, times + 1);
    return response;
  };
};

function withoutRetry(answer: Parameters<typeof withHeader>[0]): Parameters<typeof withHeader>[0] {
  const headers = new Headers(answer.headers);
  headers.delete('retry-after');
  return { ...answer, headers };
}

/** What was collected once comes with other bytes the next time. */
const collectsAnew: Decorator = (app, context) => {
  const collected = new Set<string>();
  return async (request) => {
    const key = requestKey(request) ?? '';
    return whenTold(
      ({ input }) => input['note'] === 'accepted',
      (answer) => {
        if (answer.headers.get('idempotent-replayed') !== 'true') return answer;
        if (collected.has(key))
          return { ...answer, body: new TextEncoder().encode(`${new TextDecoder().decode(answer.body)}\n`) };
        collected.add(key);
        return answer;
      },
    )(
      app,
      context,
    )(request);
  };
};

export const deadlineKeyFaults: readonly Fault[] = [
  {
    id: 'idempotency.deadline.no-hint',
    requirements: ['MR-IDM-07', 'MR-RUN-60'],
    description: 'A 504 of collectable work does not say when to come back.',
    decorate: rewriteAnswer({ on, status: 504 }, withoutWait),
  },
  {
    id: 'idempotency.deadline.hint-is-a-date',
    requirements: ['MR-IDM-07', 'MR-RUN-60'],
    description: 'Retry-After of a 504 is a date.',
    decorate: rewriteAnswer({ on, status: 504 }, (answer) =>
      answer.headers.has('retry-after') ? withHeader(answer, 'Retry-After', 'Tue, 01 Jan 2030 00:01:00 GMT') : answer,
    ),
  },
  {
    id: 'idempotency.deadline.called-provider-timeout',
    requirements: ['MR-IDM-07', 'MR-CTG-16'],
    description: 'A 504 with work to collect is called provider_timeout.',
    decorate: rewriteAnswer({ on, status: 504 }, (answer, { context }) =>
      answer.headers.has('retry-after')
        ? refusal(answer, context, { status: 504, category: 'provider_timeout' })
        : answer,
    ),
    trips: ['MR-IDM-48'],
  },
  {
    id: 'idempotency.deadline.upstream-is-an-error',
    requirements: ['MR-RUN-59', 'MR-HDR-05'],
    description: 'The upstream status of accepted work is 504.',
    decorate: rewriteAnswer({ on, status: 504 }, (answer, { context }) => {
      const name = `X-${context.brand}-Upstream-Status`;
      return answer.headers.has(name) ? withHeader(answer, name, '504') : answer;
    }),
  },
  {
    id: 'idempotency.deadline.key-forgotten',
    requirements: ['MR-IDM-01', 'MR-IDM-07'],
    description: 'A retry after a 504 dispatches the call again.',
    decorate: forgetsAccepted,
    trips: ['MR-CTG-04', 'MR-CTG-05', 'MR-IDM-54'],
  },
  {
    id: 'idempotency.deadline.early-retry-refused',
    requirements: ['MR-IDM-07'],
    description: 'A retry before accepted work has ended is refused for good.',
    decorate: (app, context) => {
      const missed = new Set<string>();
      return async (request) => {
        const key = requestKey(request);
        if (key === undefined || !touches({ on: ['runModel'] }, request)) return app(request);
        const response = await app(request);
        if (response.status !== 504) return response;
        if (!missed.has(key)) {
          missed.add(key);
          return response;
        }
        return putTogether(
          withoutRetry(refusal(await takeApart(response), context, { status: 410, category: 'invalid_input' })),
        );
      };
    },
    trips: ['MR-IDM-48'],
  },
  {
    id: 'idempotency.deadline.collected-unmarked',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    description: 'Accepted work is collected without being marked as a replay.',
    decorate: whenTold(
      ({ input }) => input['note'] === 'accepted',
      (answer) => {
        const headers = new Headers(answer.headers);
        headers.delete('idempotent-replayed');
        return { ...answer, headers };
      },
    ),
  },
  {
    id: 'idempotency.deadline.collected-anew',
    requirements: ['MR-IDM-01'],
    description: 'Collecting accepted work again gives other bytes.',
    decorate: collectsAnew,
  },
];
