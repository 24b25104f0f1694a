import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { parseBody, putTogether, refusal, rewriteAnswer, takeApart } from '../making/answer-rewrite.ts';
import { operationOf, requestIdOf } from '../making/operation-match.ts';
import { changeRequest } from '../making/request-rewrite.ts';

/** Whatever the same caller submitted last is withdrawn as well. */
const newestAsWell: Decorator = (app) => {
  const newest = new Map<string, string>();
  return async (request) => {
    const caller = request.headers.get('x-api-key') ?? '';
    const last = newest.get(caller);
    if (operationOf(request) === 'cancelRequest' && last !== undefined && !request.url.includes(last)) {
      const url = request.url.replace(requestIdOf(request) ?? '', last);
      await app(await changeRequest(request.clone(), { url }));
    }
    const answer = await takeApart(await app(request));
    const body = operationOf(request) === 'submitRequest' && answer.status === 201 ? parseBody(answer) : undefined;
    if (isJsonObject(body)) newest.set(caller, String(body['request_id']));
    return putTogether(answer);
  };
};

/** A cancellation that comes too late still throws away what nobody collected. */
const throwsAway: Decorator = (app, context) => {
  const gone = new Set<string>();
  const marked = rewriteAnswer({ on: ['cancelRequest'], status: 409 }, (answer, { request }) => {
    gone.add(requestIdOf(request) ?? '');
    return answer;
  })(app, context);
  return rewriteAnswer({ on: ['collectRequest'], status: 200 }, (answer, { request }) =>
    gone.has(requestIdOf(request) ?? '') ? refusal(answer, context, { status: 410, category: 'cancelled' }) : answer,
  )(marked, context);
};

export const cancelOthersFaults: readonly Fault[] = [
  {
    id: 'cancel.pending.takes-the-newest-along',
    requirements: ['MR-CAN-03', 'MR-CTG-20'],
    description: 'A cancellation withdraws the request that was submitted last as well.',
    decorate: newestAsWell,
  },
  {
    id: 'cancel.completed.throws-the-result-away',
    requirements: ['MR-CAN-13'],
    description: 'After a cancellation that came too late the result cannot be collected.',
    decorate: throwsAway,
  },
];
