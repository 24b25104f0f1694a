import { expect, test } from 'vitest';
import { readCursor, writeCursor } from './catalog.ts';

const state = { buildId: '0123456789abcdef', start: 40, expiresAt: 5000 };

test('parses its own cursors, which are short plain text', () => {
  const cursor = writeCursor('secret', state);
  expect(readCursor('secret', cursor)).toEqual(state);
  expect(cursor).toMatch(/^[\w-]{1,512}$/);
});

test.each([
  ['nothing', ''],
  ['a word', 'next'],
  ['a model id', 'image-provider/still-2.1'],
  ['a number', '40'],
  ['characters outside its alphabet', 'ä ö'],
  ['too long a text', 'a'.repeat(513)],
  ['a text without a signature', btoa('0123456789abcdef.0.99999999999999').replaceAll('=', '')],
])('rejects %s as a cursor', (_, text) => {
  expect(readCursor('secret', text)).toBeUndefined();
});

test('rejects a cursor signed with another secret, or changed in one character', () => {
  const cursor = writeCursor('secret', state);
  expect(readCursor('another', cursor)).toBeUndefined();
  const changed = cursor.slice(0, 30) + (cursor[30] === 'A' ? 'B' : 'A') + cursor.slice(31);
  expect(readCursor('secret', changed)).toBeUndefined();
});
