import { type Reply, replyHeader, upstreamStatus } from '../http/messages.ts';
import {
  drop,
  later,
  onReply,
  refuse,
  remembering,
  replace,
  resend,
  set,
  whileRunning,
  withState,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';
import { asStillRunning, holdsKey, renameKey, whereOtherBodyComes, withKey } from './builders/idempotency.ts';
import { posts } from './builders/operations.ts';
import { breakUrl, knowingSubmission } from './builders/queue.ts';
import {
  asReplay,
  isFile,
  isReplay,
  readBytes,
  readCategory,
  readObject,
  readText,
  refusal,
  withJson,
  withOtherText,
  withoutHeader,
  withText,
} from './builders/replies.ts';
import { hasKey, readBodyText, readKey, readModelId, withBody, withoutKey } from './builders/requests.ts';

/** The 409 of a key whose result cannot be replayed. */
const spent = { status: 409, reply: (reply: Reply) => readText(reply).includes('cannot be replayed') };

const runsRefusalsAgain = remembering(
  readKey,
  (reply) => [400, 422].includes(reply.status) && isFromProvider(reply),
  (_, { request, app }) => app(withBody(withoutKey(request), {})),
);

const isRefusedInput = (reply: Reply): boolean => reply.status === 422 && !isFromProvider(reply);
const isFromProvider = (reply: Reply): boolean => replyHeader(reply, upstreamStatus) !== undefined;

const heldAfterInput = holdsKey(isRefusedInput, ({ request, taker }) => readBodyText(request) !== readBodyText(taker));
const heldAfterFailure = holdsKey(({ status }) => status === 500 || status === 503);
const heldAfter = (status: number): Change =>
  holdsKey(
    (reply) => reply.status === status,
    ({ reply }) => reply.status < 300,
  );

const statusTellsTheKey = knowingSubmission('readStatus', async (submission, { request, app }) => {
  const reply = await app(request);
  const isKnown = reply.status === 200 && hasKey(submission);
  return isKnown ? withJson(reply, { ...readObject(reply), client_reference: readKey(submission) }) : reply;
});

const marked = later((request) => `${readKey(request)} ${readBodyText(request)}`, asReplay);

const heldAfter404 = holdsKey(
  ({ status }) => status === 404,
  ({ request, taker }) => readModelId(request) !== readModelId(taker),
);

const handle = 'MR-SUB-12 MR-QUE-20';

export const idempotencyRecordFaults: readonly Fault[] = [
  ...group({ id: 'idempotency.record', on: posts, when: hasKey }, [
    fault('fourth-call-runs-again', 'MR-IDM-01 MR-IDM-02 also MR-HDR-14 MR-IDM-41', (app, context, where) => {
      const calls = new Map<string, number>();
      const rename = renameKey((key) => {
        const times = (calls.get(key) ?? 0) + 1;
        calls.set(key, times);
        return times > 3 ? `${key}-${times}` : key;
      });
      return rename(app, context, where);
    }),
    fault('spent-key-runs-again', 'MR-IDM-17 MR-CTG-05', resend(withoutKey), { ...spent, on: ['runModel'] }),
    fault('spent-key-as-404', 'MR-IDM-17 MR-CTG-05', set.status(410), {
      ...spent,
      sentence: 'A spent key gets a 410.',
    }),
    fault('spent-key-told-to-wait', 'MR-IDM-17', onReply(asStillRunning), spent),
    fault('refusals-run-again', 'MR-RUN-42 MR-RUN-50', runsRefusalsAgain, {
      on: ['runModel'],
    }),
  ]),
  ...group({ id: 'idempotency.record', on: ['runModel'], status: 200, reply: isReplay }, [
    fault('assets-never-replay', 'MR-IDM-52 also MR-HDR-14 MR-IDM-01', refuse(409, 'invalid_input'), {
      reply: (reply) => isReplay(reply) && readText(reply).includes('/__assets/'),
    }),
    fault('long-results-never-replay', 'MR-IDM-01', refuse(409, 'invalid_input'), {
      reply: (reply) => isReplay(reply) && readBytes(reply).length > 100_000,
    }),
    fault('files-replayed-empty', 'MR-IDM-01', set.text(''), {
      reply: (reply) => isReplay(reply) && isFile(reply),
    }),
    fault('files-replayed-under-another-label', 'MR-IDM-01', set.header('Content-Type', 'application/octet-stream'), {
      reply: (reply) => isReplay(reply) && isFile(reply),
    }),
  ]),
  ...group({ id: 'idempotency.rejection', on: posts, subject: 'The key' }, [
    fault('key-held', 'MR-IDM-33', heldAfterFailure, { on: ['runModel'] }),
    fault('held-after-422', 'MR-IDM-33', heldAfterInput, { on: ['runModel'] }),
    fault('held-after-404', 'MR-IDM-33', heldAfter404, { on: ['runModel'] }),
    // In these two the refused submission was queued.
    fault('submission-held-after-422', 'MR-IDM-33 also MR-HDR-18', heldAfterInput, { on: ['submitRequest'] }),
    fault('for-credits-holds-the-key', 'MR-IDM-33 also MR-HDR-18', heldAfter(402)),
    fault('for-access-holds-the-key', 'MR-IDM-33', heldAfter(403)),
    fault('is-recorded', 'MR-IDM-33 MR-HDR-14', marked, { status: 422, when: hasKey }),
  ]),
  ...group({ id: 'idempotency.submission', on: ['submitRequest', 'readStatus'] }, [
    fault('status-tells-the-key', 'MR-IDM-39', statusTellsTheKey),
    fault('replayed-handle-leads-nowhere', handle, breakUrl('status_url'), {
      on: ['submitRequest'],
      status: 201,
      reply: isReplay,
    }),
  ]),
];

/** The 409 of a key whose first call still runs. */
const running = { status: 409, reply: (reply: Reply) => readCategory(reply) === 'concurrency_limit_exceeded' };

/** A key names a call only while the call runs: retries meanwhile start another one. */
const twice = whileRunning(readKey, (_, { request, app }) => app(withKey(request, `${readKey(request)}-beside`)));

/** One call at a time, whatever their keys. */
const oneAtATime = whileRunning(
  () => '',
  async (_, { request, app }) => asStillRunning(await app(withoutKey(request))),
);

const otherBodyAs400 = whereOtherBodyComes((reply) => ({ ...reply, status: 400 }));

/** The first call under a key, where another one came meanwhile. */
const disturbed = (change: (reply: Reply, key: string) => Reply, rename: (key: string) => string = String): Change =>
  withState(() => {
    const isDisturbed = new Map<string, boolean>();
    return (app) => async (request) => {
      const key = readKey(request);
      const isFirst = !isDisturbed.has(key);
      isDisturbed.set(key, !isFirst);
      const reply = await app(withKey(request, rename(key)));
      const isChanged = isFirst && isDisturbed.get(key) === true;
      if (isFirst) isDisturbed.delete(key);
      return isChanged ? change(reply, key) : reply;
    };
  });

const cutOffByRetry = disturbed((reply) => withText(reply, '{}', 202));

const forgottenAtTheEnd = withState(() => {
  const forgotten = new Set<string>();
  const forget = (reply: Reply, key: string): Reply => {
    forgotten.add(key);
    return reply;
  };
  return disturbed(forget, (key) => (forgotten.has(key) ? `${key}-anew` : key));
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

const refusesEarlyRetry = later(readKey, (reply) => withoutHeader(refusal(reply, 410, 'invalid_input'), 'Retry-After'));

const isCollectable = (reply: Reply): boolean => replyHeader(reply, 'retry-after') !== undefined;

/** Changes replies to later calls with a key whose first call was answered 504. */
const afterDeadline = (change: (reply: Reply) => Reply): Change =>
  remembering(
    readKey,
    ({ status }) => status === 504,
    async (_, { request, app }) => change(await app(request)),
  );
const unmarked = afterDeadline((reply) => withoutHeader(reply, 'Idempotent-Replayed'));

const hint = 'MR-IDM-07 MR-RUN-60';

export const idempotencyRunningFaults: readonly Fault[] = [
  ...group({ id: 'idempotency.running', on: posts }, [
    fault('dispatched-again', 'MR-IDM-04 MR-RUN-46', twice, { when: hasKey }),
    fault('as-429', 'MR-IDM-04 MR-STC-06', set.status(429), running),
    fault('as-conflict', 'MR-IDM-04', refuse(409, 'invalid_input'), running),
    fault('no-retry-after', 'MR-IDM-05 MR-RUN-47', drop.header('Retry-After'), running),
    fault('other-body-as-400', 'MR-IDM-16 MR-IDM-27 MR-CTG-04', otherBodyAs400, { when: hasKey }),
    fault('holds-up-everybody', 'MR-IDM-32', oneAtATime, { on: ['runModel'], when: hasKey }),
    fault('first-call-cut-off', 'MR-RUN-03 also MR-CAN-03', cutOffByRetry, { on: ['runModel'], when: hasKey }),
    fault('forgotten-at-the-end', 'MR-IDM-01 MR-HDR-14', forgottenAtTheEnd, { on: ['runModel'], when: hasKey }),
  ]),
  ...group({ id: 'idempotency.deadline', on: posts, status: 504, subject: 'The 504 of collectable work' }, [
    fault('no-hint', hint, drop.header('Retry-After')),
    fault('called-provider-timeout', 'MR-IDM-07 MR-CTG-16 also MR-IDM-48', refuse(504, 'provider_timeout'), {
      reply: isCollectable,
    }),
    fault('upstream-is-an-error', 'MR-RUN-59 MR-HDR-05', replace.header(upstreamStatus, '504')),
  ]),
  ...group({ id: 'idempotency.deadline', on: ['runModel'], subject: 'Accepted work' }, [
    fault('key-forgotten', 'MR-IDM-01 MR-IDM-07 also MR-CTG-04 MR-CTG-05 MR-IDM-54', forgetsAccepted, { when: hasKey }),
    fault('early-retry-refused', 'MR-IDM-07 also MR-IDM-48', refusesEarlyRetry, { status: 504, when: hasKey }),
    fault('collected-unmarked', 'MR-IDM-01 MR-HDR-14 also MR-IDM-54', unmarked, { when: hasKey }),
    fault('collected-anew', 'MR-IDM-01', later(readKey, withOtherText), { reply: isReplay }),
  ]),
];
