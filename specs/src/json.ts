export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function formatPointer(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at an RFC 6901 pointer, or undefined; own members only. */
export function resolvePointer(root: JsonValue, pointer: string): JsonValue | undefined {
  let node: JsonValue | undefined = root;
  for (const part of parsePointer(pointer)) {
    if (Array.isArray(node)) node = /^(?:0|[1-9]\d*)$/.test(part) ? node[Number(part)] : undefined;
    else if (isJsonObject(node) && Object.hasOwn(node, part)) node = node[part];
    else return undefined;
  }
  return node;
}
