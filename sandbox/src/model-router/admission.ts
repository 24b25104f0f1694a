import { type Answer, withHeaders } from '../answer.ts';
import { type Context, type RouterCall, scopeOf } from '../context.ts';
import { type CommittedSpend, committedSpend, reservedPerCallCents, spendHeaders } from '../state/committed-spend.ts';
import { countUnderWay } from '../state/queue.ts';
import { insufficientCredits, rateLimited, spendCapReached } from './refusals.ts';

/** Why a valid call may not start now; undefined when it may. */
export function refuseAdmission(call: RouterCall, context: Context, operation: 'run' | 'submit'): Answer | undefined {
  const { account } = call;
  const spend = spendOf(call, context);
  if (account.quota === 'used-up') return withHeaders(rateLimited, spendHeaders(spend));
  if (!account.hasCredits) return insufficientCredits(operation);
  if (spend.remainingCents < reservedPerCallCents) return withHeaders(spendCapReached, spendHeaders(spend));
  return undefined;
}

export function withSpend(answer: Answer, call: RouterCall, context: Context): Answer {
  return withHeaders(answer, spendHeaders(spendOf(call, context)));
}

/** Queued requests count from their admission as well (NS-50). */
function spendOf({ account }: RouterCall, { world, config }: Context): CommittedSpend {
  const scope = scopeOf(account);
  const calls = (world.heldRuns.get(scope) ?? 0) + countUnderWay(world.queue, scope, config.clock.now());
  return committedSpend(calls, account.committedElsewhereCents);
}
