import { type Answer, withHeaders } from '../answer.ts';
import { type Context, type RouterCall, scopeOf } from '../context.ts';
import { type CommittedSpend, committedSpend, type Limits, spendHeaders, takeFromWindow } from '../state/quotas.ts';
import { insufficientCredits, rateLimited, spendCapReached, tooManyInFlight } from './refusals.ts';

/** Why a valid call may not start now; undefined when it may (NS-31: quotas and credits come last). */
export function refuseAdmission(call: RouterCall, context: Context, operation: 'run' | 'submit'): Answer | undefined {
  const refusal = refusalOf(call, context, operation);
  return refusal?.status === 429 ? withSpend(refusal, call, context) : refusal;
}

function refusalOf({ account }: RouterCall, context: Context, operation: 'run' | 'submit'): Answer | undefined {
  const { limits } = context.world.settings;
  const waitMs = account.quota === 'used-up' ? usedUpWaitMs : takeCall(scopeOf(account), context);
  if (waitMs > 0) return rateLimited(waitMs);
  if (!account.hasCredits) return insufficientCredits(operation);
  const underWay = callsUnderWay(scopeOf(account), context);
  if (limits.inFlight !== undefined && underWay >= limits.inFlight) return tooManyInFlight;
  return spendOf(account, context).remainingCents < limits.callCents ? spendCapReached : undefined;
}

const usedUpWaitMs = 30_000;

/** Milliseconds until the window has room again, 0 when this call had room in it. */
function takeCall(scope: string, { world, config }: Context): number {
  const { window, waitMs } = takeFromWindow(world.windows.get(scope), world.settings.limits, config.clock.now());
  world.windows.set(scope, window);
  return waitMs;
}

/** The three headers as they are now, also on a replay. */
export function withSpend(answer: Answer, call: RouterCall, context: Context): Answer {
  return withHeaders(answer, spendHeaders(spendOf(call.account, context)));
}

function spendOf(account: RouterCall['account'], context: Context): CommittedSpend {
  const { limits } = context.world.settings;
  const elsewhere = account.spend === 'at-cap' ? almostAll(limits) : 0;
  return committedSpend(limits, callsUnderWay(scopeOf(account), context), elsewhere);
}

function almostAll({ spendCents, callCents }: Limits): number {
  return Math.max(0, spendCents - Math.floor(callCents / 2));
}

/** Queued requests count from their admission as well (NS-50). */
function callsUnderWay(scope: string, { world, config }: Context): number {
  return world.records.live.count(scope, config.clock.now());
}
