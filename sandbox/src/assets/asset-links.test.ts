import { expect, test } from 'vitest';
import { serveAsset, signAssetUrl } from './hosted-assets.ts';

const origin = 'http://sandbox.test';
const asset = { holder: 'service', label: 'one', mediaType: 'image/png', lifetimeMs: 1000 } as const;
const url = signAssetUrl(asset, { seed: 1, origin, signedAt: 5000 });

function open(link: string, { method = 'GET', now = 5000, seed = 1 } = {}) {
  const { pathname: path, search: query } = new URL(link);
  return serveAsset({ method, path, query }, { seed, now });
}

test.each([
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46]],
  ['video/mp4', [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70]],
  ['audio/wav', [0x52, 0x49, 0x46, 0x46]],
  ['model/gltf-binary', [0x67, 0x6c, 0x54, 0x46]],
  ['application/octet-stream', []],
])('an asset link to a file of type %s always serves the same bytes', (mediaType, head) => {
  const link = signAssetUrl({ ...asset, mediaType }, { seed: 1, origin, signedAt: 5000 });
  const reply = open(link);
  expect([reply.status, reply.headers['Content-Type']]).toEqual([200, mediaType]);
  const bytes = reply.body instanceof Uint8Array ? reply.body : new Uint8Array();
  expect([...bytes.slice(0, head.length)]).toEqual(head);
  expect(open(link).body).toEqual(bytes);
});

test('an asset link expires when its lifetime has passed', () => {
  expect([5000, 5999, 6000, 9000].map((now) => open(url, { now }).status)).toEqual([200, 200, 410, 410]);
});

test.each(['POST', 'PUT', 'DELETE'])('an asset link rejects the method %s', (method) => {
  expect(open(url, { method })).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD' } });
});

test.each([
  ['a later expiry', url.replace('expires=6000', 'expires=9000'), 403],
  ['a different name', url.replace(/[0-9a-f]{32}/, 'a'.repeat(32)), 403],
  ['a different extension', url.replace('.png', '.mp4'), 403],
  ['a different storage', url.replace('/service/', '/provider/'), 403],
  ['no signature', url.replace(/&signature=.*/, ''), 403],
  ['no expiry', url.replace(/expires=\d+/, 'expires='), 403],
  ['a path with parent segments', `${origin}/__assets/service/..%2f..%2fetc%2fpasswd${new URL(url).search}`, 404],
  ['the path of a file on this machine', `${origin}/__assets/%2fetc%2fpasswd`, 404],
  ['the URL of a different host', `${origin}/__assets/service/http:%2f%2fexample.com`, 404],
  ['only the path of the asset folder', `${origin}/__assets/`, 404],
])('rejects an asset link with %s', (_, link, status) => {
  expect(open(link).status).toBe(status);
});

test('rejects an asset link that was signed with a different seed', () => {
  expect(open(url, { seed: 2 }).status).toBe(403);
});
