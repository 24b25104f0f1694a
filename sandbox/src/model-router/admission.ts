import { scopeOf } from '../http/authentication.ts';
import { type Reply, withHeaders } from '../http/handler.ts';
import { type CommittedSpend, committedSpend, type Limits, spendHeaders, takeFromWindow } from '../state/quotas.ts';
import type { World } from '../state/world.ts';
import type { RouterCall } from './catalog.ts';
import { insufficientCredits, rateLimited, spendCapReached, tooManyInFlight } from './errors.ts';

/** Why a valid call may not start now; undefined when it may (NS-31: quotas and credits come last). */
export function refuseAdmission(call: RouterCall, world: World, operation: 'run' | 'submit'): Reply | undefined {
  const refusal = refusalOf(call, world, operation);
  return refusal?.status === 429 ? withSpend(refusal, call, world) : refusal;
}

function refusalOf({ account }: RouterCall, world: World, operation: 'run' | 'submit'): Reply | undefined {
  const { limits } = world.settings;
  const waitMs = account.quota === 'used-up' ? usedUpWaitMs : takeCall(scopeOf(account), world);
  if (waitMs > 0) return rateLimited(waitMs);
  if (!account.hasCredits) return insufficientCredits(operation);
  const underWay = callsUnderWay(scopeOf(account), world);
  if (limits.inFlight !== undefined && underWay >= limits.inFlight) return tooManyInFlight;
  return spendOf(account, world).remainingCents < limits.callCents ? spendCapReached : undefined;
}

const usedUpWaitMs = 30_000;

/** Milliseconds until the window has room again, 0 when this call had room in it. */
function takeCall(scope: string, { windows, settings, config }: World): number {
  const { window, waitMs } = takeFromWindow(windows.get(scope), settings.limits, config.clock.now());
  windows.set(scope, window);
  return waitMs;
}

/** The three headers as they are now, also on a replay. */
export function withSpend(reply: Reply, call: RouterCall, world: World): Reply {
  return withHeaders(reply, spendHeaders(spendOf(call.account, world)));
}

function spendOf(account: RouterCall['account'], world: World): CommittedSpend {
  const { limits } = world.settings;
  const elsewhere = account.spend === 'at-cap' ? almostAll(limits) : 0;
  return committedSpend(limits, callsUnderWay(scopeOf(account), world), elsewhere);
}

function almostAll({ spendCents, callCents }: Limits): number {
  return Math.max(0, spendCents - Math.floor(callCents / 2));
}

/** Queued requests count from their admission as well (NS-50). */
function callsUnderWay(scope: string, { records, config }: World): number {
  return records.live.count(scope, config.clock.now());
}
