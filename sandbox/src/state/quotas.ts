/**
 * Limits that are undocumented (OP-008, OP-009, OP-010), in cents, calls and milliseconds; undefined means unlimited.
 */
export type Limits = {
  /** Maximum calls of one scope in progress. */
  inFlight: number | undefined;
  /** Maximum runs and submissions of one scope in a window. */
  callsPerWindow: number | undefined;
  /** Maximum calls of one account of the workflow API in a window of the same length (OP-056). */
  workflowCallsPerWindow: number | undefined;
  windowMs: number;
  /** Cap on committed spend, and the amount that one call reserves from admission to its end (MR-HDR-17, MR-HDR-18). */
  spendCents: number;
  callCents: number;
};

export type RateWindow = { startedAt: number; calls: number };

/** For accounts whose quota is always used up. */
export const usedUpWaitMs = 30_000;

/**
 * Counts a call of a scope. Returns the milliseconds until the window allows a call again, or 0 if this call was
 * allowed.
 */
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

/** Partner spend in cents for the three headers (MR-HDR-17, MR-HDR-19, MR-HDR-20). */
export type CommittedSpend = { limitCents: number; currentCents: number; remainingCents: number };

export function sumSpend(limits: Limits, callsUnderWay: number, elsewhereCents: number): CommittedSpend {
  const limitCents = limits.spendCents;
  // Never exceeds the cap, even after the cap was lowered, so that the three numbers add up.
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
