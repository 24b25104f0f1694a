import { NotAffordable, NotApplicable, SetupFailure } from '../contract/endings.ts';
import { hasSucceeded, isReplay, outage, readHeader, readMember, readRetryAfter } from '../contract/evidence.ts';
import type { Evidence, Exchange, Ports, ScenarioRequest, WireResponse } from '../contract/exchange.ts';
import { mayStartRun } from '../contract/requests.ts';
import type { Target } from '../contract/target.ts';
import { findRefusal } from '../requires.ts';
import type { Call, RunBudget } from './call.ts';
import { isDownPage } from './proxy-pages.ts';
import { prepareRequest } from './request.ts';

/** Deadline on the clock of the check. It is extended by time that doesn't count against the scenario. */
export type Deadline = { endsAtMs: number };

/** `postponed`: why the response is not the final one, for example because the target requested too long a wait. */
export type CallResult = { readonly exchange: Exchange; readonly postponed?: string };

/** What all calls of a check share. */
export type Sender = {
  readonly target: Target;
  readonly ports: Ports;
  /** `heldMs`: maximum time for a live target to respond to a call that started a run (MR-LIM-01). */
  readonly limits: { readonly requestMs: number; readonly heldMs: number };
  /** Deadline of the check on the ports' clock; a rule that starts later is `setup-failed`. */
  readonly endsAtMs: number;
  readonly log: ExchangeLog;
  readonly record: { addStart(at: string): void };
  /** Only for a live target, because runs of other targets are free. */
  readonly runs: RunBudget | undefined;
  /** Successful calls by their `share` name and request. */
  readonly sharedRuns: Map<string, Exchange>;
  /** Responds in place of the target while a plan counts the runs that a check needs. */
  readonly respond?: (call: Call) => WireResponse;
};

/**
 * Sends a call and adds its responses to the log. In this order: returns the response of an earlier call that shares its run;
 * reserves a run of the budget before the request; waits for the response within the deadline; repeats temporary failures.
 * Throws `NotApplicable` if the call must not be sent.
 */
export async function sendCall(call: Call, deadline: Deadline, sender: Sender): Promise<CallResult> {
  const { target, ports, log, record, sharedRuns, respond } = sender;
  const { clock } = ports;
  const { name: step, at, wanted, request } = call;
  const full = log.explainFull();
  if (full !== undefined) throw new NotApplicable(full);
  const shareId = target.kind === 'live' ? identifySharedRun(call) : undefined;
  const shared = shareId === undefined ? undefined : sharedRuns.get(shareId);
  if (shared !== undefined) return { exchange: shared };
  const isAsGiven = wanted.to.startsWith('/') || new URL(wanted.to).href === request.url;
  const facts = { step, attempt: 1, api: wanted.api, request, credentials: wanted.credentials };
  let failed: Exchange | undefined;
  for (let repeats = 0; ; repeats += 1) {
    let reserved: HeldTime;
    try {
      reserved = reserveRun(call, deadline, sender);
    } catch (error) {
      if (failed === undefined || !(error instanceof NotAffordable)) throw error;
      return { exchange: failed, postponed: `${describeOutage(failed)}; ${error.message}` };
    }
    if (at !== undefined) record.addStart(at);
    const startedAtMs = clock.now();
    const withinMs = Math.min(reserved.responseMs, deadline.endsAtMs - startedAtMs);
    const result = respond?.(call) ?? (await ports.exchange(request, withinMs));
    if (at !== undefined) record.addStart(at);
    const timing = { startedAtMs, durationMs: clock.now() - startedAtMs };
    const exchange: Exchange = { ...facts, result, timing, rebasedFrom: isAsGiven ? undefined : wanted.to };
    reserved.settle(exchange);
    const failure = findFailure(call, exchange, failed, sender);
    const waitMs = computeWait(exchange, repeats);
    const isLast = failure === undefined || repeats >= failure.maxRepeats;
    if (isLast || isTooLong(waitMs, log.exchanges) || clock.now() + waitMs >= deadline.endsAtMs) {
      log.add(exchange);
      if (failure?.[isLast ? 'afterLast' : 'ifLate'] === 'postponed')
        return { exchange, postponed: failure.because ?? describeDelay(exchange, waitMs) };
      if (shareId !== undefined && hasSucceeded(exchange)) sharedRuns.set(shareId, exchange);
      return { exchange };
    }
    log.add({ ...exchange, repeatedAfterMs: waitMs });
    await clock.sleep(waitMs);
    failed = exchange;
  }
}

type HeldTime = { readonly responseMs: number; readonly settle: (exchange: Exchange) => void };

/**
 * Reserves a run of the budget if the call could start one. The time until the response then doesn't count against the
 * deadline of the scenario. Throws `NotAffordable` if the call must not be sent.
 */
function reserveRun(call: Call, deadline: Deadline, { runs, limits, endsAtMs, ports }: Sender): HeldTime {
  const index = runs?.reserve(call);
  if (index === undefined) return { responseMs: limits.requestMs, settle: () => undefined };
  const startedAtMs = ports.clock.now();
  const wouldEndAtMs = deadline.endsAtMs;
  deadline.endsAtMs = Math.min(endsAtMs, Math.max(wouldEndAtMs, startedAtMs + limits.heldMs));
  const settle = (exchange: Exchange): void => {
    runs?.settle(index, exchange);
    deadline.endsAtMs = wouldEndAtMs + ports.clock.now() - startedAtMs;
  };
  return { responseMs: limits.heldMs, settle };
}

/** Identifies calls that share a run: the same `share` name and request, except for the key. */
function identifySharedRun({ purpose: { share }, request }: Call): string | undefined {
  if (share === undefined) return undefined;
  const { method, url, headers, body } = request;
  const lines = headers.map(([name, value]) => `${name}: ${/^idempotency-key$/i.test(name) ? '' : value}`);
  return [share, method, url, ...lines, new TextDecoder().decode(body)].join('\n');
}

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

/** Returns how to treat a temporary failure; undefined for a response that decides the call. */
function findFailure(
  call: Call,
  exchange: Exchange,
  failed: Exchange | undefined,
  { target, log, runs }: Sender,
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

type OwnCall = {
  /** Name of the call in reports. */
  readonly name?: string;
  /** Rule to which a run counts, if the call may start one. */
  readonly ruleId?: string;
  readonly at?: string;
  /** Default: the deadline of a request, and time for retries if the target is busy. */
  readonly endsAtMs?: number;
};

const busyMs = 40_000;

/**
 * Sends a request of the engine itself, outside of any rule. Returns undefined if it was not sent: no such API or
 * credential is configured, or the time, the budget or the limit of responses is used up.
 */
export async function sendOwnCall(
  wanted: ScenarioRequest,
  sender: Sender,
  { name = 'discovery', ruleId = 'discovery', at, endsAtMs }: OwnCall = {},
): Promise<Exchange | undefined> {
  const nowMs = sender.ports.clock.now();
  const deadline = { endsAtMs: endsAtMs ?? nowMs + sender.limits.requestMs + busyMs };
  if (nowMs >= deadline.endsAtMs) return undefined;
  try {
    const request = prepareRequest(sender.target, wanted);
    const facts = { name, ruleId, at, wanted, request, purpose: {}, expectsRejection: false, flaw: ruleId };
    return (await sendCall({ ...facts, isOverlapping: () => false }, deadline, sender)).exchange;
  } catch (error) {
    if (error instanceof SetupFailure || error instanceof NotApplicable) return undefined;
    throw error;
  }
}

export type ExchangeLog = {
  readonly exchanges: Evidence;
  /** Returns the reason if a check can send no more calls because its responses are too large, which isn't a finding. */
  explainFull(): string | undefined;
  add(exchange: Exchange): void;
};

// Limited, because every response is kept in memory until the end of the check.
const maxLoggedBytes = 96 * 1024 * 1024;

export function openLog(onAdd: (exchange: Exchange) => void = () => undefined): ExchangeLog {
  const exchanges: Exchange[] = [];
  let bytes = 0;
  return {
    exchanges,
    explainFull: () =>
      bytes > maxLoggedBytes ? `the responses of this check exceed ${maxLoggedBytes} bytes in total` : undefined,
    add: (exchange) => {
      const { request, result } = exchange;
      exchanges.push(exchange);
      // Request bodies don't count, because rules keep them in memory anyway.
      bytes += request.url.length;
      if (result.kind === 'response')
        bytes += result.headers.reduce((sum, line) => sum + line.join('').length, result.body.length);
      onAdd(exchange);
    },
  };
}
