import { type Clock, DeadlinePassed, readElapsed, type TimeLimit, withDeadline } from '../http/clock.ts';
import type { KnownCategory, ResponseFacts } from './response-facts.ts';

export type LimitOptions = {
  /**
   * Maximum number of runs and submissions in flight. Waiting in the service's queue doesn't count. Default: no limit.
   */
  readonly requestsInFlight?: number | undefined;
  /** If fewer cents than this are left below the service's cap, billed calls are sent one at a time. */
  readonly minimumRemainingCents?: number | undefined;
};

/** Limits the number of billed calls in flight, and adapts to the responses of the service. */
export type Limits = {
  /** Waits for a free slot, at most `limitMs`. Returns a function that releases it. */
  acquire(time: TimeLimit, limitMs?: number): Promise<() => void>;
  /** Adapts to a response: after a 429, calls are sent one at a time for a while, or none until the quota is renewed. */
  update(status: number, known: KnownCategory, facts: ResponseFacts): void;
};

/** Maximum pause of other calls after a `Retry-After`, because one wrong header must not stop a program for a day. */
const maxPauseMs = 300_000;

export function createLimits(options: LimitOptions, clock: Clock): Limits {
  const { requestsInFlight = Infinity, minimumRemainingCents = 0, ...others } = options;
  for (const name in others) throw new TypeError(`limits.${name} is not an option`);
  if (!(requestsInFlight >= 1)) throw new TypeError('limits.requestsInFlight must be a positive number');
  let inFlight = 0;
  let cautiousUntil = 0;
  let pausedUntil = 0;
  let gapMs = 0; // Delay between calls after a pause, so that they don't use up the new quota immediately.
  let remainingCents = Infinity;
  let timer: AbortController | undefined;
  const waiting = new Map<object, () => void>(); // The longest waiting call is first.
  const findReasonToWait = (now: number): string | undefined => {
    if (now < pausedUntil) return 'after a 429 rate_limited';
    if (inFlight === 0) return undefined;
    if (now < cautiousUntil) return 'one call at a time after a 429 concurrency_limit_exceeded';
    if (remainingCents < minimumRemainingCents) return 'one call at a time below minimumRemainingCents';
    return inFlight < requestsInFlight ? undefined : `limits.requestsInFlight is ${requestsInFlight}`;
  };
  const explain = (): string => `; delayed by the limiter of this client (${findReasonToWait(readElapsed(clock))})`;
  const release = (): void => {
    inFlight -= 1;
    startWaitingCalls();
  };
  /** Starts the calls that may start now, and schedules itself for the next one. */
  const startWaitingCalls = (): void => {
    timer?.abort(); // Not in the loop, because aborting is slow.
    for (const [call, start] of waiting) {
      const now = readElapsed(clock);
      if (findReasonToWait(now) !== undefined) {
        const until = [pausedUntil, cautiousUntil].find((at) => at > now);
        timer = new AbortController();
        if (until !== undefined) clock.sleep(until - now, timer.signal).then(startWaitingCalls, () => undefined);
        return;
      }
      if (now > pausedUntil + 1000) gapMs = 0;
      pausedUntil = now + gapMs;
      inFlight += 1;
      waiting.delete(call);
      start();
    }
  };
  return {
    async acquire(time, limitMs = Infinity) {
      const now = readElapsed(clock);
      const leftMs = time.endsAt - now;
      if (pausedUntil - now >= Math.max(1, Math.min(leftMs, limitMs)))
        throw new DeadlinePassed(explain(), limitMs < leftMs ? limitMs : undefined);
      const call = {};
      const admission = new Promise<void>((resolve) => waiting.set(call, resolve));
      startWaitingCalls();
      try {
        if (waiting.has(call)) await withDeadline(admission, time, limitMs, explain);
      } catch (error) {
        if (!waiting.delete(call)) release(); // The call was started just as its wait ended.
        startWaitingCalls();
        throw error;
      }
      return release;
    },
    update(status, known, { committedSpend, retryAfterMs }) {
      const now = readElapsed(clock);
      remainingCents = committedSpend?.remainingCents ?? remainingCents;
      if (status === 429 && known === 'rate_limited') {
        const ms = Math.min(maxPauseMs, retryAfterMs ?? 0);
        gapMs = Math.min(50, ms / 50);
        pausedUntil = Math.max(pausedUntil, now + ms);
      }
      if (status === 429 && known === 'concurrency_limit_exceeded')
        cautiousUntil = Math.max(cautiousUntil, now + Math.min(maxPauseMs, retryAfterMs ?? 30_000));
      startWaitingCalls();
    },
  };
}
