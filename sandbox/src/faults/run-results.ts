import { creditsUsed, droppedParams, fallbackProvider, requestId, upstreamStatus } from '../http/messages.ts';
import { changeHeader, cutAfter, drop, onJson, onReply, onRequest, refuse, set } from './builders/changes.ts';
import { type Fault, fault, group, rowIn } from './builders/fault.ts';
import { asReplay, isFile, isReplay, withOtherText } from './builders/replies.ts';
import { hasKey, withoutKey } from './builders/requests.ts';

const spend = (part: string): string => `X-Committed-Spend-${part}`;

type Part = 'Limit' | 'Current' | 'Remaining';

const spendFault = rowIn(([part, change]: [part: Part, change: (cents: number) => string]) =>
  changeHeader(spend(part), (cents) => change(Number(cents ?? 0))),
);

const withoutResult =
  'MR-AST-01 MR-AST-02 MR-AST-22 MR-AST-23 MR-AST-28 MR-COL-06 MR-RUN-06 MR-RUN-10 MR-RUN-17 MR-RUN-18';

const unmarked = 'MR-HDR-14 MR-IDM-01 also MR-IDM-40 MR-IDM-41 MR-IDM-46 MR-IDM-54';
const unreplayed = 'MR-IDM-01 MR-RUN-34 also MR-AST-17 MR-IDM-41 MR-IDM-46 MR-IDM-54';

const oneDropped = JSON.stringify(['seed was dropped: the provider has no such field.']);

const wrapped = onJson((output) => ({ result: output }));

export const runResultFaults: readonly Fault[] = [
  ...group({ id: 'run', on: ['runModel'], status: 200 }, [
    fault(
      'result.accepted-status',
      'MR-RUN-02 MR-RUN-23 also MR-AST-01 MR-HDR-14 MR-IDM-04 MR-IDM-32 MR-IDM-33 MR-RUN-10 MR-RUN-17 MR-RUN-18',
      set.status(202),
    ),
    fault('result.empty', `MR-RUN-02 MR-RUN-23 also ${withoutResult}`, set.text('')),
    fault('result.wrapped', `MR-RUN-23 also ${withoutResult}`, wrapped),
    fault('result.media-type-lost', 'MR-SCH-29 also MR-COL-05', set.header('Content-Type', 'text/plain')),
    fault('result.request-id-missing', 'MR-RUN-30 MR-HDR-01', drop.header(requestId)),
    fault('result.nosniff-missing', 'MR-RUN-31 MR-HDR-22', drop.header('X-Content-Type-Options')),
    fault('result.nosniff-misspelt', 'MR-HDR-22', set.header('X-Content-Type-Options', 'no-sniff')),
    fault('result.long-ones-cut', 'MR-RUN-23 also MR-COL-06', cutAfter(65_536)),
    fault('spend.limit-missing', 'MR-RUN-35', drop.header(spend('Limit'))),
    fault('spend.current-missing', 'MR-RUN-36 also MR-HDR-18', drop.header(spend('Current'))),
    fault('spend.remaining-missing', 'MR-RUN-37', drop.header(spend('Remaining'))),
    fault('spend.limit-lost-on-replays', 'MR-RUN-35', drop.header(spend('Limit')), { reply: isReplay }),
    fault('spend.current-lost-on-files', 'MR-RUN-36', drop.header(spend('Current')), { reply: isFile }),
    fault('spend.remaining-lost-on-replays', 'MR-RUN-37', drop.header(spend('Remaining')), { reply: isReplay }),
    spendFault('spend.in-dollars', 'MR-HDR-17', ['Limit', (cents) => (cents / 100).toFixed(2)]),
    spendFault('spend.current-with-unit', 'MR-HDR-19', ['Current', (cents) => `${cents} cents`]),
    spendFault('spend.remaining-negative', 'MR-HDR-21', ['Remaining', () => '-5']),
    spendFault('spend.does-not-add-up', 'MR-HDR-20', ['Remaining', (cents) => String(cents + 7)]),
    fault('plain.claims-a-fallback', 'MR-HDR-11', set.header(fallbackProvider, 'image-provider-two')),
    fault('plain.claims-dropped-fields', 'MR-HDR-09 also MR-HDR-08', set.header(droppedParams, oneDropped)),
    fault('dropped-fields.no-json', 'MR-HDR-06 also MR-HDR-08 MR-HDR-09', set.header(droppedParams, 'seed, style')),
    fault('upstream-status.as-words', 'MR-HDR-05', set.header(upstreamStatus, '200 OK')),
    fault('credits-used.fraction', 'MR-HDR-25 also MR-HDR-27', set.header(creditsUsed, '1.5')),
    fault(
      'replayed.as-number',
      'MR-HDR-13',
      changeHeader('Idempotent-Replayed', (told = '0') => told),
    ),
    fault('retry.not-marked', unmarked, drop.header('Idempotent-Replayed')),
    fault('retry.other-bytes', 'MR-IDM-01 also MR-AST-17 MR-IDM-46', onReply(withOtherText), { reply: isReplay }),
    fault('retry.refused', unreplayed, refuse(409, 'invalid_input'), { reply: isReplay }),
    fault('first.marked-replayed', 'MR-HDR-14 also MR-IDM-32 MR-IDM-33 MR-IDM-40 MR-IDM-48', onReply(asReplay)),
    fault('first.file-marked-replayed', 'MR-HDR-14', onReply(asReplay), { when: hasKey, reply: isFile }),
    fault('retry.credits-repeated', 'MR-HDR-27', set.header(creditsUsed, '3')),
    fault('retry.files-repeat-credits', 'MR-HDR-27', set.header(creditsUsed, '4'), {
      reply: (reply) => isReplay(reply) && isFile(reply),
    }),
  ]),
  ...group({ id: 'run.retry', on: ['runModel', 'submitRequest'] }, [
    fault(
      'runs-again',
      'MR-IDM-01 MR-HDR-14 also MR-RUN-04 MR-SUB-04 MR-CTG-05 MR-CTG-16 MR-IDM-16 MR-IDM-40 MR-IDM-41 MR-IDM-46 MR-IDM-54 MR-RUN-46',
      onRequest(withoutKey),
    ),
  ]),
];
