import { asObject, type JsonObject } from '../../../specs/src/index.ts';
import { newId } from '../digest.ts';
import { type Reply, requestId, type ServerRequest } from '../http/messages.ts';
import {
  combineChanges,
  drop,
  failWith500,
  is,
  omitMembers,
  onEachCall,
  onJson,
  onLaterCalls,
  onReply,
  onRequest,
  onText,
  readReply,
  replyWith,
  replyWithError,
  resendAsMainCaller,
  set,
  treatAsMainCaller,
  withError,
  withHeader,
  withJson,
  withText,
} from './builders/changes.ts';
import {
  type Change,
  type ChangeContext,
  type Fault,
  type FaultOperation,
  fault,
  group,
  queueOperations,
  restrictTo,
  type Variant,
  variant,
} from './builders/fault.ts';
import {
  caller,
  hasKey,
  type RequestCondition,
  readRequest,
  toGetRequest,
  withBody,
  withoutKey,
  withTarget,
} from './builders/requests.ts';

const unknownRequestId = '99999999-9999-4999-8999-999999999999';

/** Replaces a URL in a status response with one that does not work. */
export const breakUrl = (member: string): Change =>
  set.member(member, (url) => String(url).replace('/requests/', '/requests/00'));

/** The id of a queued request: in the path, or in the reply to its submission. */
export const readRequestId = (request: ServerRequest, reply?: Reply): string =>
  readRequest.requestId(request) || String((reply && readReply.object(reply)['request_id']) ?? '');
const isSubmitted = ({ status }: Reply): boolean => status === 201;

/** Finds a request by its id in the path of any model. The group must also select `submitRequest`, to learn the right model. */
const findUnderOtherModels = (on: FaultOperation): Change =>
  onLaterCalls(
    readRequestId,
    ({ request: submission }) =>
      restrictTo(
        { on },
        onRequest((request) =>
          withTarget(request, (target) =>
            target.replace(readRequest.modelId(request), readRequest.modelId(submission)),
          ),
        ),
      ),
    { isRemembered: isSubmitted },
  );

/** Reports a completed request as running from the second read of its final status on. */
const reportRunningAgain = onLaterCalls(
  readRequest.requestId,
  () =>
    onJson((status, { context }) => ({
      ...omitMembers(status, 'error_type'),
      status: context.specs.settings.queueStatuses[1],
    })),
  { isRemembered: is.completed },
);

/** Returns the first handle again for a submission without a key that has the same body. */
const reuseRequestOfEqualBody = onLaterCalls(
  (request) => `${request.target} ${request.headers['x-api-key']} ${readRequest.text(request)}`,
  ({ reply }) => replyWith(() => withHeader(reply, requestId, newId())),
  { isRemembered: isSubmitted },
);

/** Sends the handle only after the request has ended. */
const waitForRun: Change =
  (app, { clock }) =>
  async (request) => {
    const reply = await app(request);
    const { status_url: url } = readReply.object(reply);
    if (typeof url !== 'string') return reply;
    while (is.pending(await app(toGetRequest(request, new URL(url).pathname)))) await clock.sleep(250);
    return reply;
  };

/** Reports position 0 in the handle of a request, and a position further back in later reads. */
const moveBackInQueue: Change = combineChanges(
  restrictTo({ on: 'submitRequest', status: 201 }, set.member('queue_position', 0)),
  restrictTo(
    { on: 'readStatus', reply: is.pending },
    onJson((status) => ({ ...status, queue_position: 1 + Number(status['queue_position'] ?? 0) })),
  ),
);

/** Adds the members of the result to status responses. */
const addResultToStatus = onJson(async (status, { request, app }: ChangeContext) => {
  const result = await app(withTarget(request, (target) => target.replace(/\/status$/, '')));
  return { ...asObject(readReply.json(result)), ...status };
});

/** Replaces the reply with a response to a cancellation, with this status in its body. */
const replyToCancel = (httpStatus: number, status: string): Change =>
  onReply((reply, { request }) => withJson(reply, { request_id: readRequest.requestId(request), status }, httpStatus));
const acceptCancel = replyToCancel(202, 'CANCELLATION_REQUESTED');

/** Changes calls that follow a cancellation of a completed request. */
const onCallsAfterLateCancel = (change: Change): Change =>
  onLaterCalls(readRequest.requestId, () => change, {
    isRemembered: ({ status }, { method }) => method === 'PUT' && status === 409,
  });
const markAfterLateCancel = onCallsAfterLateCancel(
  restrictTo({ on: 'readStatus', status: 200 }, set.member('error_type', 'cancelled')),
);
const discardAfterLateCancel = onCallsAfterLateCancel(
  restrictTo({ on: 'collectRequest', status: 200 }, replyWithError(410, 'cancelled')),
);

/** Also cancels the last submission of the same caller. */
const cancelNewestToo = onLaterCalls(
  ({ headers }) => headers['x-api-key'] ?? '',
  ({ reply: newest }) =>
    restrictTo({ on: 'cancelRequest' }, (app) => async (request) => {
      const other = String(readReply.object(newest)['request_id']);
      if (other !== readRequest.requestId(request))
        await app(withTarget(request, (path) => path.replace(readRequest.requestId(request), other)));
      return app(request);
    }),
  { isRemembered: isSubmitted, remembers: 'newest' },
);

/** Decodes the bytes of a file as UTF-8 and encodes them again, which changes them. */
const sendAsText = onReply((reply) => ({ ...reply, body: readReply.text(reply) }));
/** Appends a space to JSON, so that the bytes differ but not the value. */
const appendSpace = (reply: Reply): Reply =>
  readReply.json(reply) === undefined ? reply : withText(reply, `${readReply.text(reply)} `);
const replyInQueue = set.text('{"status": "IN_QUEUE"}', 202);
const unknownHandle = JSON.stringify({ request_id: unknownRequestId, status: 'IN_QUEUE' });
const wrapOutput = onText((text) => `{"output": ${text}}`);
const useStatusCancelled = onJson((status) => ({ ...omitMembers(status, 'error_type'), status: 'CANCELLED' }));

const urlMembers = ['status_url', 'response_url', 'cancel_url'];

const changeStatusBodies = (change: (status: JsonObject) => JsonObject): Change =>
  onJson((body) => ('status_url' in body ? change(body) : body));

const changeUrls = (change: (url: URL) => void): Change =>
  changeStatusBodies((status) => {
    const changed = urlMembers.map((member) => {
      const url = new URL(String(status[member]));
      change(url);
      return [member, url.toString()];
    });
    return { ...status, ...Object.fromEntries(changed) };
  });

const renameStatuses = (newNames: Readonly<Record<string, string>>): Change =>
  set.member('status', (status) => newNames[String(status)] ?? status);

/** Repeats the first response to a cancellation as long as the cancellation may still take effect (OP-035). */
const repeatFirstCancelReply = onLaterCalls(
  readRequest.requestId,
  () =>
    restrictTo(
      { status: 409 },
      onReply((reply) => withJson(reply, { ...readReply.object(reply), status: 'CANCELLATION_REQUESTED' }, 202)),
    ),
  { isRemembered: ({ status }) => status === 202 },
);

/** Accepts a cancellation without effect: the run continues and its result can be collected (MR-CAN-11). */
const acceptWithoutCancelling: Change = (app) => async (request) => {
  const reply = await app(toGetRequest(request, request.target.replace(/\/cancel$/, '/status')));
  const { request_id: id, status } = readReply.object(reply);
  if (reply.status !== 200 || id === undefined || status === 'COMPLETED') return app(request);
  return withJson(reply, { request_id: id, status: 'CANCELLATION_REQUESTED' }, 202);
};

/** Like `acceptWithoutCancelling`, but runs of more than five seconds also end a second earlier. */
const acceptAndFinishEarlier: Change = (app, context, where) => {
  const withoutCancelling = restrictTo({ on: 'cancelRequest' }, acceptWithoutCancelling)(app, context, where);
  return (request) => {
    const input = readRequest.input(request);
    const delayMs = input['delay_ms'];
    // A delay of more than a minute is invalid and must stay invalid.
    const isLong = typeof delayMs === 'number' && delayMs > 5_000 && delayMs <= 60_000;
    const isShortened = isLong && context.findOperation(request) === 'submitRequest';
    return withoutCancelling(isShortened ? withBody(request, { ...input, delay_ms: delayMs - 1_000 }) : request);
  };
};

const returnFailureAs410 = onReply((reply) => withError(reply, 410, String(readReply.object(reply)['error_type'])));

const collectOnlyOnce = (status: number, category: string): Change =>
  onLaterCalls(readRequest.requestId, () => replyWithError(status, category));
/** Adds 120,000 to every queue position. */
const raiseQueuePosition = changeStatusBodies((status) => ({
  ...status,
  queue_position: 120_000 + Number(status['queue_position'] ?? 0),
}));
/** Returns 503 or 500 instead of 410 when a request that never reached its model is collected. */
const useStatusOfCategory = onReply((reply) => {
  const category = readReply.category(reply);
  if (category === 'service_unavailable') return { ...reply, status: 503 };
  return category === 'internal_error' ? { ...reply, status: 500 } : reply;
});

/**
 * Returns 410 for every failed run; the excluded categories are those of unknown ids and rejected credentials. The API text
 * says that 410 is for failures at request level, but its table also lists 410 for other categories (MR-STC-09).
 */
const returnMostFailuresAs410 = onReply((reply) => {
  const category = readReply.category(reply);
  const isFailure = ['request_not_found', 'unauthorized', 'forbidden', 'model_not_found'].every(
    (one) => one !== category,
  );
  return isFailure && category !== undefined ? withError(reply, 410, category) : reply;
});

/** Reports position 0 in the handle of a request, and position 1 in later reads. */
const moveBackOnce = combineChanges(
  set.member('queue_position', () => 0),
  onLaterCalls(readRequestId, () => set.member('queue_position', () => 1)),
);

/** Replies to a submission when its request has failed, with the final status of the request but without the `hidden` members. */
const waitForFailure = (...hidden: readonly string[]): Change =>
  onReply(async (reply, { app, request, context }) => {
    await context.clock.sleep(400);
    const { pathname: target } = new URL(String(readReply.object(reply)['status_url']));
    const status = await app(toGetRequest(request, target));
    return is.failed(status) ? withJson(reply, omitMembers(readReply.object(status), ...hidden)) : reply;
  });
/** True if the input selects an outcome without a delay. */
const selectsImmediateOutcome: RequestCondition = (request) => {
  const input = readRequest.input(request);
  return 'outcome' in input && !('delay_ms' in input);
};

/** True if other callers may fill the queue of the model. Only tests use the models of the test hooks. */
const hasOtherCallers = (request: ServerRequest): boolean => !request.target.startsWith('/v2/models/sandbox');

/** Adds a signature to the URLs that differs in each reply. */
const signUrlsAgain = onEachCall((count) => changeUrls((url) => url.searchParams.set('signature', `a+b/c=${count}`)));
const useOtherOrigin = changeUrls((url) => {
  url.host = 'queue.example.test';
  url.protocol = 'https:';
});

export const queueFaults: readonly Fault[] = [
  ...group({ id: 'submit', on: 'submitRequest' }, [
    fault('handle.waits-for-the-run', ['MR-SUB-02'], waitForRun, { status: 201 }),
    fault('handle.shared-by-equal-bodies', ['MR-QUE-30'], reuseRequestOfEqualBody, {
      when: (request) => !hasKey(request),
    }),
    fault('retry.queues-again', ['MR-SUB-12', 'MR-IDM-01'], onRequest(withoutKey), {
      also: ['MR-SUB-18', 'MR-SUB-04'],
    }),
    fault('retry.not-marked', ['MR-SUB-12', 'MR-HDR-14'], drop.header('Idempotent-Replayed'), { status: 201 }),
    fault('first.marked-replayed', ['MR-HDR-14'], set.header('Idempotent-Replayed', 'true'), { status: 201 }),
    fault('invalid.admitted', ['MR-SUB-07', 'MR-SUB-08'], set.text(unknownHandle, 201), {
      also: ['MR-QUE-18', 'MR-QUE-30'],
      status: 422,
    }),
    fault('unknown.answered-with-403', ['MR-SUB-17', 'MR-STC-05'], replyWithError(403, 'forbidden'), { status: 404 }),
    fault('credits.overlooked', ['MR-SUB-15', 'MR-CTG-09'], treatAsMainCaller, { when: caller.lacksCredits }),
    fault('binary.breaks', ['MR-SUB-10'], failWith500, {
      also: ['MR-SUB-07', 'MR-SUB-08'],
      status: 403,
      when: caller.hasAccess,
      category: 'not_enabled',
    }),
  ]),
  ...group({ id: 'status', on: 'readStatus', status: 200 }, [
    fault('read.of-another-request', ['MR-QUE-20', 'MR-STA-03'], set.member('request_id', unknownRequestId)),
    fault('pending.error-type', ['MR-QUE-12'], set.member('error_type', 'provider_error'), { reply: is.pending }),
    fault('success.error-type-none', ['MR-QUE-13'], set.member('error_type', 'none'), { reply: is.success }),
    fault('completed.reopened', ['MR-QUE-33'], reportRunningAgain),
    fault('completed.mixed-with-result', ['MR-STA-02'], addResultToStatus, { reply: is.success }),
    fault('links.status-url-leads-nowhere', ['MR-QUE-19', 'MR-QUE-20'], breakUrl('status_url')),
    fault('links.cancel-url-leads-nowhere', ['MR-QUE-25', 'MR-QUE-26'], breakUrl('cancel_url')),
    fault('links.response-url-leads-nowhere', ['MR-QUE-22', 'MR-QUE-23', 'MR-COL-10'], breakUrl('response_url'), {
      on: 'collectRequest',
      status: 202,
    }),
  ]),
  ...group({ id: 'status.position', on: ['submitRequest', 'readStatus'], status: [200, 201] }, [
    fault('front-is-lost', ['MR-QUE-09', 'MR-QUE-10'], moveBackInQueue),
  ]),
  ...group({ id: 'status', on: queueOperations }, [
    fault('unknown.wrong-category', ['MR-CTG-24'], set.category('model_not_found'), { on: 'readStatus', status: 404 }),
    fault('foreign.visible', ['MR-CTG-24'], treatAsMainCaller, { on: 'readStatus', when: caller.isOfOtherWorkspace }),
    fault('other-model.visible', ['MR-CTG-24'], findUnderOtherModels('readStatus')),
    fault('other-model.can-be-cancelled', ['MR-CTG-24', 'MR-CAN-18'], findUnderOtherModels('cancelRequest')),
  ]),
  ...group({ id: 'collect.pending', on: 'collectRequest', status: 202 }, [
    fault('answered-with-404', ['MR-COL-09'], replyWithError(404, 'request_not_found')),
  ]),
  ...group({ id: 'collect.result', on: 'collectRequest', status: 200 }, [
    fault('refused', ['MR-COL-04'], replyWithError(410, 'internal_error'), { also: ['MR-CAN-13'] }),
    fault(
      'second-time-breaks',
      ['MR-COL-04'],
      onLaterCalls(readRequest.requestId, () => failWith500),
    ),
    fault('media-type-lost', ['MR-COL-05'], set.header('Content-Type', 'application/octet-stream')),
    fault('wrapped', ['MR-COL-06'], wrapOutput, { also: ['MR-COL-04'] }),
    fault(
      'differs-the-second-time',
      ['MR-COL-06'],
      onLaterCalls(readRequest.requestId, () => onReply(appendSpace)),
    ),
  ]),
  ...group({ id: 'collect.binary', on: 'collectRequest', status: 200, reply: is.file }, [
    fault('read-as-text', ['MR-COL-06'], sendAsText),
  ]),
  ...group({ id: 'collect', on: ['submitRequest', 'collectRequest'] }, [
    fault('cancelled.breaks', ['MR-COL-16', 'MR-COL-17'], failWith500, {
      on: 'collectRequest',
      reply: is.cancelled,
    }),
    fault('foreign.visible', ['MR-CTG-24'], treatAsMainCaller, {
      on: 'collectRequest',
      when: caller.isOfOtherWorkspace,
    }),
    fault('other-model.visible', ['MR-CTG-24'], findUnderOtherModels('collectRequest')),
    fault('unknown.pending-for-ever', ['MR-COL-15', 'MR-STC-05'], replyInQueue, {
      also: ['MR-CTG-24', 'MR-COL-10', 'MR-COL-12'],
      on: 'collectRequest',
      status: 404,
    }),
  ]),
  ...group({ id: 'cancel', on: 'cancelRequest' }, [
    fault('pending.claims-completed', ['MR-CAN-03'], replyToCancel(409, 'ALREADY_COMPLETED'), { status: 202 }),
    fault(
      'pending.second-time-breaks',
      ['MR-CAN-03'],
      onLaterCalls(readRequest.requestId, () => failWith500),
      {
        also: ['MR-QUE-26'],
        status: [202, 409],
      },
    ),
    fault('completed.accepted', ['MR-CAN-04', 'MR-STC-08'], acceptCancel, { status: 409 }),
    fault('completed.as-error', ['MR-CAN-05'], replyWithError(409, 'invalid_input'), {
      also: ['MR-CAN-04'],
      status: 409,
    }),
    fault('foreign.accepted', ['MR-CTG-24'], treatAsMainCaller, { when: caller.isOfOtherWorkspace }),
    fault('unknown.accepted', ['MR-CAN-18', 'MR-STC-05'], acceptCancel, { also: ['MR-CTG-24'], status: 404 }),
  ]),
  ...group({ id: 'cancel.effective', on: 'readStatus', status: 200 }, [
    fault('shown-as-success', ['MR-STA-13', 'MR-CTG-20'], drop.member('error_type'), { reply: is.cancelled }),
    fault(
      'wrong-category',
      ['MR-CTG-20'],
      set.member('error_type', () => 'internal_error'),
      { also: ['MR-QUE-11'] },
    ),
    fault('in-a-state-of-its-own', ['MR-STA-13', 'MR-QUE-04'], useStatusCancelled, { reply: is.cancelled }),
    fault('revived', ['MR-CTG-21'], reportRunningAgain, { reply: is.cancelled }),
  ]),
  ...group({ id: 'cancel', on: queueOperations }, [
    fault('completed.marks-it-cancelled', ['MR-CAN-13'], markAfterLateCancel),
    fault('completed.throws-the-result-away', ['MR-CAN-13'], discardAfterLateCancel),
    fault('pending.takes-the-newest-along', ['MR-CAN-03', 'MR-CTG-20'], cancelNewestToo, { also: ['MR-CAN-19'] }),
  ]),
];

export const queueVariants: readonly Variant[] = [
  ...group({ id: 'queue', on: ['submitRequest', 'readStatus', 'collectRequest'], status: [200, 201, 202] }, [
    variant('urls.of-the-moment', signUrlsAgain),
    variant('urls.other-origin', useOtherOrigin),
    variant('words.other-names', renameStatuses({ IN_QUEUE: 'WAITING', IN_PROGRESS: 'RUNNING' })),
    variant('words.starts-running', renameStatuses({ IN_QUEUE: 'IN_PROGRESS' })),
    variant('position.absent', drop.member('queue_position')),
    variant('position.rises-again', moveBackOnce, { when: hasOtherCallers }),
    variant(
      'position.none-ahead',
      set.member('queue_position', () => 0),
    ),
    variant('position.far-behind', raiseQueuePosition, { when: hasOtherCallers }),
    variant('failed.status-as-410', returnFailureAs410, { on: 'readStatus', status: 200, reply: is.failed }),
  ]),
  ...group({ id: 'queue', on: 'collectRequest' }, [
    variant('cancelled.unknown-error-type-on-collect', replyWithError(410, 'withdrawn_by_caller'), {
      status: 410,
      reply: is.cancelled,
    }),
    variant('cancelled.collect-as-409', set.status(409), { status: 410, reply: is.cancelled }),
    variant('failed.collect-by-category', useStatusOfCategory, { status: 410 }),
    variant('failed.collect-as-410', returnMostFailuresAs410, {
      status: (status) => status >= 400 && ![404, 409, 503].includes(status),
    }),
    variant('collect.once-only', collectOnlyOnce(404, 'request_not_found'), { status: 200 }),
    variant('collect.conflicts-once-collected', collectOnlyOnce(409, 'invalid_input'), { status: 200 }),
  ]),
  ...group({ id: 'queue', on: ['submitRequest', 'cancelRequest'] }, [
    variant('cancel.finishes-soon', acceptAndFinishEarlier),
    variant('cancel.repeatable', repeatFirstCancelReply, { on: 'cancelRequest' }),
    variant('cancel.without-effect', acceptWithoutCancelling, { on: 'cancelRequest' }),
    variant('cancel.malformed-id-not-found', replyWithError(404, 'request_not_found'), {
      on: 'cancelRequest',
      status: 400,
    }),
  ]),
  ...group({ id: 'queue.submit', on: 'submitRequest' }, [
    variant('beyond-the-cap', resendAsMainCaller, { status: 429, when: caller.isAtSpendCap }),
    variant('beyond-the-rate', resendAsMainCaller, { status: 429, when: caller.isOverRate }),
    variant('replayed-with-200', set.status(200), { reply: is.replay }),
    variant('failed-at-once', waitForFailure(), { status: 201, when: selectsImmediateOutcome }),
    variant('completed-at-once', waitForFailure('error_type'), { status: 201, when: selectsImmediateOutcome }),
  ]),
];
