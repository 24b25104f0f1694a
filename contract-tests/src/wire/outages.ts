import { NotApplicable } from '../contract/endings.ts';
import { hasSucceeded, isReplay, readHeader } from '../contract/evidence.ts';
import type { Clock, Evidence, Exchange } from '../contract/probe.ts';
import { mayStartRun } from '../contract/requests.ts';
import type { Target } from '../contract/target.ts';
import type { ExchangeLog } from './log.ts';
import { countOutages, isOutage, outagesInARow } from './outage-signs.ts';
import { computeBackoff, describeRequest, isShown, isTooLong } from './retries.ts';
import type { Call, Wire } from './wire.ts';

/** Ends a scenario that has to begin anew: a call met an outage, and cannot be sent again as it is. */
export class Restart extends Error {
  override readonly name = 'Restart';
  readonly by: Exchange;
  readonly waitMs: number;
  constructor(by: Exchange, waitMs: number) {
    super(describeOutage(by));
    this.by = by;
    this.waitMs = waitMs;
  }
}

export function describeOutage(exchange: Exchange): string {
  return `outage: ${describeRequest(exchange)} at step "${exchange.step}" was answered 503 service_unavailable`;
}

export type OutageContext = { readonly target: Pick<Target, 'kind'>; readonly clock: Clock; readonly log: ExchangeLog };

/**
 * Tells an outage of a live target from a defect, for a call that could start a run: it is sent again with its own key, or its scenario
 * begins anew. Only an outage that stays is an answer. Throws `Restart`, or `NotApplicable` where the outage has lasted since an earlier
 * scenario or no time is left.
 */
export function waitOutOutages(next: Wire, { target, clock, log }: OutageContext): Wire {
  if (target.kind !== 'live') return next;
  return async (call, deadline) => {
    for (let before: Exchange | undefined; ; ) {
      const sent = await next(before === undefined ? call : { ...call, before }, deadline);
      const { exchange, postponed } = sent;
      const then = postponed === undefined ? afterOutage(call, exchange, before, log.exchanges) : 'answer';
      if (then === 'answer') return sent;
      const waitMs = computeBackoff(exchange, countOutages(exchange, log.exchanges));
      const isLate = isTooLong(waitMs, log.exchanges) || clock.now() + waitMs >= deadline.endsAtMs;
      if (then === 'over' || isLate) {
        log.add(exchange);
        throw new NotApplicable(describeOutage(exchange));
      }
      log.add({ ...exchange, repeatedAfterMs: waitMs });
      if (then === 'restart') throw new Restart(exchange, waitMs);
      await clock.sleep(waitMs);
      before = exchange;
    }
  };
}

/** `resend`: the same call with the same key. `restart`: the scenario begins anew with new keys. */
function afterOutage(
  call: Call,
  exchange: Exchange,
  before: Exchange | undefined,
  log: Evidence,
): 'answer' | 'resend' | 'restart' | 'over' {
  const { request, api, result } = exchange;
  if (!mayStartRun({ api, method: request.method }, request)) return 'answer';
  const key = readHeader(request, 'Idempotency-Key');
  if (!isOutage(exchange) || isShown(call, exchange)) {
    // The run of the call that met the outage, or of an earlier one? A rule about the order of calls cannot tell.
    const isOwnReplay = before !== undefined && result.kind === 'response' && isReplay(result);
    const hasResult = log.some((one) => hasSucceeded(one) && readHeader(one.request, 'Idempotency-Key') === key);
    return isOwnReplay && !hasResult ? 'restart' : 'answer';
  }
  const inARow = countOutages(exchange, log) + 1;
  if (inARow > outagesInARow) return 'over';
  if (inARow === outagesInARow) return 'answer';
  return key !== undefined && !call.isOverlapping() ? 'resend' : 'restart';
}
