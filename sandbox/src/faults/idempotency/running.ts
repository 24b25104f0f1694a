import type { Decorator, Fault } from '../decorator.ts';
import {
  putTogether,
  refusal,
  rewriteAnswer,
  takeApart,
  touches,
  withHeader,
  withText,
} from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';
import { whenTold } from '../making/told-run.ts';
import { renameKey } from '../run/keys.ts';

const on = ['runModel', 'submitRequest'] as const;

const running = { on, status: 409 } as const;

function isCalled(answer: { headers: Headers }, brandedErrorType: string, category: string): boolean {
  return answer.headers.get(brandedErrorType) === category;
}

/** The 409 of a key whose first call still runs. */
function whileRunning(change: Parameters<typeof rewriteAnswer>[1]): Decorator {
  return rewriteAnswer(running, (answer, around) =>
    isCalled(answer, `x-${around.context.brand.toLowerCase()}-error-type`, 'concurrency_limit_exceeded')
      ? change(answer, around)
      : answer,
  );
}

const withoutWait: Parameters<typeof rewriteAnswer>[1] = (answer) => {
  const headers = new Headers(answer.headers);
  headers.delete('retry-after');
  return { ...answer, headers };
};

/** A key names a call for as long as the call runs only: retries under way start another one. */
const startsAgainWhileRunning: Decorator = (app, context) => {
  const held = new Set<string>();
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on }, request)) return app(request);
    if (held.has(key)) return renameKey((name) => `${name}-beside`)(app, context)(request);
    held.add(key);
    try {
      return await app(request);
    } finally {
      held.delete(key);
    }
  };
};

/** One call at a time, whichever keys they have. */
const oneAtATime: Decorator = (app, context) => {
  let isBusy = false;
  return async (request) => {
    if (requestKey(request) === undefined || !touches({ on: ['runModel'] }, request)) return app(request);
    if (isBusy) {
      const answer = await takeApart(await renameKey(() => undefined)(app, context)(request));
      const busy = refusal(answer, context, { status: 409, category: 'concurrency_limit_exceeded' });
      return putTogether(withHeader(busy, 'Retry-After', '1'));
    }
    isBusy = true;
    try {
      return await app(request);
    } finally {
      isBusy = false;
    }
  };
};

export const runningKeyFaults: readonly Fault[] = [
  {
    id: 'idempotency.running.dispatched-again',
    requirements: ['MR-IDM-04', 'MR-RUN-46'],
    description: 'A retry while the first call runs is dispatched beside it.',
    decorate: startsAgainWhileRunning,
  },
  {
    id: 'idempotency.running.as-429',
    requirements: ['MR-IDM-04', 'MR-STC-06'],
    description: 'A retry while the first call runs is answered with 429.',
    decorate: whileRunning((answer) => ({ ...answer, status: 429 })),
  },
  {
    id: 'idempotency.running.as-conflict',
    requirements: ['MR-IDM-04'],
    description: 'A retry while the first call runs is called invalid_input.',
    decorate: whileRunning((answer, { context }) =>
      refusal(answer, context, { status: 409, category: 'invalid_input' }),
    ),
  },
  {
    id: 'idempotency.running.no-retry-after',
    requirements: ['MR-IDM-05', 'MR-RUN-47'],
    description: 'The 409 of a running call does not say when to come back.',
    decorate: whileRunning(withoutWait),
  },
  {
    id: 'idempotency.running.retry-after-in-words',
    requirements: ['MR-HDR-15'],
    description: 'Retry-After of a running call is soon.',
    decorate: whileRunning((answer) => withHeader(answer, 'Retry-After', 'soon')),
  },
  {
    id: 'idempotency.running.other-body-waits',
    requirements: ['MR-IDM-16', 'MR-IDM-27', 'MR-CTG-04'],
    description: 'Another body under the key of a running call is told to wait.',
    decorate: whenTold(
      ({ input }) => input['note'] === 'another',
      (answer, { context }) =>
        answer.status === 409
          ? withHeader(
              refusal(answer, context, { status: 409, category: 'concurrency_limit_exceeded' }),
              'Retry-After',
              '1',
            )
          : answer,
    ),
  },
  {
    id: 'idempotency.running.holds-up-everybody',
    requirements: ['MR-IDM-32'],
    description: 'While a keyed call runs, calls with other keys are told to wait.',
    decorate: oneAtATime,
    trips: ['MR-CTG-04'],
  },
  {
    id: 'idempotency.running.first-call-cut-off',
    requirements: ['MR-RUN-03'],
    description: 'A call that takes longer is answered with 202 and no result.',
    decorate: whenTold(
      ({ input }) => input['note'] === 'held',
      (answer) => (answer.status === 200 ? { ...withText(answer, '{}'), status: 202 } : answer),
    ),
    trips: ['MR-CAN-03'],
  },
  {
    id: 'idempotency.running.forgotten-at-the-end',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    description: 'What took longer is run again when it is asked for again.',
    decorate: (app, context) => {
      const seen = new Set<string>();
      return async (request) => {
        const key = requestKey(request);
        if (key?.startsWith('key-running-') !== true) return app(request);
        const response = await renameKey((name) => (seen.has(key) ? `${name}-anew` : name))(app, context)(request);
        if (response.status === 200) seen.add(key);
        return response;
      };
    },
  },
];
