import type { JsonValue } from '../../specs/src/index.ts';

export type JsonBody = { kind: 'json'; value: JsonValue } | { kind: 'not-json'; because: string };

const strictText = new TextDecoder('utf-8', { fatal: true });

/** Bytes as JSON, or why they are not; never quotes the body, which may be any page. */
export function parseJsonBody(bytes: Uint8Array, mediaType: string | undefined): JsonBody {
  let text: string;
  try {
    text = strictText.decode(bytes);
  } catch {
    return { kind: 'not-json', because: 'the body is not UTF-8 text' };
  }
  try {
    // JSON.parse makes nothing else.
    return { kind: 'json', value: JSON.parse(text) as JsonValue };
  } catch {
    return { kind: 'not-json', because: describe(text, mediaType) };
  }
}

/** Whether bytes begin and end like a JSON object, a byte order mark aside; cheaper than parsing. */
export function looksLikeObject(bytes: Uint8Array): boolean {
  const isBlank = (byte: number | undefined): boolean =>
    byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
  let [start, end] = [bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0, bytes.length - 1];
  while (isBlank(bytes[start])) start++;
  while (isBlank(bytes[end])) end--;
  return bytes[start] === 0x7b && bytes[end] === 0x7d;
}

function describe(text: string, mediaType: string | undefined): string {
  const start = text.trimStart();
  if (start === '') return 'the body is empty';
  if (mediaType?.includes('html') || start.startsWith('<')) return 'the body looks like a page of HTML';
  if (start.startsWith('{') || start.startsWith('[')) return 'the body is broken or cut-off JSON';
  return 'the body is plain text';
}
