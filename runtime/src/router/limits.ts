import { type Clock, DeadlinePassed, readElapsed, within } from '../http/clock.ts';
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
  enter(time: {
    readonly signal: AbortSignal;
    readonly endsAt: number;
    readonly limitMs?: number;
  }): Promise<() => void>;
  /** A 429 says that there were too many: for a while nothing is sent in parallel. */
  slowDown(seconds: number | undefined): void;
  /** A 429 says that the quota is used up: until it is renewed, nothing is sent. */
  pause(seconds: number | undefined): void;
  noteSpend(spend: CommittedSpend | undefined): void;
};

const cautionMs = 30_000;
// One odd header must not stop a program for a day; each call waits as it was told itself.
const longestPauseMs = 5 * 60_000;
// What a pause has held back is sent one by one, so that a renewed quota is not overrun at once.
const longestGapMs = 50;
const starts = 50;
const quietMs = 1000;

export function createLimits(
  { concurrency = Number.POSITIVE_INFINITY, minimumRemainingCents = Number.NEGATIVE_INFINITY }: LimitOptions,
  clock: Clock,
): Limits {
  const waiting = new Set<() => void>();
  let inFlight = 0;
  let cautiousUntil = 0;
  let opensAt = 0;
  let gapMs = 0;
  let remainingCents = Number.POSITIVE_INFINITY;
  let alarm: { readonly at: number; readonly stop: AbortController } | undefined;

  /** Why no call may start now. */
  const findReason = (now: number): string | undefined => {
    if (now < opensAt) return 'after a 429 rate_limited';
    if (inFlight === 0) return undefined;
    if (now < cautiousUntil) return 'one call at a time after a 429 concurrency_limit_exceeded';
    if (remainingCents < minimumRemainingCents) return 'one call at a time below minimumRemainingCents';
    return inFlight < concurrency ? undefined : `limits.concurrency is ${concurrency}`;
  };
  const wake = (): void => {
    const now = readElapsed(clock);
    if (now > opensAt + quietMs) gapMs = 0;
    for (const resume of waiting) {
      if (findReason(now) !== undefined) break;
      opensAt = gapMs > 0 ? now + gapMs : opensAt;
      waiting.delete(resume);
      inFlight += 1;
      resume();
    }
    // Of what ends by itself; a call that ends wakes the others anyway.
    setAlarm(waiting.size === 0 ? 0 : now < opensAt ? opensAt : cautiousUntil, now);
  };
  const setAlarm = (at: number, now: number): void => {
    if (alarm?.at === at) return;
    alarm?.stop.abort();
    alarm = undefined;
    if (at <= now) return;
    const stop = new AbortController();
    alarm = { at, stop };
    clock.sleep(at - now, stop.signal).then(
      () => {
        alarm = undefined;
        wake();
      },
      () => undefined,
    );
  };
  const leave = (): void => {
    inFlight -= 1;
    wake();
  };
  const takePlace = async (limit: { signal: AbortSignal; ms: number }): Promise<void> => {
    let resume = (): void => undefined;
    const place = new Promise<void>((resolve) => {
      resume = resolve;
    });
    waiting.add(resume);
    wake();
    if (!waiting.has(resume)) return;
    try {
      await within(place, limit);
    } catch (error) {
      // Room that was made just as the wait ended is left again.
      if (!waiting.delete(resume)) leave();
      throw error;
    } finally {
      if (waiting.size === 0) wake();
    }
  };
  return {
    async enter({ signal, endsAt, limitMs = Number.POSITIVE_INFINITY }) {
      signal.throwIfAborted();
      const now = readElapsed(clock);
      const ms = Math.min(endsAt - now, limitMs);
      const held = (): DeadlinePassed => {
        const reason = `held by the limiter of this client (${findReason(readElapsed(clock))})`;
        return new DeadlinePassed(reason, ms === limitMs ? { limitMs } : {});
      };
      if (opensAt > now && opensAt - now >= ms) throw held();
      await takePlace({ signal, ms }).catch((error: unknown) => {
        throw error instanceof DeadlinePassed ? held() : error;
      });
      return leave;
    },
    slowDown(seconds) {
      const now = readElapsed(clock);
      cautiousUntil = Math.max(cautiousUntil, now + Math.max(cautionMs, toPauseMs(seconds)));
    },
    pause(seconds) {
      const pauseMs = toPauseMs(seconds);
      gapMs = Math.min(longestGapMs, pauseMs / starts);
      opensAt = Math.max(opensAt, readElapsed(clock) + pauseMs);
    },
    noteSpend(spend) {
      remainingCents = spend?.remainingCents ?? remainingCents;
      wake();
    },
  };
}

const toPauseMs = (seconds = 0): number => Math.min(longestPauseMs, seconds * 1000);
