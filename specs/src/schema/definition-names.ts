import {
  asObject,
  formatPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parsePointer,
  resolvePointer,
} from '../json.ts';
import { dataKeys } from '../settings.ts';
import type { DefinitionName } from './canonical-schema.ts';
import { partKeywords } from './schema-parts.ts';

/** A referenced schema. */
export type Definition = { name: DefinitionName; pointer: string; value: JsonValue };
/** Returns a unique name similar to `wish`, the last step of the definition's pointer. */
export type ClaimName = (wish: string, pointer: string) => DefinitionName;

/** Returns the target of a reference, or the code of the problem with it. `place`: the pointer of the reference. */
export type ResolveReference = (
  reference: string,
  place?: string,
) => Definition | 'reference-dangling' | 'reference-external';

/** Creates a resolver that gives each referenced schema one name, even if references to it are written differently. */
export function createResolver(document: JsonObject, claimName: ClaimName): ResolveReference {
  const byPointer = new Map<string, Definition>();
  const add = (pointer: string, value: JsonValue): Definition => {
    const wish = parsePointer(pointer).at(-1) ?? 'Document';
    const target = { name: claimName(wish, pointer), pointer, value };
    byPointer.set(pointer, target);
    return target;
  };
  // Sorted, so that the suffixes of conflicting names don't depend on the order of use.
  const components = resolvePointer(document, '/components/schemas');
  if (isJsonObject(components)) {
    for (const name of Object.keys(components).sort()) {
      add(`/components/schemas${formatPointer([name])}`, components[name] ?? null);
    }
  }
  let anchors: ReadonlyMap<string, string> | undefined;
  return (reference, place = '') => {
    if (!reference.startsWith('#')) return 'reference-external';
    const fragment = decodeFragment(reference.slice(1));
    const isAnchor = fragment !== undefined && fragment !== '' && !fragment.startsWith('/');
    if (isAnchor) anchors ??= findAnchors(document);
    const pointer = isAnchor ? anchors?.get(fragment) : fragment;
    if (pointer === undefined) return 'reference-dangling';
    // Tools that paste a JSON Schema into a document keep its references relative to that schema. An OpenAPI document itself is not a
    // schema.
    const isInDocument = pointer !== '' && (byPointer.has(pointer) || resolvePointer(document, pointer) !== undefined);
    const [outermost] = isInDocument || isAnchor ? [''] : (outermostSchema.exec(place) ?? ['']);
    const target = outermost + pointer;
    const known = byPointer.get(target);
    if (known !== undefined) return known;
    const value = target === '' && document['openapi'] !== undefined ? undefined : resolvePointer(document, target);
    return value === undefined ? 'reference-dangling' : add(target, value);
  };
}

/** Matches the beginning of a pointer up to the schema of a media type, a parameter or a component. */
const outermostSchema = /^(?:\/components\/schemas\/[^/]+|\/.*?\/schema(?=\/|$))/;

function decodeFragment(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Keywords that contain schemas by name. In their values, a name such as `default` isn't a keyword. */
const membersByName: ReadonlySet<string> = new Set([
  ...partKeywords.flatMap(([keyword, shape]) => (shape === 'by-name' ? [keyword] : [])),
  ...['$defs', 'definitions', 'schemas'],
]);

// Not recursive, because the depth of the document hasn't been checked yet.
function findAnchors(document: JsonObject): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  const pending: { value: JsonValue; step: string; pointer: string }[] = [{ value: document, step: '', pointer: '' }];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { value, step, pointer } = node;
    if (typeof value !== 'object' || value === null) continue;
    const { $anchor, $dynamicAnchor } = asObject(value);
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === 'string' && !anchors.has(anchor)) anchors.set(anchor, pointer);
    for (const [key, part] of Object.entries(value))
      if (membersByName.has(step) || !dataKeys.has(key))
        pending.push({ value: part, step: key, pointer: pointer + formatPointer([key]) });
  }
  return anchors;
}
