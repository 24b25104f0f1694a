import { expect, test } from 'vitest';
import { truncate } from './diagnostics.ts';

test('shortens a text without cutting a surrogate pair', () => {
  expect(truncate(`ab${'😀'.repeat(9)}`, 3).isWellFormed()).toBe(true);
});
