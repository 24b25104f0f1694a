import { creditsUsed, droppedParams, fallbackProvider } from '../http/messages.ts';
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
    fault('result.empty', `MR-RUN-02 MR-RUN-23 also ${withoutResult}`, set.text('')),
    fault('result.wrapped', `MR-RUN-23 also ${withoutResult}`, wrapped),
    fault('result.media-type-lost', 'MR-SCH-29 also MR-COL-05', set.header('Content-Type', 'text/plain')),
    fault('result.long-ones-cut', 'MR-RUN-23 also MR-COL-06', cutAfter(65_536)),
    spendFault('spend.does-not-add-up', 'MR-HDR-20', ['Remaining', (cents) => String(cents + 7)]),
    fault('plain.claims-a-fallback', 'MR-HDR-11', set.header(fallbackProvider, 'image-provider-two')),
    fault('plain.claims-dropped-fields', 'MR-HDR-09 also MR-HDR-08', set.header(droppedParams, oneDropped)),
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
