import type { ServerReply, ServerRequest } from '../http/messages.ts';
import { type Around, counted, onReply, refuse } from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';
import { readObject, refusal } from './builders/replies.ts';
import { isFrom, readBodyText, readKey, readQuery, readRequestId } from './builders/requests.ts';

/** A failure of the server where the documents leave open which answer is right: whichever it is, it is not this one. */
const broken: Change = refuse(500, 'internal_error');

/** A row: such calls fail. */
const breaks = (id: string, requirement: string, call: string, when: (request: ServerRequest) => boolean) =>
  fault(id, requirement, `${call} gives a 500`, broken, { when });

const brokenReply = (reply: ServerReply, { context }: Around): ServerReply =>
  refusal(reply, context, { status: 500, category: 'internal_error' });

/** From the second call on about one request. */
const brokenTheSecondTime: Change = counted(
  (_, { request }) => readRequestId(request),
  (reply, times, around) => (times === 1 ? reply : brokenReply(reply, around)),
);

const cursorTwice: Change = counted(
  (_, { request }) => readQuery(request).get('cursor') ?? undefined,
  (reply, times, around) => (times === 1 ? reply : brokenReply(reply, around)),
);

const isCancelled = onReply((reply, around) =>
  readObject(reply)['error_type'] === 'cancelled' ? brokenReply(reply, around) : reply,
);

const brokenReplyOfBytes = refuse(500, 'internal_error', (_, { request }) => isFrom('main')(request));

const ifNoneMatch = ({ headers }: ServerRequest): string => headers['if-none-match'] ?? '';
const isInWords = (request: ServerRequest): boolean => readQuery(request).get('limit') === 'many';
const isDeep = (request: ServerRequest): boolean => readBodyText(request).includes('[[[[[[[[');
const hasOddKey = (request: ServerRequest): boolean => /[^\x21-\x7e]/.test(readKey(request));

export const openPointFaults: readonly Fault[] = [
  ...group({ id: 'cancel', on: ['cancelRequest'], subject: 'Cancelling' }, [
    fault('pending.second-time-breaks', 'MR-CAN-03', 'a second time gives a 500', brokenTheSecondTime, {
      status: [202, 409],
      alsoViolates: 'MR-QUE-26',
    }),
  ]),
  ...group({ id: 'collect', on: ['collectRequest'], subject: 'Collecting' }, [
    fault('result.second-time-breaks', 'MR-COL-04', 'a second time gives a 500', brokenTheSecondTime, { status: 200 }),
    fault('cancelled.breaks', 'MR-COL-16 MR-COL-17', 'a cancelled request gives a 500', isCancelled),
  ]),
  ...group({ id: 'submit', on: ['submitRequest'] }, [
    fault('binary.breaks', 'MR-SUB-10', 'A submission to a model that returns bytes gives a 500', brokenReplyOfBytes, {
      status: 403,
      alsoViolates: 'MR-SUB-07 MR-SUB-08',
    }),
  ]),
  ...group({ id: 'catalog', on: ['listModels'] }, [
    breaks('limit.text-breaks', 'MR-CAT-12', 'A limit in words', isInWords),
    fault('cursor.second-use-breaks', 'MR-CAT-22', 'A cursor that is used twice gives a 500', cursorTwice),
    breaks('query.unknown-parameter-breaks', 'MR-CAT-17', 'An unknown parameter', (request) =>
      [...readQuery(request).keys()].some((name) => name !== 'limit' && name !== 'cursor'),
    ),
  ]),
  ...group({ id: 'schema-document.conditional', on: ['readSchemaDocument'], status: [200, 304] }, [
    breaks('star-breaks', 'MR-SCH-12', 'If-None-Match: *', (request) => ifNoneMatch(request) === '*'),
    breaks('weak-tag-breaks', 'MR-SCH-12', 'A weak tag', (request) => ifNoneMatch(request).startsWith('W/')),
    breaks('list-breaks', 'MR-SCH-12', 'A list of tags', (request) => ifNoneMatch(request).includes(',')),
  ]),
  ...group({ id: 'limits.run-key', on: ['runModel'] }, [
    breaks('odd-characters-break', 'MR-RUN-04', 'A run with an odd key', hasOddKey),
  ]),
  ...group({ id: 'limits.submit-key', on: ['submitRequest'] }, [
    breaks('odd-characters-break', 'MR-SUB-04', 'A submission with an odd key', hasOddKey),
    fault('of-one-character-refused', 'MR-SUB-04', 'A key of one character is refused', refuse(400, 'invalid_input'), {
      when: (request) => readKey(request).length === 1,
    }),
  ]),
  ...group({ id: 'bodies.run', on: ['runModel'] }, [
    breaks('label-breaks', 'MR-RUN-15', 'A run with another label than JSON', ({ headers }) =>
      /^(?!application\/json)./.test(headers['content-type'] ?? ''),
    ),
  ]),
  ...group({ id: 'bodies.submit', on: ['submitRequest'] }, [
    breaks('deep-ones-break', 'MR-SUB-06', 'A deeply nested body', isDeep),
  ]),
  ...group({ id: 'bodies.run', on: ['runModel'] }, [
    breaks('deep-ones-break', 'MR-RUN-15', 'A deeply nested body', isDeep),
  ]),
  ...group({ id: 'run', on: ['runModel'] }, [
    breaks('strict-mode.text-breaks', 'MR-RUN-07', 'A strict_mode in words', (request) =>
      /^(?!true$|false$)./.test(readQuery(request).get('strict_mode') ?? ''),
    ),
    breaks('query.unknown-parameter-breaks', 'MR-RUN-02', 'An unknown parameter', (request) =>
      readQuery(request).has('no_such_parameter'),
    ),
  ]),
];
