import { compile, query } from 'json-p3';
import { parseYaml } from '../documents/read-document.ts';
import { SpecError } from '../errors.ts';
import { readText } from '../files.ts';
import { formatPointer, isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../json.ts';
import { applyBrand, type Brand } from '../settings.ts';

/** An action of an overlay. Without `update`, it removes the target. `place`: the file and the number of the action. */
export type OverlayAction = { place: string; target: string; update: JsonValue | undefined };
/** An OpenAPI Overlay 1.0 document; `place` is its file. */
export type Overlay = { place: string; extends: string | undefined; actions: readonly OverlayAction[] };

/** Documents by file name. An overlay's `extends` refers to a document if it ends in the document's name. */
type DocumentsByName = ReadonlyMap<string, JsonObject>;
type Location = readonly (string | number)[];

/** Reads overlay files and applies the brand to them. */
export function readOverlays(paths: readonly string[], brand: Brand): Overlay[] {
  return paths.map((path) => parseOverlay(applyBrand(parseYaml(readText(path), path), brand), path));
}

/** Parses an overlay. Throws SpecError with the file and the member that violates the Overlay specification. */
export function parseOverlay(value: JsonValue, place: string): Overlay {
  if (!isJsonObject(value)) throw new SpecError('an overlay must be an object', { place });
  const { overlay, info, extends: base, actions } = value;
  if (typeof overlay !== 'string' || !/^1\.0\.\d+$/.test(overlay)) {
    throw new SpecError(`overlay must be a version 1.0.x; got ${JSON.stringify(overlay) ?? 'nothing'}`, { place });
  }
  if (!isJsonObject(info) || typeof info['title'] !== 'string' || typeof info['version'] !== 'string') {
    throw new SpecError('info must have a title and a version', { place });
  }
  if (base !== undefined && typeof base !== 'string') throw new SpecError('extends must be a URI reference', { place });
  if (!Array.isArray(actions) || actions.length === 0) {
    throw new SpecError('actions must be a list with at least one action', { place });
  }
  rejectUnknownMembers(value, ['overlay', 'info', 'extends', 'actions'], place);
  return {
    place,
    extends: base,
    actions: actions.map((action, index) => parseAction(action, `${place}, action ${index + 1}`)),
  };
}

function parseAction(value: JsonValue, place: string): OverlayAction {
  if (!isJsonObject(value)) throw new SpecError('an action must be an object', { place });
  const { target, update, remove } = value;
  if (typeof target !== 'string') throw new SpecError('target must be a JSONPath expression', { place });
  if (remove !== undefined && typeof remove !== 'boolean') {
    throw new SpecError('remove must be true or false', { place });
  }
  rejectUnknownMembers(value, ['target', 'description', 'update', 'remove'], place);
  try {
    compile(target);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SpecError(`target ${JSON.stringify(target)} is not a JSONPath expression (${reason})`, { place, cause });
  }
  if (remove === true) return { place, target, update: undefined };
  if (update === undefined) throw new SpecError('an action needs update, or remove: true', { place });
  return { place, target, update };
}

// The only other members allowed are extensions (`x-…`), so that a misspelt member is reported.
function rejectUnknownMembers(value: JsonObject, known: readonly string[], place: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key) && !key.startsWith('x-'));
  if (unknown === undefined) return;
  throw new SpecError(`${JSON.stringify(unknown)} is not a member of an overlay`, { place });
}

/**
 * Returns copies of the documents with all actions applied in order. An overlay with `extends` changes the document
 * with that file name; any other overlay changes each document that contains its targets. Throws SpecError if the
 * target of an action selects nothing.
 */
export function applyOverlays(documents: DocumentsByName, overlays: readonly Overlay[]): Map<string, JsonObject> {
  if (overlays.length === 0) return new Map(documents);
  const changedDocuments = new Map([...documents].map(([name, document]) => [name, structuredClone(document)]));
  for (const overlay of overlays) {
    const candidates = selectDocuments(overlay, changedDocuments);
    for (const action of overlay.actions) {
      const changeCounts = candidates.map(([, document]) => applyAction(document, action));
      if (changeCounts.some((count) => count > 0)) continue;
      const { target, place } = action;
      const names = candidates.map(([name]) => name).join(' and ');
      throw new SpecError(`target ${JSON.stringify(target)} selects nothing in ${names}`, { place });
    }
  }
  return changedDocuments;
}

function selectDocuments(overlay: Overlay, documents: DocumentsByName): [string, JsonObject][] {
  if (overlay.extends === undefined) return [...documents];
  const wantedName = removeExtension(overlay.extends.replace(/[?#].*$/s, '').replace(/^.*[/\\]/s, ''));
  const chosen = [...documents].filter(([name]) => removeExtension(name) === wantedName);
  if (chosen.length > 0) return chosen;
  const names = [...documents.keys()].join(' or ');
  throw new SpecError(`extends ${JSON.stringify(overlay.extends)} is not one of the documents (${names})`, {
    place: overlay.place,
  });
}

// An overlay may refer to the YAML or the JSON file of a document.
function removeExtension(name: string): string {
  return name.replace(/\.(?:ya?ml|json)$/, '');
}

/** Changes `document` in place. Returns the number of changed locations, which is 0 if the target selects nothing. */
export function applyAction(document: JsonObject, { target, update, place }: OverlayAction): number {
  const { nodes } = query(target, document);
  // A target may select a location twice: `$['a','a']`.
  const locations = [...new Map(nodes.map(({ location }) => [JSON.stringify(location), location])).values()];
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
  const targets = locations.map((location) => {
    const holder = resolvePointer(document, formatPointer(location.slice(0, -1)));
    return { holder, key: location.at(-1) ?? '' };
  });
  // Items of a list are removed from the end, so that a removal doesn't move items that are still to be removed.
  const rank = (key: string | number): number => (typeof key === 'number' ? key : -1);
  for (const { holder, key } of targets.sort((one, other) => rank(other.key) - rank(one.key))) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (isJsonObject(holder)) delete holder[key];
  }
}
