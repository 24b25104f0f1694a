import { spendLimitCents } from '../credentials.ts';

/** Cents of partner spend, as the three headers state them (MR-HDR-17, MR-HDR-19, MR-HDR-20). */
export type CommittedSpend = { limitCents: number; currentCents: number; remainingCents: number };

/** What one call reserves from its admission until its end (MR-HDR-18). */
export const reservedPerCallCents = 5;

export function committedSpend(callsUnderWay: number, committedElsewhereCents: number): CommittedSpend {
  const currentCents = callsUnderWay * reservedPerCallCents + committedElsewhereCents;
  return {
    limitCents: spendLimitCents,
    currentCents,
    remainingCents: Math.max(0, spendLimitCents - currentCents),
  };
}

export function spendHeaders(spend: CommittedSpend): Record<string, string> {
  return {
    'X-Committed-Spend-Limit': String(spend.limitCents),
    'X-Committed-Spend-Current': String(spend.currentCents),
    'X-Committed-Spend-Remaining': String(spend.remainingCents),
  };
}
