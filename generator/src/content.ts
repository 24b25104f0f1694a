import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../specs/src/index.ts';

/** `sha256:` followed by 64 hex digits. */
export type Digest = `sha256:${string}`;

export function toDigest(content: string | Uint8Array): Digest {
  return `sha256:${hash('sha256', content)}`;
}

const digestPattern = /^sha256:[0-9a-f]{64}$/;

export function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && digestPattern.test(value);
}

export type JsonBody = { kind: 'json'; value: JsonValue } | { kind: 'not-json'; because: string };

type Parse = (text: string) => JsonValue;
const strictText = new TextDecoder('utf-8', { fatal: true });

/** Parses bytes as JSON, or returns the reason why they aren't JSON. The reason never quotes the body. */
export function parseJsonBody(bytes: Uint8Array, mediaType?: string, parse: Parse = JSON.parse): JsonBody {
  let text: string;
  try {
    text = strictText.decode(bytes);
  } catch {
    return { kind: 'not-json', because: 'the body is not UTF-8 text' };
  }
  return parseJsonText(text, mediaType, parse);
}

/** Parses a JSON object; returns undefined for anything else. */
export function parseJsonObject(content: Uint8Array | string | undefined): JsonObject | undefined {
  if (content === undefined) return undefined;
  const body = typeof content === 'string' ? parseJsonText(content) : parseJsonBody(content);
  return body.kind === 'json' && isJsonObject(body.value) ? body.value : undefined;
}

function parseJsonText(text: string, mediaType?: string, parse: Parse = JSON.parse): JsonBody {
  try {
    return { kind: 'json', value: parse(text) };
  } catch {
    return { kind: 'not-json', because: describe(text, mediaType) };
  }
}

function describe(text: string, mediaType: string | undefined): string {
  const start = text.trimStart();
  if (start === '') return 'the body is empty';
  if (mediaType?.includes('html') || start.startsWith('<')) return 'the body looks like an HTML page';
  if (start.startsWith('{') || start.startsWith('[')) return 'the body is invalid or truncated JSON';
  return 'the body is plain text';
}

/** Returns an object with sorted members, so that equal members always print the same text. */
export function sortMembers<T>(members: Iterable<readonly [name: string, value: T]>): Record<string, T> {
  return Object.fromEntries([...members].sort(([left], [right]) => (left < right ? -1 : 1)));
}
