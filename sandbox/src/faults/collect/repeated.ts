import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import {
  type Answer,
  parseBody,
  putTogether,
  refusal,
  rewriteAnswer,
  takeApart,
  touches,
  withText,
} from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';
import { operationOf, requestIdOf } from '../making/operation-match.ts';

const on = ['collectRequest'] as const;

const withSpace = (answer: Answer): Answer => withText(answer, `${new TextDecoder().decode(answer.body)} `);

/** Results of requests that were submitted under a key are written differently. */
const differsUnderKeys: Decorator = (app) => {
  const keyed = new Set<string>();
  return async (request) => {
    const answer = await takeApart(await app(request));
    const body = operationOf(request) === 'submitRequest' ? parseBody(answer) : undefined;
    if (requestKey(request) !== undefined && isJsonObject(body)) keyed.add(String(body['request_id']));
    const isSuch = touches({ on }, request) && answer.status === 200 && keyed.has(requestIdOf(request) ?? '');
    return putTogether(isSuch && parseBody(answer) !== undefined ? withSpace(answer) : answer);
  };
};

const differsLater: Decorator = (app, context) => {
  const collected = new Set<string>();
  return rewriteAnswer({ on, status: 200 }, (answer, { request }) => {
    const id = requestIdOf(request) ?? '';
    if (collected.has(id) && parseBody(answer) !== undefined) return withSpace(answer);
    collected.add(id);
    return answer;
  })(app, context);
};

export const collectRepeatedFaults: readonly Fault[] = [
  {
    id: 'collect.result.differs-under-a-key',
    requirements: ['MR-COL-06'],
    description: 'The result of a request that was submitted under a key has one byte more.',
    decorate: differsUnderKeys,
  },
  {
    id: 'collect.result.differs-the-second-time',
    requirements: ['MR-COL-06'],
    description: 'A result that is collected again has one byte more.',
    decorate: differsLater,
    trips: ['MR-CAN-13'],
  },
  {
    id: 'collect.pending.not-found-while-it-runs',
    requirements: ['MR-COL-09'],
    description: 'A request that is running, not waiting, is answered with 404.',
    decorate: rewriteAnswer({ on, status: 202 }, (answer, { context }) => {
      const body = parseBody(answer);
      const isWaiting = isJsonObject(body) && body['queue_position'] !== undefined;
      return isWaiting ? answer : refusal(answer, context, { status: 404, category: 'request_not_found' });
    }),
  },
];
