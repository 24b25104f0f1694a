import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../specs/src/index.ts';
import { createTestSandbox } from '../../tests/test-sandbox.ts';
import { createRandom } from '../random.ts';
import { concreteMediaType, parsePicture, readPicture, sampleMedia } from './media-samples.ts';

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
])('resolves the media type %j with the modalities %j to %s', (range, modalities, concrete) => {
  expect(concreteMediaType(range, modalities)).toBe(concrete);
});

test('generates random bytes for an unknown media type, but the same bytes for the same label', () => {
  const sample = (label: string) => [...sampleMedia('constructor', createRandom(label))];
  expect(sample('x')).toHaveLength(256);
  expect(sample('x')).toEqual(sample('x'));
  expect(sample('x')).not.toEqual(sample('y'));
});

/** Returns the size of a PNG and the colour of its palette. */
function readPng(bytes: Uint8Array): { width: number; height: number; colour: string } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [head, palette, data] = [bytes.slice(12, 16), bytes.slice(37, 41), bytes.slice(52, 56)].map((name) =>
    String.fromCharCode(...name),
  );
  expect([head, palette, data]).toEqual(['IHDR', 'PLTE', 'IDAT']);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const rows = inflateSync(bytes.slice(56, 56 + view.getUint32(48)));
  expect(rows.length).toBe((Math.ceil(width / 8) + 1) * height);
  return { width, height, colour: Buffer.from(bytes.slice(41, 44)).toString('hex') };
}

test.each<[JsonObject, [number, number]]>([
  [{}, [1024, 1024]],
  [{ width: 640, height: 480 }, [640, 480]],
  [{ image_size: { width: 512, height: 256 } }, [512, 256]],
  [{ image_size: 'square' }, [1024, 1024]],
  [{ image_size: 'landscape_16_9' }, [1024, 576]],
  [{ image_size: 'portrait_4_3' }, [768, 1024]],
  [{ size: '1536x1024' }, [1536, 1024]],
  [{ aspect_ratio: '9:16' }, [576, 1024]],
  [{ width: 1e9, height: -5 }, [4096, 1]],
  [{ size: '0x0' }, [1024, 1024]],
])('reads the requested image size from %j', (input, [width, height]) => {
  const picture = readPicture({ prompt: 'a harbour', ...input });
  expect(picture).toMatchObject({ width, height });
  expect(readPng(sampleMedia('image/png', createRandom('x'), picture))).toEqual(picture);
});

test('limits the size of a picture in a link, even if the link is signed', () => {
  expect(parsePicture('1000000000x0-00ff00')).toEqual({ width: 4096, height: 1, colour: '00ff00' });
  expect(['', '1x1', '1x1-0000', '-1x1-00ff00'].map(parsePicture)).toEqual(Array(4).fill(undefined));
});

test('a run returns signed links to images in the requested size, and in different colours for different prompts', async () => {
  const sandbox = createTestSandbox();
  const draw = async (prompt: string): Promise<string> => {
    const json = { prompt, image_size: { width: 512, height: 256 } };
    const { text } = await sandbox.call('POST', '/v2/models/image-provider/still-2.1', { json });
    return /"url":"([^"]+)"/.exec(text)?.[1] ?? '';
  };
  const read = async (url: string) => readPng((await sandbox.call('GET', url)).bytes);
  const [first, second] = [await draw('a harbour'), await draw('a lake')];
  expect(await read(first)).toMatchObject({ width: 512, height: 256 });
  expect((await read(first)).colour).not.toBe((await read(second)).colour);
  const shows = /shows=([\w-]+)/.exec(second)?.[1] ?? '';
  expect((await sandbox.call('GET', first.replace(/shows=[\w-]+/, `shows=${shows}`))).status).toBe(403);
});
