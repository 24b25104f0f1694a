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
  const waiting = new Set<() => void>();
  const room: Room = { inFlight: 0, cautiousUntil: 0, opensAt: 0, remainingCents: Number.POSITIVE_INFINITY };
  let gapMs = 0;
  const setAlarm = createAlarm(clock, () => wake());
  const extend = (until: number, ms: number): number => Math.max(until, readElapsed(clock) + ms);
  const wake = (): void => {
    const now = readElapsed(clock);
    if (now > room.opensAt + quietMs) gapMs = 0;
    for (const take of waiting) {
      if (findReason(room, options, now) !== undefined) break;
      if (gapMs > 0) room.opensAt = now + gapMs;
      waiting.delete(take);
      room.inFlight += 1;
      take();
    }
    // Of what ends by itself; a call that ends wakes the others anyway.
    setAlarm(waiting.size === 0 ? 0 : now < room.opensAt ? room.opensAt : room.cautiousUntil, now);
  };
  const leave = (): void => {
    room.inFlight -= 1;
    wake();
  };
  return {
    async enter({ signal, endsAt, limitMs = Number.POSITIVE_INFINITY }) {
      signal.throwIfAborted();
      const ms = Math.min(endsAt - readElapsed(clock), limitMs);
      const explain = (): DeadlinePassed => {
        const reason = findReason(room, options, readElapsed(clock)) ?? '';
        return new DeadlinePassed(
          `; held by the limiter of this client (${reason})`,
          ms === limitMs ? { limitMs } : {},
        );
      };
      if (room.opensAt - readElapsed(clock) >= Math.max(1, ms)) throw explain();
      let take = (): void => undefined;
      const taken = new Promise<void>((resolve) => {
        take = resolve;
        waiting.add(take);
      });
      wake();
      try {
        if (waiting.has(take)) await within(taken, { signal, ms });
      } catch (error) {
        if (waiting.delete(take)) wake();
        else leave(); // room that was made just as the wait ended
        throw error instanceof DeadlinePassed ? explain() : error;
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

/** Rings once at the time that was set last; a time that has passed silences it. `now` is when that was looked at. */
function createAlarm(clock: Clock, ring: () => void): (at: number, now: number) => void {
  let setTo = 0;
  let stop = new AbortController();
  return (at, now) => {
    if (at === setTo) return;
    stop.abort();
    stop = new AbortController();
    setTo = at;
    const ms = at - now;
    const rung = (): void => {
      setTo = 0;
      ring();
    };
    if (ms > 0) clock.sleep(ms, stop.signal).then(rung, () => undefined);
  };
}
