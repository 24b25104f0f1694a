import { isJsonObject } from '../../../specs/src/index.ts';
import type { ServerRequest } from '../http/messages.ts';
import { onReply, onRequest, setCategory, setStatus, withState } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only } from './builders/fault.ts';
import { holdsKey, readLaterCalls, renameKey } from './builders/idempotency.ts';
import { pathOf } from './builders/operations.ts';
import { jsonOf, withHeader, withJson } from './builders/replies.ts';
import { asMain, bodyTextOf, hasKey, isFrom, keyOf } from './builders/requests.ts';

const queryText = ({ target }: ServerRequest): string => /\?.*$/s.exec(target)?.[0] ?? '';

/** A new key is read as the one that the same call came under first. */
const firstKeyForEqualCalls: Change = withState(() => {
  const firstKeys = new Map<string, string>();
  return renameKey((key, request) => {
    const call = `${request.target} ${bodyTextOf(request)}`;
    const first = firstKeys.get(call) ?? key;
    firstKeys.set(call, first);
    return first;
  });
});

const keyFaults = group({ id: 'run.key', on: ['runModel'], when: hasKey }, [
  fault(
    'another-one-replays',
    'MR-IDM-32',
    'A new key with the same body gives the earlier result',
    firstKeyForEqualCalls,
    {
      alsoViolates: ['MR-HDR-14', 'MR-IDM-16', 'MR-IDM-33', 'MR-IDM-40'],
    },
  ),
  fault(
    'held-after-rejection',
    'MR-IDM-33',
    'A key stays taken after a rejection before dispatch',
    holdsKey(({ status }) => status === 400 || status === 422),
    { alsoViolates: 'MR-IDM-01' },
  ),
  fault(
    'echoed-in-body',
    'MR-IDM-39',
    'JSON results of a run repeat the idempotency key',
    onReply((reply, { request }) => {
      const body = jsonOf(reply);
      return isJsonObject(body) ? withJson(reply, { ...body, idempotency_key: keyOf(request) }) : reply;
    }),
    { alsoViolates: 'MR-RUN-23' },
  ),
  fault(
    'shared-between-workspaces',
    'MR-IDM-40',
    'A key of one workspace gives its result to another',
    only({ when: isFrom('neighbour') }, onRequest(asMain)),
  ),
]);

const sharedKeyFaults = group({ id: 'run.key', on: ['runModel', 'submitRequest'], when: hasKey }, [
  fault(
    'echoed-in-header',
    'MR-IDM-39',
    'Replies repeat the idempotency key in a header',
    onReply((reply, { request }) => withHeader(reply, 'Idempotency-Key', keyOf(request))),
  ),
  fault(
    'bound-to-the-credential',
    'MR-IDM-40',
    'A key works for the credential that sent it only, not for its workspace',
    renameKey((key, { headers }) => `${key}-${headers['x-api-key']?.slice(-9) ?? 'bearer'}`),
    { alsoViolates: 'MR-IDM-32' },
  ),
]);

const conflictFaults = group({ id: 'run.conflict', on: ['runModel', 'submitRequest'] }, [
  fault(
    'body-overlooked',
    ['MR-IDM-27', 'MR-IDM-16'],
    'A key used with another body gives the recorded result',
    readLaterCalls((request, { body }) => ({ ...request, body })),
    { alsoViolates: ['MR-HDR-14', 'MR-IDM-33'] },
  ),
  fault(
    'query-overlooked',
    ['MR-IDM-26', 'MR-IDM-16'],
    'A key used with another query gives the recorded result',
    readLaterCalls((request, first) => ({ ...request, target: pathOf(request) + queryText(first) })),
  ),
  fault(
    'model-overlooked',
    ['MR-IDM-25', 'MR-IDM-16'],
    'A key used on another model gives the recorded result of the first',
    readLaterCalls((request, first) => ({ ...request, target: pathOf(first) + queryText(request) })),
    { alsoViolates: 'MR-IDM-33' },
  ),
  fault(
    'answered-with-422',
    ['MR-IDM-16', 'MR-RUN-46', 'MR-STC-06'],
    'A key conflict is answered with 422',
    only({ status: 409 }, setStatus(422)),
    { alsoViolates: 'MR-CTG-05' },
  ),
  fault(
    'wrong-category',
    ['MR-IDM-16', 'MR-CTG-04'],
    'A key conflict is called concurrency_limit_exceeded',
    only({ status: 409 }, setCategory('concurrency_limit_exceeded')),
    { alsoViolates: 'MR-CTG-05' },
  ),
]);

export const runKeyFaults: readonly Fault[] = [...keyFaults, ...sharedKeyFaults, ...conflictFaults];
