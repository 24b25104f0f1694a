import type { ServerReply } from '../http/messages.ts';
import {
  addHeader,
  changeHeader,
  cutAfter,
  drop,
  onJson,
  onReply,
  onRequest,
  refuse,
  replyRow,
  set,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import {
  asReplay,
  creditsUsed,
  droppedParams,
  fallbackProvider,
  isFile,
  isReplay,
  requestId,
  resolveHeaderName,
  upstreamStatus,
  withHeader,
  withOtherText,
  withoutHeader,
} from './builders/replies.ts';
import { hasKey, withoutKey } from './builders/requests.ts';

const spend = (part: string): string => `X-Committed-Spend-${part}`;

type Part = 'Limit' | 'Current' | 'Remaining';

const spendFault = rowIn(([part, change]: [part: Part, change: (cents: number) => string]) =>
  changeHeader(spend(part), (cents) => change(Number(cents ?? 0))),
);

const dropSpend = (part: string, picks: (reply: ServerReply) => boolean): Change =>
  onReply((reply) => (picks(reply) ? withoutHeader(reply, spend(part)) : reply));

const changeReplay = (change: (reply: ServerReply) => ServerReply): Change =>
  onReply((reply) => (isReplay(reply) ? change(reply) : reply));

const withoutResult =
  'MR-AST-01 MR-AST-02 MR-AST-22 MR-AST-23 MR-AST-28 MR-COL-06 MR-RUN-06 MR-RUN-10 MR-RUN-17 MR-RUN-18';

const oneDropped = JSON.stringify(['seed was dropped: the provider has no such field.']);

const unmarked = changeReplay((reply) => withoutHeader(reply, 'Idempotent-Replayed'));
const otherReplay = changeReplay(withOtherText);
const refuseReplay = refuse(409, 'invalid_input', isReplay);
const wrapped = onJson((output) => ({ result: output }));
const markFile = onReply((reply) => (isFile(reply) ? asReplay(reply) : reply));
const claimedFallback = set.header(fallbackProvider, 'image-provider-two');

export const runResultFaults: readonly Fault[] = [
  ...group({ id: 'run.result', on: ['runModel'], status: 200, subject: 'The result of a run' }, [
    fault('accepted-status', 'MR-RUN-02 MR-RUN-23', 'comes with 202', set.status(202), {
      alsoViolates: 'MR-AST-01 MR-HDR-14 MR-IDM-04 MR-IDM-32 MR-IDM-33 MR-RUN-10 MR-RUN-17 MR-RUN-18',
    }),
    fault('empty', 'MR-RUN-02 MR-RUN-23', 'is empty', set.text(''), { alsoViolates: withoutResult }),
    fault('wrapped', 'MR-RUN-23', 'is wrapped in an object', wrapped, { alsoViolates: withoutResult }),
    fault('media-type-lost', 'MR-SCH-29', 'is labelled as plain text', set.header('Content-Type', 'text/plain'), {
      alsoViolates: 'MR-COL-05',
    }),
    fault('request-id-missing', 'MR-RUN-30 MR-HDR-01', 'has no request id', drop.header(requestId)),
    fault('nosniff-missing', 'MR-RUN-31 MR-HDR-22', 'may be sniffed', drop.header('X-Content-Type-Options')),
    fault('nosniff-misspelt', 'MR-HDR-22', 'misspells nosniff', set.header('X-Content-Type-Options', 'no-sniff')),
    fault('long-ones-cut', 'MR-RUN-23', 'ends after 65536 bytes', cutAfter(65_536), { alsoViolates: 'MR-COL-06' }),
  ]),
  ...group({ id: 'run.spend', on: ['runModel'], status: 200, subject: 'The committed spend of a run' }, [
    fault('limit-missing', 'MR-RUN-35', 'has no limit', drop.header(spend('Limit'))),
    fault('current-missing', 'MR-RUN-36', 'has no current amount', drop.header(spend('Current')), {
      alsoViolates: 'MR-HDR-18',
    }),
    fault('remaining-missing', 'MR-RUN-37', 'has no remainder', drop.header(spend('Remaining'))),
    fault('limit-lost-on-replays', 'MR-RUN-35', 'has no limit on replays', dropSpend('Limit', isReplay)),
    fault('current-lost-on-files', 'MR-RUN-36', 'has no current amount on files', dropSpend('Current', isFile)),
    fault('remaining-lost-on-replays', 'MR-RUN-37', 'has no remainder on replays', dropSpend('Remaining', isReplay)),
    spendFault('in-dollars', 'MR-HDR-17', 'has its limit in dollars with a decimal point', [
      'Limit',
      (cents) => (cents / 100).toFixed(2),
    ]),
    spendFault('current-with-unit', 'MR-HDR-19', 'has a unit in Current', ['Current', (cents) => `${cents} cents`]),
    spendFault('remaining-negative', 'MR-HDR-21', 'has a negative remainder', ['Remaining', () => '-5']),
    spendFault('does-not-add-up', 'MR-HDR-20', 'has seven cents too much', ['Remaining', (cents) => String(cents + 7)]),
  ]),
  ...group({ id: 'run', on: ['runModel'], status: 200, subject: 'A run' }, [
    fault('plain.claims-a-fallback', 'MR-HDR-11', 'names a fallback that did not happen', claimedFallback),
    fault('plain.claims-dropped-fields', 'MR-HDR-09', 'claims dropped fields', set.header(droppedParams, oneDropped), {
      alsoViolates: 'MR-HDR-08',
    }),
    fault(
      'dropped-fields.no-json',
      'MR-HDR-06',
      'lists fields without JSON',
      set.header(droppedParams, 'seed, style'),
      { alsoViolates: 'MR-HDR-08 MR-HDR-09' },
    ),
    fault('upstream-status.as-words', 'MR-HDR-05', 'has text as upstream status', set.header(upstreamStatus, '200 OK')),
    fault('credits-used.fraction', 'MR-HDR-25', 'used a fraction of a credit', set.header(creditsUsed, '1.5'), {
      alsoViolates: 'MR-HDR-27',
    }),
    fault('replayed.as-number', 'MR-HDR-13', 'has 0 for Idempotent-Replayed', addHeader('Idempotent-Replayed', '0')),
  ]),
  ...group({ id: 'run', on: ['runModel'], status: 200 }, [
    fault('retry.not-marked', 'MR-HDR-14 MR-IDM-01', 'A replayed result is not marked as replayed', unmarked, {
      alsoViolates: 'MR-IDM-40 MR-IDM-41 MR-IDM-46 MR-IDM-54',
    }),
    fault('retry.other-bytes', 'MR-IDM-01', 'A replay repeats the result with another text', otherReplay, {
      alsoViolates: 'MR-AST-17 MR-IDM-46',
    }),
    fault('retry.refused', 'MR-IDM-01 MR-RUN-34', 'A retry of a finished call gets a 409', refuseReplay, {
      alsoViolates: 'MR-AST-17 MR-IDM-41 MR-IDM-46 MR-IDM-54',
    }),
    fault('first.marked-replayed', 'MR-HDR-14', 'Every result is marked as replayed', onReply(asReplay), {
      alsoViolates: 'MR-IDM-32 MR-IDM-33 MR-IDM-40 MR-IDM-48',
    }),
    fault('first.file-marked-replayed', 'MR-HDR-14', 'A file is always marked as replayed', markFile, { when: hasKey }),
    fault('retry.credits-repeated', 'MR-HDR-27', 'A replay repeats its credits', set.header(creditsUsed, '3')),
    replyRow('retry.files-repeat-credits', 'MR-HDR-27', 'The replay of a file names credits', (reply, { context }) =>
      isReplay(reply) && isFile(reply) ? withHeader(reply, resolveHeaderName(creditsUsed, context), '4') : reply,
    ),
  ]),
  ...group({ id: 'run.retry', on: ['runModel', 'submitRequest'] }, [
    fault('runs-again', 'MR-IDM-01 MR-HDR-14', 'Idempotency keys are ignored', onRequest(withoutKey), {
      alsoViolates:
        'MR-RUN-04 MR-SUB-04 MR-CTG-05 MR-CTG-16 MR-IDM-16 MR-IDM-40 MR-IDM-41 MR-IDM-46 MR-IDM-54 MR-RUN-46',
    }),
  ]),
];
