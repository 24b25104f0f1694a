import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

test('returns the same numbers in [0, 1) for the same label', () => {
  const draw = (label: string): number[] => {
    const random = createRandom(label);
    return Array.from({ length: 200 }, () => random());
  };
  expect(draw('seed 1')).toEqual(draw('seed 1'));
  expect(draw('seed 1')).not.toEqual(draw('seed 2'));
  expect(draw('seed 1').every((value) => value >= 0 && value < 1)).toBe(true);
  expect(new Set(draw('seed 1')).size).toBeGreaterThan(190);
});
