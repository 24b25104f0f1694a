import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import {
  headerOf,
  parseBody,
  putTogether,
  refusal,
  rewriteJson,
  takeApart,
  touches,
  withHeader,
} from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';
import { requestIdOf } from '../making/operation-match.ts';
import { renameKey } from '../run/keys.ts';

type Operations = readonly ('runModel' | 'submitRequest')[];
const posts: Operations = ['runModel', 'submitRequest'];

function isOf(request: Request, alias: string): boolean {
  return request.headers.get('x-api-key')?.endsWith(`-${alias}`) === true;
}

/** A request whose key is kept apart from that of all others. */
const apart = (isSuch: (request: Request) => boolean, on: Operations = posts): Decorator =>
  renameKey((key, request) => (touches({ on }, request) && isSuch(request) ? `${key}-apart` : key));

function namesInQuery(name: string): (request: Request) => boolean {
  return (request) => new URL(request.url).searchParams.has(name);
}

type Known = { readonly response: Response; readonly body: string };

async function repeated(known: Known, context: Parameters<Decorator>[1]): Promise<Response> {
  const answer = withHeader(await takeApart(known.response.clone()), 'Idempotent-Replayed', 'true');
  return putTogether(withHeader(answer, headerOf({ branded: 'Request-Id' }, context), crypto.randomUUID()));
}

/** Gives the first result of a key again to whoever `isSuch`, whatever the application would say. */
const givesAgain = (isSuch: (request: Request, response: Response) => boolean): Decorator => {
  return (app, context) => {
    const kept = new Map<string, Known>();
    return async (request) => {
      const key = requestKey(request);
      if (key === undefined || !touches({ on: ['runModel'] }, request)) return app(request);
      const [untouched, body] = [request.clone(), await request.clone().text()];
      const response = await app(request);
      const known = kept.get(key);
      if (known === undefined && response.status === 200) kept.set(key, { response: response.clone(), body });
      return known !== undefined && isSuch(untouched, response) ? repeated(known, context) : response;
    };
  };
};

/** After a conflict the key means nothing to the application any more. */
const forgottenAfterConflict: Decorator = (app, context) => {
  const lost = new Set<string>();
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on: ['submitRequest'] }, request)) return app(request);
    if (lost.has(key)) return renameKey(() => `${key}-lost`)(app, context)(request);
    const response = await app(request);
    if (response.status === 409) lost.add(key);
    return response;
  };
};

/** The second of two different requests conflicts, the third is run. */
const conflictsOnce: Decorator = (app, context) => {
  const seen = new Set<string>();
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on: ['runModel'] }, request)) return app(request);
    const again = request.clone();
    const response = await app(request);
    if (response.status !== 409) return response;
    const { error_type: category } = await response.clone().json();
    if (category !== 'invalid_input' || !seen.has(key)) {
      seen.add(key);
      return response;
    }
    return renameKey(() => undefined)(app, context)(again);
  };
};

const heldAfter = (status: number): Decorator => {
  return (app, context) => {
    const held = new Set<string>();
    return async (request) => {
      const key = requestKey(request);
      if (key === undefined || !touches({ on: posts }, request)) return app(request);
      const response = await app(request);
      if (held.has(key) && response.status < 300)
        return putTogether(refusal(await takeApart(response), context, { status: 409, category: 'invalid_input' }));
      if (response.status === status) held.add(key);
      return response;
    };
  };
};

const recordsRefusals: Decorator = (app) => {
  const refused = new Set<string>();
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on: posts }, request)) return app(request);
    const call = `${key} ${await request.clone().text()}`;
    const response = await app(request);
    if (response.status !== 422 || !refused.has(call)) {
      if (response.status === 422) refused.add(call);
      return response;
    }
    return putTogether(withHeader(await takeApart(response), 'Idempotent-Replayed', 'true'));
  };
};

/** The status of a request names the key under which it was submitted. */
const tellsTheKey: Decorator = (app, context) => {
  const keys = new Map<string, string>();
  const told = rewriteJson({ on: ['readStatus'], status: 200 }, (body, { request }) => {
    const key = keys.get(requestIdOf(request) ?? '');
    return key === undefined ? body : { ...body, client_reference: key };
  })(app, context);
  return async (request) => {
    const key = requestKey(request);
    const response = await told(request);
    if (key === undefined || !touches({ on: ['submitRequest'] }, request)) return response;
    const answer = await takeApart(response);
    const body = parseBody(answer);
    if (isJsonObject(body)) keys.set(String(body['request_id']), key);
    return putTogether(answer);
  };
};

export const callerKeyFaults: readonly Fault[] = [
  {
    id: 'idempotency.caller.token-has-keys-of-its-own',
    requirements: ['MR-IDM-40'],
    description: 'A key that was sent beside X-API-Key is unknown when the same credential comes as a token.',
    decorate: apart((request) => !request.headers.has('x-api-key')),
  },
  {
    id: 'idempotency.caller.body-of-a-colleague-not-compared',
    requirements: ['MR-IDM-27', 'MR-IDM-40'],
    description: 'A colleague gets the result of a key whatever the body.',
    decorate: givesAgain((request, { status }) => status === 409 && isOf(request, 'colleague')),
  },
  {
    id: 'idempotency.caller.colleague-queues-again',
    requirements: ['MR-IDM-40'],
    description: 'A colleague under the same key queues a second request.',
    decorate: apart((request) => isOf(request, 'colleague'), ['submitRequest']),
  },
  {
    id: 'idempotency.caller.record-given-to-a-user-outside',
    requirements: ['MR-IDM-41'],
    description: 'A user without a workspace gets the result that a workspace has under the same key.',
    decorate: givesAgain((request, { status }) => status === 200 && isOf(request, 'solo')),
    trips: ['MR-HDR-14'],
  },
  {
    id: 'idempotency.conflict.fallback-not-compared',
    requirements: ['MR-IDM-26'],
    description: 'That a fallback is named makes no conflict.',
    decorate: apart(namesInQuery('fallback_provider')),
  },
  {
    id: 'idempotency.conflict.provider-not-compared',
    requirements: ['MR-IDM-26'],
    description: 'That a provider is named makes no conflict.',
    decorate: apart(namesInQuery('model_provider')),
  },
  {
    id: 'idempotency.conflict.seen-once',
    requirements: ['MR-IDM-16'],
    description: 'Only the first request that differs is refused.',
    decorate: conflictsOnce,
    trips: ['MR-IDM-01'],
  },
  {
    id: 'idempotency.conflict.forgets-the-submission',
    requirements: ['MR-IDM-01'],
    description: 'After a conflict the original submission is admitted a second time.',
    decorate: forgottenAfterConflict,
  },
  {
    id: 'idempotency.rejection.for-credits-holds-the-key',
    requirements: ['MR-IDM-33'],
    description: 'A submission that was refused for want of credits holds its key.',
    decorate: heldAfter(402),
  },
  {
    id: 'idempotency.rejection.for-access-holds-the-key',
    requirements: ['MR-IDM-33'],
    description: 'A call that was refused for want of access holds its key.',
    decorate: heldAfter(403),
  },
  {
    id: 'idempotency.rejection.is-recorded',
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    description: 'The second of two refusals of one input is marked as a replay.',
    decorate: recordsRefusals,
  },
  {
    id: 'idempotency.submission.status-tells-the-key',
    requirements: ['MR-IDM-39'],
    description: 'The status of a request tells the key of its submission.',
    decorate: tellsTheKey,
  },
];
