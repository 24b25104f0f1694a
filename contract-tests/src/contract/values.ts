import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../specs/src/index.ts';

/**
 * Values that scenarios put into requests where any value works. A check uses the given constants; a self-check derives
 * random values from a seed, so that no fault or rule depends on a constant. Within a check, the same constant always
 * gives the same value.
 */
export type Values = {
  readonly text: (usual: string) => string;
  readonly uuid: (usual: string) => string;
  readonly number: (usual: number, min: number, max: number) => number;
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

/** Replaces the strings of an input, except URLs, with drawn ones. Keeps a string if `isValid` rejects the new one. */
export function drawTexts(input: JsonObject, { text }: Values, isValid = (_: JsonObject): boolean => true): JsonObject {
  let drawn = input;
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== 'string' || URL.canParse(value) || text(value) === value) continue;
    const changed = { ...drawn, [name]: text(value) };
    if (isValid(changed)) drawn = changed;
  }
  return drawn;
}

export function drawValues(seed: number): Values {
  const draw = (label: string): Buffer => createHash('sha256').update(`${seed} ${label}`).digest();
  const fraction = (label: string): number => draw(label).readUInt32BE() / 2 ** 32;
  const number: Values['number'] = (usual, min, max) => min + Math.floor(fraction(`number ${usual}`) * (max - min + 1));
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
        .map((one, index) => ({ one, rank: fraction(`place ${index}`) }))
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ one }) => one),
  };
}
