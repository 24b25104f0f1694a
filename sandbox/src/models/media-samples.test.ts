import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { chooseMediaType, generateMedia } from './media-samples.ts';

test.each([
  ['*/*', [], 'application/octet-stream'],
  ['*/*', ['text', 'audio'], 'audio/wav'],
  ['*/*', ['constructor'], 'application/octet-stream'],
  ['audio/*', [], 'audio/wav'],
  ['image/*', ['audio'], 'image/png'],
  ['Video/MP4', [], 'video/mp4'],
  ['text/plain; charset=utf-8', [], 'text/plain'],
  ['font/*', [], 'application/octet-stream'],
  ['image/png\r\nX-Evil: 1', ['image'], 'image/png'],
  ['nonsense', [], 'application/octet-stream'],
])('chooseMediaType() returns for the range %j and the modalities %j the type %s', (range, modalities, concrete) => {
  expect(chooseMediaType(range, modalities)).toBe(concrete);
});

test('generateMedia() returns random bytes for an unknown media type, but the same bytes for the same label', () => {
  const sample = (label: string) => [...generateMedia('constructor', createRandom(label))];
  expect(sample('x')).toHaveLength(256);
  expect(sample('x')).toEqual(sample('x'));
  expect(sample('x')).not.toEqual(sample('y'));
});
