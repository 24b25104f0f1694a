import { expect, test } from 'vitest';
import { type ModelId, parseModelId } from '../catalog/model-id.ts';
import { toSubpath } from './names.ts';

function toId(text: string): ModelId {
  const parsed = parseModelId(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.id;
}

test.each([
  ['image-provider/photo-1', 'image-provider/photo-1'],
  ['p/veo-3.1-generate_001', 'p/veo-3.1-generate_001'],
  ['4b/1', '4b/1'],
  ['P/m', '~50/m'],
  ['p/M', 'p/~4d'],
  ['p/con', 'p/~63on'],
  ['nul/aux.x', '~6eul/~61ux.x'],
  ['p/console', 'p/console'],
  ['p/com1', 'p/~63om1'],
  ['p/.hidden', 'p/~2ehidden'],
  ['p/ends.', 'p/ends~2e'],
  ['p/a b', 'p/a~20b'],
  ['p/a~b', 'p/a~7eb'],
  ['p/a\\b', 'p/a~5cb'],
  ['p/é', 'p/~c3~a9'],
  ['package.json/m', '~70ackage.json/m'],
  ['p/package.json', 'p/package.json'],
  ['node_modules/node_modules', '~6eode_modules/~6eode_modules'],
  ['all/m', '~61ll/m'],
  ['p/...', 'p/~2e.~2e'],
  ['p/*', 'p/~2a'],
])('gives the model %s the subpath %s', (id, subpath) => {
  expect(toSubpath(toId(id))).toBe(subpath);
});

test('gives ids that differ only in case subpaths that differ even on case-insensitive file systems', () => {
  const subpaths = ['p/model', 'p/Model', 'p/MODEL', 'P/model'].map((id) => toSubpath(toId(id)).toLowerCase());
  expect(new Set(subpaths).size).toBe(4);
});

test('gives the longest ids distinct subpaths that do not exceed the maximum length of file names', () => {
  const one = toSubpath(toId(`p/${'É'.repeat(128)}`));
  const other = toSubpath(toId(`p/${'É'.repeat(127)}È`));
  expect(one).not.toBe(other);
  expect(one.length).toBeLessThan(220);
  expect(one).toMatch(/^p\/[a-z0-9~]+$/);
});
