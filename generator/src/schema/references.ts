import {
  formatPointer,
  type JsonObject,
  type JsonValue,
  parsePointer,
  resolvePointer,
} from '../../../specs/src/index.ts';
import { createNameRegister, type TypeName } from '../model/identifiers.ts';

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

const anchorKeywords: ReadonlySet<string> = new Set(['$anchor', '$dynamicAnchor']);

type Part = { value: JsonValue; step: string; outer: Part | undefined };

/** Pointers by anchor. Without recursion, since it walks where no depth has been checked. */
function findAnchors(document: JsonObject): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  const pending: Part[] = [{ value: document, step: '', outer: undefined }];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part.value !== 'object' || part.value === null) continue;
    for (const [step, value] of Object.entries(part.value)) {
      const isAnchor = anchorKeywords.has(step) && typeof value === 'string' && !Array.isArray(part.value);
      if (isAnchor && !anchors.has(value)) anchors.set(value, pointerTo(part));
      if (typeof value === 'object') pending.push({ value, step, outer: part });
    }
  }
  return anchors;
}

function pointerTo(part: Part): string {
  const steps: string[] = [];
  for (let at = part; at.outer !== undefined; at = at.outer) steps.unshift(at.step);
  return formatPointer(steps);
}

function decodeFragment(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
