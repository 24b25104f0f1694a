import { type Reply, withHeaders } from '../http/messages.ts';
import { type CommittedSpend, sumSpend, takeCall, toSpendHeaders, usedUpWaitMs } from '../state/quotas.ts';
import type { World } from '../state/world.ts';
import type { RouterCall } from './catalog.ts';
import { insufficientCredits, rateLimited, refusals } from './errors.ts';

/** Why a valid call may not start now; undefined when it may (NS-31: quotas and credits come last). */
export function refuseAdmission(call: RouterCall, world: World, operation: 'run' | 'submit'): Reply | undefined {
  const refusal = findRefusal(call, world, operation);
  return refusal?.status === 429 ? withSpend(refusal, call, world) : refusal;
}

function findRefusal({ account }: RouterCall, world: World, operation: 'run' | 'submit'): Reply | undefined {
  const { callsPerWindow: calls, windowMs, inFlight, callCents } = world.settings.limits;
  const now = world.config.clock.now();
  const isUsedUp = account.quota === 'used-up';
  const waitMs = isUsedUp ? usedUpWaitMs : takeCall(world.windows, account.scope, { calls, windowMs }, now);
  if (waitMs > 0) return rateLimited(waitMs);
  if (!account.hasCredits) return insufficientCredits(operation);
  if (inFlight !== undefined && world.records.live.count(account.scope, now) >= inFlight)
    return refusals.tooManyInFlight;
  return readSpend(account, world).remainingCents < callCents ? refusals.spendCapReached : undefined;
}

/** The three headers as they are now, also on a replay. */
export function withSpend(reply: Reply, { account }: RouterCall, world: World): Reply {
  return withHeaders(reply, toSpendHeaders(readSpend(account, world)));
}

/** Queued requests count from their admission as well (NS-50). */
function readSpend({ scope, spend }: RouterCall['account'], { settings, records, config }: World): CommittedSpend {
  const { limits } = settings;
  const almostAllCents = Math.max(0, limits.spendCents - Math.floor(limits.callCents / 2));
  return sumSpend(limits, records.live.count(scope, config.clock.now()), spend === 'at-cap' ? almostAllCents : 0);
}
