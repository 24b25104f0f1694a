import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../specs/src/index.ts';

/**
 * The values that scenarios choose where any other would do as well. A check uses those of the code; a self-check with a seed draws
 * them, so that no fault and no rule can depend on one of them. One usual value gives one value throughout a check.
 */
export type Values = {
  /** A text of 8 to 24 lowercase letters. */
  readonly text: (usual: string) => string;
  readonly uuid: (usual: string) => string;
  /** A whole number from `least` to `most`. */
  readonly number: (usual: number, least: number, most: number) => number;
  /** A time that is at most a quarter longer. */
  readonly ms: (usual: number) => number;
  /** The order in which independent scenarios run. */
  readonly shuffle: <T>(list: readonly T[]) => readonly T[];
};

export const usualValues: Values = {
  text: (usual) => usual,
  uuid: (usual) => usual,
  number: (usual) => usual,
  ms: (usual) => usual,
  shuffle: (list) => list,
};

/** Draws the texts among the members of an input, other than URLs. A change that `isValid` refuses is left out. */
export function drawTexts(input: JsonObject, { text }: Values, isValid = (_: JsonObject): boolean => true): JsonObject {
  return Object.entries(input).reduce((kept: JsonObject, [name, value]) => {
    if (typeof value !== 'string' || URL.canParse(value) || text(value) === value) return kept;
    const changed = { ...kept, [name]: text(value) };
    return isValid(changed) ? changed : kept;
  }, input);
}

export function drawValues(seed: number): Values {
  const draw = (of: string): Buffer => createHash('sha256').update(`${seed} ${of}`).digest();
  /** In [0, 1). */
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
