import type { JsonValue } from '../../../../specs/src/index.ts';

/** The texts of a JSON array in one layer of JSON or two (C-26); undefined for anything else. */
export function textsIn(value: string): readonly string[] | undefined {
  const once = parsed(value);
  const list = typeof once === 'string' ? parsed(once) : once;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}

/** The value of a JSON text; undefined for anything else. */
export function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
