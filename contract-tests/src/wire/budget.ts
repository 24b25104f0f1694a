import { NotAffordable, NotApplicable } from '../contract/endings.ts';
import type { Clock } from '../contract/probe.ts';
import { wordReason } from '../contract/reasons.ts';
import type { Target } from '../contract/target.ts';
import { describeOutage } from './outages.ts';
import type { RunBudget } from './run-budget.ts';
import type { Wire } from './wire.ts';

export type Spending = {
  readonly target: Pick<Target, 'kind'>;
  readonly clock: Clock;
  readonly runs: RunBudget;
  /** Maximum time that a live target may hold the response to a call that started a run (MR-LIM-01). */
  readonly heldMs: number;
  /** No call is extended beyond it. */
  readonly endsAtMs: number;
};

/**
 * Reserves a run of the budget before a call is sent that could start one, and settles it by the response. Throws `NotAffordable` for a
 * call that must not be sent. The time for which a live target holds such a call is not the scenario's.
 */
export function spendFromBudget(next: Wire, { target, clock, runs, heldMs, endsAtMs }: Spending): Wire {
  return async (call, deadline) => {
    const { name: step, ruleId, expectsRejection, flaw, states, wanted, request, before } = call;
    const reservation = runs.reserve({
      ruleId,
      step,
      expectsRejection,
      flaw,
      ...(states && { states }),
      wanted,
      request,
    });
    if (typeof reservation === 'object') {
      const because = wordReason(reservation, target.kind);
      if (before === undefined) throw new NotAffordable(because, reservation);
      throw new NotApplicable(`${describeOutage(before)}; ${because}`, reservation);
    }
    if (reservation === undefined) return next(call, deadline);
    const isHeld = target.kind === 'live';
    const [startedAtMs, wouldEndAtMs] = [clock.now(), deadline.endsAtMs];
    if (isHeld) deadline.endsAtMs = Math.min(endsAtMs, Math.max(wouldEndAtMs, startedAtMs + heldMs));
    const sent = await next(isHeld ? { ...call, responseMs: heldMs } : call, deadline);
    runs.settle(reservation, sent.exchange);
    if (isHeld) deadline.endsAtMs = wouldEndAtMs + clock.now() - startedAtMs;
    return sent;
  };
}
