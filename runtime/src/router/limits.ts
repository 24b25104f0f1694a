import { type Clock, DeadlinePassed, readElapsed, type Time, within } from '../http/clock.ts';
import type { KnownCategory, ResponseFacts } from './response-facts.ts';

export type LimitOptions = {
  /** Requests of runs and submissions in flight at a time; no limit by default. A call that waits in the queue is not in flight. */
  readonly requestsInFlight?: number | undefined;
  /** Below this many cents left under the service's cap, billed calls go one at a time. */
  readonly minimumRemainingCents?: number | undefined;
};

/** Decides how many billed calls are in flight, by the answers of the service. */
export type Limits = {
  /** Waits for a free place, for `limitMs` at most; the returned function gives it back, once. */
  enter(time: Pick<Time, 'signal' | 'endsAt'>, limitMs?: number): Promise<() => void>;
  /**
   * Takes in what an answer means for other calls. After a 429 because there were too many, nothing is sent in parallel for a while; where
   * the quota is used up, nothing is sent until it is renewed.
   */
  learn(status: number, known: KnownCategory, facts: ResponseFacts): void;
};

/** The longest pause: one odd header must not stop a program for a day; each call waits for its own `Retry-After`. */
const longestPauseMs = 5 * 60_000;

export function createLimits(options: LimitOptions, clock: Clock): Limits {
  const { requestsInFlight = Number.POSITIVE_INFINITY, minimumRemainingCents = 0 } = options;
  let inFlight = 0;
  let cautiousUntil = 0;
  let opensAt = 0;
  let gapMs = 0; // between those that a pause has held back, until it is quiet: a renewed quota is not overrun at once
  let remainingCents = Number.POSITIVE_INFINITY;
  let nap: AbortController | undefined;
  const waiting = new Map<object, () => void>(); // the longest first
  /** Why no call may start now. */
  const findReason = (now: number): string | undefined => {
    if (now < opensAt) return 'after a 429 rate_limited';
    if (inFlight === 0) return undefined;
    if (now < cautiousUntil) return 'one call at a time after a 429 concurrency_limit_exceeded';
    if (remainingCents < minimumRemainingCents) return 'one call at a time below minimumRemainingCents';
    return inFlight < requestsInFlight ? undefined : `limits.requestsInFlight is ${requestsInFlight}`;
  };
  const explain = (): string => `; held by the limiter of this client (${findReason(readElapsed(clock))})`;
  const leave = (): void => {
    inFlight -= 1;
    admit();
  };
  /** Lets in the calls that may start now, and looks again when time has changed that. */
  const admit = (): void => {
    nap?.abort(); // only once: it takes long
    nap = undefined;
    for (const [call, start] of waiting) {
      const now = readElapsed(clock);
      if (findReason(now) !== undefined) {
        const until = [opensAt, cautiousUntil].find((at) => at > now);
        nap = new AbortController();
        if (until !== undefined) clock.sleep(until - now, nap.signal).then(admit, () => undefined);
        return;
      }
      if (now > opensAt + 1000) gapMs = 0;
      opensAt = now + gapMs;
      inFlight += 1;
      waiting.delete(call);
      start();
    }
  };
  return {
    async enter({ signal, endsAt }, limitMs = Number.POSITIVE_INFINITY) {
      const now = readElapsed(clock);
      const leftMs = endsAt - now;
      if (opensAt - now >= Math.max(1, Math.min(leftMs, limitMs)))
        throw new DeadlinePassed(explain(), limitMs < leftMs ? limitMs : undefined);
      const call = {};
      const turn = new Promise<void>((resolve) => waiting.set(call, resolve));
      admit();
      try {
        if (waiting.has(call)) await within(turn, { clock, signal, endsAt }, limitMs, explain);
      } catch (error) {
        if (!waiting.delete(call)) leave(); // room that was made just as the wait ended
        admit();
        throw error;
      }
      return leave;
    },
    learn(status, known, { committedSpend, retryAfterMs }) {
      const now = readElapsed(clock);
      remainingCents = committedSpend?.remainingCents ?? remainingCents;
      const ms = Math.min(longestPauseMs, retryAfterMs ?? (known === 'rate_limited' ? 0 : 30_000));
      if (status === 429 && known === 'concurrency_limit_exceeded') cautiousUntil = Math.max(cautiousUntil, now + ms);
      if (status === 429 && known === 'rate_limited') {
        gapMs = Math.min(50, ms / 50);
        opensAt = Math.max(opensAt, now + ms);
      }
      admit();
    },
  };
}
