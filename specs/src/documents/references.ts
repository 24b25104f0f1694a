import { SpecError } from '../errors.ts';
import { formatPointer, isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../json.ts';

/**
 * Returns the percent-decoded JSON pointer of a local reference (`#/a/b` gives `/a/b`). Throws SpecError for any other
 * reference.
 */
export function parseReference(reference: string): string {
  if (reference !== '#' && !reference.startsWith('#/')) {
    throw new SpecError(`only references inside the document are followed; got ${JSON.stringify(reference)}`);
  }
  try {
    return decodeURIComponent(reference.slice(1));
  } catch (cause) {
    throw new SpecError(`malformed reference ${JSON.stringify(reference)}`, { cause });
  }
}

/** Maximum length of a chain of references, because each of thousands of references could lead through all others. */
const maxChainLength = 30;

/** The target of a reference and its pointer. If there is no value, `problem` explains why. */
type ResolvedReference = { readonly value: JsonValue | undefined; readonly pointer: string; readonly problem?: string };

/**
 * Resolves a reference object, also through further references. Returns any other value with the given pointer. Returns a
 * problem if a reference leaves the document, has no target, or is part of a cycle or of a chain of more than 30.
 */
export function followReference(root: JsonObject, value: JsonValue | undefined, pointer = ''): ResolvedReference {
  const seen = new Set<string>();
  let at: ResolvedReference = { value, pointer };
  try {
    while (isJsonObject(at.value) && typeof at.value['$ref'] === 'string') {
      const reference = at.value['$ref'];
      if (seen.size >= maxChainLength)
        throw new SpecError(`a chain of references has more than ${maxChainLength} steps`);
      if (seen.has(reference)) throw new SpecError(`${[...seen, reference].join(' → ')} is circular`);
      seen.add(reference);
      const target = parseReference(reference);
      at = { value: resolvePointer(root, target), pointer: target };
      if (at.value === undefined) throw new SpecError(`${reference} does not exist`);
    }
    return at;
  } catch (error) {
    if (error instanceof SpecError) return { value: undefined, pointer, problem: error.message };
    throw error;
  }
}

/** An object of a document after following references, with its pointer. */
export type FoundObject = { readonly value: JsonObject; readonly pointer: string };

/** Finds a member of an object that is an object itself or refers to one. */
export function findMember(root: JsonObject, holder: FoundObject, key: string): FoundObject | undefined {
  return followToObject(root, holder.value[key], holder.pointer + formatPointer([key]));
}

/** Finds the objects in an object or list, by name or index. */
export function findMembers(root: JsonObject, holder: FoundObject | undefined, key: string): Map<string, FoundObject> {
  const members = holder?.value[key];
  if (holder === undefined || typeof members !== 'object' || members === null) return new Map();
  const found = Object.entries(members).map(
    ([name, member]) => [name, followToObject(root, member, holder.pointer + formatPointer([key, name]))] as const,
  );
  return new Map(found.flatMap(([name, member]) => (member === undefined ? [] : [[name, member]])));
}

/** Returns a key for a parameter: its location and name (in lower case for a header). Empty if one of them is missing. */
export function nameParameter({ value }: FoundObject): string {
  const { in: place, name } = value;
  if (typeof place !== 'string' || typeof name !== 'string') return '';
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

function followToObject(root: JsonObject, start: JsonValue | undefined, from: string): FoundObject | undefined {
  const { value, pointer } = followReference(root, start, from);
  return isJsonObject(value) ? { value, pointer } : undefined;
}
