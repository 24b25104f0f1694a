import type { JsonObject } from '../../../../specs/src/index.ts';
import type { ServerRequest } from '../../http/messages.ts';
import {
  changeByCount,
  changeMember,
  changeRepeats,
  drop,
  is,
  onJson,
  onReply,
  read,
  refusal,
  refuse,
  replace,
  resend,
  set,
  withJson,
  without,
  withState,
} from '../builders/changes.ts';
import { type Change, group, only, type Variant, variant } from '../builders/fault.ts';
import { asMain, asRead, caller, sent, type When, withBody, withTarget } from '../builders/requests.ts';

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

/** Repeats the first response to a cancellation as long as the cancellation may still take effect (OP-035). */
const repeatable: Change = withState(() => {
  const pending = new Set<string>();
  return onReply((reply, { request }) => {
    const id = sent.requestId(request);
    if (reply.status === 202) pending.add(id);
    return reply.status === 409 && pending.has(id)
      ? withJson(reply, { ...read.object(reply), status: 'CANCELLATION_REQUESTED' }, 202)
      : reply;
  });
});

/** Accepts a cancellation without effect: the run continues and its result can be collected (MR-CAN-11). */
const withoutEffect: Change = (app) => async (request) => {
  const path = withTarget(request, (target) => target.replace(/\/cancel$/, '/status'));
  const reply = await app({ ...path, method: 'GET' });
  const { request_id: id, status } = read.object(reply);
  if (reply.status !== 200 || id === undefined || status === 'COMPLETED') return app(request);
  return withJson(reply, { request_id: id, status: 'CANCELLATION_REQUESTED' }, 202);
};

/** Like `withoutEffect`, but runs of many seconds also end slightly earlier. */
const finishesSoon: Change = (app, context, where) => {
  const noted = only({ on: 'cancelRequest' }, withoutEffect)(app, context, where);
  return (request) => {
    const input = sent.input(request);
    const delayMs = input['delay_ms'];
    // A delay of more than a minute is invalid and must stay so.
    const isLong = typeof delayMs === 'number' && delayMs > 5_000 && delayMs <= 60_000;
    const shorter = isLong && context.findOperation(request) === 'submitRequest';
    return noted(shorter ? withBody(request, { ...input, delay_ms: delayMs - 1_000 }) : request);
  };
};

const gone = onReply((reply) => refusal(reply, 410, String(read.object(reply)['error_type'])));

const collectedOnce = (status: number, category: string): Change =>
  changeRepeats(sent.requestId, (reply) => refusal(reply, status, category));
const farBehind = changeStatuses((status) => ({
  ...status,
  queue_position: 120_000 + Number(status['queue_position'] ?? 0),
}));
/** Collecting a request that never reached a model returns the status of its category instead of 410. */
const byCategory = onReply((reply) => {
  const category = read.category(reply);
  if (category === 'service_unavailable') return { ...reply, status: 503 };
  return category === 'internal_error' ? { ...reply, status: 500 } : reply;
});

/**
 * Returns 410 for every failure. The text says that 410 is for failures at request level, but its table of categories
 * also lists all others (MR-STC-09).
 */
const asGone = onReply((reply) => {
  const category = read.category(reply);
  const isGone = ['request_not_found', 'unauthorized', 'forbidden', 'model_not_found'].every((one) => one !== category);
  return isGone && category !== undefined ? refusal(reply, 410, category) : reply;
});

const risingPositions = changeByCount(
  (reply) =>
    typeof read.object(reply)['queue_position'] === 'number' ? String(read.object(reply)['request_id']) : undefined,
  (reply, times) => withJson(reply, { ...read.object(reply), queue_position: (times + 1) % 2 }),
);

/** Delays the response to a failing submission until its failure is known, and reports the end of the request. */
const completedAtOnce = (...hidden: readonly string[]): Change =>
  onReply(async (reply, { app, request, context }) => {
    await context.clock.sleep(400);
    const { pathname: target } = new URL(String(read.object(reply)['status_url']));
    const status = await app(asRead(request, target));
    return is.failed(status) ? withJson(reply, without(read.object(status), ...hidden)) : reply;
  });
const fails: When = (request) => {
  const input = sent.input(request);
  return 'outcome' in input && !('delay_ms' in input);
};

/** True if other callers may use the model, unlike the models of the test hooks. */
const hasOtherCallers = (request: ServerRequest): boolean => !request.target.startsWith('/v2/models/sandbox');

const urlsOfTheMoment = withState(() => {
  let count = 0;
  return changeUrls((url) => {
    count += 1;
    url.searchParams.set('signature', `a+b/c=${count}`);
  });
});
const otherOrigin = changeUrls((url) => {
  url.host = 'queue.example.test';
  url.protocol = 'https:';
});

export const queueVariants: readonly Variant[] = [
  ...group({ id: 'queue', on: ['submitRequest', 'readStatus', 'collectRequest'], status: [200, 201, 202] }, [
    variant('urls.of-the-moment', urlsOfTheMoment),
    variant('urls.other-origin', otherOrigin),
    variant('words.other-names', rename({ IN_QUEUE: 'WAITING', IN_PROGRESS: 'RUNNING' })),
    variant('words.starts-running', rename({ IN_QUEUE: 'IN_PROGRESS' })),
    variant('position.absent', drop.member('queue_position')),
    variant('position.rises-again', risingPositions, { when: hasOtherCallers }),
    variant('position.none-ahead', replace.member('queue_position', 0)),
    variant('position.far-behind', farBehind, { when: hasOtherCallers }),
    variant('failed.status-as-410', gone, { on: 'readStatus', status: 200, reply: is.failed }),
  ]),
  ...group({ id: 'queue', on: 'collectRequest' }, [
    variant('cancelled.unknown-error-type-on-collect', refuse(410, 'withdrawn_by_caller'), {
      status: 410,
      reply: is.cancelled,
    }),
    variant('cancelled.collect-as-409', set.status(409), { status: 410, reply: is.cancelled }),
    variant('failed.collect-by-category', byCategory, { status: 410 }),
    variant('failed.collect-as-410', asGone, {
      status: (status) => status >= 400 && ![404, 409, 503].includes(status),
    }),
    variant('collect.once-only', collectedOnce(404, 'request_not_found'), { status: 200 }),
    variant('collect.conflicts-once-collected', collectedOnce(409, 'invalid_input'), { status: 200 }),
  ]),
  ...group({ id: 'queue', on: ['submitRequest', 'cancelRequest'] }, [
    variant('cancel.finishes-soon', finishesSoon),
    variant('cancel.repeatable', repeatable, { on: 'cancelRequest' }),
    variant('cancel.without-effect', withoutEffect, { on: 'cancelRequest' }),
    variant('cancel.malformed-id-not-found', refuse(404, 'request_not_found'), { on: 'cancelRequest', status: 400 }),
  ]),
  ...group({ id: 'queue.submit', on: 'submitRequest' }, [
    variant('beyond-the-cap', resend(asMain), { status: 429, when: caller.isAtSpendCap }),
    variant('beyond-the-rate', resend(asMain), { status: 429, when: caller.isOverRate }),
    variant('replayed-with-200', set.status(200), { reply: is.replay }),
    variant('failed-at-once', completedAtOnce(), { status: 201, when: fails }),
    variant('completed-at-once', completedAtOnce('error_type'), { status: 201, when: fails }),
  ]),
];
