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
const cautionMs = 30_000;
// One odd header must not stop a program for a day; each call waits as it was told itself.
const longestPauseMs = 5 * 60_000;
// What a pause has held back is sent one by one, so that a renewed quota is not overrun at once.
const longestGapMs = 50;
const starts = 50;
const quietMs = 1000;

/** What the service's answers and the calls in flight allow. */
type Room = { inFlight: number; cautiousUntil: number; opensAt: number; remainingCents: number };

/** Why no call may start now. */
function findReason(room: Room, options: LimitOptions, now: number): string | undefined {
  const { concurrency = Number.POSITIVE_INFINITY, minimumRemainingCents = Number.NEGATIVE_INFINITY } = options;
  if (now < room.opensAt) return 'after a 429 rate_limited';
  if (room.inFlight === 0) return undefined;
  if (now < room.cautiousUntil) return 'one call at a time after a 429 concurrency_limit_exceeded';
  if (room.remainingCents < minimumRemainingCents) return 'one call at a time below minimumRemainingCents';
  return room.inFlight < concurrency ? undefined : `limits.concurrency is ${concurrency}`;
}

export function createLimits(options: LimitOptions, clock: Clock): Limits {
  const room: Room = { inFlight: 0, cautiousUntil: 0, opensAt: 0, remainingCents: Number.POSITIVE_INFINITY };
  let gapMs = 0;
  let line = Promise.resolve(false);
  let wake = (): void => undefined;
  const extend = (until: number, ms: number): number => Math.max(until, readElapsed(clock) + ms);
  const leave = (): void => {
    room.inFlight -= 1;
    wake();
  };
  /** Takes a place when there is one, unless the call has given up. The first in the line alone looks for one. */
  const take = async (call: { hasGivenUp: boolean }): Promise<boolean> => {
    while (!call.hasGivenUp) {
      const now = readElapsed(clock);
      if (now > room.opensAt + quietMs) gapMs = 0;
      if (findReason(room, options, now) === undefined) {
        if (gapMs > 0) room.opensAt = now + gapMs;
        room.inFlight += 1;
        return true;
      }
      const timer = new AbortController();
      await new Promise<void>((resolve) => {
        wake = resolve;
        // Of what ends by itself; a call that ends wakes the first one anyway.
        const ms = (now < room.opensAt ? room.opensAt : room.cautiousUntil) - now;
        if (ms > 0) clock.sleep(ms, timer.signal).then(resolve, () => undefined);
      });
      timer.abort();
    }
    return false;
  };
  return {
    async enter({ signal, endsAt }, limitMs = Number.POSITIVE_INFINITY) {
      signal.throwIfAborted();
      const explain = (): string =>
        `; held by the limiter of this client (${findReason(room, options, readElapsed(clock))})`;
      const leftMs = endsAt - readElapsed(clock);
      const closedMs = room.opensAt - readElapsed(clock);
      if (closedMs >= Math.max(1, Math.min(leftMs, limitMs)))
        throw new DeadlinePassed(explain(), limitMs < leftMs ? { limitMs } : {});
      const call = { hasGivenUp: false };
      line = line.then(() => take(call));
      const turn = line;
      try {
        await within(turn, { clock, signal, endsAt }, limitMs);
      } catch (error) {
        call.hasGivenUp = true;
        wake();
        void turn.then((isTaken) => isTaken && leave()); // room that was made just as the wait ended
        throw error instanceof DeadlinePassed ? new DeadlinePassed(explain(), error) : error;
      }
      return leave;
    },
    slowDown(seconds) {
      room.cautiousUntil = extend(room.cautiousUntil, seconds === undefined ? cautionMs : toPauseMs(seconds));
    },
    pause(seconds) {
      gapMs = Math.min(longestGapMs, toPauseMs(seconds) / starts);
      room.opensAt = extend(room.opensAt, toPauseMs(seconds));
    },
    noteSpend(spend) {
      room.remainingCents = spend?.remainingCents ?? room.remainingCents;
      wake();
    },
  };
}

const toPauseMs = (seconds = 0): number => Math.min(longestPauseMs, seconds * 1000);
