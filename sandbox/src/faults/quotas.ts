import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import type { Decorator, Fault } from './decorator.ts';
import {
  type Answer,
  changeStatus,
  headerOf,
  parseBody,
  refusal,
  rewriteAnswer,
  setCategory,
  withBody,
  withHeader,
} from './making/answer-rewrite.ts';
import { modelIdOf } from './making/operation-match.ts';

const spend = (part: string): string => `X-Committed-Spend-${part}`;
const on = ['runModel'] as const;

/** Changes the three figures of an answer that tells them. */
function figures(
  change: (told: {
    limit: number;
    current: number;
    remaining: number;
  }) => Partial<Record<'Limit' | 'Current' | 'Remaining', number>>,
): Decorator {
  return rewriteAnswer({ on }, (answer) => {
    const [limit, current, remaining] = ['Limit', 'Current', 'Remaining'].map((part) =>
      answer.headers.get(spend(part)),
    );
    if (limit == null || current == null || remaining == null) return answer;
    const changed = change({ limit: Number(limit), current: Number(current), remaining: Number(remaining) });
    return Object.entries(changed).reduce(
      (done, [part, value]) => withHeader(done, spend(part), String(value)),
      answer,
    );
  });
}

const submitted = { on: ['submitRequest'], status: (status: number) => status >= 400 } as const;

function handle(change: (body: JsonObject) => JsonObject): Decorator {
  return rewriteAnswer({ on: ['submitRequest'], status: 201 }, (answer, { request }) => {
    const body = parseBody(answer);
    return isJsonObject(body) && modelIdOf(request) === 'sandbox-two/outcomes'
      ? withBody(answer, change(body))
      : answer;
  });
}

/** What was committed for calls that end in such an answer is never released. */
function neverReleasedAfter(ends: (answer: Answer, upstreamStatus: string) => boolean): Decorator {
  return (app, context) => {
    const upstream = headerOf({ branded: 'Upstream-Status' }, context);
    let kept = 0;
    return rewriteAnswer({ on }, (answer) => {
      if (ends(answer, upstream)) kept += 3;
      const limit = Number(answer.headers.get('x-committed-spend-limit'));
      if (!answer.headers.has('x-committed-spend-current')) return answer;
      const current = Number(answer.headers.get('x-committed-spend-current')) + kept;
      const told = withHeader(answer, 'X-Committed-Spend-Current', String(current));
      return withHeader(told, 'X-Committed-Spend-Remaining', String(Math.max(0, limit - current)));
    })(app, context);
  };
}

export const quotaFaults: readonly Fault[] = [
  {
    id: 'quotas.spend.never-reserved',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    description: 'Nothing is committed while calls are under way.',
    decorate: figures(({ limit }) => ({ Current: 0, Remaining: limit })),
  },
  {
    id: 'quotas.spend.never-released',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    description: 'What a call committed stays committed after its end.',
    decorate: (app, context) => {
      let committed = 0;
      return figures(({ limit }) => {
        committed += 1;
        return { Current: committed, Remaining: Math.max(0, limit - committed) };
      })(app, context);
    },
  },
  {
    id: 'quotas.spend.remaining-one-short',
    requirements: ['MR-HDR-20'],
    description: 'A cent is missing between limit, current and remaining.',
    decorate: figures(({ remaining }) => ({ Remaining: remaining - 1 })),
  },
  {
    id: 'quotas.spend.remaining-is-the-limit',
    requirements: ['MR-HDR-20'],
    description: 'Remaining is always the whole limit.',
    decorate: figures(({ limit }) => ({ Remaining: limit })),
  },
  {
    id: 'quotas.spend.current-and-remaining-swapped',
    requirements: ['MR-HDR-19', 'MR-HDR-20'],
    description: 'Current and remaining have changed places.',
    decorate: figures(({ current, remaining }) => ({ Current: remaining, Remaining: current })),
  },
  {
    id: 'quotas.spend.in-dollars',
    requirements: ['MR-HDR-19', 'MR-HDR-20'],
    description: 'What is committed is told in whole dollars.',
    decorate: figures(({ current }) => ({ Current: Math.floor(current / 100) })),
    trips: ['MR-HDR-17'],
  },
  {
    id: 'quotas.submit.rate-limit-as-503',
    requirements: ['MR-IDM-10', 'MR-STC-14'],
    description: 'A submission beyond the rate is answered with 503.',
    decorate: rewriteAnswer({ on: ['submitRequest'], status: 429 }, (answer, { context }) =>
      refusal(answer, context, { status: 503, category: 'service_unavailable' }),
    ),
  },
  {
    id: 'quotas.submit.limits-confused',
    requirements: ['MR-IDM-13', 'MR-CTG-13'],
    description: 'A submission above the cap on spend is called rate_limited.',
    decorate: setCategory({ on: ['submitRequest'], status: 429 }, 'rate_limited'),
  },
  {
    id: 'quotas.submit.rate-limit-without-wait',
    requirements: ['MR-IDM-10'],
    description: 'A submission beyond the rate is not told when to come back.',
    decorate: rewriteAnswer({ on: ['submitRequest'], status: 429 }, (answer) => {
      const headers = new Headers(answer.headers);
      headers.delete('retry-after');
      return { ...answer, headers };
    }),
  },
  {
    id: 'quotas.submit.credits-as-403',
    requirements: ['MR-SUB-15', 'MR-STC-03'],
    description: 'A submission without credits is answered with 403.',
    decorate: changeStatus({ ...submitted, status: 402 }, 403),
  },
  {
    id: 'quotas.submit.credits-overlooked',
    requirements: ['MR-SUB-15', 'MR-STC-03'],
    description: 'A submission without credits is called forbidden.',
    decorate: rewriteAnswer({ on: ['submitRequest'], status: 402 }, (answer, { context }) =>
      refusal(answer, context, { status: 402, category: 'forbidden' }),
    ),
  },
  {
    id: 'quotas.position.always-at-the-front',
    requirements: ['MR-QUE-09'],
    description: 'Every request that waits is at position 0.',
    decorate: handle((body) => ('queue_position' in body ? { ...body, queue_position: 0 } : body)),
  },
  {
    id: 'quotas.spend.never-released-after-failures',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    description: 'What a failed call committed stays committed.',
    decorate: neverReleasedAfter(({ status, headers }, upstream) => status >= 400 && headers.has(upstream)),
  },
  {
    id: 'quotas.spend.never-released-after-replays',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    description: 'Each replay commits what the call would have cost, for good.',
    decorate: neverReleasedAfter(({ headers }) => headers.get('idempotent-replayed') === 'true'),
  },
  {
    id: 'quotas.spend.never-released-after-refusals',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    description: 'A call whose input is refused stays committed.',
    decorate: neverReleasedAfter(({ status, headers }, upstream) => status === 422 && !headers.has(upstream)),
  },
];
