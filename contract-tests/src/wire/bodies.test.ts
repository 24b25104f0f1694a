import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeBody } from '../contract/evidence.ts';
import type { WireResponse } from '../contract/exchange.ts';
import { decodeContent } from './bodies.ts';

const text = '{"data":[],"has_more":false,"limit":20}';
const bytes = new TextEncoder().encode(text);

function exchanged(coding: string | undefined, body: Uint8Array) {
  const headers = coding === undefined ? [] : [['content-encoding', coding] as const];
  const response: WireResponse = { kind: 'response', status: 200, headers, body: new Uint8Array(body) };
  return decodeContent(response);
}

test.each([
  { coding: undefined, body: bytes },
  { coding: 'identity', body: bytes },
  { coding: 'gzip', body: gzipSync(bytes) },
  { coding: 'GZIP', body: gzipSync(bytes) },
  { coding: 'deflate', body: deflateSync(bytes) },
  { coding: 'deflate', body: deflateRawSync(bytes) },
  { coding: 'br', body: brotliCompressSync(bytes) },
  { coding: 'zstd', body: zstdCompressSync(bytes) },
  { coding: 'br, gzip', body: gzipSync(brotliCompressSync(bytes)) },
])('decodes a body in $coding', ({ coding, body }) => {
  const result = exchanged(coding, body);
  expect(result.kind === 'response' && decodeBody(result)).toBe(text);
});

test('reports a body that does not match its declared coding as malformed', () => {
  expect(exchanged('gzip', bytes)).toMatchObject({ kind: 'no-response', because: 'malformed' });
});

test('leaves a body with an unknown coding unchanged', () => {
  const result = exchanged('compress', bytes);
  expect(result.kind === 'response' && decodeBody(result)).toBe(text);
});

test.each([
  { coding: 'br', body: brotliCompressSync(new Uint8Array(33 * 1024 * 1024)) },
  { coding: 'zstd', body: zstdCompressSync(new Uint8Array(33 * 1024 * 1024)) },
  { coding: 'gzip, gzip', body: gzipSync(gzipSync(new Uint8Array(33 * 1024 * 1024))) },
])('rejects a body in $coding that would be too large after decoding', ({ coding, body }) => {
  expect(exchanged(coding, body)).toMatchObject({ kind: 'no-response', because: 'too-large' });
});

test('rejects a body with more than four codings', () => {
  const result = exchanged('gzip, gzip, gzip, gzip, gzip', gzipSync(bytes));
  expect(result).toEqual({ kind: 'no-response', because: 'malformed', detail: 'Content-Encoding with 5 codings' });
});
