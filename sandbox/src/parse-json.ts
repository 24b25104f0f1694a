import type { JsonValue } from '../../specs/src/index.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A reviver for `JSON.parse`. `source`: the text of a number. TypeScript's types don't include it yet. */
export type Revive = (name: string, value: unknown, written: { readonly source?: string }) => unknown;

/** Returns undefined for a text that is not JSON, or not UTF-8. */
export function parseJson(content: string | Uint8Array, revive?: Revive): JsonValue | undefined {
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

/** Parses integers beyond 2^53 as bigints, so that validators compare all digits; `keepIntegers` writes them. */
export function withBigints(text: string, parsed: JsonValue): unknown {
  if (!/\d{16}/.test(text)) return parsed;
  const keepDigits: Revive = (_, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d{16,100}$/.test(source) ? BigInt(source) : value;
  return JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]);
}
