import type { Decorator, Fault } from '../decorator.ts';
import { type Answer, cutAfter, headerOf, rewriteAnswer, withHeader } from '../making/answer-rewrite.ts';
import { requestKey } from '../making/idempotency-key.ts';

const ran = { on: ['runModel'], status: 200 } as const;

export const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';
export const isFile = ({ headers }: Answer): boolean => !/json/.test(headers.get('content-type') ?? '');

const lostOn = (part: string, picks: (answer: Answer) => boolean): Decorator =>
  rewriteAnswer(ran, (answer) => {
    if (!picks(answer)) return answer;
    const headers = new Headers(answer.headers);
    headers.delete(`X-Committed-Spend-${part}`);
    return { ...answer, headers };
  });

/** Breaches that only replays show, or only results that are no JSON or long. */
export const runFileAndReplayFaults: readonly Fault[] = [
  {
    id: 'run.spend.limit-lost-on-replays',
    requirements: ['MR-RUN-35'],
    description: 'Replays do not tell the limit of committed spend.',
    decorate: lostOn('Limit', isReplay),
  },
  {
    id: 'run.spend.current-lost-on-files',
    requirements: ['MR-RUN-36'],
    description: 'Results that are no JSON do not tell the current committed spend.',
    decorate: lostOn('Current', isFile),
  },
  {
    id: 'run.spend.remaining-lost-on-replays',
    requirements: ['MR-RUN-37'],
    description: 'Replays do not tell the remaining committed spend.',
    decorate: lostOn('Remaining', isReplay),
  },
  {
    id: 'run.result.long-ones-cut',
    requirements: ['MR-RUN-23'],
    description: 'Results end after 65536 bytes.',
    decorate: rewriteAnswer(ran, cutAfter(65_536)),
    trips: ['MR-COL-06'],
  },
  {
    id: 'run.first.file-marked-replayed',
    requirements: ['MR-HDR-14'],
    description: 'The first result under a key is marked as replayed when it is no JSON.',
    decorate: rewriteAnswer(ran, (answer, { request }) =>
      isFile(answer) && requestKey(request) !== undefined ? withHeader(answer, 'Idempotent-Replayed', 'true') : answer,
    ),
  },
  {
    id: 'run.retry.files-repeat-credits',
    requirements: ['MR-HDR-27'],
    description: 'The replay of a file tells credits.',
    decorate: rewriteAnswer(ran, (answer, { context }) =>
      isReplay(answer) && isFile(answer)
        ? withHeader(answer, headerOf({ branded: 'Credits-Used' }, context), '4')
        : answer,
    ),
  },
];
