/** Lets at most `places` tasks run at a time, in the order they came; one that is to be alone has all places. */
export type Turnstile = <T>(task: () => Promise<T>, alone?: boolean) => Promise<T>;

export function createTurnstile(places: number): Turnstile {
  const waiting: { readonly width: number; readonly enter: () => void }[] = [];
  let free = places;
  const admit = (): void => {
    for (let next = waiting[0]; next !== undefined && next.width <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.width;
      next.enter();
    }
  };
  return async (task, alone = false) => {
    const width = alone ? places : 1;
    await new Promise<void>((enter) => {
      waiting.push({ width, enter });
      admit();
    });
    try {
      return await task();
    } finally {
      free += width;
      admit();
    }
  };
}
