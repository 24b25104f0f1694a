import { expect, test } from 'vitest';
import type { ModelId } from '../catalog/model-id.ts';
import { printSearchIndex, type SearchEntry } from './search-index.ts';

function makeEntry(id: string, changes: Partial<SearchEntry> = {}): SearchEntry {
  return { id: id as ModelId, title: '', description: '', takes: [], gives: [], mark: '', ...changes };
}

function parsed(entries: readonly SearchEntry[]): unknown[][] {
  return JSON.parse(printSearchIndex(entries).replace(/^globalThis\.switchyardIndex = (.*);\n$/s, '$1'));
}

test('indexes each model with title, modalities, description, mark, and its subpath if that differs from the id', () => {
  const entries = [
    makeEntry('p/one', { title: 'One', description: 'Draws\n  boats.', takes: ['text'], gives: ['image'] }),
    makeEntry('p/Two', { gives: ['text', 'image'], mark: 'deprecated' }),
  ];
  expect(parsed(entries)).toEqual([
    ['p/one', 'One', ['text'], ['image'], 'Draws boats.', '', ''],
    ['p/Two', '', [], ['text', 'image'], '', 'p/~54wo', 'deprecated'],
  ]);
});

test('writes the index as a script without line terminators or hidden characters from documents', () => {
  const text = printSearchIndex([makeEntry('p/m', { description: 'a\u2028b\u202ec</script>' })]);
  expect(text).not.toMatch(/[\u2028\u202e]/);
});

test.each([
  ['keeps short descriptions', 1_000, 60, 60],
  ['shortens long descriptions', 1_000, 1_000, 70],
  ['omits descriptions if there are very many models', 5_000, 1_000, 0],
])('%s in the search index', (_what, count, length, shown) => {
  const entries = Array.from({ length: count }, (_, index) =>
    makeEntry(`provider-${index % 20}/model-${index}`, { description: 'x'.repeat(length) }),
  );
  const [, , , , description = ''] = parsed(entries)[0] ?? [];
  expect(String(description).replace('…', '').length).toBe(shown);
});
