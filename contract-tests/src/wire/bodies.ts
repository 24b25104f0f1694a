import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { errorCode } from '../../../specs/src/index.ts';
import { readHeader } from '../contract/evidence.ts';
import type { NoResponse, WireResponse } from '../contract/exchange.ts';

/** Collects bytes in one growing buffer, so that many tiny pieces don't cost more than a few large ones. */
export function collectBytes() {
  let buffer = new Uint8Array(4096);
  let size = 0;
  return {
    /** Returns false if the total exceeds the limit. */
    add: (piece: Uint8Array): boolean => {
      const next = size + piece.length;
      if (next > maxBodyBytes) return false;
      if (next > buffer.length) {
        const larger = new Uint8Array(Math.max(next, 2 * buffer.length));
        larger.set(buffer.subarray(0, size));
        buffer = larger;
      }
      buffer.set(piece, size);
      size = next;
      return true;
    },
    bytes: (): Uint8Array => buffer.slice(0, size),
  };
}

type Decode = (bytes: Uint8Array) => Uint8Array;
/** Maximum size of a response, before and after decoding. */
const maxBodyBytes = 32 * 1024 * 1024;
const limit = { maxOutputLength: maxBodyBytes };
/** Limited, because a header could list thousands of codings. */
const maxCodings = 4;

/** Some servers send raw DEFLATE, without the zlib frame, as `deflate`. */
const inflate: Decode = (bytes) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit);
const gunzip: Decode = (bytes) => gunzipSync(bytes, limit);

const codings: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['identity', (bytes) => bytes],
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', (bytes) => brotliDecompressSync(bytes, limit)],
  ['zstd', (bytes) => zstdDecompressSync(bytes, limit)],
]);

export function noResponse(because: NoResponse['because'], detail: string): NoResponse {
  return { kind: 'no-response', because, detail };
}

export const tooLarge = noResponse('too-large', `more than ${maxBodyBytes} bytes`);

/**
 * Decodes the content codings of a response: a request without Accept-Encoding permits any coding (RFC 9110, 12.5.3), and
 * rules check the decoded bytes. A response that cannot be decoded counts as no response.
 */
export function decodeContent(result: WireResponse | NoResponse): WireResponse | NoResponse {
  if (result.kind === 'no-response' || result.body.length === 0) return result;
  const header = readHeader(result, 'Content-Encoding')?.toLowerCase().trim();
  const named = header?.split(/\s*,\s*/) ?? [];
  if (named.length > maxCodings) return noResponse('malformed', `Content-Encoding with ${named.length} codings`);
  const steps = named.map((name) => codings.get(name)).reverse();
  try {
    const body = steps.reduce<Uint8Array>((bytes, step) => (step === undefined ? bytes : step(bytes)), result.body);
    return body === result.body ? result : { ...result, body };
  } catch (error) {
    const isTooLarge = errorCode(error) === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) return noResponse('too-large', `more than ${maxBodyBytes} bytes when decoded`);
    const detail = error instanceof Error ? error.message : String(error);
    return noResponse('malformed', `Content-Encoding ${named.join(', ')}: ${detail}`);
  }
}
