import { NotAffordable } from '../contract/endings.ts';
import { hasSucceeded, isReplay, outage, readHeader, readMember, readRetryAfter } from '../contract/evidence.ts';
import type { Evidence, Exchange } from '../contract/exchange.ts';
import { mayStartRun } from '../contract/requests.ts';
import { findRefusal } from '../requires.ts';
import { isDownPage } from './proxy-pages.ts';
import type { Call, Sent, Wire, Wiring } from './wire.ts';

/** If a target requests a longer wait, the call is not repeated. */
const longestWaitMs = 30_000;
const waitsOfCheckMs = 120_000;
const firstWaitMs = 500;

/** A temporary failure, and what happens to its call if the failure does not end. */
type Failure = {
  readonly maxRepeats: number;
  /** After the last repetition: the failure is the response that rules check, or the response stays unknown. */
  readonly afterLast: 'answer' | 'postponed';
  /** The same if there is no time for another repetition. */
  readonly ifLate: 'answer' | 'postponed';
  readonly because?: string;
};

/**
 * Repeats calls that failed temporarily, after the time that `Retry-After` requests (MR-IDM-11, MR-CAT-57). A call that
 * could start a run is only repeated with its own key after an outage of a live target, or if it was rejected unbilled.
 */
export function retryTemporaryFailures(next: Wire, wiring: Wiring): Wire {
  const { clock } = wiring.ports;
  const { log } = wiring;
  return async (call, deadline) => {
    let failed: Sent | undefined;
    for (let repeats = 0; ; repeats += 1) {
      const sent = await next(call, deadline).catch((error: unknown): Sent => {
        if (failed === undefined || !(error instanceof NotAffordable)) throw error;
        return { ...failed, isLogged: true, postponed: `${describeOutage(failed.exchange)}; ${error.message}` };
      });
      if (sent.postponed !== undefined) return sent;
      const { exchange } = sent;
      const failure = findFailure(call, exchange, failed?.exchange, wiring);
      if (failure === undefined) return sent;
      const waitMs = computeWait(exchange, repeats);
      const isLast = repeats >= failure.maxRepeats;
      const isLate = isTooLong(waitMs, log.exchanges) || clock.now() + waitMs >= deadline.endsAtMs;
      if (isLast || isLate) {
        if (failure[isLast ? 'afterLast' : 'ifLate'] === 'answer') return sent;
        return { ...sent, postponed: failure.because ?? describeDelay(exchange, waitMs) };
      }
      log.add({ ...exchange, repeatedAfterMs: waitMs });
      await clock.sleep(waitMs);
      failed = sent;
    }
  };
}

/** Returns how to treat a temporary failure; undefined for a response that decides the call. */
function findFailure(
  call: Call,
  exchange: Exchange,
  failed: Exchange | undefined,
  { target, log, runs }: Wiring,
): Failure | undefined {
  const { result } = exchange;
  if (result.kind === 'no-response') return undefined;
  const isRun = mayStartRun(call.wanted, exchange.request);
  const isExpected = isExpectedFailure(call, exchange);
  // Every operation of the workflow API may fail like this (WX-COD-24), and every call of it is a read.
  if (isFailedRead(exchange)) return isExpected ? undefined : { maxRepeats: 2, afterLast: 'answer', ifLate: 'answer' };
  if (target.kind === 'live' && isOutage(exchange) && !isExpected) return findOutage(call, exchange, log.exchanges);
  if (failed !== undefined && isOutage(failed) && isRun && isReplay(result)) {
    const key = readHeader(exchange.request, 'Idempotency-Key');
    const hasResult = log.exchanges.some(
      (one) => hasSucceeded(one) && readHeader(one.request, 'Idempotency-Key') === key,
    );
    // The replay may belong to the failed attempt. Rules about the order of calls need to know.
    const because = `${describeOutage(failed)}; its repetition got a replay, so it may have started a run`;
    return hasResult ? undefined : { maxRepeats: 0, afterLast: 'postponed', ifLate: 'postponed', because };
  }
  // The caller `rateLimited` always gets this status, and rules use it to check the response.
  if (call.wanted.credentials?.some(({ who }) => findRefusal(who)?.[0] === 429)) return undefined;
  if (runs?.isRejectedUnbilled(exchange)) return { maxRepeats: 4, afterLast: 'postponed', ifLate: 'postponed' };
  const isBusy = [429, 503].includes(result.status) || isDownPage(exchange);
  return isBusy && !isRun && !isExpected ? { maxRepeats: 4, afterLast: 'answer', ifLate: 'postponed' } : undefined;
}

/** After this many consecutive outages, the operation counts as permanently unavailable, and the last outage is a finding. */
const outagesInARow = 5;

/** Returns undefined for an outage that lasts so long that it is the response. */
function findOutage(call: Call, exchange: Exchange, log: Evidence): Failure | undefined {
  const because = describeOutage(exchange);
  const inARow = countOutages(exchange, log) + 1;
  if (inARow === outagesInARow) return undefined;
  const isKeyed = readHeader(exchange.request, 'Idempotency-Key') !== undefined;
  // Repeating an overlapping call later would test something else.
  const canBeRepeated = !mayStartRun(call.wanted, exchange.request) || (isKeyed && !call.isOverlapping());
  const maxRepeats = canBeRepeated && inARow < outagesInARow ? outagesInARow : 0;
  return { maxRepeats, afterLast: 'postponed', ifLate: 'postponed', because };
}

function computeWait({ result }: Exchange, repeats: number): number {
  return Math.max(result.kind === 'response' ? readRetryAfter(result) : 0, firstWaitMs * 2 ** repeats);
}

function isExpectedFailure({ purpose: { expectedFailure } }: Call, { result }: Exchange): boolean {
  if (expectedFailure === undefined || result.kind === 'no-response') return false;
  return (
    readMember(result, '/error/code') === expectedFailure ||
    (expectedFailure === outage && readMember(result, '/error_type') === outage)
  );
}

function isFailedRead({ api, result }: Exchange): boolean {
  const isFailure = api === 'workflow' && result.kind === 'response' && result.status === 500;
  return isFailure && readMember(result, '/error/code') === 'upstream_error';
}

function isTooLong(waitMs: number, log: Evidence): boolean {
  const waitedMs = log.reduce((sum, { repeatedAfterMs = 0 }) => sum + repeatedAfterMs, 0);
  return waitMs > longestWaitMs || waitedMs + waitMs > waitsOfCheckMs;
}

function describeDelay({ step, result }: Exchange, ms: number): string {
  const answer = result.kind === 'response' ? result.status : 'no response';
  return `the target postponed step "${step}" (${answer}) by ${ms / 1_000} s`;
}

function describeOutage({ step, request }: Exchange): string {
  const { pathname } = new URL(request.url);
  return `outage: ${request.method} ${pathname} at step "${step}" returned 503 service_unavailable`;
}

/** True for 503 service_unavailable from the router, which the API text describes as transient (MR-CAT-57). */
function isOutage({ api, result }: Exchange): boolean {
  return (
    api === 'router' &&
    result.kind === 'response' &&
    result.status === 503 &&
    readMember(result, '/error_type') === outage
  );
}

/** Counts the latest consecutive outages of this operation and path in the log. */
function countOutages({ request }: Exchange, log: Evidence): number {
  const { pathname } = new URL(request.url);
  const alike = log.filter(
    (one) => one.request.method === request.method && new URL(one.request.url).pathname === pathname,
  );
  return alike.length - 1 - alike.findLastIndex((one) => !isOutage(one));
}
