import { SpecError } from './errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { resolvePointer } from './json-pointer.ts';

/** The JSON pointer of a local reference (`#/a/b` gives `/a/b`), percent-decoded; a SpecError for any other reference. */
export function pointerOf(reference: string): string {
  if (reference !== '#' && !reference.startsWith('#/')) {
    throw new SpecError(`only references inside the document are followed; got ${JSON.stringify(reference)}`);
  }
  try {
    return decodeURIComponent(reference.slice(1));
  } catch (cause) {
    throw new SpecError(`malformed reference ${JSON.stringify(reference)}`, { cause });
  }
}

/** What a reference object leads to, through further references; other values come back as they are. Throws SpecError. */
export function dereference(root: JsonObject, value: JsonValue | undefined): JsonValue | undefined {
  const seen = new Set<string>();
  let node = value;
  while (isJsonObject(node) && typeof node['$ref'] === 'string') {
    const reference = node['$ref'];
    if (seen.has(reference)) throw new SpecError(`${[...seen, reference].join(' → ')} is a circle`);
    seen.add(reference);
    node = resolvePointer(root, pointerOf(reference));
    if (node === undefined) throw new SpecError(`nothing lies at ${reference}`);
  }
  return node;
}

/** The same for documents under suspicion: trouble is an answer. */
export function followReference(
  root: JsonObject,
  value: JsonValue | undefined,
): { kind: 'found'; value: JsonValue | undefined } | { kind: 'trouble'; message: string } {
  try {
    return { kind: 'found', value: dereference(root, value) };
  } catch (error) {
    if (error instanceof SpecError) return { kind: 'trouble', message: error.message };
    throw error;
  }
}
