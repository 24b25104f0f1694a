import { expect, test } from 'vitest';
import { drawTexts, drawValues, usualValues } from './values.ts';

test('draws the same value for the same constant and seed, and different values otherwise', () => {
  const [one, again, other] = [drawValues(1), drawValues(1), drawValues(2)];
  expect(one.text('held')).toMatch(/^[a-z]{8,24}$/);
  expect(again.text('held')).toBe(one.text('held'));
  expect(new Set([one.text('held'), one.text('another'), other.text('held')]).size).toBe(3);
  expect(one.uuid('unknown')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(one.uuid('unknown')).not.toBe(other.uuid('unknown'));
});

test('draws durations that are up to 25 % longer, and numbers within their bounds', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const { ms, number } = drawValues(seed);
    expect(ms(150)).toBeGreaterThanOrEqual(150);
    expect(ms(150)).toBeLessThanOrEqual(187);
    expect([2, 3, 4]).toContain(number(3, 2, 4));
  }
});

test('shuffles a list without losing an item', () => {
  const list = Array.from({ length: 40 }, (_, index) => index);
  const shuffled = drawValues(7).shuffle(list);
  expect(shuffled).not.toEqual(list);
  expect(shuffled.toSorted((one, other) => one - other)).toEqual(list);
  expect(usualValues.shuffle(list)).toEqual(list);
});

test('draws the strings of an input, except URLs and strings that its schema constrains', () => {
  const input = { prompt: 'A quay', style: 'ink', image_url: 'https://assets.test/a.png', steps: 4 };
  const values = drawValues(3);
  const drawn = drawTexts(input, values, ({ style }) => style === 'ink');
  expect(drawn).toEqual({ ...input, prompt: values.text('A quay') });
  expect(drawTexts(input, usualValues)).toBe(input);
});
