import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../specs/src/index.ts';
import { createRandom } from '../random.ts';
import { createSandbox } from '../sandbox.ts';
import { concreteMediaType, drawPng, parsePicture, printPicture, readPicture, sampleMedia } from './media-samples.ts';

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

test('generates random bytes for any other type, but the same bytes for the same label', () => {
  const sample = (label: string) => [...sampleMedia('constructor', createRandom(label))];
  expect(sample('x')).toHaveLength(256);
  expect(sample('x')).toEqual(sample('x'));
  expect(sample('x')).not.toEqual(sample('y'));
});

/** Returns the size and pixels of a black and white PNG; `#` is black. */
function readPng(bytes: Uint8Array): { width: number; height: number; rows: string[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  expect([...bytes.slice(1, 4)]).toEqual([...'PNG'].map((letter) => letter.charCodeAt(0)));
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const length = view.getUint32(33);
  const pixels = inflateSync(bytes.slice(41, 41 + length));
  const stride = Math.ceil(width / 8) + 1;
  const rows = Array.from({ length: height }, (_, row) => {
    const bits = [...pixels.subarray(row * stride + 1, (row + 1) * stride)].map((byte) =>
      byte.toString(2).padStart(8, '0'),
    );
    return bits.join('').slice(0, width).replaceAll('1', ' ').replaceAll('0', '#').trimEnd();
  });
  return { width, height, rows };
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
  expect(readPicture({ prompt: 'a harbour', ...input })).toEqual({ width, height, text: 'a harbour' });
});

test('draws the text in the requested size', () => {
  const { width, height, rows } = readPng(drawPng({ width: 26, height: 11, text: 'hé!' }));
  expect([width, height]).toEqual([26, 11]);
  expect(rows).toEqual([
    '',
    '    #   # #####   #',
    '    #   # #       #',
    '    #   # #       #',
    '    ##### ####    #',
    '    #   # #       #',
    '    #   # #',
    '    #   # #####   #',
    '',
    '',
    '',
  ]);
});

test.each([
  { width: 1, height: 1, text: 'x' },
  { width: 4096, height: 3, text: '\u{1F600} \u0000 \ud800 雪' },
  { width: 300, height: 300, text: 'word '.repeat(40) },
  { width: 64, height: 64, text: '' },
])('draws any text in any size: $width × $height', (picture) => {
  expect(readPng(drawPng(picture))).toMatchObject({ width: picture.width, height: picture.height });
});

test('limits the size of a picture in a link, even if the link is signed', () => {
  expect(parsePicture(printPicture({ width: 1e9, height: 1e9, text: 'x'.repeat(1_000) }))).toEqual({
    width: 4096,
    height: 4096,
    text: 'x'.repeat(200),
  });
  expect(['', 'e30', '!', 'bnVsbA'].map((text) => parsePicture(text)?.width)).toEqual([
    undefined,
    1024,
    undefined,
    undefined,
  ]);
});

test('a run returns signed links to images that show the prompt in the requested size', async () => {
  const sandbox = createSandbox();
  const run = async (prompt: string): Promise<string> => {
    const response = await sandbox.fetch('http://sandbox.test/v2/models/image-provider/still-2.1', {
      method: 'POST',
      headers: { 'X-API-Key': sandbox.credentials.router.main, 'Content-Type': 'application/json' },
      body: JSON.stringify({ prompt, image_size: { width: 512, height: 256 } }),
    });
    const { images }: { images: { url: string }[] } = await response.json();
    return images[0]?.url ?? '';
  };
  const [first, second] = [await run('a harbour'), await run('a lake')];
  const read = async (url: string): Promise<ReturnType<typeof readPng>> => {
    const response = await sandbox.fetch(url);
    expect(response.headers.get('content-type')).toBe('image/png');
    return readPng(new Uint8Array(await response.arrayBuffer()));
  };
  expect(await read(first)).toMatchObject({ width: 512, height: 256 });
  expect((await read(first)).rows).not.toEqual((await read(second)).rows);
  const shows = /shows=([\w-]+)/.exec(second)?.[1] ?? '';
  expect((await sandbox.fetch(first.replace(/shows=[\w-]+/, `shows=${shows}`))).status).toBe(403);
});
