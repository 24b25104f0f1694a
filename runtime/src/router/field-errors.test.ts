import { expect, test } from 'vitest';
import { fieldErrors } from './router-error.ts';

test('fieldErrors returns the messages of each path in order', () => {
  const detail = [
    { loc: ['layers', 0, 'kind'], msg: 'is missing' },
    { loc: [], msg: 'must be closed' },
    { loc: ['layers', 0, 'kind'], msg: 'must be a string' },
    { loc: [1, 'größe'], msg: 'must be >= 1' },
  ];
  expect(Object.entries(fieldErrors(detail))).toEqual([
    ['layers[0].kind', ['is missing', 'must be a string']],
    ['', ['must be closed']],
    ['[1].größe', ['must be >= 1']],
  ]);
});

test('fieldErrors distinguishes names that look alike, and keeps a field named __proto__', () => {
  const locs = [['a.b'], ['a', 'b'], ['a[0]'], ['a', 0], ['__proto__']];
  const messages = fieldErrors(locs.map((loc) => ({ loc, msg: 'x' })));
  expect(Object.keys(messages)).toEqual(['["a.b"]', 'a.b', '["a[0]"]', 'a[0]', '__proto__']);
  expect(Object.getPrototypeOf(messages)).toBe(Object.prototype);
});
