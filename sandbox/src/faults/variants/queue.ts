import type { JsonObject } from '../../../../specs/src/index.ts';
import type { ServerRequest } from '../../http/messages.ts';
import { changeMember, counted, later, onJson, onReply, refuse, resend, set, withState } from '../builders/changes.ts';
import { type Change, only, type Variant, variants } from '../builders/fault.ts';
import { is, readCategory, readObject, refusal, withJson, without } from '../builders/replies.ts';
import {
  asMain,
  asRead,
  caller,
  readInput,
  readRequestId,
  type When,
  withBody,
  withTarget,
} from '../builders/requests.ts';

const urlMembers = ['status_url', 'response_url', 'cancel_url'];

const changeStatuses = (change: (status: JsonObject) => JsonObject): Change =>
  onJson((body) => ('status_url' in body ? change(body) : body));

const changeUrls = (change: (url: URL) => void): Change =>
  changeStatuses((status) => {
    const changed = urlMembers.map((member) => {
      const url = new URL(String(status[member]));
      change(url);
      return [member, url.toString()];
    });
    return { ...status, ...Object.fromEntries(changed) };
  });

const rename = (words: Readonly<Record<string, string>>): Change =>
  changeMember('status', (status) => words[String(status)] ?? status);

/** Cancellations repeated while the first may still take effect are answered like the first (OP-035). */
const repeatable: Change = withState(() => {
  const pending = new Set<string>();
  return onReply((reply, { request }) => {
    const id = readRequestId(request);
    if (reply.status === 202) pending.add(id);
    return pending.has(id) ? withJson(reply, { ...readObject(reply), status: 'CANCELLATION_REQUESTED' }, 202) : reply;
  });
});

/** A cancellation is only noted: the run goes on to its end and can be collected (MR-CAN-11). */
const withoutEffect: Change = (app) => async (request) => {
  const path = withTarget(request, (target) => target.replace(/\/cancel$/, '/status'));
  const reply = await app({ ...path, method: 'GET' });
  const { request_id: id, status } = readObject(reply);
  if (reply.status !== 200 || id === undefined || status === 'COMPLETED') return app(request);
  return withJson(reply, { request_id: id, status: 'CANCELLATION_REQUESTED' }, 202);
};

/** The same, and runs that take many seconds end a little earlier. */
const finishesSoon: Change = (app, context, where) => {
  const noted = only({ on: ['cancelRequest'] }, withoutEffect)(app, context, where);
  return (request) => {
    const input = readInput(request);
    const delayMs = Number(input['delay_ms'] ?? 0);
    const isLong = context.findOperation(request) === 'submitRequest' && delayMs > 5_000;
    return noted(isLong ? withBody(request, { ...input, delay_ms: delayMs - 1_000 }) : request);
  };
};

/** Limits of such callers only apply to synchronous calls (OP-210). */
const beyondTheLimit = (when: When): Change => only({ status: 429, when }, resend(asMain));

const gone = onReply((reply) => refusal(reply, 410, String(readObject(reply)['error_type'])));

const statusReplies = { on: ['submitRequest', 'readStatus', 'collectRequest'], status: [200, 201, 202] } as const;

const collectedOnce = (status: number, category: string): Change =>
  only(
    { status: 200 },
    later(readRequestId, (reply) => refusal(reply, status, category)),
  );
const farBehind = changeStatuses((status) => ({
  ...status,
  queue_position: 120_000 + Number(status['queue_position'] ?? 0),
}));
/** Requests that never reached a model are collected with the status of their category in place of 410. */
const byCategory = onReply((reply) => {
  const category = readCategory(reply);
  if (category === 'service_unavailable') return { ...reply, status: 503 };
  return category === 'internal_error' ? { ...reply, status: 500 } : reply;
});

/** Whatever failed is gone: 410 is for what failed at request level, and the table of those categories names them (MR-STC-09). */
const asGone = onReply((reply) => {
  const category = readCategory(reply);
  const isGone = ['request_not_found', 'unauthorized', 'forbidden', 'model_not_found'].every((one) => one !== category);
  return isGone && category !== undefined ? refusal(reply, 410, category) : reply;
});

const risingPositions = counted(
  (reply) =>
    typeof readObject(reply)['queue_position'] === 'number' ? String(readObject(reply)['request_id']) : undefined,
  (reply, times) => withJson(reply, { ...readObject(reply), queue_position: (times + 1) % 2 }),
);

/** A submission whose run fails answers when that is known, with the end of the request. */
const completedAtOnce = (...hidden: readonly string[]): Change =>
  onReply(async (reply, { app, request, context }) => {
    await context.clock.sleep(400);
    const { pathname: target } = new URL(String(readObject(reply)['status_url']));
    const status = await app(asRead(request, target));
    return is.failed(status) ? withJson(reply, without(readObject(status), ...hidden)) : reply;
  });
const fails: When = (request) => {
  const input = readInput(request);
  return 'outcome' in input && !('delay_ms' in input);
};

/** Nobody else uses the models of the test hooks. */
const hasOtherCallers = (request: ServerRequest): boolean => !request.target.startsWith('/v2/models/sandbox');

export const queueVariants: readonly Variant[] = [
  ...variants({ id: 'queue', ...statusReplies })({
    'urls.of-the-moment': withState(() => {
      let count = 0;
      return changeUrls((url) => {
        count += 1;
        url.searchParams.set('signature', `a+b/c=${count}`);
      });
    }),
    'urls.other-origin': changeUrls((url) => {
      url.host = 'queue.example.test';
      url.protocol = 'https:';
    }),
    'words.other-names': rename({ IN_QUEUE: 'WAITING', IN_PROGRESS: 'RUNNING' }),
    'words.starts-running': rename({ IN_QUEUE: 'IN_PROGRESS' }),
    'position.absent': changeStatuses((status) => without(status, 'queue_position')),
    'position.rises-again': only({ when: hasOtherCallers }, risingPositions),
    'position.none-ahead': changeMember('queue_position', () => 0),
    'position.far-behind': only({ when: hasOtherCallers }, farBehind),
  }),
  ...variants({ id: 'queue.failed', on: ['readStatus'], status: 200, reply: is.failed })({ 'status-as-410': gone }),
  ...variants({ id: 'queue', on: ['collectRequest'], status: 410 })({
    'cancelled.unknown-error-type-on-collect': only({ reply: is.cancelled }, refuse(410, 'withdrawn_by_caller')),
    'cancelled.collect-as-409': only({ reply: is.cancelled }, set.status(409)),
    'failed.collect-by-category': byCategory,
    'failed.collect-as-410': only({ status: (status) => status >= 400 && ![404, 409, 503].includes(status) }, asGone),
    'collect.once-only': collectedOnce(404, 'request_not_found'),
    'collect.conflicts-once-collected': collectedOnce(409, 'invalid_input'),
  }),
  ...variants({ id: 'queue', on: ['submitRequest', 'cancelRequest'] })({
    'cancel.finishes-soon': finishesSoon,
    'submit.beyond-the-cap': only({ on: ['submitRequest'] }, beyondTheLimit(caller.isAtSpendCap)),
  }),
  ...variants({ id: 'queue.submit', on: ['submitRequest'] })({
    'replayed-with-200': only({ reply: is.replay }, set.status(200)),
    'beyond-the-rate': beyondTheLimit(caller.isOverRate),
    'failed-at-once': only({ status: 201, when: fails }, completedAtOnce()),
    'completed-at-once': only({ status: 201, when: fails }, completedAtOnce('error_type')),
  }),
  ...variants({ id: 'queue.cancel', on: ['cancelRequest'] })({
    repeatable,
    'without-effect': withoutEffect,
    'malformed-id-not-found': only({ status: 400 }, refuse(404, 'request_not_found')),
  }),
];
