import { SpecError } from '../errors.ts';
import { formatPointer, isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../json.ts';

/** The JSON pointer of a local reference (`#/a/b` gives `/a/b`), percent-decoded. Throws SpecError for any other reference. */
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

/** Each of thousands of references may lead through all others. */
const longestChain = 30;

type Followed = { readonly value: JsonValue | undefined; readonly pointer: string };

/**
 * What a reference object leads to, through further references, with its pointer; another value with the pointer given for it.
 * Throws SpecError on references that leave the document, lead nowhere, form a circle or a chain of more than thirty.
 */
export function dereference(root: JsonObject, value: JsonValue | undefined, pointer = ''): Followed {
  const seen = new Set<string>();
  let at: Followed = { value, pointer };
  while (isJsonObject(at.value) && typeof at.value['$ref'] === 'string') {
    const reference = at.value['$ref'];
    if (seen.size >= longestChain) throw new SpecError(`references lead through more than ${longestChain} others`);
    if (seen.has(reference)) throw new SpecError(`${[...seen, reference].join(' → ')} is circular`);
    seen.add(reference);
    const target = parseReference(reference);
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

/** An object of a document that references lead to, with its pointer. */
export type FoundObject = { readonly value: JsonObject; readonly pointer: string };

/** A member of an object, if it is an object itself or refers to one. */
export function findMember(root: JsonObject, holder: FoundObject, key: string): FoundObject | undefined {
  return followToObject(root, holder.value[key], holder.pointer + formatPointer([key]));
}

/** The objects in an object or list, by name or index. */
export function findMembers(root: JsonObject, holder: FoundObject | undefined, key: string): Map<string, FoundObject> {
  const members = holder?.value[key];
  if (holder === undefined || typeof members !== 'object' || members === null) return new Map();
  const found = Object.entries(members).map(
    ([name, member]) => [name, followToObject(root, member, holder.pointer + formatPointer([key, name]))] as const,
  );
  return new Map(found.flatMap(([name, member]) => (member === undefined ? [] : [[name, member]])));
}

/** A parameter by place and name, that of a header in lower case; empty for one without them. */
export function nameParameter({ value }: FoundObject): string {
  const { in: place, name } = value;
  if (typeof place !== 'string' || typeof name !== 'string') return '';
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

function followToObject(root: JsonObject, start: JsonValue | undefined, from: string): FoundObject | undefined {
  const found = followReference(root, start, from);
  if (found.kind === 'problem' || !isJsonObject(found.value)) return undefined;
  return { value: found.value, pointer: found.pointer };
}
