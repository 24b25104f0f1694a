/** Numbers that are not documented: NS-08, NS-09, NS-10. Cents, calls and milliseconds; undefined stands for no limit. */
export type Limits = {
  /** Calls of one scope under way at the same time. */
  inFlight: number | undefined;
  /** Runs and submissions of one scope in a window. */
  callsPerWindow: number | undefined;
  /** Calls of one account of the workflow API in a window of the same length (NS-56). */
  workflowCallsPerWindow: number | undefined;
  windowMs: number;
  /** The cap on committed spend, and what one call reserves from its admission until its end (MR-HDR-17, MR-HDR-18). */
  spendCents: number;
  callCents: number;
};

export type RateWindow = { startedAt: number; calls: number };

/** One more call of a scope: the window after it, and how long the caller has to wait if there was no room left. */
export function takeFromWindow(
  window: RateWindow | undefined,
  limits: Limits,
  now: number,
): { window: RateWindow; waitMs: number } {
  const isOver = window === undefined || now >= window.startedAt + limits.windowMs;
  const current = isOver ? { startedAt: now, calls: 0 } : window;
  if (limits.callsPerWindow !== undefined && current.calls >= limits.callsPerWindow) {
    return { window: current, waitMs: current.startedAt + limits.windowMs - now };
  }
  return { window: { ...current, calls: current.calls + 1 }, waitMs: 0 };
}

/** Cents of partner spend, as the three headers state them (MR-HDR-17, MR-HDR-19, MR-HDR-20). */
export type CommittedSpend = { limitCents: number; currentCents: number; remainingCents: number };

export function committedSpend(limits: Limits, callsUnderWay: number, elsewhereCents: number): CommittedSpend {
  const limitCents = limits.spendCents;
  // What is committed never passes the cap, even if the cap was lowered since: the three always add up.
  const currentCents = Math.min(limitCents, callsUnderWay * limits.callCents + elsewhereCents);
  return { limitCents, currentCents, remainingCents: limitCents - currentCents };
}

export function spendHeaders(spend: CommittedSpend): Record<string, string> {
  return {
    'X-Committed-Spend-Limit': String(spend.limitCents),
    'X-Committed-Spend-Current': String(spend.currentCents),
    'X-Committed-Spend-Remaining': String(spend.remainingCents),
  };
}
