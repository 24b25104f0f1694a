import { type Reply, replyHeader, upstreamStatus } from '../http/messages.ts';
import { counted, onReply, type ReplyChange, refuse, remembering, replyRow } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only, rowIn } from './builders/fault.ts';
import { asStillRunning, holdsKey, renameKey } from './builders/idempotency.ts';
import { posts } from './builders/operations.ts';
import { knowingSubmission } from './builders/queue.ts';
import {
  asReplay,
  isFile,
  isReplay,
  readBytes,
  readObject,
  readText,
  withHeader,
  withJson,
} from './builders/replies.ts';
import {
  hasInput,
  hasKey,
  readBodyText,
  readKey,
  readModelId,
  scripted,
  withBody,
  withoutKey,
} from './builders/requests.ts';

const heldKeyFault = rowIn(holdsKey);

/** Changes the 409 of a key whose result cannot be replayed. */
const changeSpent = (change: ReplyChange): Change =>
  only(
    { status: 409 },
    onReply((reply, around) => (readText(reply).includes('cannot be replayed') ? change(reply, around) : reply)),
  );

const spentFault = rowIn(changeSpent);

const runsRefusalsAgain = remembering(
  readKey,
  () => true,
  (_, { request, app }) => app(withBody(withoutKey(request), {})),
);

const isRefusedInput = (reply: Reply): boolean => reply.status === 422 && !isFromProvider(reply);
const isFromProvider = (reply: Reply): boolean => replyHeader(reply, upstreamStatus) !== undefined;

const heldAfterInput = holdsKey(isRefusedInput, ({ request, taker }) => readBodyText(request) !== readBodyText(taker));
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

const deadLinksOnReplay = onReply((reply) => {
  const url = String(readObject(reply)['status_url']).replace('/requests/', '/requests/00');
  return isReplay(reply) ? withJson(reply, { ...readObject(reply), status_url: url }) : reply;
});

const marked = counted(
  (_, { request }) => `${readKey(request)} ${readBodyText(request)}`,
  (reply, times) => (times === 1 ? reply : asReplay(reply)),
);

const heldAfter404 = holdsKey(
  ({ status }) => status === 404,
  ({ request, taker }) => readModelId(request) !== readModelId(taker),
);

const runAgain = changeSpent((_, { request, app }) => app(withoutKey(request)));
const refuseLongReplay = refuse(409, 'invalid_input', (reply) => isReplay(reply) && readBytes(reply).length > 100_000);
const emptyReplay = onReply((reply) => (isReplay(reply) ? { ...reply, body: '' } : reply));
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
    fault('spent-key-runs-again', 'MR-IDM-17 MR-CTG-05', runAgain, { on: ['runModel'] }),
    spentFault('spent-key-as-404', 'MR-IDM-17 MR-CTG-05', (reply) => ({ ...reply, status: 410 }), {
      sentence: 'A spent key gets a 410.',
    }),
    spentFault('spent-key-told-to-wait', 'MR-IDM-17', (reply) => asStillRunning(reply)),
    fault('refusals-run-again', 'MR-RUN-42 MR-RUN-50', runsRefusalsAgain, {
      on: ['runModel'],
      when: (request) => /content_policy|refused_input/.test(readBodyText(request)),
    }),
  ]),
  ...group({ id: 'idempotency.record', on: ['runModel'], status: 200 }, [
    fault('assets-never-replay', 'MR-IDM-52 also MR-HDR-14', refuse(409, 'invalid_input', isReplay), {
      when: scripted(({ input }) => Array.isArray(input['assets'])),
    }),
    fault('long-results-never-replay', 'MR-IDM-01', refuseLongReplay),
    fault('files-replayed-empty', 'MR-IDM-01', emptyReplay, { when: scripted(hasInput('media_type')) }),
    replyRow('files-replayed-under-another-label', 'MR-IDM-01', (reply) =>
      isReplay(reply) && isFile(reply) ? withHeader(reply, 'Content-Type', 'application/octet-stream') : reply,
    ),
  ]),
  ...group({ id: 'idempotency.rejection', on: posts, subject: 'The key' }, [
    heldKeyFault('key-held', 'MR-IDM-33', ({ status }) => status === 500 || status === 503, { on: ['runModel'] }),
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
    fault('replayed-handle-leads-nowhere', handle, deadLinksOnReplay, { on: ['submitRequest'], status: 201 }),
  ]),
];
