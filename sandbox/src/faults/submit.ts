import { newId } from '../digest.ts';
import { requestId } from '../http/messages.ts';
import { drop, onReply, onRequest, refuse, remembering, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';
import { isCancelled, unknownRequestId } from './builders/queue.ts';
import { asReplay, isReplay, readObject, withHeader, withJson } from './builders/replies.ts';
import { asMain, isFrom, lacksHeader, readBodyText, withoutKey } from './builders/requests.ts';

/** Submissions without a key and with one body share a request. */
const oneForEqualBodies = remembering(
  (request) => `${request.target} ${request.headers['x-api-key']} ${readBodyText(request)}`,
  ({ status }) => status === 201,
  ({ reply }) => withHeader(reply, requestId, newId()),
);

/** The handle comes when the request has ended. */
const waitsForTheRun: Change =
  (app, { clock }) =>
  async (request) => {
    const reply = await app(request);
    const { status_url: url } = readObject(reply);
    if (typeof url !== 'string') return reply;
    const read = { ...withoutKey(request), method: 'GET', target: new URL(url).pathname, body: new Uint8Array() };
    while (readObject(await app(read))['status'] !== 'COMPLETED') await clock.sleep(250);
    return reply;
  };

const handle = JSON.stringify({ request_id: unknownRequestId, status: 'IN_QUEUE' });

const repeated = 'MR-SUB-12 MR-IDM-01';
const alreadyCompleted = onReply((reply) =>
  withJson(reply, { ...readObject(reply), status: 'ALREADY_COMPLETED' }, 409),
);

export const submitFaults: readonly Fault[] = [
  ...group({ id: 'submit.handle', on: ['submitRequest'], status: 201, subject: 'The handle' }, [
    fault('waits-for-the-run', 'MR-SUB-02', waitsForTheRun),
    fault('shared-by-equal-bodies', 'MR-QUE-30', oneForEqualBodies, { when: lacksHeader('idempotency-key') }),
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
    fault('unknown.answered-with-403', 'MR-SUB-17 MR-STC-05', refuse(403, 'forbidden'), { status: 404 }),
    fault('unknown.wrong-category', 'MR-CTG-10', set.category('request_not_found'), { status: 404 }),
    fault('credits.wrong-category', 'MR-CTG-09', set.category('service_unavailable'), { status: 402 }),
    fault('credits.overlooked', 'MR-SUB-15 MR-CTG-09', onRequest(asMain), { when: isFrom('no-credits') }),
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
    }),
    fault('cancelled.shown-as-success', 'MR-STA-13 MR-CTG-20', drop.member('error_type'), {
      on: ['readStatus'],
      status: 200,
      reply: isCancelled,
    }),
  ]),
];
