import { outage, readHint, readMember } from '../contract/evidence.ts';
import type { Clock, Evidence, Exchange } from '../contract/probe.ts';
import { mayStartRun } from '../contract/requests.ts';
import type { Target } from '../contract/target.ts';
import { findRefusal } from '../requires.ts';
import type { ExchangeLog } from './log.ts';
import { countOutages, isDownPage, isOutage, outagesInARow } from './outage-signs.ts';
import type { Call, Sent, Wire } from './wire.ts';

const repeatsAtMost = 4;
const failuresAtMost = 2;
/** Longer waits that a target asks for are not made. */
const longestWaitMs = 30_000;
const waitsOfCheckMs = 120_000;
const firstWaitMs = 500;

export type RetryContext = {
  readonly target: Pick<Target, 'kind'>;
  readonly clock: Clock;
  readonly log: ExchangeLog;
  /** True if a call was temporarily rejected without being billed. */
  readonly isTurnedAway: (exchange: Exchange) => boolean;
};

/**
 * Sends a call again after 429, 503, a page of a proxy that reports a service that is down, or a failure that every operation may have
 * (WX-COD-24), if it can start no run: after its `Retry-After` (MR-IDM-11, MR-CAT-57), a bounded number of times. A call that could start
 * a run is sent again only where it was turned away unbilled.
 */
export function waitOutRefusals(next: Wire, { target, clock, log, isTurnedAway }: RetryContext): Wire {
  return async (call, deadline) => {
    for (let repeats = 0; ; repeats += 1) {
      const { exchange } = await next(call, deadline);
      if (!isTemporary(exchange, call, isTurnedAway)) return { exchange };
      const waitMs = computeBackoff(exchange, repeats);
      const isLasting =
        target.kind === 'live' && isOutage(exchange) && countOutages(exchange, log.exchanges) >= outagesInARow;
      if (isLasting && repeats === 0)
        return {
          exchange,
          postponed: `${describeRequest(exchange)} has met an outage in every call since an earlier rule`,
        };
      if (repeats === (isFailedRead(exchange) ? failuresAtMost : repeatsAtMost))
        return isTurnedAway(exchange) ? postpone(exchange, waitMs) : { exchange };
      if (isTooLong(waitMs, log.exchanges) || clock.now() + waitMs >= deadline.endsAtMs)
        return postpone(exchange, waitMs);
      log.add({ ...exchange, repeatedAfterMs: waitMs });
      await clock.sleep(waitMs);
    }
  };
}

function isTemporary(exchange: Exchange, call: Call, isTurnedAway: RetryContext['isTurnedAway']): boolean {
  if (isFailedRead(exchange)) return !isShown(call, exchange);
  if (isLimited(call)) return false;
  if (isTurnedAway(exchange)) return true;
  return !mayStartRun(call.wanted, exchange.request) && isRefused(exchange) && !isShown(call, exchange);
}

/** True if the failure is the one that the call is meant to cause. */
export function isShown({ toShow }: Pick<Call, 'toShow'>, { result }: Exchange): boolean {
  if (toShow === undefined || result.kind === 'no-response') return false;
  return (
    readMember(result, '/error/code') === toShow || (toShow === outage && readMember(result, '/error_type') === outage)
  );
}

/** The wait before a call is sent again for the `repeats`-th time, in milliseconds. */
export function computeBackoff(exchange: Exchange, repeats: number): number {
  const hintMs = exchange.result.kind === 'response' ? readHint(exchange.result) : 0;
  return Math.max(hintMs, firstWaitMs * 2 ** repeats);
}

/** True where the wait, or all waits of the check with it, exceed what a check waits. */
export function isTooLong(waitMs: number, log: Evidence): boolean {
  const waitedMs = log.reduce((sum, { repeatedAfterMs = 0 }) => sum + repeatedAfterMs, 0);
  return waitMs > longestWaitMs || waitedMs + waitMs > waitsOfCheckMs;
}

export function describeRequest({ request }: Pick<Exchange, 'request'>): string {
  return `${request.method} ${new URL(request.url).pathname}`;
}

/** A lasting failure decides the rule: it is not a wait that the target requested. */
function postpone(exchange: Exchange, ms: number): Sent {
  const { step, result } = exchange;
  if (isFailedRead(exchange)) return { exchange };
  const answer = result.kind === 'response' ? result.status : 'no answer';
  return { exchange, postponed: `the target put off step "${step}" with ${answer}, for ${ms / 1_000} s` };
}

/** A credential that is limited at all times shows what a limit looks like. */
function isLimited({ wanted: { credentials = [] } }: Call): boolean {
  return credentials.some(({ who }) => findRefusal(who)?.[0] === 429);
}

function isRefused(exchange: Exchange): boolean {
  const { result } = exchange;
  return (result.kind === 'response' && [429, 503].includes(result.status)) || isDownPage(exchange);
}

/** Every call of the workflow API is a read. */
function isFailedRead({ api, result }: Exchange): boolean {
  const isFailure = api === 'workflow' && result.kind === 'response' && result.status === 500;
  return isFailure && readMember(result, '/error/code') === 'upstream_error';
}
