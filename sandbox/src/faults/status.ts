import { asObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Reply } from '../http/messages.ts';
import { all, bodyRow, changeMember, onJson, onRequest, refuse, set } from './builders/changes.ts';
import { type Around, type Change, type Fault, fault, group, only } from './builders/fault.ts';
import {
  breakUrl,
  isCompleted,
  isSuccess,
  runningAgain,
  unknownRequestId,
  visibleToNeighbours,
  visibleUnderOtherModels,
} from './builders/queue.ts';
import { readJson, readObject } from './builders/replies.ts';
import { asMain, hasNoCredential, isFrom, readRequestId, withHeaders, withTarget } from './builders/requests.ts';

const isPending = (reply: Reply): boolean => !isCompleted(reply);

/** The handle stands at the front, and what is read later does not. */
const fallBack: Change = all(
  only({ on: ['submitRequest'], status: 201 }, set.member('queue_position', 0)),
  only(
    { on: ['readStatus'], reply: isPending },
    onJson((status) => ({ ...status, queue_position: 1 + Number(status['queue_position'] ?? 0) })),
  ),
);

const countsItself = changeMember('queue_position', (position) => Number(position) + 1);

/** Collects the result of this request from the healthy application. */
async function collectResult({ request, app }: Around): Promise<JsonValue | undefined> {
  return readJson(await app(withTarget(request, (target) => target.replace(/\/status$/, ''))));
}

/** A request that was seen to end is collected as one of the main workspace. */
const openAtTheEnd: Change = (app, context) => {
  const ended = new Set<string>();
  return async (request) => {
    const [operation, id] = [context.findOperation(request), readRequestId(request)];
    const reply = await app(operation === 'collectRequest' && ended.has(id) ? asMain(request) : request);
    if (operation === 'readStatus' && readObject(reply)['status'] === 'COMPLETED') ended.add(id);
    return reply;
  };
};

/** The reply is right, and the cancellation is carried out nonetheless. */
const carriedOut: Change = (app) => async (request) => {
  await app(withHeaders(asMain(request), { authorization: undefined }));
  return app(request);
};

const withResult = onJson(async (status, around) => ({ ...status, result: (await collectResult(around)) ?? null }));
const mixedWithResult = onJson(async (status, around) => ({ ...asObject(await collectResult(around)), ...status }));
const cancelled = JSON.stringify({ request_id: unknownRequestId, status: 'COMPLETED', error_type: 'cancelled' });
const everywhere = ['submitRequest', 'readStatus', 'collectRequest', 'cancelRequest'] as const;
const without401 = 'MR-AUT-06 MR-CAN-16';

export const statusFaults: readonly Fault[] = [
  ...group({ id: 'status.read', on: ['readStatus'], status: 200, subject: 'The status' }, [
    fault('of-another-request', 'MR-QUE-20 MR-STA-03 also MR-CTG-21', set.member('request_id', unknownRequestId)),
  ]),
  ...group({ id: 'status.position', on: ['submitRequest', 'readStatus'], status: [200, 201] }, [
    fault('front-is-lost', 'MR-QUE-09 MR-QUE-10', fallBack),
    fault('counts-itself', 'MR-QUE-09 MR-QUE-10', countsItself),
  ]),
  ...group({ id: 'status.life', on: ['submitRequest'], status: 201 }, [
    fault('fourth-word', 'MR-QUE-04', set.member('status', 'ACCEPTED')),
  ]),
  ...group({ id: 'status', on: ['readStatus'], status: 200 }, [
    fault('pending.error-type', 'MR-QUE-12', set.member('error_type', 'provider_error'), { reply: isPending }),
    fault('success.error-type-none', 'MR-QUE-13', set.member('error_type', 'none'), { reply: isSuccess }),
    fault('completed.reopened', 'MR-QUE-33 also MR-CAN-04', runningAgain('status', 'COMPLETED')),
    fault('completed.reopened-once', 'MR-QUE-33', runningAgain('status', 'COMPLETED', 4)),
    fault('completed.with-result', 'MR-STA-02', withResult, { reply: isCompleted }),
    fault('completed.mixed-with-result', 'MR-STA-02', mixedWithResult, { reply: isSuccess }),
    bodyRow('links.exchanged', 'MR-QUE-20 MR-QUE-23', (body) => ({
      ...body,
      ...(body['status_url'] === undefined ? {} : { response_url: body['status_url'] }),
      ...(body['response_url'] === undefined ? {} : { status_url: body['response_url'] }),
    })),
    fault('links.status-url-leads-nowhere', 'MR-QUE-19 MR-QUE-20', breakUrl('status_url')),
    fault('links.cancel-url-leads-nowhere', 'MR-QUE-25 MR-QUE-26', breakUrl('cancel_url')),
  ]),
  ...group({ id: 'status.unknown', on: ['readStatus'], status: 404, subject: 'The status of an unknown request' }, [
    fault('wrong-category', 'MR-CTG-24', set.category('model_not_found')),
    fault('as-completed', 'MR-STA-08 MR-STC-05 also MR-COL-10 MR-CTG-24', set.text(cancelled, 200)),
  ]),
  ...group({ id: 'status.links', on: ['collectRequest'], status: 202 }, [
    fault('response-url-leads-nowhere', 'MR-QUE-22 MR-QUE-23 MR-COL-10', breakUrl('response_url')),
  ]),
  ...group({ id: 'status.foreign', on: everywhere }, [
    fault('visible', 'MR-CTG-24', visibleToNeighbours, { on: ['readStatus'] }),
    fault('forbidden', 'MR-CTG-24', refuse(403, 'forbidden'), {
      on: ['readStatus'],
      status: 404,
      when: isFrom('neighbour'),
    }),
    fault('visible-by-token', 'MR-CTG-24', onRequest(asMain), {
      on: ['readStatus'],
      when: ({ headers }) => headers['authorization']?.endsWith('-neighbour') === true,
    }),
    fault('visible-at-the-end', 'MR-CTG-24', openAtTheEnd),
    fault('cancelled-in-spite-of-404', 'MR-CTG-24', carriedOut, { on: ['cancelRequest'], when: isFrom('neighbour') }),
    fault('cancelled-in-spite-of-401', without401, carriedOut, { on: ['cancelRequest'], when: hasNoCredential }),
  ]),
  ...group({ id: 'status.other-model', on: everywhere }, [
    fault('visible', 'MR-CTG-24', visibleUnderOtherModels('readStatus')),
    fault('can-be-cancelled', 'MR-CTG-24 MR-CAN-18', visibleUnderOtherModels('cancelRequest')),
  ]),
];
