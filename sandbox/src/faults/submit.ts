import { newId } from '../digest.ts';
import { requestId } from '../http/messages.ts';
import { changeMember, drop, onReply, onRequest, refuse, remembering, set } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { isCancelled, relativeUrls, unknownRequestId, urlMembers } from './builders/queue.ts';
import { asReplay, isReplay, readObject, withHeader, withJson } from './builders/replies.ts';
import { asMain, isFrom, isOfModel, lacksHeader, readBodyText, readInput, withoutKey } from './builders/requests.ts';

/** Submissions without a key and with one body share a request. */
const oneForEqualBodies = remembering(
  (request) => `${request.target} ${request.headers['x-api-key']} ${readBodyText(request)}`,
  ({ status }) => status === 201,
  ({ reply }) => withHeader(reply, requestId, newId()),
);

const handle = JSON.stringify({ request_id: unknownRequestId, status: 'IN_QUEUE' });

const repeated = 'MR-SUB-12 MR-IDM-01';
const idInCapitals = changeMember('request_id', (id) => String(id).toUpperCase());
const alreadyCompleted = onReply((reply) =>
  withJson(reply, { ...readObject(reply), status: 'ALREADY_COMPLETED' }, 409),
);

export const submitFaults: readonly Fault[] = [
  ...group({ id: 'submit.handle', on: ['submitRequest'], status: 201, subject: 'The handle' }, [
    fault('waits-for-the-run', 'MR-SUB-02', (app, { clock }) => async (request) => {
      const reply = await app(request);
      if (readInput(request)['delay_ms'] === 8_000) await clock.sleep(8_000);
      return reply;
    }),
    fault('answered-with-200', 'MR-SUB-10 MR-QUE-30 also MR-QUE-07', set.status(200)),
    fault('request-id-header-missing', 'MR-SUB-11 MR-HDR-01', drop.header(requestId)),
    fault('request-id-in-capitals', 'MR-QUE-02 also MR-CAN-08 MR-QUE-20 MR-CTG-24', idInCapitals),
    fault('request-id-missing', 'MR-QUE-01', drop.member('request_id')),
    fault('status-as-number', 'MR-QUE-03', set.member('status', 0)),
    ...urlMembers.map(({ member, name, inHandle }) => fault(`${name}-missing`, inHandle, drop.member(member))),
    fault('urls-relative', 'MR-QUE-18 MR-QUE-21 MR-QUE-24', relativeUrls),
    fault('position-negative', 'MR-QUE-08 also MR-QUE-07', set.member('queue_position', -1)),
    fault('position-as-text', 'MR-QUE-07', set.member('queue_position', 'first')),
    fault('error-type-null', 'MR-QUE-28', set.member('error_type', null)),
    fault('shared-by-equal-bodies', 'MR-QUE-30', oneForEqualBodies, {
      // Which of two empty bodies comes first is chance over a socket, and a rule of queue positions sends those.
      when: (request) => lacksHeader('idempotency-key')(request) && readBodyText(request) !== '{}',
    }),
  ]),
  ...group({ id: 'submit', on: ['submitRequest'] }, [
    fault('retry.another-request', `${repeated} also MR-QUE-20`, set.member('request_id', unknownRequestId), {
      status: 201,
      reply: isReplay,
    }),
    fault('retry.queues-again', `${repeated} also MR-SUB-18 MR-SUB-04`, onRequest(withoutKey), { status: 201 }),
    fault('retry.not-marked', 'MR-SUB-12 MR-HDR-14', drop.header('Idempotent-Replayed'), { status: 201 }),
    fault('first.marked-replayed', 'MR-HDR-14', onReply(asReplay), { status: 201 }),
    fault('invalid.admitted', 'MR-SUB-07 MR-SUB-08 also MR-QUE-18 MR-QUE-30', set.text(handle, 201), { status: 422 }),
    fault('malformed.answered-with-422', 'MR-SUB-13 MR-STC-01 also MR-ERR-10', set.status(422), { status: 400 }),
    fault('unknown.answered-with-403', 'MR-SUB-17 MR-STC-05', refuse(403, 'forbidden'), { status: 404 }),
    fault('unknown.wrong-category', 'MR-CTG-10', set.category('request_not_found'), { status: 404 }),
    fault('credits.answered-with-403', 'MR-SUB-15 MR-STC-03', set.status(403), { status: 402 }),
    fault('credits.wrong-category', 'MR-CTG-09', set.category('service_unavailable'), { status: 402 }),
    fault('credits.overlooked', 'MR-SUB-15 MR-CTG-09', onRequest(asMain), { when: isFrom('no-credits') }),
    fault('conflict.answered-with-400', 'MR-SUB-18 MR-STC-06', set.status(400), { status: 409 }),
  ]),
  ...group({ id: 'submit', on: ['submitRequest'], status: 403, when: isFrom('main') }, [
    fault('binary.breaks', 'MR-SUB-10 also MR-SUB-07 MR-SUB-08', refuse(500, 'internal_error')),
  ]),
  ...group({ id: 'submit', on: ['collectRequest', 'cancelRequest', 'readStatus'] }, [
    fault(
      'handle.is-completed-at-once',
      'MR-SUB-02 also MR-CTG-21 MR-CAN-04 MR-COL-10',
      set.member('status', 'COMPLETED'),
      { on: ['collectRequest'], status: 202 },
    ),
    fault('live.cancellation-refused', 'MR-CAN-03', alreadyCompleted, {
      on: ['cancelRequest'],
      status: 202,
      when: isOfModel('sandbox/outcomes'),
    }),
    fault('cancelled.shown-as-success', 'MR-STA-13 MR-CTG-20', drop.member('error_type'), {
      on: ['readStatus'],
      status: 200,
      reply: isCancelled,
    }),
  ]),
];
