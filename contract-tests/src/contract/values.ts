import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../specs/src/index.ts';

/**
 * Values that scenarios put into requests where any value would do. A check uses the given constants; a self-check
 * draws them from a seed, so that no fault or rule depends on a constant. The same constant always gives the same value
 * within a check.
 */
export type Values = {
  readonly text: (usual: string) => string;
  readonly uuid: (usual: string) => string;
  readonly number: (usual: number, least: number, most: number) => number;
  /** Returns a duration that is up to 25 % longer. */
  readonly ms: (usual: number) => number;
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
  const fraction = (of: string): number => draw(of).readUInt32BE() / 2 ** 32;
  const number: Values['number'] = (usual, least, most) =>
    least + Math.floor(fraction(`number ${usual}`) * (most - least + 1));
  return {
    text: (usual) => {
      const bytes = draw(`text ${usual}`).subarray(0, 8 + Math.floor(fraction(`length ${usual}`) * 17));
      return Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26))).join('');
    },
    uuid: (usual) => {
      const digits = draw(`uuid ${usual}`).toString('hex');
      return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
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
