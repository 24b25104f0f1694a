import { expect, test } from 'vitest';
import { canonicalText, measureJson } from './json.ts';

test.each([
  ['1', { deepest: 0, values: 0 }],
  ['[[1],{"a":{}}]', { deepest: 3, values: 5 }],
  ['{"a":"[,{\\\\\\"","b":[]}', { deepest: 2, values: 3 }],
  ['["ä,{","\\u005b"', { deepest: 1, values: 2 }],
  [']]]', { deepest: 0, values: 0 }],
  ['["', { deepest: 1, values: 1 }],
])('measureJson estimates the depth and size of %s', (text, want) => {
  expect(measureJson(new TextEncoder().encode(text))).toEqual(want);
});

test('prints equal values as equal texts, regardless of the order of their members', () => {
  expect(canonicalText({ b: [1, { d: null, c: 'x"' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x\\"","d":null}]}');
  expect(canonicalText({ a: 1, 2: 0, 10: 0 })).toBe(canonicalText({ 10: 0, 2: 0, a: 1 }));
});
