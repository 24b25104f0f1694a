import { type Reply, replyHeader, upstreamStatus } from '../http/messages.ts';
import { all, onReply, refuse, replace, set, withState } from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import { isRefusal, isReplay, withHeader } from './builders/replies.ts';

type Spend = { limit: number; current: number; remaining: number };

/** Changes the three figures of a reply that states them. */
function changeSpend(change: (spend: Spend) => Partial<Spend>): Change {
  return onReply((reply) => {
    const [limit, current, remaining] = ['limit', 'current', 'remaining'].map((part) => readSpend(reply, part));
    if (limit === undefined || current === undefined || remaining === undefined) return reply;
    return Object.entries(change({ limit, current, remaining })).reduce(
      (changed, [part, cents]) => withHeader(changed, `X-Committed-Spend-${part}`, String(cents)),
      reply,
    );
  });
}

const spendFault = rowIn(changeSpend);

function readSpend(reply: Reply, part: string): number | undefined {
  const value = replyHeader(reply, `X-Committed-Spend-${part}`);
  return value === undefined ? undefined : Number(value);
}

const committed = (limit: number, current: number): Partial<Spend> => ({
  current,
  remaining: Math.max(0, limit - current),
});

/** Three cents of every call that ends so stay committed for good. */
const neverReleasedAfter = (ends: (reply: Reply, isFromProvider: boolean) => boolean): Change =>
  withState(() => {
    let kept = 0;
    const change = changeSpend(({ limit, current }) => committed(limit, current + kept));
    const count = onReply((reply) => {
      const isFromProvider = replyHeader(reply, upstreamStatus) !== undefined;
      if (ends(reply, isFromProvider)) kept += 3;
      return reply;
    });
    return all(count, change);
  });

const growingSpend = withState(() => {
  let current = 0;
  return changeSpend(({ limit }) => {
    current += 1;
    return committed(limit, current);
  });
});

const current = 'MR-HDR-18 MR-HDR-19';
const inDollars = changeSpend((spend) => ({ current: Math.floor(spend.current / 100) }));
const afterFailures = neverReleasedAfter(({ status }, isFromProvider) => isRefusal(status) && isFromProvider);
const afterRefusals = neverReleasedAfter(({ status }, isFromProvider) => status === 422 && !isFromProvider);
const noCredits = 'MR-SUB-15 MR-STC-03';

const swapped = changeSpend((spend) => ({ current: spend.remaining, remaining: spend.current }));

export const quotaFaults: readonly Fault[] = [
  ...group({ id: 'quotas.spend', on: ['runModel'], subject: 'The committed spend' }, [
    spendFault('never-reserved', current, ({ limit }) => committed(limit, 0)),
    fault('never-released', current, growingSpend),
    spendFault('remaining-one-short', 'MR-HDR-20', ({ remaining }) => ({ remaining: remaining - 1 })),
    spendFault('remaining-is-the-limit', 'MR-HDR-20', ({ limit }) => ({ remaining: limit })),
    fault('current-and-remaining-swapped', 'MR-HDR-19 MR-HDR-20', swapped),
    fault('in-dollars', 'MR-HDR-19 MR-HDR-20 also MR-HDR-17', inDollars),
    fault('never-released-after-failures', current, afterFailures),
    fault('never-released-after-replays', current, neverReleasedAfter(isReplay)),
    fault('never-released-after-refusals', current, afterRefusals),
  ]),
  ...group({ id: 'quotas.submit', on: ['submitRequest'], status: 429, subject: 'A submission' }, [
    fault('rate-limit-as-503', 'MR-IDM-10 MR-STC-14', refuse(503, 'service_unavailable')),
    fault('limits-confused', 'MR-IDM-13 MR-CTG-13', set.category('rate_limited'), {
      sentence: 'A submission above the cap is rate_limited.',
    }),
    fault('credits-overlooked', noCredits, refuse(402, 'forbidden'), { status: 402 }),
  ]),
  ...group({ id: 'quotas.position', on: ['submitRequest'], status: 201 }, [
    fault('each-behind-the-other', 'MR-QUE-09', replace.member('queue_position', 1)),
  ]),
];
