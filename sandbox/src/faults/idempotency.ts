import { type Reply, type ServerRequest, upstreamStatus } from '../http/messages.ts';
import {
  drop,
  later,
  onReply,
  onRequest,
  onText,
  refuse,
  remembering,
  replace,
  replyRow,
  resend,
  set,
  whileRunning,
  withState,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, only, posts, readPath, rowIn } from './builders/fault.ts';
import {
  asReplay,
  is,
  readBytes,
  readObject,
  readText,
  refusal,
  withHeader,
  withJson,
  withText,
} from './builders/replies.ts';
import {
  asMain,
  caller,
  hasKey,
  hasQuery,
  readBodyText,
  readKey,
  readModelId,
  type When,
  withBody,
  withHeaders,
  withoutKey,
} from './builders/requests.ts';
import { breakUrl, knowingSubmission } from './queue.ts';

const longestKey = 255;

const withKey = (request: ServerRequest, key: string): ServerRequest =>
  withHeaders(request, { 'idempotency-key': key });

/** Sends another idempotency key on than the caller sent; calls without one, or with one that is refused, stay as they are. */
export function renameKey(rename: (key: string, request: ServerRequest) => string): Change {
  return onRequest((request) => {
    const key = readKey(request);
    const isUsable = key.length > 0 && key.length <= longestKey;
    return isUsable ? withKey(request, rename(key, request).slice(-longestKey)) : request;
  });
}

const readSentKey = ({ headers }: ServerRequest): string | undefined => headers['idempotency-key'];

/** Rows that read the later calls under a key as this function of the call and the first one. */
const laterCallRow = rowIn((change: (request: ServerRequest, first: ServerRequest) => ServerRequest) =>
  remembering(
    readSentKey,
    () => true,
    (first, { request, app }) => app(change(request, first.request)),
  ),
);

/** A call under a key that some reply has taken, its reply, and the call that took the key. */
type Later = { request: ServerRequest; reply: Reply; taker: ServerRequest };

/** A key is taken by the first reply for which `takes` is true; later calls under it are refused where `refuses` is true. */
export function holdsKey(takes: (reply: Reply) => boolean, refuses: (later: Later) => boolean = () => true): Change {
  return remembering(readSentKey, takes, async ({ request: taker }, { request, app }) => {
    const reply = await app(request);
    const isRefused = refuses({ request, reply, taker });
    return isRefused ? refusal(reply, 409, 'invalid_input') : reply;
  });
}

/** Changes the conflict of a call with another body that arrives while the first one under its key runs. */
export const whereOtherBodyComes = (change: (reply: Reply) => Reply): Change =>
  whileRunning(readKey, async (first, { request, app }) => {
    const reply = await app(request);
    const isConflict = reply.status === 409 && readBodyText(first) !== readBodyText(request);
    return isConflict ? change(reply) : reply;
  });

/** A refusal as if the first call under the key still ran. */
export function asStillRunning(reply: Reply): Reply {
  return withHeader(refusal(reply, 409, 'concurrency_limit_exceeded'), 'Retry-After', '1');
}

/** Keeps the keys of such calls apart from all others. */
const apartRow = rowIn((when: When) =>
  only(
    { when },
    renameKey((key) => `${key}-apart`),
  ),
);

const queryText = ({ target }: ServerRequest): string => /\?.*$/s.exec(target)?.[0] ?? '';

/** A new key is read as the first key of the same call. */
const firstKeyForEqualCalls: Change = withState(() => {
  const firstKeys = new Map<string, string>();
  return renameKey((key, request) => {
    const call = `${request.target} ${readBodyText(request)}`;
    const first = firstKeys.get(call) ?? key;
    firstKeys.set(call, first);
    return first;
  });
});

const heldAfterRejection = holdsKey(({ status }) => status === 400 || status === 422);
const boundToTheCredential = renameKey((key, { headers }) => `${key}-${headers['x-api-key']?.slice(-9) ?? 'bearer'}`);
const asIfStillRunning = set.category('concurrency_limit_exceeded');
const cutAt64Characters = renameKey((key) => key.slice(0, 64));
const sharedByBothRoutes = renameKey((key) => `queue-${key}`);

/** Faults of the key itself: what a call under it is compared with, and who shares it. */
export const idempotencyKeyFaults: readonly Fault[] = [
  ...group({ id: 'run.key', on: posts, when: hasKey }, [
    fault('another-one-replays', 'MR-IDM-32 also MR-HDR-14 MR-IDM-16 MR-IDM-33 MR-IDM-40', firstKeyForEqualCalls, {
      on: 'runModel',
    }),
    fault('held-after-rejection', 'MR-IDM-33 also MR-IDM-01', heldAfterRejection, { on: 'runModel' }),
    fault('shared-between-workspaces', 'MR-IDM-40', onRequest(asMain), {
      on: 'runModel',
      when: caller.isOfOtherWorkspace,
    }),
    fault('bound-to-the-credential', 'MR-IDM-40', boundToTheCredential),
    replyRow('echoed-in-header', 'MR-IDM-39', (reply, { request }) =>
      withHeader(reply, 'Idempotency-Key', readKey(request)),
    ),
    // The links of a replay expire a day later.
    fault(
      'links-renewed',
      'MR-AST-17 also MR-IDM-01',
      onText((text) => text.replace(/(?<=[?&]expires=)\d{13}/g, (time) => String(Number(time) + 24 * 3_600_000))),
      { on: 'runModel', reply: (reply) => is.replay(reply) && is.json(reply) },
    ),
  ]),
  ...group({ id: 'run.conflict', on: posts, when: hasKey }, [
    laterCallRow('body-overlooked', 'MR-IDM-27 MR-IDM-16 also MR-HDR-14 MR-IDM-33', (request, { body }) => ({
      ...request,
      body,
    })),
    laterCallRow('query-overlooked', 'MR-IDM-26 MR-IDM-16', (request, first) => ({
      ...request,
      target: readPath(request) + queryText(first),
    })),
    laterCallRow('model-overlooked', 'MR-IDM-25 MR-IDM-16 also MR-IDM-33', (request, first) => ({
      ...request,
      target: readPath(first) + queryText(request),
    })),
    fault('wrong-category', 'MR-IDM-16 MR-CTG-04 also MR-CTG-05 MR-IDM-05 MR-RUN-47', asIfStillRunning, {
      status: 409,
    }),
  ]),
  ...group({ id: 'idempotency', on: posts, when: hasKey }, [
    fault('key.cut-at-64-characters', 'MR-IDM-32 also MR-HDR-14', cutAt64Characters),
    fault('path.shared-by-both-routes', 'MR-IDM-25 MR-SUB-18', sharedByBothRoutes, {
      on: 'submitRequest',
      sentence: 'A key that a run used is free to submit.',
    }),
    laterCallRow(
      'conflict.other-queue-overlooked',
      'MR-IDM-25 MR-IDM-16 MR-SUB-18',
      (request, first) =>
        readModelId(request) === readModelId(first) ? request : { ...request, target: first.target, body: first.body },
      { on: 'submitRequest' },
    ),
    fault('conflict.marked-as-replay', 'MR-HDR-14', set.header('Idempotent-Replayed', 'true'), { status: 409 }),
    apartRow('conflict.fallback-not-compared', 'MR-IDM-26', hasQuery('fallback_provider')),
    apartRow('conflict.provider-not-compared', 'MR-IDM-26', hasQuery('model_provider')),
  ]),
  ...group({ id: 'idempotency', on: 'runModel', when: hasKey }, [
    fault('scope.user-as-main', 'MR-IDM-41', onRequest(asMain), { when: caller.isWithoutWorkspace }),
    fault('scope.user-has-none', 'MR-IDM-41', onRequest(withoutKey), { when: caller.isWithoutWorkspace }),
    fault('scope.submissions-shared', 'MR-IDM-40', onRequest(asMain), {
      on: 'submitRequest',
      when: caller.isOfOtherWorkspace,
    }),
    apartRow('caller.token-has-keys-of-its-own', 'MR-IDM-40', caller.hasTokenOnly, { on: posts }),
    apartRow('caller.colleague-queues-again', 'MR-IDM-40', caller.isColleague, { on: 'submitRequest' }),
  ]),
];

const runsRefusalsAgain = remembering(
  readKey,
  (reply) => [400, 422].includes(reply.status) && is.fromProvider(reply),
  (_, { request, app }) => app(withBody(withoutKey(request), {})),
);

const heldAfterInput = holdsKey(
  (reply) => reply.status === 422 && !is.fromProvider(reply),
  ({ request, taker }) => readBodyText(request) !== readBodyText(taker),
);
const heldAfter = (status: number): Change =>
  holdsKey(
    (reply) => reply.status === status,
    ({ reply }) => reply.status < 300,
  );
const heldAfter404 = holdsKey(
  ({ status }) => status === 404,
  ({ request, taker }) => readModelId(request) !== readModelId(taker),
);

const fourthCallRunsAgain = withState(() => {
  const calls = new Map<string, number>();
  return renameKey((key) => {
    const times = (calls.get(key) ?? 0) + 1;
    calls.set(key, times);
    return times > 3 ? `${key}-${times}` : key;
  });
});

const statusTellsTheKey = knowingSubmission('readStatus', async (submission, { request, app }) => {
  const reply = await app(request);
  const isKnown = reply.status === 200 && hasKey(submission);
  return isKnown ? withJson(reply, { ...readObject(reply), client_reference: readKey(submission) }) : reply;
});

/** Changes the first text of a JSON body. */
const withOtherText = (reply: Reply): Reply =>
  is.json(reply) ? withText(reply, readText(reply).replace(/(:\s*"[^"\\]*)"/, '$1-again"')) : reply;

const unreplayed = 'MR-IDM-01 MR-RUN-34 also MR-AST-17 MR-IDM-41 MR-IDM-46 MR-IDM-54';
const rerun = `MR-RUN-04 MR-SUB-04 MR-CTG-05 MR-CTG-16 MR-IDM-16 MR-IDM-40 MR-IDM-41 MR-IDM-46 MR-IDM-54 MR-RUN-46`;

const withoutMark = drop.header('Idempotent-Replayed');
const keyHeld = holdsKey(({ status }) => status === 500 || status === 503);

/** Faults of the record that a key leads to. */
export const idempotencyRecordFaults: readonly Fault[] = [
  ...group({ id: 'run.retry', on: 'runModel', status: 200 }, [
    fault('not-marked', 'MR-HDR-14 MR-IDM-01 also MR-IDM-40 MR-IDM-41 MR-IDM-46 MR-IDM-54', withoutMark),
    fault('other-bytes', 'MR-IDM-01 also MR-AST-17 MR-IDM-46', onReply(withOtherText), { reply: is.replay }),
    fault('refused', unreplayed, refuse(409, 'invalid_input'), { reply: is.replay }),
    fault('runs-again', `MR-IDM-01 MR-HDR-14 also ${rerun}`, onRequest(withoutKey), { on: posts }),
  ]),
  ...group({ id: 'run.first', on: 'runModel', status: 200 }, [
    fault('marked-replayed', 'MR-HDR-14 also MR-IDM-32 MR-IDM-33 MR-IDM-40 MR-IDM-48', onReply(asReplay)),
    fault('file-marked-replayed', 'MR-HDR-14', onReply(asReplay), { when: hasKey, reply: is.file }),
  ]),
  ...group({ id: 'idempotency.record', on: 'runModel', when: hasKey }, [
    fault('fourth-call-runs-again', 'MR-IDM-01 MR-IDM-02 also MR-HDR-14 MR-IDM-41', fourthCallRunsAgain, { on: posts }),
    fault('refusals-run-again', 'MR-RUN-42 MR-RUN-50', runsRefusalsAgain),
    fault('spent-key-runs-again', 'MR-IDM-17 MR-CTG-05', resend(withoutKey), {
      status: 409,
      reply: (reply) => readText(reply).includes('cannot be replayed'),
    }),
    fault('assets-never-replay', 'MR-IDM-52 also MR-HDR-14 MR-IDM-01', refuse(409, 'invalid_input'), {
      reply: (reply) => is.replay(reply) && readText(reply).includes('/__assets/'),
    }),
    fault('long-results-never-replay', 'MR-IDM-01', refuse(409, 'invalid_input'), {
      reply: (reply) => is.replay(reply) && readBytes(reply).length > 100_000,
    }),
    fault('files-replayed-as-mere-bytes', 'MR-IDM-01', set.header('Content-Type', 'application/octet-stream'), {
      reply: (reply) => is.replay(reply) && is.file(reply),
    }),
    fault('files-replayed-empty', 'MR-IDM-01', set.text(''), { reply: (reply) => is.replay(reply) && is.file(reply) }),
  ]),
  ...group({ id: 'idempotency.rejection', on: 'runModel', subject: 'The key' }, [
    fault('key-held', 'MR-IDM-33', keyHeld),
    fault('held-after-422', 'MR-IDM-33', heldAfterInput),
    fault('held-after-404', 'MR-IDM-33', heldAfter404),
    // In these two the refused submission was queued.
    fault('submission-held-after-422', 'MR-IDM-33 also MR-HDR-18', heldAfterInput, { on: 'submitRequest' }),
    fault('for-credits-holds-the-key', 'MR-IDM-33 also MR-HDR-18', heldAfter(402), { on: posts }),
    fault('for-access-holds-the-key', 'MR-IDM-33', heldAfter(403), { on: posts }),
  ]),
  ...group({ id: 'idempotency.submission', on: ['submitRequest', 'readStatus'] }, [
    fault('status-tells-the-key', 'MR-IDM-39', statusTellsTheKey),
    fault('replayed-handle-leads-nowhere', 'MR-SUB-12 MR-QUE-20', breakUrl('status_url'), {
      on: 'submitRequest',
      status: 201,
      reply: is.replay,
    }),
  ]),
];

/** The 409 of a key whose first call still runs. */
const running = { status: 409, category: 'concurrency_limit_exceeded' };

/** A retry during a call starts another one, because its key is only recorded at the end. */
const twice = whileRunning(readKey, (_, { request, app }) => app(withKey(request, `${readKey(request)}-beside`)));

/** One call at a time, whatever their keys. */
const oneAtATime = whileRunning(
  () => '',
  async (_, { request, app }) => asStillRunning(await app(withoutKey(request))),
);

/** A call ends early when another one arrives under its key. */
const cutOffByRetry = withState(() => {
  const isRetried = new Map<string, boolean>();
  return (app) => async (request) => {
    const key = readKey(request);
    const isFirst = !isRetried.has(key);
    isRetried.set(key, !isFirst);
    const reply = await app(request);
    const isCut = isFirst && isRetried.get(key) === true;
    if (isFirst) isRetried.delete(key);
    return isCut ? withText(reply, '{}', 202) : reply;
  };
});

/** A 504 forgets its key: the next call begins anew. */
const forgetsAccepted: Change = (app) => {
  const missed = new Map<string, number>();
  return async (request) => {
    const key = readKey(request);
    const times = missed.get(key) ?? 0;
    const reply = await app(times === 0 ? request : withKey(request, `${key}-${times}`));
    if (reply.status === 504) missed.set(key, times + 1);
    return reply;
  };
};

const refusesEarlyRetry = later(readKey, (reply) =>
  withHeader(refusal(reply, 410, 'invalid_input'), 'Retry-After', undefined),
);

const otherBodyAs400 = whereOtherBodyComes((reply) => ({ ...reply, status: 400 }));

/** Faults while the first call under a key runs, and after the router has stopped waiting for it. */
export const idempotencyRunningFaults: readonly Fault[] = [
  ...group({ id: 'idempotency.running', on: posts }, [
    fault('dispatched-again', 'MR-IDM-04 MR-RUN-46', twice, { when: hasKey }),
    fault('as-429', 'MR-IDM-04 MR-STC-06', set.status(429), running),
    fault('as-conflict', 'MR-IDM-04', refuse(409, 'invalid_input'), running),
    fault('no-retry-after', 'MR-IDM-05 MR-RUN-47', drop.header('Retry-After'), running),
    fault('other-body-as-400', 'MR-IDM-16 MR-IDM-27 MR-CTG-04', otherBodyAs400, { when: hasKey }),
    fault('holds-up-everybody', 'MR-IDM-32', oneAtATime, { on: 'runModel', when: hasKey }),
    fault('first-call-cut-off', 'MR-RUN-03 also MR-CAN-03', cutOffByRetry, { on: 'runModel', when: hasKey }),
  ]),
  ...group({ id: 'idempotency.deadline', on: posts, subject: 'The 504 of collectable work' }, [
    fault('no-hint', 'MR-IDM-07 MR-RUN-60', drop.header('Retry-After'), { status: 504 }),
    fault('upstream-is-an-error', 'MR-RUN-59 MR-HDR-05', replace.header(upstreamStatus, '504'), { status: 504 }),
    fault('key-forgotten', 'MR-IDM-01 MR-IDM-07 also MR-CTG-04 MR-CTG-05 MR-IDM-54', forgetsAccepted, {
      on: 'runModel',
      when: hasKey,
    }),
    fault('early-retry-refused', 'MR-IDM-07 also MR-IDM-48', refusesEarlyRetry, {
      on: 'runModel',
      status: 504,
      when: hasKey,
    }),
    fault('collected-anew', 'MR-IDM-01', later(readKey, withOtherText), { on: 'runModel', reply: is.replay }),
  ]),
];
