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

function describe(text: string, mediaType: string | undefined): string {
  const start = text.trimStart();
  if (start === '') return 'the body is empty';
  if (mediaType?.includes('html') || start.startsWith('<')) return 'the body looks like a page of HTML';
  if (start.startsWith('{') || start.startsWith('[')) return 'the body is broken or cut-off JSON';
  return 'the body is plain text';
}
