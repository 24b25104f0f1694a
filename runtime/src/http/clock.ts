/** Source of time and randomness. Tests replace it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds on a clock that never goes back, even if the wall clock is adjusted. Default: `now`. */
  elapsed?(): number;
  /** Resolves after `ms`, or rejects with the reason of the signal when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Returns a number in [0, 1). */
  random(): number;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => withTimer(ms, { signal }, (resolve) => resolve()),
};

/** Sleeps without keeping a Node process alive. */
export const sleepUnreferenced = (ms: number, signal: AbortSignal): Promise<void> =>
  withTimer(ms, { signal, isIdle: true }, (resolve) => resolve());

export const readElapsed = (clock: Clock): number => clock.elapsed?.() ?? clock.now();

/** Returns `Retry-After` in milliseconds. A date is relative to the `Date` header of the same response. */
export function readRetryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const [, seconds] = /^(\d{1,15}(?:\.\d+)?)(?:,|$)/.exec(text) ?? []; // A proxy may repeat the header.
  if (seconds !== undefined) return Number(seconds) * 1000;
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  return text.endsWith('GMT') ? Math.max(0, Date.parse(text) - sentAt || 0) : undefined;
}

/** Thrown at the end of a wait, which the message describes. `limitMs`: the limit that ended the wait before the deadline. */
export class DeadlinePassed extends Error {
  readonly limitMs: number | undefined;
  constructor(message = '', limitMs?: number, cause?: unknown) {
    super(message, { cause });
    this.limitMs = limitMs;
  }
}

export type TimeLimit = {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Deadline on the elapsed time of the clock. */
  readonly endsAt: number;
  /** True if the wait should not keep a Node process alive. */
  readonly isIdle?: boolean;
};

// Signals of React Native have neither a reason nor `throwIfAborted`.
const readAbortReason = (signal: AbortSignal | undefined): Error => signal?.reason ?? new Error('aborted');

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw readAbortReason(signal);
}

/** Settles like `work`. Rejects with the signal's reason, or with `DeadlinePassed` at the deadline or after `limitMs`. */
export function withDeadline<T>(
  work: Promise<T>,
  time: TimeLimit,
  limitMs = Infinity,
  explain = (_isDeadline: boolean): string => '',
): Promise<T> {
  const leftMs = time.endsAt - readElapsed(time.clock);
  const isDeadline = limitMs >= leftMs;
  const end = (_: unknown, reject: (error: Error) => void): void =>
    reject(new DeadlinePassed(explain(isDeadline), isDeadline ? undefined : limitMs));
  return withTimer(Math.min(leftMs, limitMs), time, end, work);
}

/** Settles like `work`. After `ms`, calls `end` to settle the promise. Rejects with the reason when the signal aborts. */
function withTimer<T>(
  ms: number,
  { signal, isIdle }: Partial<TimeLimit>,
  end: (resolve: () => void, reject: (error: Error) => void) => void,
  work?: Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle =
      <Value>(by: (value: Value) => void) =>
      (value: Value): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        by(value);
      };
    const done = settle(resolve);
    const fail = settle(reject);
    const abort = (): void => fail(readAbortReason(signal));
    // Platform timers have 31 bits. A longer wait ends early, and the caller waits again.
    const timer = setTimeout(end, Math.max(0, Math.min(ms, 2 ** 31 - 1)), done, fail);
    const { unref }: { unref?: () => void } = Object(timer); // Only Node's timer has it.
    if (isIdle) unref?.call(timer);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort);
    work?.then(done, fail);
  });
}

/** Returns the wait before the next attempt: the server's `requestedMs`, or a backoff. `attempt` starts at 1. */
export function waitMs(requestedMs: number | undefined, attempt: number, clock: Clock): number {
  const shortestMs = 250; // A server may always send `Retry-After: 0`.
  return requestedMs === undefined ? computeBackoffMs(attempt, clock) : Math.max(shortestMs, requestedMs);
}

/** Returns a backoff, which doubles from 0.5 to 30 seconds. Jitter subtracts up to half of it. `attempt` starts at 1. */
export function computeBackoffMs(attempt: number, clock: Clock): number {
  return Math.min(30_000, 500 * 2 ** Math.min(attempt - 1, 10)) * (1 - clock.random() / 2);
}
