import { replyHeader } from '../http/messages.ts';
import { onReply, refuse, replace, set, withHeader, withState } from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';

type Spend = { limit: number; current: number; remaining: number };

/** Changes the three spend figures of a reply. */
function changeSpend(change: (spend: Spend) => Partial<Spend>): Change {
  return onReply((reply) => {
    const read = (part: string): number => Number(replyHeader(reply, `X-Committed-Spend-${part}`) ?? Number.NaN);
    const spend = { limit: read('limit'), current: read('current'), remaining: read('remaining') };
    if (Object.values(spend).some(Number.isNaN)) return reply;
    return Object.entries(change(spend)).reduce(
      (changed, [part, cents]) => withHeader(changed, `X-Committed-Spend-${part}`, String(cents)),
      reply,
    );
  });
}

const inDollars = changeSpend(({ current }) => ({ current: Math.floor(current / 100) }));
const neverReserved = changeSpend(({ limit }) => ({ current: 0, remaining: limit }));
/** Keeps three cents of each call's reservation instead of releasing them. */
const neverReleased = withState(() => {
  let kept = 0;
  return changeSpend(({ limit, current }) => {
    kept += 3;
    return { current: current + kept, remaining: Math.max(0, limit - current - kept) };
  });
});

const current = ['MR-HDR-18', 'MR-HDR-19'];

export const quotaFaults: readonly Fault[] = [
  ...group({ id: 'quotas.spend', on: 'runModel' }, [
    fault('never-reserved', current, neverReserved),
    fault('never-released', current, neverReleased),
    fault('in-dollars', ['MR-HDR-19', 'MR-HDR-20'], inDollars, { also: ['MR-HDR-17'] }),
  ]),
  ...group({ id: 'quotas.submit', on: 'submitRequest', status: 429 }, [
    fault('rate-limit-as-503', ['MR-IDM-10', 'MR-STC-14'], refuse(503, 'service_unavailable')),
    fault('limits-confused', ['MR-IDM-13', 'MR-CTG-13'], set.category('rate_limited')),
  ]),
  ...group({ id: 'quotas.position', on: 'submitRequest', status: 201 }, [
    fault('each-behind-the-other', ['MR-QUE-09'], replace.member('queue_position', 1)),
  ]),
];
