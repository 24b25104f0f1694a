/** Runs at most `permits` tasks at a time, first come, first served; an exclusive task takes all permits. */
export type Semaphore = <T>(task: () => Promise<T>, exclusive?: boolean) => Promise<T>;

export function createSemaphore(permits: number): Semaphore {
  const waiting: { readonly needed: number; readonly start: () => void }[] = [];
  let free = permits;
  const startNext = (): void => {
    for (let next = waiting[0]; next !== undefined && next.needed <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.needed;
      next.start();
    }
  };
  return async (task, exclusive = false) => {
    const needed = exclusive ? permits : 1;
    await new Promise<void>((start) => {
      waiting.push({ needed, start });
      startNext();
    });
    try {
      return await task();
    } finally {
      free += needed;
      startNext();
    }
  };
}
