import type { JsonValue } from '../../specs/src/index.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined for what is not JSON, or not UTF-8. */
export function parseJson(content: string | Uint8Array): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(typeof content === 'string' ? content : utf8.decode(content));
    return value;
  } catch {
    return undefined;
  }
}
