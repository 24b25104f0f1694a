/** Random choices that are the same for the same seed (mulberry32), for generators that fast-check can't express. */
export type Dice = {
  /** Returns a number in [0, 1). */
  next(): number;
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
};

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick(list) {
      const found = list[below(list.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}
