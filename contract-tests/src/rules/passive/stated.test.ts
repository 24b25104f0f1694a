import { expect, test } from 'vitest';
import { readLifetime } from './stated.ts';

const day = 24 * 3_600_000;
const nowMs = Date.UTC(2030, 0, 1);

test.each([
  ['X-Amz-Date=20300101T000000Z&X-Amz-Expires=86400&X-Amz-Signature=s', day],
  [`Expires=${(nowMs + day) / 1_000}&Signature=s`, day],
  ['se=2030-01-02T00%3A00%3A00Z&sig=s', day],
  [`expires=${nowMs + day}&signature=s`, day],
  ['X-Goog-Date=20300101T000000Z&X-Goog-Expires=86400&X-Goog-Signature=s', day],
  ['exp=1893542400x&signature=s', undefined],
  ['signature=s', undefined],
])('computes from the query %s how long a signed link is valid', (query, lifetimeMs) => {
  expect(readLifetime(`https://storage.test/a.png?${query}`, nowMs)).toBe(lifetimeMs);
});

test('cannot compute how long a link is valid if the time on the target is unknown', () => {
  expect(readLifetime('https://storage.test/a.png?Expires=1893542400', undefined)).toBeUndefined();
});
