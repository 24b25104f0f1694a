import { newId } from '../digest.ts';
import { changeMember, drop, onJson, onReply, onRequest, refuse, remembering, set } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { relativeUrls, unknownRequestId, urlMembers } from './builders/queue.ts';
import {
  asReplay,
  isReplay,
  readObject,
  requestId,
  resolveHeaderName,
  withHeader,
  withJson,
  without,
} from './builders/replies.ts';
import { asMain, isFrom, isOfModel, lacksHeader, readBodyText, readInput, withoutKey } from './builders/requests.ts';

/** Submissions without a key and with one body share a request. */
const oneForEqualBodies = remembering(
  (request) => `${request.target} ${request.headers['x-api-key']} ${readBodyText(request)}`,
  ({ status }) => status === 201,
  ({ reply }, { context }) => withHeader(reply, resolveHeaderName(requestId, context), newId()),
);

const handle = JSON.stringify({ request_id: unknownRequestId, status: 'IN_QUEUE' });

const repeated = 'MR-SUB-12 MR-IDM-01';
const idInCapitals = changeMember('request_id', (id) => String(id).toUpperCase());
const ofAnother = onReply((reply) =>
  isReplay(reply) ? withJson(reply, { ...readObject(reply), request_id: unknownRequestId }) : reply,
);
const alreadyCompleted = onReply((reply) =>
  withJson(reply, { ...readObject(reply), status: 'ALREADY_COMPLETED' }, 409),
);
const asSuccess = onJson((status) => (status['error_type'] === 'cancelled' ? without(status, 'error_type') : status));

const broken = refuse(500, 'internal_error');
const unmarked = drop.header('Idempotent-Replayed');

export const submitFaults: readonly Fault[] = [
  ...group({ id: 'submit.handle', on: ['submitRequest'], status: 201, subject: 'The handle' }, [
    fault('waits-for-the-run', 'MR-SUB-02', 'comes when the run is over', (app, { clock }) => async (request) => {
      const reply = await app(request);
      if (readInput(request)['delay_ms'] === 8_000) await clock.sleep(8_000);
      return reply;
    }),
    fault('answered-with-200', 'MR-SUB-10 MR-QUE-30', 'comes with 200', set.status(200), { alsoViolates: 'MR-QUE-07' }),
    fault('request-id-header-missing', 'MR-SUB-11 MR-HDR-01', 'has no request id header', drop.header(requestId)),
    fault('request-id-in-capitals', 'MR-QUE-02', 'has a request id in capitals', idInCapitals, {
      alsoViolates: 'MR-CAN-08 MR-QUE-20 MR-CTG-24',
    }),
    fault('request-id-missing', 'MR-QUE-01', 'does not name its request', drop.member('request_id')),
    fault('status-as-number', 'MR-QUE-03', 'has a number for status', set.member('status', 0)),
    ...urlMembers.map(({ member, name, inHandle }) =>
      fault(`${name}-missing`, inHandle, `has no ${member}`, drop.member(member)),
    ),
    fault('urls-relative', 'MR-QUE-18 MR-QUE-21 MR-QUE-24', 'has relative paths for its URLs', relativeUrls),
    fault('position-negative', 'MR-QUE-08', 'has -1 for queue position', set.member('queue_position', -1), {
      alsoViolates: 'MR-QUE-07',
    }),
    fault('position-as-text', 'MR-QUE-07', 'has a word for queue position', set.member('queue_position', 'first')),
    fault('error-type-null', 'MR-QUE-28', 'has an error_type of null', set.member('error_type', null)),
    fault('shared-by-equal-bodies', 'MR-QUE-30', 'is shared by submissions with one body', oneForEqualBodies, {
      // Which of two empty bodies comes first is chance over a socket, and a rule of queue positions sends those.
      when: (request) => lacksHeader('idempotency-key')(request) && readBodyText(request) !== '{}',
    }),
  ]),
  ...group({ id: 'submit', on: ['submitRequest'], status: 201 }, [
    fault('retry.another-request', repeated, 'A repeated submission gets a handle of another request', ofAnother, {
      alsoViolates: 'MR-QUE-20',
    }),
    fault('retry.queues-again', repeated, 'Keys are ignored', onRequest(withoutKey), {
      alsoViolates: 'MR-SUB-18 MR-SUB-04',
    }),
    fault('retry.not-marked', 'MR-SUB-12 MR-HDR-14', 'A repeated handle is not marked', unmarked),
    fault('first.marked-replayed', 'MR-HDR-14', 'Every handle is marked as replayed', onReply(asReplay)),
  ]),
  ...group({ id: 'submit.invalid', on: ['submitRequest'], status: 422 }, [
    fault('admitted', 'MR-SUB-07 MR-SUB-08', 'Input that the schema refuses is admitted', set.text(handle, 201), {
      alsoViolates: 'MR-QUE-18 MR-QUE-30',
    }),
  ]),
  ...group({ id: 'submit', on: ['submitRequest'], status: 403, when: isFrom('main') }, [
    fault('binary.breaks', 'MR-SUB-10', 'A submission to a model that returns bytes gives a 500', broken, {
      alsoViolates: 'MR-SUB-07 MR-SUB-08',
    }),
  ]),
  ...group({ id: 'submit.malformed', on: ['submitRequest'], status: 400, subject: 'A submission without JSON' }, [
    fault('answered-with-422', 'MR-SUB-13 MR-STC-01', 'is answered with 422', set.status(422), {
      alsoViolates: 'MR-ERR-10',
    }),
  ]),
  ...group({ id: 'submit.unknown', on: ['submitRequest'], status: 404, subject: 'A submission to an unknown model' }, [
    fault('answered-with-403', 'MR-SUB-17 MR-STC-05', 'is answered with 403', refuse(403, 'forbidden')),
    fault('wrong-category', 'MR-CTG-10', 'is called request_not_found', set.category('request_not_found')),
  ]),
  ...group({ id: 'submit.credits', on: ['submitRequest'], subject: 'A submission without credits' }, [
    fault('answered-with-403', 'MR-SUB-15 MR-STC-03', 'is answered with 403', set.status(403), { status: 402 }),
    fault('wrong-category', 'MR-CTG-09', 'has another category', set.category('service_unavailable'), { status: 402 }),
    fault('overlooked', 'MR-SUB-15 MR-CTG-09', 'is admitted', onRequest(asMain), { when: isFrom('no-credits') }),
  ]),
  ...group({ id: 'submit.conflict', on: ['submitRequest'], status: 409, subject: 'A key conflict of submissions' }, [
    fault('answered-with-400', 'MR-SUB-18 MR-STC-06', 'is answered with 400', set.status(400)),
  ]),
  ...group({ id: 'submit', on: ['collectRequest', 'cancelRequest', 'readStatus'] }, [
    fault('handle.is-completed-at-once', 'MR-SUB-02', 'A running one is COMPLETED', set.member('status', 'COMPLETED'), {
      on: ['collectRequest'],
      status: 202,
      alsoViolates: 'MR-CTG-21 MR-CAN-04 MR-COL-10',
    }),
    fault('live.cancellation-refused', 'MR-CAN-03', 'A live run cannot be cancelled', alreadyCompleted, {
      on: ['cancelRequest'],
      status: 202,
      when: isOfModel('sandbox/outcomes'),
    }),
    fault('cancelled.shown-as-success', 'MR-STA-13 MR-CTG-20', 'A cancelled request is a success', asSuccess, {
      on: ['readStatus'],
      status: 200,
    }),
  ]),
];
