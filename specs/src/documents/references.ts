import { SpecError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../json.ts';

/** The JSON pointer of a local reference (`#/a/b` gives `/a/b`), percent-decoded. Throws SpecError for any other reference. */
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

type Followed = { readonly value: JsonValue | undefined; readonly pointer: string };

/**
 * What a reference object leads to, through further references, with its pointer; another value with the pointer given for it.
 * Throws SpecError on references that leave the document, lead nowhere or form a circle.
 */
export function dereference(root: JsonObject, value: JsonValue | undefined, pointer = ''): Followed {
  const seen = new Set<string>();
  let at: Followed = { value, pointer };
  while (isJsonObject(at.value) && typeof at.value['$ref'] === 'string') {
    const reference = at.value['$ref'];
    if (seen.has(reference)) throw new SpecError(`${[...seen, reference].join(' → ')} is circular`);
    seen.add(reference);
    const target = pointerOf(reference);
    at = { value: resolvePointer(root, target), pointer: target };
    if (at.value === undefined) throw new SpecError(`${reference} does not exist`);
  }
  return at;
}

/** The same for untrusted documents: a problem is a value. */
export function followReference(
  root: JsonObject,
  value: JsonValue | undefined,
  pointer = '',
): ({ kind: 'found' } & Followed) | { kind: 'problem'; message: string } {
  try {
    return { kind: 'found', ...dereference(root, value, pointer) };
  } catch (error) {
    if (error instanceof SpecError) return { kind: 'problem', message: error.message };
    throw error;
  }
}
