/** Numbers that are not documented: OP-008, OP-009, OP-010. Cents, calls and milliseconds; undefined stands for no limit. */
export type Limits = {
  /** Calls of one scope under way at the same time. */
  inFlight: number | undefined;
  /** Runs and submissions of one scope in a window. */
  callsPerWindow: number | undefined;
  /** Calls of one account of the workflow API in a window of the same length (OP-056). */
  workflowCallsPerWindow: number | undefined;
  windowMs: number;
  /** The cap on committed spend, and what one call reserves from its admission until its end (MR-HDR-17, MR-HDR-18). */
  spendCents: number;
  callCents: number;
};

export type RateWindow = { startedAt: number; calls: number };

/** For accounts that have always used up their quota. */
export const usedUpWaitMs = 30_000;

/** Counts a call of a scope. Returns the milliseconds until the window has room again, 0 when this call had room in it. */
export function takeCall(
  windows: Map<string, RateWindow>,
  scope: string,
  quota: { calls: number | undefined; windowMs: number },
  now: number,
): number {
  const known = windows.get(scope);
  const window = known === undefined || now >= known.startedAt + quota.windowMs ? { startedAt: now, calls: 0 } : known;
  if (quota.calls !== undefined && window.calls >= quota.calls) return window.startedAt + quota.windowMs - now;
  windows.set(scope, { ...window, calls: window.calls + 1 });
  return 0;
}

/** Cents of partner spend, as the three headers state them (MR-HDR-17, MR-HDR-19, MR-HDR-20). */
export type CommittedSpend = { limitCents: number; currentCents: number; remainingCents: number };

export function sumSpend(limits: Limits, callsUnderWay: number, elsewhereCents: number): CommittedSpend {
  const limitCents = limits.spendCents;
  // Committed spend never exceeds the cap, even after the cap was lowered, so that the three numbers add up.
  const currentCents = Math.min(limitCents, callsUnderWay * limits.callCents + elsewhereCents);
  return { limitCents, currentCents, remainingCents: limitCents - currentCents };
}

export function toSpendHeaders(spend: CommittedSpend): Record<string, string> {
  return {
    'X-Committed-Spend-Limit': String(spend.limitCents),
    'X-Committed-Spend-Current': String(spend.currentCents),
    'X-Committed-Spend-Remaining': String(spend.remainingCents),
  };
}
