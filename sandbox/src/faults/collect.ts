import type { Reply } from '../http/messages.ts';
import { breaksLater, cutAfter, later, onJsonText, refuse, replyRow, set } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { isCancelled, knowingSubmission, visibleToNeighbours, visibleUnderOtherModels } from './builders/queue.ts';
import { isFile, readJson, readObject, readText, withText } from './builders/replies.ts';
import { hasKey, readRequestId } from './builders/requests.ts';

const withSpace = (reply: Reply): Reply =>
  readJson(reply) === undefined ? reply : withText(reply, `${readText(reply)} `);

/** Results of requests that were submitted under a key have one byte more. */
const differsUnderKeys = knowingSubmission('collectRequest', async (submission, { request, app }) => {
  const reply = await app(request);
  return reply.status === 200 && hasKey(submission) ? withSpace(reply) : reply;
});

const spaced = onJsonText((body) => `${JSON.stringify(body, null, 3)}\n`);
const wrapped = onJsonText((body) => JSON.stringify({ output: body }));
const unknown = 'MR-COL-15 MR-STC-05';

export const collectFaults: readonly Fault[] = [
  ...group({ id: 'collect.pending', on: ['collectRequest'], status: 202, subject: 'An early collect' }, [
    fault('answered-with-404', 'MR-COL-09 also MR-SUB-02', refuse(404, 'request_not_found')),
    fault('not-found-while-it-runs', 'MR-COL-09', refuse(404, 'request_not_found'), {
      reply: (reply) => !('queue_position' in readObject(reply)),
    }),
  ]),
  ...group({ id: 'collect.result', on: ['collectRequest'], status: 200, subject: 'A collected result' }, [
    fault('refused', 'MR-COL-04 also MR-CAN-13', refuse(410, 'internal_error')),
    fault('media-type-lost', 'MR-COL-05', set.header('Content-Type', 'application/octet-stream')),
    fault('other-white-space', 'MR-COL-06', spaced),
    fault('wrapped', 'MR-COL-06 also MR-COL-04', wrapped),
    fault('differs-the-second-time', 'MR-COL-06 also MR-CAN-13', later(readRequestId, withSpace)),
  ]),
  ...group({ id: 'collect', on: ['collectRequest'], subject: 'Collecting' }, [
    fault('result.second-time-breaks', 'MR-COL-04', breaksLater(readRequestId), { status: 200 }),
    fault('cancelled.breaks', 'MR-COL-16 MR-COL-17', refuse(500, 'internal_error'), {
      reply: isCancelled,
    }),
  ]),
  ...group({ id: 'collect.binary', on: ['collectRequest'], status: 200, reply: isFile, subject: 'A collected file' }, [
    replyRow('read-as-text', 'MR-COL-06', (reply) => ({ ...reply, body: readText(reply) })),
    fault('one-byte-short', 'MR-COL-06', cutAfter(-1)),
    fault('media-type-lost', 'MR-COL-05', set.header('Content-Type', 'application/octet-stream')),
  ]),
  ...group({ id: 'collect.unknown', on: ['collectRequest'], status: 404, subject: 'Collecting an unknown request' }, [
    fault('pending-for-ever', `${unknown} also MR-CTG-24 MR-COL-10 MR-COL-12`, set.text('{"status": "IN_QUEUE"}', 202)),
    fault('wrong-category', 'MR-CTG-24', set.category('model_not_found')),
  ]),
  ...group({ id: 'collect', on: ['submitRequest', 'collectRequest'], subject: 'A result' }, [
    fault('foreign.visible', 'MR-CTG-24', visibleToNeighbours, { on: ['collectRequest'] }),
    fault('other-model.visible', 'MR-CTG-24', visibleUnderOtherModels('collectRequest')),
    fault('result.differs-under-a-key', 'MR-COL-06', differsUnderKeys),
  ]),
];
