import type { Clock } from '../http/clock.ts';
import type { CommittedSpend } from './response-facts.ts';

export type LimitOptions = {
  /** Billed calls in flight at a time; no limit by default. */
  readonly concurrency?: number;
  /** Below this many cents left under the service's cap, billed calls go one at a time. */
  readonly minimumRemainingCents?: number;
};

/** Decides how many billed calls are in flight, and learns from what the service answers. */
export type Limits = {
  /** Waits for a free place; the returned function gives it back. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** A 429 says that there were too many: for a while nothing is sent in parallel. */
  slowDown(seconds: number | undefined): void;
  noteSpend(spend: CommittedSpend | undefined): void;
};

const cautionMs = 30_000;

export function createLimits(options: LimitOptions, clock: Clock): Limits {
  const waiting = new Set<() => void>();
  let inFlight = 0;
  let cautiousUntil = 0;
  let remainingCents = Number.POSITIVE_INFINITY;

  const allowed = (): number => {
    const short = remainingCents < (options.minimumRemainingCents ?? Number.NEGATIVE_INFINITY);
    return short || clock.now() < cautiousUntil ? 1 : (options.concurrency ?? Number.POSITIVE_INFINITY);
  };
  const wake = (): void => {
    for (const resume of waiting) {
      if (inFlight >= allowed()) return;
      waiting.delete(resume);
      inFlight += 1;
      resume();
    }
  };
  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (waiting.size === 0 && inFlight < allowed()) inFlight += 1;
      else await place(waiting, signal);
      let held = true;
      return () => {
        if (held) inFlight -= 1;
        held = false;
        wake();
      };
    },
    slowDown(seconds) {
      cautiousUntil = Math.max(cautiousUntil, clock.now() + Math.max(cautionMs, (seconds ?? 0) * 1000));
    },
    noteSpend(spend) {
      remainingCents = spend?.remainingCents ?? remainingCents;
      wake();
    },
  };
}

/** Resolves when a call that ends makes room. */
function place(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const resume = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      waiting.delete(resume);
      reject(signal.reason);
    };
    waiting.add(resume);
    signal.addEventListener('abort', leave, { once: true });
  });
}
