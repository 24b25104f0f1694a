import type { Decorator, Fault } from '../decorator.ts';
import { putTogether, refusal, rewriteAnswer, takeApart, touches, withHeader } from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';
import { rewriteRequest } from '../making/request-rewrite.ts';
import { whenTold } from '../making/told-run.ts';
import { isFile, isReplay } from '../run/files-and-replays.ts';
import { renameKey } from '../run/keys.ts';

const on = ['runModel', 'submitRequest'] as const;

/** A router error holds its key like any answer. */
const holdsFailedKeys: Decorator = (app, context) => {
  const held = new Set<string>();
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on: ['runModel'] }, request)) return app(request);
    const response = await app(request);
    if (held.has(key))
      return putTogether(refusal(await takeApart(response), context, { status: 409, category: 'invalid_input' }));
    if (response.status === 500 || response.status === 503) held.add(key);
    return response;
  };
};

/** What cannot be repeated is run a second time, silently. */
const runsSpentKeysAgain: Decorator = (app, context) => async (request) => {
  if (requestKey(request) === undefined || !touches({ on: ['runModel'] }, request)) return app(request);
  const again = request.clone();
  const response = await app(request);
  if (response.status !== 409) return response;
  const { detail = '' } = await response.clone().json();
  return String(detail).includes('cannot be replayed') ? renameKey(() => undefined)(app, context)(again) : response;
};

const asMainWhen = (ending: string): Decorator =>
  rewriteRequest(['runModel'], (request) =>
    request.headers.get('x-api-key')?.endsWith(ending) && requestKey(request) !== undefined
      ? { headers: { 'x-api-key': 'sk-sandbox-main' } }
      : {},
  );

async function succeeding(request: Request): Promise<Request> {
  await request.arrayBuffer();
  return new Request(request.url, { method: 'POST', headers: request.headers, body: '{}' });
}

export const recordsKeyFaults: readonly Fault[] = [
  {
    id: 'idempotency.rejection.key-held',
    requirements: ['MR-IDM-33'],
    description: 'A failure of the router before dispatch holds the key.',
    decorate: holdsFailedKeys,
  },
  {
    id: 'idempotency.record.spent-key-runs-again',
    requirements: ['MR-IDM-17', 'MR-CTG-05'],
    description: 'A key whose result cannot be repeated runs the model again.',
    decorate: runsSpentKeysAgain,
  },
  {
    id: 'idempotency.record.spent-key-as-404',
    requirements: ['MR-IDM-17', 'MR-CTG-05'],
    description: 'A key whose result cannot be repeated is answered with 410.',
    decorate: rewriteAnswer({ on, status: 409 }, (answer) =>
      new TextDecoder().decode(answer.body).includes('cannot be replayed') ? { ...answer, status: 410 } : answer,
    ),
  },
  {
    id: 'idempotency.record.spent-key-told-to-wait',
    requirements: ['MR-IDM-17'],
    description: 'A key whose result cannot be repeated is told to wait.',
    decorate: rewriteAnswer({ on, status: 409 }, (answer, { context }) =>
      new TextDecoder().decode(answer.body).includes('cannot be replayed')
        ? withHeader(
            refusal(answer, context, { status: 409, category: 'concurrency_limit_exceeded' }),
            'Retry-After',
            '5',
          )
        : answer,
    ),
  },
  {
    id: 'idempotency.record.assets-never-replay',
    requirements: ['MR-IDM-52'],
    description: 'No result with an asset can be repeated, hosted or not.',
    decorate: whenTold(
      ({ input }) => Array.isArray(input['assets']),
      (answer, { context }) =>
        answer.headers.get('idempotent-replayed') === 'true'
          ? refusal(answer, context, { status: 409, category: 'invalid_input' })
          : answer,
    ),
    trips: ['MR-HDR-14'],
  },
  {
    id: 'idempotency.record.long-results-never-replay',
    requirements: ['MR-IDM-01'],
    description: 'Results of more than a hundred thousand bytes cannot be repeated.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 200 }, (answer, { context }) =>
      answer.headers.get('idempotent-replayed') === 'true' && answer.body.length > 100_000
        ? refusal(answer, context, { status: 409, category: 'invalid_input' })
        : answer,
    ),
  },
  {
    id: 'idempotency.record.files-replayed-empty',
    requirements: ['MR-IDM-01'],
    description: 'A replayed file is empty.',
    decorate: whenTold(
      ({ input }) => input['media_type'] !== undefined,
      (answer) =>
        answer.headers.get('idempotent-replayed') === 'true' ? { ...answer, body: new Uint8Array() } : answer,
    ),
  },
  {
    id: 'idempotency.record.refusals-run-again',
    requirements: ['MR-RUN-42', 'MR-RUN-50'],
    description: 'A retry of what the provider refused is answered with a result.',
    decorate: (app, context) => {
      const refused = new Set<string>();
      return async (request) => {
        const key = requestKey(request);
        const text = touches({ on: ['runModel'] }, request) ? await request.clone().text() : '';
        if (key === undefined || !/content_policy|refused_input/.test(text)) return app(request);
        if (refused.has(key)) return renameKey(() => undefined)(app, context)(await succeeding(request));
        refused.add(key);
        return app(request);
      };
    },
  },
  {
    id: 'idempotency.scope.user-as-main',
    requirements: ['MR-IDM-41'],
    description: 'A caller without workspace shares the keys of another workspace.',
    decorate: asMainWhen('-solo'),
  },
  {
    id: 'idempotency.scope.user-has-none',
    requirements: ['MR-IDM-41'],
    description: 'Keys of a caller without workspace are ignored.',
    decorate: rewriteRequest(['runModel'], (request) =>
      request.headers.get('x-api-key')?.endsWith('-solo') ? { headers: { 'idempotency-key': undefined } } : {},
    ),
  },
  {
    id: 'idempotency.path.shared-by-both-routes',
    requirements: ['MR-IDM-25', 'MR-SUB-18'],
    description: 'A key used for a run is free on the queue.',
    decorate: rewriteRequest(['submitRequest'], (request) => {
      const key = requestKey(request);
      return key === undefined ? {} : { headers: { 'idempotency-key': `queue-${key}` } };
    }),
  },
  {
    id: 'idempotency.record.files-replayed-under-another-label',
    requirements: ['MR-IDM-01'],
    description: 'The replay of a file has another media type.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 200 }, (answer) =>
      isReplay(answer) && isFile(answer) ? withHeader(answer, 'Content-Type', 'application/octet-stream') : answer,
    ),
  },
];
