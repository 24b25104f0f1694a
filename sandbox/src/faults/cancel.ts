import { breaksLater, counted, drop, onJson, onReply, refuse, replace, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only } from './builders/fault.ts';
import { isCancelled, runningAgain, visibleToNeighbours } from './builders/queue.ts';
import { readObject, withJson, without } from './builders/replies.ts';
import { readRequestId, withTarget } from './builders/requests.ts';

/** A cancel response with this status about the request in the path. */
const cancelReply = (httpStatus: number, status: string): Change =>
  onReply((reply, { request }) => withJson(reply, { request_id: readRequestId(request), status }, httpStatus));

const accepted = cancelReply(202, 'CANCELLATION_REQUESTED');

/** Applies `after` to calls about completed requests for which a cancellation came too late. */
function afterLateCancel(after: Change): Change {
  return (app, context, where) => {
    const late = new Set<string>();
    const changed = after(app, context, where);
    return async (request) => {
      const id = readRequestId(request);
      if (context.findOperation(request) !== 'cancelRequest') return late.has(id) ? changed(request) : app(request);
      const reply = await app(request);
      if (reply.status === 409) late.add(id);
      return reply;
    };
  };
}

/** Cancels the last submission of the same caller as well. */
const newestAsWell: Change = (app, context) => {
  const newest = new Map<string, string>();
  return async (request) => {
    const operation = context.findOperation(request);
    const caller = request.headers['x-api-key'] ?? '';
    const last = newest.get(caller);
    if (operation === 'cancelRequest' && last !== undefined && last !== readRequestId(request))
      await app(withTarget(request, (path) => path.replace(readRequestId(request), last)));
    const reply = await app(request);
    if (operation === 'submitRequest' && reply.status === 201)
      newest.set(caller, String(readObject(reply)['request_id']));
    return reply;
  };
};
const tooLate = 'MR-CAN-04 MR-STC-08';

const everywhere = ['submitRequest', 'readStatus', 'collectRequest', 'cancelRequest'] as const;

const acceptedOnce = counted(
  (_, { request }) => readRequestId(request),
  (reply, times, { request }) =>
    times === 1
      ? withJson(reply, { request_id: readRequestId(request), status: 'CANCELLATION_REQUESTED' }, 202)
      : reply,
);

const whenCollected = (change: Change): Change => only({ on: ['collectRequest'], status: 200 }, change);
const asCancelled = onJson((status) => ({ ...without(status, 'error_type'), status: 'CANCELLED' }));
const marked = afterLateCancel(only({ on: ['readStatus'], status: 200 }, set.member('error_type', 'cancelled')));

export const cancelFaults: readonly Fault[] = [
  ...group({ id: 'cancel.pending', on: ['cancelRequest'], status: 202, subject: 'The cancel response' }, [
    fault('claims-completed', 'MR-CAN-03', cancelReply(409, 'ALREADY_COMPLETED')),
  ]),
  ...group({ id: 'cancel.effective', on: ['readStatus'], status: 200, subject: 'A cancelled request' }, [
    fault('without-error-type', 'MR-STA-13', drop.member('error_type'), { reply: isCancelled }),
    fault('wrong-category', 'MR-CTG-20 also MR-QUE-11', replace.member('error_type', 'internal_error')),
    fault('in-a-state-of-its-own', 'MR-STA-13 MR-QUE-04 also MR-CAN-04', asCancelled, { reply: isCancelled }),
    fault('revived', 'MR-CTG-21 also MR-CAN-04', runningAgain('error_type', 'cancelled')),
  ]),
  ...group({ id: 'cancel.completed', on: ['cancelRequest'], status: 409, subject: 'A late cancellation' }, [
    fault('accepted', tooLate, accepted),
    fault('accepted-the-first-time', tooLate, acceptedOnce),
    fault('as-error', 'MR-CAN-05 also MR-CAN-04', refuse(409, 'invalid_input')),
    fault('word-of-the-pending', 'MR-CAN-04', set.member('status', 'CANCELLATION_REQUESTED')),
  ]),
  ...group({ id: 'cancel', on: everywhere, subject: 'A cancellation' }, [
    fault('completed.marks-it-cancelled', 'MR-CAN-13', marked),
    fault('completed.changes-the-result', 'MR-CAN-13', afterLateCancel(whenCollected(set.text('{}')))),
    fault('completed.throws-the-result-away', 'MR-CAN-13', afterLateCancel(whenCollected(refuse(410, 'cancelled')))),
    fault('pending.takes-the-newest-along', 'MR-CAN-03 MR-CTG-20 also MR-CAN-19', newestAsWell),
    fault('pending.second-time-breaks', 'MR-CAN-03 also MR-QUE-26', breaksLater(readRequestId), {
      on: ['cancelRequest'],
      status: [202, 409],
    }),
    fault('foreign.accepted', 'MR-CTG-24', visibleToNeighbours, { on: ['cancelRequest'] }),
    fault('unknown.accepted', 'MR-CAN-18 MR-STC-05 also MR-CTG-24', accepted, { on: ['cancelRequest'], status: 404 }),
    fault('unknown.wrong-category', 'MR-CTG-24', set.category('model_not_found'), {
      on: ['cancelRequest'],
      status: 404,
    }),
  ]),
];
