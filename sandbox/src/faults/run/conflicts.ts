import type { Decorator, Fault } from '../decorator.ts';
import { rewriteAnswer, setCategory, touches, type Where } from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';
import { changeRequest, type RequestChange } from '../making/request-rewrite.ts';

const conflict: Where = { on: ['runModel', 'submitRequest'], status: 409 };

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

export const runConflictFaults: readonly Fault[] = [
  {
    id: 'run.conflict.body-overlooked',
    requirements: ['MR-IDM-27', 'MR-IDM-16'],
    description: 'A key used with another body gives the recorded result.',
    decorate: overlook('body'),
    trips: ['MR-HDR-14', 'MR-IDM-33'],
  },
  {
    id: 'run.conflict.query-overlooked',
    requirements: ['MR-IDM-26', 'MR-IDM-16'],
    description: 'A key used with another query gives the recorded result.',
    decorate: overlook('query'),
  },
  {
    id: 'run.conflict.model-overlooked',
    requirements: ['MR-IDM-25', 'MR-IDM-16'],
    description: 'A key used on another model gives the recorded result of the first.',
    decorate: overlook('path'),
    trips: ['MR-IDM-33'],
  },
  {
    id: 'run.conflict.answered-with-422',
    requirements: ['MR-IDM-16', 'MR-RUN-46', 'MR-STC-06'],
    description: 'A key conflict is answered with 422.',
    decorate: rewriteAnswer(conflict, (answer) => ({ ...answer, status: 422 })),
    trips: ['MR-CTG-05'],
  },
  {
    id: 'run.conflict.wrong-category',
    requirements: ['MR-IDM-16', 'MR-CTG-04'],
    description: 'A key conflict is called concurrency_limit_exceeded.',
    decorate: setCategory(conflict, 'concurrency_limit_exceeded'),
    trips: ['MR-CTG-05'],
  },
];
