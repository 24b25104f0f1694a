export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, or else an empty object. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function formatPointer(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function parsePointer(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return pointer.includes('~') ? parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')) : parts;
}

/** Returns the value at an RFC 6901 pointer, or undefined. Only follows own members. */
export function resolvePointer(root: JsonValue, pointer: string): JsonValue | undefined {
  let node: JsonValue | undefined = root;
  for (const part of parsePointer(pointer)) {
    if (Array.isArray(node)) node = /^(?:0|[1-9]\d*)$/.test(part) ? node[Number(part)] : undefined;
    else if (isJsonObject(node) && Object.hasOwn(node, part)) node = node[part];
    else return undefined;
  }
  return node;
}

/** The nesting depth of a JSON text, and a lower bound for its number of values and names. */
export type JsonMeasure = { readonly deepest: number; readonly values: number };

/**
 * Measures a JSON text, which may be malformed, without parsing it, because parsing a text that is too large is
 * expensive.
 */
export function measureJson(bytes: Uint8Array): JsonMeasure {
  let depth = 0;
  let deepest = 0;
  let values = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const code = bytes[index];
    if (code === quote) index = endOfString(bytes, index);
    else if (code === comma) values += 1;
    else if (code === brace.close || code === bracket.close) depth -= 1;
    else if (code === brace.open || code === bracket.open) {
      deepest = Math.max(deepest, ++depth);
      values += 1;
    }
  }
  return { deepest, values };
}

/** Returns the position of the quote that ends a string, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = start; ; ) {
    end = bytes.indexOf(quote, end + 1);
    if (end < 0) return bytes.length;
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const brace = { open: 0x7b, close: 0x7d };
const bracket = { open: 0x5b, close: 0x5d };

/** Prints JSON with sorted members, so that equal values have equal texts. */
export function canonicalText(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`).join()}}`;
}

/** Changes every string in a value, including names of members. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [change(key), visit(member)]));
  };
  // The result has the same type, because only strings change.
  return visit(value) as T;
}

/** Escapes every character as in JSON, for example as `\\u202e`. */
export function escapeAll(text: string): string {
  return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the beginning of a value's JSON text, for messages. */
export function quoteJson(value: JsonValue): string {
  return JSON.stringify(value).slice(0, 200);
}
