import { type Clock, DeadlinePassed, readElapsed, type Time, within } from '../http/clock.ts';
import type { CommittedSpend } from './response-facts.ts';

export type LimitOptions = {
  /** Billed calls in flight at a time; no limit by default. */
  readonly concurrency?: number | undefined;
  /** Below this many cents left under the service's cap, billed calls go one at a time. */
  readonly minimumRemainingCents?: number | undefined;
};

/** Decides how many billed calls are in flight, and learns from what the service answers. */
export type Limits = {
  /** Waits for a free place, for `limitMs` at most; the returned function gives it back, once. */
  enter(time: Pick<Time, 'signal' | 'endsAt'>, limitMs?: number): Promise<() => void>;
  /** A 429 says that there were too many: for a while nothing is sent in parallel. */
  slowDown(seconds: number | undefined): void;
  /** A 429 says that the quota is used up: until it is renewed, nothing is sent. */
  pause(seconds: number | undefined): void;
  noteSpend(spend: CommittedSpend | undefined): void;
};

// Where the server does not say for how long.
const cautionSeconds = 30;
// One odd header must not stop a program for a day; each call waits as it was told itself.
const longestPauseMs = 5 * 60_000;
// What a pause has held back is sent one by one, so that a renewed quota is not overrun at once.
const longestGapMs = 50;
const starts = 50;
const quietMs = 1000;

export function createLimits(options: LimitOptions, clock: Clock): Limits {
  const { concurrency = Number.POSITIVE_INFINITY, minimumRemainingCents = 0 } = options;
  let inFlight = 0;
  let cautiousUntil = 0;
  let opensAt = 0;
  let gapMs = 0;
  let remainingCents = Number.POSITIVE_INFINITY;
  let line = Promise.resolve(false);
  const waiting = new Set<object>();
  let wake = (): void => undefined;
  /** Why no call may start now. */
  const findReason = (now: number): string | undefined => {
    if (now < opensAt) return 'after a 429 rate_limited';
    if (inFlight === 0) return undefined;
    if (now < cautiousUntil) return 'one call at a time after a 429 concurrency_limit_exceeded';
    if (remainingCents < minimumRemainingCents) return 'one call at a time below minimumRemainingCents';
    return inFlight < concurrency ? undefined : `limits.concurrency is ${concurrency}`;
  };
  const explain = (): string => `; held by the limiter of this client (${findReason(readElapsed(clock))})`;
  const leave = (): void => {
    inFlight -= 1;
    wake();
  };
  const occupy = (now: number): (() => void) => {
    if (now > opensAt + quietMs) gapMs = 0;
    if (gapMs > 0) opensAt = now + gapMs;
    inFlight += 1;
    return leave;
  };
  /** Takes a place when there is one, unless the call has given up. The first in the line alone looks for one. */
  const take = async (call: object): Promise<boolean> => {
    for (let now = readElapsed(clock); findReason(now) !== undefined; now = readElapsed(clock)) {
      if (!waiting.has(call)) return false;
      const nap = startNap((now < opensAt ? opensAt : cautiousUntil) - now, clock);
      wake = nap.wake;
      await nap.over;
    }
    occupy(readElapsed(clock));
    return true;
  };
  return {
    async enter({ signal, endsAt }, limitMs = Number.POSITIVE_INFINITY) {
      const now = readElapsed(clock);
      const leftMs = endsAt - now;
      if (opensAt - now >= Math.max(1, Math.min(leftMs, limitMs)))
        throw new DeadlinePassed(explain(), limitMs < leftMs ? limitMs : undefined);
      if (waiting.size === 0 && findReason(now) === undefined) return occupy(now);
      const call = {};
      waiting.add(call);
      line = line.then(() => take(call));
      const turn = line;
      try {
        await within(turn, { clock, signal, endsAt }, limitMs, explain);
      } catch (error) {
        wake();
        void turn.then((isTaken) => isTaken && leave()); // room that was made just as the wait ended
        throw error;
      } finally {
        waiting.delete(call);
      }
      return leave;
    },
    slowDown(seconds) {
      cautiousUntil = Math.max(cautiousUntil, readElapsed(clock) + toPauseMs(seconds ?? cautionSeconds));
    },
    pause(seconds) {
      gapMs = Math.min(longestGapMs, toPauseMs(seconds) / starts);
      opensAt = Math.max(opensAt, readElapsed(clock) + toPauseMs(seconds));
    },
    noteSpend(spend) {
      remainingCents = spend?.remainingCents ?? remainingCents;
      wake();
    },
  };
}

/** Is over when it is woken, or by itself after `ms` where that is more than nothing. */
function startNap(ms: number, clock: Clock) {
  const timer = new AbortController();
  let wake = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    wake = resolve;
    if (ms > 0) clock.sleep(ms, timer.signal).then(resolve, () => undefined);
  }).finally(() => timer.abort());
  return { over, wake };
}

const toPauseMs = (seconds = 0): number => Math.min(longestPauseMs, seconds * 1000);
