import { parseYaml } from '../documents/read-document.ts';
import { SpecError } from '../errors.ts';
import { readText } from '../files.ts';
import { formatPointer, isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../json.ts';
import { applyBrand, type Brand } from '../settings.ts';
import { type Location, type Overlay, type OverlayAction, parseOverlay, selectLocations } from './parse-overlay.ts';

/** Documents by file name. An overlay's `extends` refers to a document if it ends in the document's name. */
type DocumentsByName = ReadonlyMap<string, JsonObject>;

/** Reads overlay files and applies the brand to them. */
export function readOverlays(paths: readonly string[], brand: Brand): Overlay[] {
  return paths.map((path) => parseOverlay(applyBrand(parseYaml(readText(path), path), brand), path));
}

/**
 * Returns copies of the documents with all actions applied in order. An overlay with `extends` changes the document
 * with that file name; any other overlay changes each document that contains its targets. Throws SpecError if the
 * target of an action selects nothing.
 */
export function applyOverlays(documents: DocumentsByName, overlays: readonly Overlay[]): Map<string, JsonObject> {
  if (overlays.length === 0) return new Map(documents);
  const changed = new Map([...documents].map(([name, document]) => [name, structuredClone(document)]));
  for (const overlay of overlays) {
    const candidates = selectDocuments(overlay, changed);
    for (const action of overlay.actions) {
      const found = candidates.map(([, document]) => applyAction(document, action));
      if (found.some((count) => count > 0)) continue;
      const { target, place } = action;
      const names = candidates.map(([name]) => name).join(' and ');
      throw new SpecError(`target ${JSON.stringify(target)} selects nothing in ${names}`, { place });
    }
  }
  return changed;
}

function selectDocuments(overlay: Overlay, documents: DocumentsByName): [string, JsonObject][] {
  if (overlay.extends === undefined) return [...documents];
  const wanted = stem(overlay.extends.replace(/[?#].*$/s, '').replace(/^.*[/\\]/s, ''));
  const chosen = [...documents].filter(([name]) => stem(name) === wanted);
  if (chosen.length > 0) return chosen;
  const names = [...documents.keys()].join(' or ');
  throw new SpecError(`extends ${JSON.stringify(overlay.extends)} is not one of the documents (${names})`, {
    place: overlay.place,
  });
}

// An overlay may refer to the YAML or the JSON file of a document.
function stem(name: string): string {
  return name.replace(/\.(?:ya?ml|json)$/, '');
}

/** Changes `document` in place. Returns the number of changed locations, which is 0 if the target selects nothing. */
export function applyAction(document: JsonObject, { target, update, place }: OverlayAction): number {
  const locations = selectLocations(document, target);
  if (update !== undefined) {
    for (const location of locations) updateAt(document, location, { update, place });
    return locations.length;
  }
  if (locations.some((location) => location.length === 0)) {
    throw new SpecError('the whole document cannot be removed', { place });
  }
  removeAll(document, locations);
  return locations.length;
}

function updateAt(document: JsonObject, location: Location, change: { update: JsonValue; place: string }): void {
  const { update, place } = change;
  const target = resolvePointer(document, formatPointer(location));
  if (Array.isArray(target)) target.push(structuredClone(update));
  else if (!isJsonObject(target))
    throw new SpecError('target selects a plain value; select the object that contains it', { place });
  else if (!isJsonObject(update))
    throw new SpecError('target selects an object, so update must be an object', { place });
  else merge(target, update);
}

function merge(target: JsonObject, update: JsonObject): void {
  for (const [key, value] of Object.entries(update)) {
    const present = Object.hasOwn(target, key) ? target[key] : undefined;
    if (Array.isArray(present) && Array.isArray(value)) present.push(...structuredClone(value));
    else if (isJsonObject(present) && isJsonObject(value)) merge(present, value);
    // Not an assignment, because a member named __proto__ must stay a member.
    else {
      const copy = structuredClone(value);
      Object.defineProperty(target, key, { value: copy, writable: true, enumerable: true, configurable: true });
    }
  }
}

function removeAll(document: JsonObject, locations: readonly Location[]): void {
  const found = locations.map((location) => {
    const holder = resolvePointer(document, formatPointer(location.slice(0, -1)));
    return { holder, key: location.at(-1) ?? '' };
  });
  // Items of a list are removed from the end, so that a removal doesn't move items that are still to be removed.
  const rank = (key: string | number): number => (typeof key === 'number' ? key : -1);
  for (const { holder, key } of found.sort((one, other) => rank(other.key) - rank(one.key))) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (isJsonObject(holder)) delete holder[key];
  }
}
