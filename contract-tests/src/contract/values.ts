import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../specs/src/index.ts';

/**
 * Values that scenarios put into requests where any value would do. A check uses the given constants; a self-check
 * draws them from a seed, so that no fault or rule depends on a constant. The same constant always gives the same value
 * within a check.
 */
export type Values = {
  /** Returns a text of 8 to 24 lowercase letters. */
  readonly text: (usual: string) => string;
  readonly uuid: (usual: string) => string;
  /** Returns an integer from `least` to `most`. */
  readonly number: (usual: number, least: number, most: number) => number;
  /** Returns a duration that is up to 25 % longer. */
  readonly ms: (usual: number) => number;
  /** Returns the order in which independent scenarios run. */
  readonly shuffle: <T>(list: readonly T[]) => readonly T[];
};

export const usualValues: Values = {
  text: (usual) => usual,
  uuid: (usual) => usual,
  number: (usual) => usual,
  ms: (usual) => usual,
  shuffle: (list) => list,
};

/** Replaces the strings of an input, except URLs, by drawn ones. Undoes a replacement that `isValid` rejects. */
export function drawTexts(input: JsonObject, { text }: Values, isValid = (_: JsonObject): boolean => true): JsonObject {
  return Object.entries(input).reduce((kept: JsonObject, [name, value]) => {
    if (typeof value !== 'string' || URL.canParse(value) || text(value) === value) return kept;
    const changed = { ...kept, [name]: text(value) };
    return isValid(changed) ? changed : kept;
  }, input);
}

export function drawValues(seed: number): Values {
  const draw = (of: string): Buffer => createHash('sha256').update(`${seed} ${of}`).digest();
  /** Returns a number in [0, 1). */
  const fraction = (of: string): number => draw(of).readUInt32BE() / 2 ** 32;
  const number: Values['number'] = (usual, least, most) =>
    least + Math.floor(fraction(`number ${usual}`) * (most - least + 1));
  return {
    text: (usual) => {
      const length = 8 + Math.floor(fraction(`length ${usual}`) * 17);
      return Array.from(draw(`text ${usual}`).subarray(0, length), (byte) =>
        String.fromCharCode(97 + (byte % 26)),
      ).join('');
    },
    uuid: (usual) => {
      const digits = draw(`uuid ${usual}`).toString('hex');
      return [
        digits.slice(0, 8),
        digits.slice(8, 12),
        `4${digits.slice(13, 16)}`,
        `8${digits.slice(17, 20)}`,
        digits.slice(20, 32),
      ].join('-');
    },
    number,
    ms: (usual) => number(usual, usual, Math.floor(usual * 1.25)),
    shuffle: (list) =>
      list
        .map((one, index) => ({ one, place: fraction(`place ${index}`) }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ one }) => one),
  };
}
