/** Time in milliseconds since the epoch; `sleep` settles early, without failing, when its signal aborts. */
export type Clock = { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
/** A clock that stands still until it is advanced; sleepers that fall due are woken in order of time. */
export type ManualClock = Clock & { advance(ms: number): void };

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((wake) => {
      if (signal?.aborted) return wake();
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        wake();
      }
      signal?.addEventListener('abort', done);
    }),
};

type Sleeper = { dueAt: number; wake(): void };

export function manualClock(startAt: number = Date.UTC(2030, 0, 1)): ManualClock {
  let current = startAt;
  let sleepers: Sleeper[] = [];
  const wakeDue = (): void => {
    const due = sleepers.filter((sleeper) => sleeper.dueAt <= current).sort((a, b) => a.dueAt - b.dueAt);
    sleepers = sleepers.filter((sleeper) => sleeper.dueAt > current);
    for (const sleeper of due) sleeper.wake();
  };
  return {
    now: () => current,
    sleep: (ms, signal) =>
      new Promise((wake) => {
        if (signal?.aborted) return wake();
        const sleeper = { dueAt: current + ms, wake };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          wake();
        });
        wakeDue();
      }),
    advance: (ms) => {
      current += ms;
      wakeDue();
    },
  };
}
