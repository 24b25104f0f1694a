import { SpecError } from './errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { resolvePointer } from './json-pointer.ts';

/** The JSON pointer of a local reference (`#/a/b` gives `/a/b`), percent-decoded; a SpecError for any other reference. */
export function pointerOf(reference: string, place: string): string {
  if (reference !== '#' && !reference.startsWith('#/')) {
    throw new SpecError(`only references inside the document are followed; got ${JSON.stringify(reference)}`, {
      place,
    });
  }
  try {
    return decodeURIComponent(reference.slice(1));
  } catch (cause) {
    throw new SpecError(`malformed reference ${JSON.stringify(reference)}`, { place, cause });
  }
}

/** What a reference object leads to, through further references; other values come back as they are. */
export function dereference(root: JsonObject, value: JsonValue | undefined, place: string): JsonValue | undefined {
  const seen = new Set<string>();
  let node = value;
  while (isJsonObject(node) && typeof node['$ref'] === 'string') {
    const reference = node['$ref'];
    if (seen.has(reference)) throw new SpecError(`${[...seen, reference].join(' → ')} is a circle`, { place });
    seen.add(reference);
    node = resolvePointer(root, pointerOf(reference, place));
    if (node === undefined) throw new SpecError(`nothing lies at ${reference}`, { place });
  }
  return node;
}
