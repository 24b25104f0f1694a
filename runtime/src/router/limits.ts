import { type Clock, DeadlinePassed, within } from '../http/clock.ts';
import type { CommittedSpend } from './response-facts.ts';

export type LimitOptions = {
  /** Billed calls in flight at a time; no limit by default. */
  readonly concurrency?: number;
  /** Below this many cents left under the service's cap, billed calls go one at a time. */
  readonly minimumRemainingCents?: number;
};

/** Decides how many billed calls are in flight, and learns from what the service answers. */
export type Limits = {
  /** Waits for a free place; the returned function gives it back, once. */
  enter(time: { readonly signal: AbortSignal; readonly endsAt: number }): Promise<() => void>;
  /** A 429 says that there were too many: for a while nothing is sent in parallel. */
  slowDown(seconds: number | undefined): void;
  /** A 429 says that the quota is used up: until it is renewed, nothing is sent. */
  pause(seconds: number | undefined): void;
  noteSpend(spend: CommittedSpend | undefined): void;
};

const cautionMs = 30_000;
// One odd header must not stop a program for a day; each call waits as it was told itself.
const longestPauseMs = 5 * 60_000;
const milliseconds = (seconds: number | undefined): number => Math.min(longestPauseMs, (seconds ?? 0) * 1000);

export function createLimits(options: LimitOptions, clock: Clock): Limits {
  const waiting = new Set<() => void>();
  let inFlight = 0;
  let cautiousUntil = 0;
  let pausedUntil = 0;
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
  const leave = (): void => {
    inFlight -= 1;
    wake();
  };
  return {
    async enter({ signal, endsAt }) {
      signal.throwIfAborted();
      for (let now = clock.now(); now < pausedUntil; now = clock.now()) {
        if (pausedUntil >= endsAt) throw new DeadlinePassed();
        await clock.sleep(pausedUntil - now, signal);
      }
      if (waiting.size === 0 && inFlight < allowed()) inFlight += 1;
      else await place(waiting, { signal, ms: endsAt - clock.now() }, leave);
      return leave;
    },
    slowDown(seconds) {
      cautiousUntil = Math.max(cautiousUntil, clock.now() + Math.max(cautionMs, milliseconds(seconds)));
    },
    pause(seconds) {
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds(seconds));
    },
    noteSpend(spend) {
      remainingCents = spend?.remainingCents ?? remainingCents;
      wake();
    },
  };
}

/** Resolves when a call that ends makes room; room that was made just as the wait ended is left again. */
async function place(
  waiting: Set<() => void>,
  limit: { signal: AbortSignal; ms: number },
  leave: () => void,
): Promise<void> {
  let resume = (): void => undefined;
  const free = new Promise<void>((resolve) => {
    resume = resolve;
  });
  waiting.add(resume);
  try {
    await within(free, limit);
  } catch (error) {
    if (!waiting.delete(resume)) leave();
    throw error;
  }
}
