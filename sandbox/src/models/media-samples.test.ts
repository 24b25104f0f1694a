import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { concreteMediaType, sampleMedia } from './media-samples.ts';

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
])('resolves %j with modalities %j to %s', (range, modalities, concrete) => {
  expect(concreteMediaType(range, modalities)).toBe(concrete);
});

test.each([
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['audio/wav', [0x52, 0x49, 0x46, 0x46]],
  ['audio/ogg', [0x4f, 0x67, 0x67, 0x53]],
  ['video/mp4', [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70]],
])('starts the bytes of %s with the signature of that type', (mediaType, head) => {
  const bytes = sampleMedia(mediaType, createRandom('x'));
  expect([...bytes.slice(0, head.length)]).toEqual(head);
});

test('makes plain bytes for any other type, the same for the same label', () => {
  const sample = (label: string) => [...sampleMedia('constructor', createRandom(label))];
  expect(sample('x')).toHaveLength(256);
  expect(sample('x')).toEqual(sample('x'));
  expect(sample('x')).not.toEqual(sample('y'));
});
