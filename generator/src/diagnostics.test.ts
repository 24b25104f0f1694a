import { expect, test } from 'vitest';
import { cut } from './diagnostics.ts';

test('shortens a text without cutting a surrogate pair', () => {
  expect(cut(`ab${'😀'.repeat(9)}`, 3).isWellFormed()).toBe(true);
});
