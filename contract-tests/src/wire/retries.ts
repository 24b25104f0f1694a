import { brandedHeaders } from '../../../specs/src/index.ts';
import { NotApplicable } from '../contract/endings.ts';
import {
  hasSucceeded,
  isReplay,
  outage,
  parseBody,
  readHeader,
  readMember,
  readRetryAfter,
} from '../contract/evidence.ts';
import type { Evidence, Exchange } from '../contract/exchange.ts';
import { mayStartRun } from '../contract/requests.ts';
import { findRefusal } from '../requires.ts';
import type { Call, Sent, Wire, Wiring } from './wire.ts';

// Retries of calls: after temporary rejections, and after outages of a live target.

const maxRepeats = 4;
const maxFailures = 2;
/** If a target requests a longer wait, the call is not repeated. */
const longestWaitMs = 30_000;
const waitsOfCheckMs = 120_000;
const firstWaitMs = 500;

/**
 * Sends a call to the target and waits for its response, never past the deadline. Repeats a call that cannot start a
 * run after 429, 503, a proxy page about an unavailable service, or a failure that every operation may have
 * (WX-COD-24). Waits as long as `Retry-After` requests (MR-IDM-11, MR-CAT-57), and repeats it a few times. A call that
 * could start a run is only repeated if it was rejected unbilled.
 */
export function sendWithRetries({ target, ports, limits, log, runs, respond }: Wiring): Wire {
  const { clock } = ports;
  const isRejectedUnbilled = runs?.isRejectedUnbilled ?? (() => false);
  return async (call, deadline) => {
    const { name: step, wanted, request, responseMs = limits.requestMs } = call;
    const { api, to, credentials } = wanted;
    const isAsGiven = to.startsWith('/') || new URL(to).href === request.url;
    for (let repeats = 0; ; repeats += 1) {
      const startedAtMs = clock.now();
      const withinMs = Math.min(responseMs, deadline.endsAtMs - startedAtMs);
      const result = respond?.(call) ?? (await ports.exchange(request, withinMs));
      const exchange: Exchange = {
        step,
        attempt: 1,
        api,
        request,
        result,
        timing: { startedAtMs, durationMs: clock.now() - startedAtMs },
        credentials,
        rebasedFrom: isAsGiven ? undefined : to,
      };
      if (!isTemporary(exchange, call, isRejectedUnbilled)) return { exchange };
      const waitMs = computeBackoff(exchange, repeats);
      const isLasting =
        target.kind === 'live' && isOutage(exchange) && countOutages(exchange, log.exchanges) >= outagesInARow;
      if (isLasting && repeats === 0)
        return {
          exchange,
          postponed: `every call of ${describeRequest(exchange)} has failed with an outage since an earlier rule`,
        };
      if (repeats === (isFailedRead(exchange) ? maxFailures : maxRepeats))
        return isRejectedUnbilled(exchange) ? giveUpWaiting(exchange, waitMs) : { exchange };
      if (isTooLong(waitMs, log.exchanges) || clock.now() + waitMs >= deadline.endsAtMs)
        return giveUpWaiting(exchange, waitMs);
      log.add({ ...exchange, repeatedAfterMs: waitMs });
      await clock.sleep(waitMs);
    }
  };
}

function isTemporary(exchange: Exchange, call: Call, isRejectedUnbilled: (exchange: Exchange) => boolean): boolean {
  const { result } = exchange;
  if (isFailedRead(exchange)) return !isExpectedFailure(call, exchange);
  // The caller `rateLimited` always gets this status, and rules use it to check the response.
  if (call.wanted.credentials?.some(({ who }) => findRefusal(who)?.[0] === 429)) return false;
  if (isRejectedUnbilled(exchange)) return true;
  const isRefused = (result.kind === 'response' && [429, 503].includes(result.status)) || isDownPage(exchange);
  return isRefused && !mayStartRun(call.wanted, exchange.request) && !isExpectedFailure(call, exchange);
}

function isExpectedFailure({ purpose: { expectedFailure } }: Call, { result }: Exchange): boolean {
  if (expectedFailure === undefined || result.kind === 'no-response') return false;
  return (
    readMember(result, '/error/code') === expectedFailure ||
    (expectedFailure === outage && readMember(result, '/error_type') === outage)
  );
}

function computeBackoff(exchange: Exchange, repeats: number): number {
  const retryAfterMs = exchange.result.kind === 'response' ? readRetryAfter(exchange.result) : 0;
  return Math.max(retryAfterMs, firstWaitMs * 2 ** repeats);
}

function isTooLong(waitMs: number, log: Evidence): boolean {
  const waitedMs = log.reduce((sum, { repeatedAfterMs = 0 }) => sum + repeatedAfterMs, 0);
  return waitMs > longestWaitMs || waitedMs + waitMs > waitsOfCheckMs;
}

function describeRequest({ request }: Exchange): string {
  return `${request.method} ${new URL(request.url).pathname}`;
}

/** Stops retrying. A failed read of a workflow is the response; any other call is marked as postponed. */
function giveUpWaiting(exchange: Exchange, ms: number): Sent {
  const { step, result } = exchange;
  if (isFailedRead(exchange)) return { exchange };
  const answer = result.kind === 'response' ? result.status : 'no response';
  return { exchange, postponed: `the target postponed step "${step}" (${answer}) by ${ms / 1_000} s` };
}

/** Every call of the workflow API is a read. */
function isFailedRead({ api, result }: Exchange): boolean {
  const isFailure = api === 'workflow' && result.kind === 'response' && result.status === 500;
  return isFailure && readMember(result, '/error/code') === 'upstream_error';
}

/** Restarts a scenario, because a call failed during an outage and cannot be repeated unchanged. */
export class Restart extends Error {
  override readonly name = 'Restart';
  readonly waitMs: number;
  constructor(by: Exchange, waitMs: number) {
    super(describeOutage(by));
    this.waitMs = waitMs;
  }
}

export function describeOutage(exchange: Exchange): string {
  return `outage: ${describeRequest(exchange)} at step "${exchange.step}" returned 503 service_unavailable`;
}

/**
 * Handles outages of a live target for calls that could start a run: repeats the call with its own key, or restarts its
 * scenario. Only a permanent outage becomes the response. Throws `Restart`, or `NotApplicable` if the outage began in
 * an earlier scenario or no time is left.
 */
export function retryOutages(next: Wire, { ports: { clock }, log }: Wiring): Wire {
  return async (call, deadline) => {
    for (let before: Exchange | undefined; ; ) {
      const sent = await next(before === undefined ? call : { ...call, before }, deadline);
      const { exchange, postponed } = sent;
      const reaction = postponed === undefined ? afterOutage(call, exchange, before, log.exchanges) : 'answer';
      if (reaction === 'answer') return sent;
      const waitMs = computeBackoff(exchange, countOutages(exchange, log.exchanges));
      const isLate = isTooLong(waitMs, log.exchanges) || clock.now() + waitMs >= deadline.endsAtMs;
      if (reaction === 'over' || isLate) {
        log.add(exchange);
        throw new NotApplicable(describeOutage(exchange));
      }
      log.add({ ...exchange, repeatedAfterMs: waitMs });
      if (reaction === 'restart') throw new Restart(exchange, waitMs);
      await clock.sleep(waitMs);
      before = exchange;
    }
  };
}

/** `resend`: repeat the call with the same key. `restart`: restart the scenario with new keys. `over`: end it. */
function afterOutage(
  call: Call,
  exchange: Exchange,
  before: Exchange | undefined,
  log: Evidence,
): 'answer' | 'resend' | 'restart' | 'over' {
  const { request, api, result } = exchange;
  if (!mayStartRun({ api, method: request.method }, request)) return 'answer';
  const key = readHeader(request, 'Idempotency-Key');
  if (!isOutage(exchange) || isExpectedFailure(call, exchange)) {
    // A replay may belong to this attempt or to an earlier one. Rules about the order of calls need to know which, so
    // restart the scenario.
    const isOwnReplay = before !== undefined && result.kind === 'response' && isReplay(result);
    const hasResult = log.some((one) => hasSucceeded(one) && readHeader(one.request, 'Idempotency-Key') === key);
    return isOwnReplay && !hasResult ? 'restart' : 'answer';
  }
  const inARow = countOutages(exchange, log) + 1;
  if (inARow > outagesInARow) return 'over';
  if (inARow === outagesInARow) return 'answer';
  return key !== undefined && !call.isOverlapping() ? 'resend' : 'restart';
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

/** After this many consecutive outages, the operation counts as permanently unavailable, and the last outage is a finding. */
export const outagesInARow = 5;

function countOutages({ request }: Exchange, log: Evidence): number {
  const { pathname } = new URL(request.url);
  const alike = log.filter(
    (one) => one.request.method === request.method && new URL(one.request.url).pathname === pathname,
  );
  return alike.length - 1 - alike.findLastIndex((one) => !isOutage(one));
}

const statusesOfProxies: ReadonlySet<number> = new Set([413, 431, 502, 503, 504]);
const routerHeaders = new RegExp(
  `^(?:x-.+-(?:${brandedHeaders.join('|')})|x-committed-spend-.+|idempotent-replayed)$`,
  'i',
);

/** True for a response from a proxy or load balancer in front of the service, which shows nothing about the service. */
export function isProxyPage({ result }: Exchange): boolean {
  return (
    result.kind === 'response' &&
    statusesOfProxies.has(result.status) &&
    parseBody(result).kind === 'malformed' &&
    !result.headers.some(([name]) => routerHeaders.test(name))
  );
}

/** True for a proxy page about an unavailable service; false for one about a request that is too large. */
export function isDownPage(exchange: Exchange): boolean {
  return isProxyPage(exchange) && exchange.result.kind === 'response' && exchange.result.status >= 500;
}
