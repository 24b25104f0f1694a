import { expect, test } from 'vitest';
import { type ModelId, parseModelId } from '../catalog/model-id.ts';
import { printSearchIndex, type SearchEntry } from './search-index.ts';

function toId(text: string): ModelId {
  const parsed = parseModelId(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.id;
}

function makeEntry(text: string, changes: Partial<SearchEntry> = {}): SearchEntry {
  const id = toId(text);
  return { id, title: '', description: '', takes: [], gives: [], mark: '', ...changes };
}

function parsed(entries: readonly SearchEntry[]): { modalities: string[]; models: unknown[][] } {
  return JSON.parse(printSearchIndex(entries).replace(/^globalThis\.switchyardIndex = (.*);\n$/s, '$1'));
}

test('indexes each model with its modalities, subpath and mark', () => {
  const entries = [
    makeEntry('p/one', { title: 'One', description: 'Draws\n  boats.', takes: ['text'], gives: ['image'] }),
    makeEntry('p/Two', { gives: ['text', 'image'] }),
    makeEntry('p/old', { mark: 'deprecated' }),
  ];
  expect(parsed(entries)).toEqual({
    modalities: ['image', 'text'],
    models: [
      ['p/one', 'One', [1], [0], 'Draws boats.'],
      ['p/Two', '', [], [1, 0], '', 'p/~54wo'],
      ['p/old', '', [], [], '', 'p/old', 'deprecated'],
    ],
  });
});

test('writes the index as a script without line terminators or hidden characters from documents', () => {
  const text = printSearchIndex([makeEntry('p/m', { description: 'a\u2028b\u202ec</script>' })]);
  expect(text).not.toMatch(/[\u2028\u202e]/);
});

test.each([
  ['keeps short descriptions', 1_000, 60, 60],
  ['shortens long descriptions', 1_000, 1_000, 100],
  ['omits descriptions if there are very many models', 5_000, 1_000, 0],
])('the search index %s', (_what, count, given, shown) => {
  const entries = Array.from({ length: count }, (_, index) =>
    makeEntry(`provider-${index % 20}/model-${index}`, { description: 'x'.repeat(given) }),
  );
  const [, , , , description = ''] = parsed(entries).models[0] ?? [];
  expect(String(description).replace('…', '').length).toBe(shown);
});
