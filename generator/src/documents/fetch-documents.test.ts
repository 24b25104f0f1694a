import { expect, test } from 'vitest';
import { boundExceeded } from './fetch-documents.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each<[string, string, boolean]>([
  ['lists within the bound', '[[[1]]]', false],
  ['lists beyond it', '[[[[1]]]]', true],
  ['objects and lists', '{"a":[{"b":[]}]}', true],
  ['brackets in text', '{"a":"[[[[[[","b":"{{{{"}', false],
  ['brackets behind an escaped quote', '["\\"[[[[[", 1]', false],
  ['brackets behind an escaped backslash', '["\\\\",[[[[]]]]]', true],
  ['siblings', '[[[]],[[]],[[]],[[]]]', false],
  ['text that never ends', '["[[[[[[[[[[', false],
])('%s', (_, text, expected) => {
  expect(boundExceeded(bytes(text), { levels: 3, values: 100 })).toBe(expected ? 'levels' : undefined);
});

test.each<[string, string, boolean]>([
  ['as many values as the bound', '[1,2,{"a":3}]', false],
  ['one value more', '[1,2,{"a":3},4]', true],
  ['empty lists', '[[],[],[],[]]', true],
  ['commas in text', '[",,,,,,","\\",,,"]', false],
])('%s', (_, text, expected) => {
  expect(boundExceeded(bytes(text), { levels: 3, values: 5 })).toBe(expected ? 'values' : undefined);
});
