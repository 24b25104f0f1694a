import { type JsonObject, type JsonValue, parsePointer, resolvePointer } from '../../../specs/src/index.ts';
import { createNameRegister, type TypeName } from '../model/identifiers.ts';
import { findAnchors } from './anchors.ts';

export type Target = { name: TypeName; pointer: string; value: JsonValue };
export type Resolved = { kind: 'found'; target: Target } | { kind: 'dangling' } | { kind: 'external' };

/** Names for what a document's references lead to; a place has one name however often it is referred to. */
export type References = {
  resolve(ref: string): Resolved;
  /** The name of a component schema by the word a discriminator's mapping may use. */
  find(word: string): TypeName | undefined;
};

const componentPrefix = '#/components/schemas/';

export function createReferences(document: JsonObject): References {
  const register = createNameRegister();
  const byPointer = new Map<string, Target>();
  const add = (pointer: string, value: JsonValue): Target => {
    const target = { name: register.claim(parsePointer(pointer).at(-1) ?? 'Document'), pointer, value };
    byPointer.set(pointer, target);
    return target;
  };
  // Sorted, so that a suffix given to clashing names does not depend on where they are used.
  const components = resolvePointer(document, '/components/schemas');
  if (typeof components === 'object' && components !== null && !Array.isArray(components)) {
    for (const name of Object.keys(components).sort()) {
      add(`/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, components[name] ?? null);
    }
  }
  let anchors: ReadonlyMap<string, string> | undefined;
  const anchorsOf = (): ReadonlyMap<string, string> => {
    anchors ??= findAnchors(document);
    return anchors;
  };
  const resolve = (ref: string): Resolved => {
    if (!ref.startsWith('#')) return { kind: 'external' };
    const fragment = decodeFragment(ref.slice(1));
    const isAnchor = fragment !== undefined && fragment !== '' && !fragment.startsWith('/');
    const pointer = isAnchor ? anchorsOf().get(fragment) : fragment;
    if (pointer === undefined) return { kind: 'dangling' };
    const known = byPointer.get(pointer);
    if (known !== undefined) return { kind: 'found', target: known };
    const value = resolvePointer(document, pointer);
    return value === undefined ? { kind: 'dangling' } : { kind: 'found', target: add(pointer, value) };
  };
  return {
    resolve,
    find(word) {
      const resolved = resolve(word.startsWith('#') ? word : `${componentPrefix}${word}`);
      return resolved.kind === 'found' ? resolved.target.name : undefined;
    },
  };
}

function decodeFragment(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
