import { type Reply, replyHeader } from '../http/messages.ts';
import { all, onReply, refuse, replace, set, withState } from './builders/changes.ts';
import { type Change, type Fault, fault, group, rowIn } from './builders/fault.ts';
import { is, isRefusal, type OfReply, withHeader } from './builders/replies.ts';

type Spend = { limit: number; current: number; remaining: number };

/** Changes the three figures of a reply that states them. */
function changeSpend(change: (spend: Spend) => Partial<Spend>): Change {
  const read = (reply: Reply, part: string): number =>
    Number(replyHeader(reply, `X-Committed-Spend-${part}`) ?? Number.NaN);
  return onReply((reply) => {
    const spend = { limit: read(reply, 'limit'), current: read(reply, 'current'), remaining: read(reply, 'remaining') };
    if (Object.values(spend).some(Number.isNaN)) return reply;
    return Object.entries(change(spend)).reduce(
      (changed, [part, cents]) => withHeader(changed, `X-Committed-Spend-${part}`, String(cents)),
      reply,
    );
  });
}

/** Rows that change the figures. */
const spendRow = rowIn(changeSpend);

const committed = (limit: number, current: number): Partial<Spend> => ({
  current,
  remaining: Math.max(0, limit - current),
});

/** Rows where three cents of every call that ends in such a reply stay committed for good. */
const neverReleasedRow = rowIn((ends: OfReply) =>
  withState(() => {
    let kept = 0;
    const count = onReply((reply) => {
      if (ends(reply)) kept += 3;
      return reply;
    });
    return all(
      count,
      changeSpend(({ limit, current }) => committed(limit, current + kept)),
    );
  }),
);

const current = 'MR-HDR-18 MR-HDR-19';

export const quotaFaults: readonly Fault[] = [
  ...group({ id: 'quotas.spend', on: 'runModel', subject: 'The committed spend' }, [
    spendRow('never-reserved', current, ({ limit }) => committed(limit, 0)),
    spendRow('remaining-is-the-limit', 'MR-HDR-20', ({ limit }) => ({ remaining: limit })),
    spendRow('in-dollars', 'MR-HDR-19 MR-HDR-20 also MR-HDR-17', (spend) => ({
      current: Math.floor(spend.current / 100),
    })),
    neverReleasedRow('never-released', current, () => true),
    neverReleasedRow(
      'never-released-after-failures',
      current,
      (reply) => isRefusal(reply.status) && is.fromProvider(reply),
    ),
    neverReleasedRow(
      'never-released-after-refusals',
      current,
      (reply) => reply.status === 422 && !is.fromProvider(reply),
    ),
  ]),
  ...group({ id: 'quotas.submit', on: 'submitRequest', status: 429, subject: 'A submission' }, [
    fault('rate-limit-as-503', 'MR-IDM-10 MR-STC-14', refuse(503, 'service_unavailable')),
    fault('limits-confused', 'MR-IDM-13 MR-CTG-13', set.category('rate_limited'), {
      sentence: 'A submission above the cap is rate_limited.',
    }),
    fault('credits-overlooked', 'MR-SUB-15 MR-STC-03', refuse(402, 'forbidden'), { status: 402 }),
  ]),
  ...group({ id: 'quotas.position', on: 'submitRequest', status: 201 }, [
    fault('each-behind-the-other', 'MR-QUE-09', replace.member('queue_position', 1)),
  ]),
];
