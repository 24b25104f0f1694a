import type { JsonValue } from '../../specs/src/index.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A reviver for `JSON.parse`. `source`: the text of a number, which TypeScript's types don't include yet. */
export type JsonReviver = (name: string, value: unknown, written: { readonly source?: string }) => unknown;

/** Returns undefined if the content is not JSON, or not UTF-8. */
export function parseJson(content: string | Uint8Array, revive?: JsonReviver): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(
      typeof content === 'string' ? content : utf8.decode(content),
      revive as Parameters<typeof JSON.parse>[1],
    );
    return value;
  } catch {
    return undefined;
  }
}
