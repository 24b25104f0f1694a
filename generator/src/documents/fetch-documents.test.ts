import { expect, test } from 'vitest';
import { isNestedDeeper } from './fetch-documents.ts';

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
  expect(isNestedDeeper(bytes(text), 3)).toBe(expected);
});
