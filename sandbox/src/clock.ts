import { setTimeout } from 'node:timers/promises';
import { SandboxError } from './errors.ts';

/** `now`: milliseconds since 1970. `sleep` resolves early if its signal aborts. */
type Clock = { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
/** A clock that can be advanced by milliseconds or by `90s`, `15m`, `25h`. Sleeps then end in the order of their end times. */
export type SandboxClock = Clock & { advance(by: number | string): void };
/** `real`: the system time plus all advances. `manual`: starts at 2030-01-01 and only moves when it is advanced. */
export type ClockChoice = 'real' | 'manual';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(Math.min(ms, maxTimerMs), undefined, { signal }).catch(() => undefined),
};

/** Formats a time as `12:00:00.000` in UTC. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

const maxTimerMs = 2 ** 31 - 1; // A longer timer would fire immediately.
const latestMs = Date.UTC(9999, 11, 31);

const stoppedClock: Clock = {
  now: () => Date.UTC(2030, 0, 1),
  sleep: (_, signal) => new Promise((wake) => signal?.addEventListener('abort', () => wake())),
};

/** Creates a clock. Its time is that of the base clock plus all advances. */
export function createClock(choice: ClockChoice): SandboxClock {
  const base = choice === 'real' ? systemClock : stoppedClock;
  let aheadMs = 0;
  let waiting: { dueAt: number; interrupt: AbortController }[] = [];
  const now = (): number => base.now() + aheadMs;
  return {
    now,
    sleep: async (ms, signal) => {
      const dueAt = now() + ms;
      while (now() < dueAt && signal?.aborted !== true) {
        const one = { dueAt, interrupt: new AbortController() };
        waiting.push(one);
        const signals = signal === undefined ? [one.interrupt.signal] : [one.interrupt.signal, signal];
        await base.sleep(dueAt - now(), AbortSignal.any(signals));
        waiting = waiting.filter((other) => other !== one);
      }
    },
    advance: (by) => {
      const ms = parseDuration(by);
      if (now() + ms > latestMs) throw new SandboxError('the clock of this sandbox cannot go beyond the year 9999');
      aheadMs += ms;
      // Interrupt all sleeps in the order of their end times. A sleep that is not over yet continues.
      for (const { interrupt } of waiting.toSorted((one, other) => one.dueAt - other.dueAt)) interrupt.abort();
    },
  };
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const maxDurationMs = 36_525 * unitMs.d; // A hundred years.

/** Parses a number of milliseconds or a text such as `500ms`, `90s`, `15m`, `25h`, `2d`. Throws SandboxError. */
function parseDuration(duration: string | number): number {
  const match = typeof duration === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration.trim()) : null;
  const ms = match === null ? duration : Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0)
    throw new SandboxError(
      `${JSON.stringify(duration)} is not a duration; use 500ms, 90s, 15m, 25h, 2d or a number of milliseconds`,
    );
  if (ms > maxDurationMs) throw new SandboxError(`${JSON.stringify(duration)} is longer than a hundred years`);
  return Math.round(ms);
}
