import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import {
  type Answer,
  headerOf,
  parseBody,
  putTogether,
  refusal,
  rewriteAnswer,
  setCategory,
  takeApart,
  touches,
  type Where,
  withBody,
  withHeader,
} from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';
import { changeRequest, type RequestChange, rewriteRequest } from '../making/request-rewrite.ts';

const on = ['runModel'] as const;
const ran: Where = { on, status: 200 };
const conflict: Where = { on: ['runModel', 'submitRequest'], status: 409 };

function changeReplays(change: (answer: Answer) => Answer): Decorator {
  return rewriteAnswer(ran, (answer) =>
    answer.headers.get('idempotent-replayed') === 'true' ? change(answer) : answer,
  );
}

type FirstCall = { url: string; body: Uint8Array<ArrayBuffer> };

function likeFirst(request: Request, first: FirstCall, forget: 'body' | 'query' | 'path'): RequestChange {
  if (forget === 'body') return { body: first.body };
  const [was, is] = [new URL(first.url), new URL(request.url)];
  const path = forget === 'path' ? was.pathname : is.pathname;
  const query = forget === 'query' ? was.search : is.search;
  return { url: `${is.origin}${path}${query}` };
}

/** The first call under each key is remembered; a later one is made to look like it in the part that `forget` names. */
function overlook(forget: 'body' | 'query' | 'path'): Decorator {
  return (app) => {
    const firsts = new Map<string, FirstCall>();
    return async (request) => {
      const key = requestKey(request);
      if (key === undefined || !touches({ on: ['runModel', 'submitRequest'] }, request)) return app(request);
      const first = firsts.get(key);
      if (first !== undefined) return app(await changeRequest(request, likeFirst(request, first, forget)));
      firsts.set(key, { url: request.url, body: new Uint8Array(await request.clone().arrayBuffer()) });
      return app(request);
    };
  };
}

function renameKey(rename: (key: string, request: Request) => string | undefined): Decorator {
  return rewriteRequest(['runModel', 'submitRequest'], (request) => {
    const key = requestKey(request);
    return key === undefined ? {} : { headers: { 'idempotency-key': rename(key, request) } };
  });
}

const holdRefusedKeys: Decorator = (app, context) => {
  const held = new Set<string>();
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on }, request)) return app(request);
    const response = await app(request);
    if (!held.has(key)) {
      if (response.status === 400 || response.status === 422) held.add(key);
      return response;
    }
    return putTogether(refusal(await takeApart(response), context, { status: 409, category: 'invalid_input' }));
  };
};

const echoInHeader: Decorator = rewriteAnswer({ on: ['runModel', 'submitRequest'] }, (answer, { request }) => {
  const key = requestKey(request);
  return key === undefined ? answer : withHeader(answer, 'Idempotency-Key', key);
});

const echoInBody: Decorator = rewriteAnswer({ on }, (answer, { request }) => {
  const [key, body] = [requestKey(request), parseBody(answer)];
  return key === undefined || !isJsonObject(body) ? answer : withBody(answer, { ...body, idempotency_key: key });
});

/** Another workspace's keyed call is served as if the main one had made it. */
const oneScopeForAll: Decorator = (app, context) =>
  rewriteRequest(['runModel'], (request) => {
    const isNeighbour = request.headers.get('x-api-key')?.endsWith('-neighbour') === true;
    return isNeighbour && requestKey(request) !== undefined ? { headers: { 'x-api-key': 'sk-sandbox-main' } } : {};
  })(app, context);

const conflictTrips = ['MR-IDM-16', 'MR-RUN-46', 'MR-STC-06', 'MR-CTG-04'];

export const runRetryFaults: readonly Fault[] = [
  {
    id: 'run.retry.not-marked',
    requirements: ['MR-HDR-14', 'MR-IDM-01'],
    description: 'A replayed result is not marked as replayed.',
    decorate: changeReplays((answer) => {
      const headers = new Headers(answer.headers);
      headers.delete('idempotent-replayed');
      return { ...answer, headers };
    }),
    trips: ['MR-IDM-40'],
  },
  {
    id: 'run.retry.runs-again',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    description: 'Idempotency keys are ignored; each retry runs the model again.',
    decorate: renameKey(() => undefined),
    trips: [...conflictTrips, 'MR-SUB-18', 'MR-IDM-25', 'MR-IDM-26', 'MR-IDM-27', 'MR-IDM-40', 'MR-SUB-12'],
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
  },
  {
    id: 'run.first.marked-replayed',
    requirements: ['MR-HDR-14'],
    description: 'Every result is marked as replayed.',
    decorate: rewriteAnswer(ran, (answer) => withHeader(answer, 'Idempotent-Replayed', 'true')),
    trips: ['MR-IDM-32', 'MR-IDM-40'],
  },
  {
    id: 'run.retry.credits-repeated',
    requirements: ['MR-HDR-27'],
    description: 'A replay repeats the credits that the first call used.',
    decorate: rewriteAnswer(ran, (answer, { context }) =>
      withHeader(answer, headerOf({ branded: 'Credits-Used' }, context), '3'),
    ),
  },
  {
    id: 'run.conflict.body-overlooked',
    requirements: ['MR-IDM-27', 'MR-IDM-16'],
    description: 'A key used with another body gives the recorded result.',
    decorate: overlook('body'),
    trips: [...conflictTrips, 'MR-SUB-18'],
  },
  {
    id: 'run.conflict.query-overlooked',
    requirements: ['MR-IDM-26', 'MR-IDM-16'],
    description: 'A key used with another query gives the recorded result.',
    decorate: overlook('query'),
    trips: conflictTrips,
  },
  {
    id: 'run.conflict.model-overlooked',
    requirements: ['MR-IDM-25', 'MR-IDM-16'],
    description: 'A key used on another model gives the recorded result of the first.',
    decorate: overlook('path'),
    trips: conflictTrips,
  },
  {
    id: 'run.conflict.answered-with-422',
    requirements: ['MR-IDM-16', 'MR-RUN-46', 'MR-STC-06'],
    description: 'A key conflict is answered with 422.',
    decorate: rewriteAnswer(conflict, (answer) => ({ ...answer, status: 422 })),
    trips: ['MR-SUB-18'],
  },
  {
    id: 'run.conflict.wrong-category',
    requirements: ['MR-IDM-16', 'MR-CTG-04'],
    description: 'A key conflict is called concurrency_limit_exceeded.',
    decorate: setCategory(conflict, 'concurrency_limit_exceeded'),
    trips: ['MR-SUB-18'],
  },
  {
    id: 'run.key.another-one-replays',
    requirements: ['MR-IDM-32'],
    description: 'A new key with the same body gives the earlier result.',
    decorate: (app, context) => {
      const firstKeys = new Map<string, string>();
      return async (request) => {
        const key = requestKey(request);
        if (key === undefined || !touches({ on }, request)) return app(request);
        const call = `${request.url} ${await request.clone().text()}`;
        const first = firstKeys.get(call) ?? key;
        firstKeys.set(call, first);
        return renameKey(() => first)(app, context)(request);
      };
    },
    trips: ['MR-HDR-14', 'MR-IDM-16', 'MR-IDM-25', 'MR-IDM-26'],
  },
  {
    id: 'run.key.held-after-rejection',
    requirements: ['MR-IDM-33'],
    description: 'A key stays taken after a rejection before dispatch.',
    decorate: holdRefusedKeys,
  },
  {
    id: 'run.key.echoed-in-header',
    requirements: ['MR-IDM-39'],
    description: 'Answers give the Idempotency-Key back in a header.',
    decorate: echoInHeader,
  },
  {
    id: 'run.key.echoed-in-body',
    requirements: ['MR-IDM-39'],
    description: 'JSON answers of a run give the Idempotency-Key back in a member.',
    decorate: echoInBody,
  },
  {
    id: 'run.key.shared-between-workspaces',
    requirements: ['MR-IDM-40'],
    description: 'A key of one workspace gives its result to another.',
    decorate: oneScopeForAll,
  },
  {
    id: 'run.key.bound-to-the-credential',
    requirements: ['MR-IDM-40'],
    description: 'A key works for the credential that sent it only, not for its workspace.',
    decorate: renameKey((key, request) => `${key}-${request.headers.get('x-api-key')?.slice(-9) ?? 'bearer'}`),
  },
];
