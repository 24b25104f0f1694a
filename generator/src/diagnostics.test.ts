import { expect, test } from 'vitest';
import { cut } from './diagnostics.ts';

test('never cuts a character in half', () => {
  expect(cut(`ab${'😀'.repeat(9)}`, 3).isWellFormed()).toBe(true);
});
