import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import {
  parseBody,
  putTogether,
  refusal,
  rewriteAnswer,
  takeApart,
  touches,
  withBody,
  withHeader,
} from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';
import { rewriteRequest } from '../making/request-rewrite.ts';

const on = ['runModel'] as const;

export function renameKey(rename: (key: string, request: Request) => string | undefined): Decorator {
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

export const runKeyFaults: readonly Fault[] = [
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
    trips: ['MR-HDR-14', 'MR-IDM-16', 'MR-IDM-33', 'MR-IDM-40'],
  },
  {
    id: 'run.key.held-after-rejection',
    requirements: ['MR-IDM-33'],
    description: 'A key stays taken after a rejection before dispatch.',
    decorate: holdRefusedKeys,
    trips: ['MR-IDM-01'],
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
    trips: ['MR-RUN-23'],
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
    trips: ['MR-IDM-32'],
  },
];
