import { newId } from '../digest.ts';
import { type Reply, requestId, type ServerRequest, upstreamStatus } from '../http/messages.ts';
import {
  drop,
  type EarlierCall,
  is,
  markAsReplay,
  onConcurrentCalls,
  onLaterCalls,
  onReply,
  onRequest,
  onText,
  readReply,
  replyWith,
  replyWithError,
  resend,
  set,
  treatAsMainCaller,
  withError,
  withHeader,
  withText,
} from './builders/changes.ts';
import {
  type Change,
  type Fault,
  type FaultContext,
  fault,
  group,
  restrictTo,
  startOperations,
} from './builders/fault.ts';
import { caller, hasKey, hasParameter, readRequest, withBody, withHeaders, withoutKey } from './builders/requests.ts';
import { returnFirstPage } from './catalog.ts';
import { breakUrl, readRequestId } from './queue.ts';

const maxKeyLength = 255;
const hourMs = 60 * 60 * 1000;

/** Changes the idempotency key of a call, unless it has no key or an invalid one. */
function renameKey(rename: (key: string, request: ServerRequest, context: FaultContext) => string): Change {
  return onRequest((request, context) => {
    const key = readRequest.key(request);
    const isUsable = key.length > 0 && key.length <= maxKeyLength;
    const renamed = rename(key, request, context).slice(-maxKeyLength);
    return isUsable ? withHeaders(request, { 'idempotency-key': renamed }) : request;
  });
}

/** Changes later requests with the same key. `change` also gets the first request with that key. */
const changeLaterRequests = (change: (request: ServerRequest, first: ServerRequest) => ServerRequest): Change =>
  onLaterCalls(readRequest.key, ({ request: first }) => onRequest((request) => change(request, first)), {
    isRemembered: () => true,
  });

/** Changes the conflict for a call with a different body that arrives while the first call with its key is running. */
export const changeBodyConflict = (change: (reply: Reply) => Reply): Change =>
  onConcurrentCalls(readRequest.key, (first) =>
    onReply((reply, { request }) =>
      reply.status === 409 && readRequest.text(first) !== readRequest.text(request) ? change(reply) : reply,
    ),
  );

/** Rejects the call as if the first call with the key were still running. */
export function rejectAsRunning(reply: Reply): Reply {
  return withHeader(withError(reply, 409, 'concurrency_limit_exceeded'), 'Retry-After', '1');
}

/** Replaces the key with that of the first call with the same body. */
const useFirstKeyForEqualCalls = onLaterCalls(
  (request) => `${request.target} ${readRequest.text(request)}`,
  ({ request: first }) => renameKey(() => readRequest.key(first)),
  { isRemembered: (_, request) => readRequest.key(request) !== '' },
);
const bindKeyToCredential = renameKey((key, { headers }) => `${key}-${headers['x-api-key']?.slice(-9) ?? 'bearer'}`);
const cutKeyAt64Characters = renameKey((key) => key.slice(0, 64));
/** Uses different keys for submissions, so that they never conflict with runs. */
const separateQueueKeys = renameKey((key) => `queue-${key}`);

const echoKeyInHeader = onReply((reply, { request }) => withHeader(reply, 'Idempotency-Key', readRequest.key(request)));
/** Makes the links of a replay valid for another day. */
const extendLinks = onText((text) =>
  text.replace(/(?<=[?&]expires=)\d{13}/g, (time) => String(Number(time) + 24 * hourMs)),
);

const setConcurrencyCategory = set.category('concurrency_limit_exceeded');
const queryText = ({ target }: ServerRequest): string => /\?.*$/s.exec(target)?.[0] ?? '';
const ignoreBodyOfLaterCalls = changeLaterRequests((request, { body }) => ({ ...request, body }));
const ignoreQueryOfLaterCalls = changeLaterRequests((request, first) => ({
  ...request,
  target: readRequest.path(request) + queryText(first),
}));
const ignoreModelOfLaterCalls = changeLaterRequests((request, first) => ({
  ...request,
  target: readRequest.path(first) + queryText(request),
}));

/** Starts a run for a retry of a call that the provider rejected, instead of replaying the rejection. */
const runRejectedCallsAgain = onLaterCalls(
  readRequest.key,
  () => onRequest((request) => withBody(withoutKey(request), {})),
  {
    isRemembered: (reply) => [400, 422].includes(reply.status) && is.fromProvider(reply),
  },
);

/** Keeps the key in use after the router rejects its call with one of these statuses, so that a different call with the key conflicts. */
const keepKeyAfter = (...statuses: readonly number[]): Change =>
  onLaterCalls(
    readRequest.key,
    ({ request: first }) =>
      onReply((reply, { request }) =>
        readRequest.text(first) !== readRequest.text(request) || reply.status < 300
          ? withError(reply, 409, 'invalid_input')
          : reply,
      ),
    { isRemembered: (reply) => statuses.includes(reply.status) && !is.fromProvider(reply) },
  );

/** Changes the first string in a JSON body. */
const changeFirstText = (reply: Reply): Reply =>
  is.json(reply) ? withText(reply, readReply.text(reply).replace(/(:\s*"[^"\\]*)"/, '$1-again"')) : reply;

/** Adds the key of the submission to status responses. */
const addKeyToStatus = onLaterCalls(
  readRequestId,
  ({ request }) => restrictTo({ on: 'readStatus' }, set.member('client_reference', readRequest.key(request))),
  { isRemembered: (_, request) => hasKey(request) },
);

/** Selects the 409 that a call gets while the first call with its key is running. */
const conflictWhileRunning = { status: 409, category: 'concurrency_limit_exceeded' };

/** Starts a second run for a retry that arrives during the first call, as if the key were only recorded when the call ends. */
const startSecondRun = onConcurrentCalls(readRequest.key, () => renameKey((key) => `${key}-second`));

/** Replaces the reply of a call with an empty 202 if a retry with its key arrived while it was running. */
const endCallWhenRetried: Change = (app) => {
  const isRetried = new Map<string, boolean>();
  return async (request) => {
    const key = readRequest.key(request);
    const isFirst = !isRetried.has(key);
    isRetried.set(key, !isFirst);
    const reply = await app(request);
    const isCut = isFirst && isRetried.get(key) === true;
    if (isFirst) isRetried.delete(key);
    return isCut ? withText(reply, '{}', 202) : reply;
  };
};

/** Forgets the key after a 504, so that each later call starts a new run. */
const forgetKeyAfter504 = onLaterCalls(readRequest.key, () => renameKey(() => newId()), {
  isRemembered: ({ status }) => status === 504,
});

const rejectEarlyRetry = onLaterCalls(readRequest.key, () =>
  onReply((reply) => withHeader(withError(reply, 410, 'invalid_input'), 'Retry-After', undefined)),
);

const returnBodyConflictAs400 = changeBodyConflict((reply) => ({ ...reply, status: 400 }));

/** Forgets keys that are older than an hour. */
const forgetKeyAfterAnHour = onLaterCalls(
  readRequest.key,
  ({ at }) => renameKey((key, _, { clock }) => (clock.now() - at > hourMs ? `${key}-later` : key)),
  { isRemembered: () => true },
);

/** Changes replies to later calls with a key that has a result. `change` also gets the first call with the key. */
const changeLaterReplies = (
  change: (first: EarlierCall, reply: Reply, isSameBody: boolean, now: number) => Reply,
): Change =>
  onLaterCalls(
    (request) => `${readRequest.key(request)} ${request.target} ${request.headers['x-api-key']}`,
    (first) =>
      onReply((reply, { request, context }) =>
        change(first, reply, readRequest.text(first.request) === readRequest.text(request), context.clock.now()),
      ),
    { isRemembered: ({ status }) => status < 300 },
  );
const startedRun = (reply: Reply): boolean => !is.replay(reply) && reply.status !== 409;
const createReplay = (first: Reply): Reply => withHeader(markAsReplay(first), requestId, newId());
const replayForever = changeLaterReplies((first, reply, isSameBody) =>
  isSameBody && startedRun(reply) ? createReplay(first.reply) : reply,
);
const rejectConflictsForever = changeLaterReplies((_, reply, isSameBody) =>
  isSameBody ? reply : withError(reply, 409, 'invalid_input'),
);
const renewKeyByRetry = changeLaterReplies((first, reply, isSameBody, now) => {
  if (!isSameBody || now - first.at >= 24 * hourMs) return reply;
  first.at = now;
  return startedRun(reply) ? createReplay(first.reply) : reply;
});

const openLinksAlways = onReply(() => ({ status: 200, headers: { 'Content-Type': 'image/png' }, body: 'bytes' }));
const openLinksOnce = onLaterCalls(readRequest.path, () =>
  replyWith(() => ({ status: 410, headers: { 'Content-Type': 'text/plain' }, body: 'expired' })),
);

/** Returns the time (ms) at which the first link in a result expires; 0 if there are no links. */
const readExpiry = (reply: Reply): number => Number(/[?&]expires=(\d+)/.exec(readReply.text(reply))?.[1] ?? 0);

const signLinksAgain = onReply(async (reply, { request, app }) => {
  const fresh = await app(withoutKey(request));
  // A replay within the same minute is unchanged, because rules for other requirements compare its bytes.
  return readExpiry(fresh) - readExpiry(reply) > 60_000 ? markAsReplay(fresh) : reply;
});

export const idempotencyFaults: readonly Fault[] = [
  ...group({ id: 'run.key', on: startOperations, when: hasKey }, [
    fault('another-one-replays', ['MR-IDM-32'], useFirstKeyForEqualCalls, {
      also: ['MR-HDR-14', 'MR-IDM-16', 'MR-IDM-33'],
      on: 'runModel',
    }),
    fault('shared-between-workspaces', ['MR-IDM-40'], treatAsMainCaller, { when: caller.isOfOtherWorkspace }),
    fault('bound-to-the-credential', ['MR-IDM-40'], bindKeyToCredential),
    fault('echoed-in-header', ['MR-IDM-39'], echoKeyInHeader),
    fault('links-renewed', ['MR-AST-17'], extendLinks, { also: ['MR-IDM-01'], on: 'runModel', reply: is.replay }),
  ]),
  ...group({ id: 'run.conflict', on: startOperations, when: hasKey }, [
    fault('body-overlooked', ['MR-IDM-27', 'MR-IDM-16'], ignoreBodyOfLaterCalls, { also: ['MR-IDM-33'] }),
    fault('query-overlooked', ['MR-IDM-26', 'MR-IDM-16'], ignoreQueryOfLaterCalls),
    fault('model-overlooked', ['MR-IDM-25', 'MR-IDM-16'], ignoreModelOfLaterCalls),
    fault('wrong-category', ['MR-IDM-16', 'MR-CTG-04'], setConcurrencyCategory, {
      also: ['MR-CTG-05', 'MR-IDM-05'],
      status: 409,
    }),
  ]),
  ...group({ id: 'idempotency', on: startOperations, when: hasKey }, [
    fault('key.cut-at-64-characters', ['MR-IDM-32'], cutKeyAt64Characters),
    fault('path.shared-by-both-routes', ['MR-IDM-25', 'MR-SUB-18'], separateQueueKeys, { on: 'submitRequest' }),
    fault('scope.user-has-none', ['MR-IDM-41'], onRequest(withoutKey), {
      on: 'runModel',
      when: caller.isWithoutWorkspace,
    }),
  ]),
  ...group({ id: 'run', on: 'runModel', status: 200 }, [
    fault('retry.not-marked', ['MR-HDR-14', 'MR-IDM-01'], drop.header('Idempotent-Replayed'), {
      also: ['MR-IDM-40', 'MR-IDM-46'],
    }),
    fault('retry.other-bytes', ['MR-IDM-01'], onReply(changeFirstText), {
      also: ['MR-IDM-46'],
      reply: is.replay,
    }),
    fault('retry.refused', ['MR-IDM-01', 'MR-RUN-34'], replyWithError(409, 'invalid_input'), {
      also: ['MR-IDM-41', 'MR-IDM-46'],
      reply: is.replay,
    }),
    fault('retry.runs-again', ['MR-IDM-01', 'MR-HDR-14'], onRequest(withoutKey), {
      also: ['MR-RUN-04', 'MR-SUB-04', 'MR-CTG-05', 'MR-CTG-16', 'MR-IDM-16', 'MR-RUN-46'],
      on: startOperations,
    }),
    fault('first.marked-replayed', ['MR-HDR-14'], set.header('Idempotent-Replayed', 'true'), {
      also: ['MR-IDM-32', 'MR-IDM-33', 'MR-IDM-40', 'MR-IDM-48'],
    }),
  ]),
  ...group({ id: 'idempotency.record', on: 'runModel', when: hasKey }, [
    fault('refusals-run-again', ['MR-RUN-42', 'MR-RUN-50'], runRejectedCallsAgain),
    fault('spent-key-runs-again', ['MR-IDM-17', 'MR-CTG-05'], resend(withoutKey), {
      status: 409,
      reply: (reply) => readReply.text(reply).includes('cannot be replayed'),
    }),
    fault('assets-never-replay', ['MR-IDM-52'], replyWithError(409, 'invalid_input'), {
      also: ['MR-HDR-14', 'MR-IDM-01'],
      reply: (reply) => is.replay(reply) && readReply.text(reply).includes('/__assets/'),
    }),
    fault('files-replayed-as-mere-bytes', ['MR-IDM-01'], set.header('Content-Type', 'application/octet-stream'), {
      reply: (reply) => is.replay(reply) && is.file(reply),
    }),
    fault('files-replayed-empty', ['MR-IDM-01'], set.text(''), {
      reply: (reply) => is.replay(reply) && is.file(reply),
    }),
  ]),
  ...group({ id: 'idempotency.rejection', on: startOperations, when: hasKey }, [
    fault('key-held', ['MR-IDM-33'], keepKeyAfter(500, 503), { on: 'runModel' }),
    fault('held-after-a-refusal', ['MR-IDM-33'], keepKeyAfter(400, 402, 403, 404, 422)),
  ]),
  ...group({ id: 'idempotency.submission', on: ['submitRequest', 'readStatus'] }, [
    fault('status-tells-the-key', ['MR-IDM-39'], addKeyToStatus),
    fault('replayed-handle-leads-nowhere', ['MR-SUB-12', 'MR-QUE-20'], breakUrl('status_url'), {
      on: 'submitRequest',
      status: 201,
      reply: is.replay,
    }),
  ]),
  ...group({ id: 'idempotency.running', on: startOperations }, [
    fault('dispatched-again', ['MR-IDM-04', 'MR-RUN-46'], startSecondRun, { when: hasKey }),
    fault('as-429', ['MR-IDM-04', 'MR-STC-06'], set.status(429), conflictWhileRunning),
    fault('as-conflict', ['MR-IDM-04'], replyWithError(409, 'invalid_input'), conflictWhileRunning),
    fault('no-retry-after', ['MR-IDM-05', 'MR-RUN-47'], drop.header('Retry-After'), conflictWhileRunning),
    fault('other-body-as-400', ['MR-IDM-16', 'MR-IDM-27', 'MR-CTG-04'], returnBodyConflictAs400, { when: hasKey }),
    fault('first-call-cut-off', ['MR-RUN-03'], endCallWhenRetried, {
      also: ['MR-CAN-03'],
      on: 'runModel',
      when: hasKey,
    }),
  ]),
  ...group({ id: 'idempotency.deadline', on: 'runModel' }, [
    fault(
      'upstream-is-an-error',
      ['MR-RUN-59', 'MR-HDR-05'],
      set.header(upstreamStatus, () => '504'),
      { status: 504 },
    ),
    fault('key-forgotten', ['MR-IDM-01', 'MR-IDM-07'], forgetKeyAfter504, {
      also: ['MR-CTG-05', 'MR-IDM-54'],
      when: hasKey,
    }),
    fault('early-retry-refused', ['MR-IDM-07'], rejectEarlyRetry, { also: ['MR-IDM-48'], status: 504, when: hasKey }),
    fault(
      'collected-anew',
      ['MR-IDM-01'],
      onLaterCalls(readRequest.key, () => onReply(changeFirstText)),
      { reply: is.replay },
    ),
  ]),
  ...group({ id: 'retention.key', on: 'runModel', when: hasKey }, [
    fault('kept-for-an-hour', ['MR-IDM-46', 'MR-IDM-54'], forgetKeyAfterAnHour, {
      also: ['MR-IDM-48'],
      on: startOperations,
    }),
    fault('kept-for-ever', ['MR-IDM-48', 'MR-IDM-49'], replayForever, { on: startOperations }),
    fault('renewed-by-each-retry', ['MR-IDM-47'], renewKeyByRetry, { also: ['MR-IDM-48'] }),
    fault('conflicts-for-ever', ['MR-IDM-49'], rejectConflictsForever),
  ]),
  ...group({ id: 'retention.link', on: 'openAsset' }, [
    fault(
      'lives-for-ever',
      ['MR-AST-06', 'MR-AST-09', 'MR-AST-11', 'MR-AST-14', 'MR-AST-15', 'MR-AST-17'],
      openLinksAlways,
      {
        status: 410,
        when: (request) => readRequest.path(request).includes('/service/'),
      },
    ),
    fault('opens-once', ['MR-AST-02', 'MR-AST-24'], openLinksOnce, { status: 200 }),
    fault('renewed-by-replay', ['MR-AST-17'], signLinksAgain, { on: 'runModel', reply: is.replay }),
  ]),
  ...group({ id: 'retention.cursor', on: 'listModels', status: 400 }, [
    fault('restarts-when-expired', ['MR-CAT-51', 'MR-CAT-52'], returnFirstPage, {
      also: ['MR-CAT-50'],
      when: hasParameter('cursor'),
    }),
  ]),
];
