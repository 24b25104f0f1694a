import { type SeededRandom, seededRandom } from '../soak/seeded-random.ts';
import type { Checkout } from './checkout.ts';

/** Something that must not be, in the words of the class that found it. */
export type Defect = { readonly case: number; readonly kind: string; readonly what: string };
export type AttackRun = {
  readonly checkout: Checkout;
  readonly seed: number;
  /** Numbers of the cases to run; a case depends on the seed and its number only. */
  readonly cases: readonly number[];
  /** An empty folder; removed at the end. */
  readonly folder: string;
  /** Says on a terminal how far it is. */
  progress(done: number): void;
};
export type AttackClass = {
  readonly name: string;
  /** How many cases a whole attack has. */
  readonly cases: number;
  run(run: AttackRun): Promise<Defect[]>;
};

export type Random = SeededRandom & {
  one<T>(choices: readonly T[]): T;
  chance(share: number): boolean;
  /** A whole number from `least` to `most`, small ones more often. */
  size(least: number, most: number): number;
};

/** The chances of one case. */
export function seedRandom({ seed }: { seed: number }, name: string, index: number): Random {
  const salt = [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, 7);
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b) ^ salt);
  return {
    ...random,
    chance: (share) => random.next() < share,
    size: (least, most) => Math.floor(least * (most / least) ** random.next()),
    one: (choices) => {
      const found = random.pick(choices);
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}

/** Runs `work` over all items, `width` at a time. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Text as one printable line for a report. */
export function shown(text: string, longest = 160): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text).replace(
    /[^\x20-\x7e…]/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
