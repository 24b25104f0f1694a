import { createRequire } from 'node:module';
import { SpecError } from './errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** One action of an OpenAPI Overlay: what it selects, and what becomes of it. */
export type OverlayAction = { target: string; change: { kind: 'update'; value: JsonValue } | { kind: 'remove' } };
/** An OpenAPI Overlay 1.0 document; `place` is the file it came from. */
export type Overlay = { place: string; extends: string | undefined; actions: readonly OverlayAction[] };
type Location = readonly (string | number)[];

const load = createRequire(import.meta.url); // most runs have no overlay and need no JSONPath

/** Throws SpecError naming the file and the member that the Overlay standard does not allow. */
export function parseOverlay(value: JsonValue, place: string): Overlay {
  if (!isJsonObject(value)) throw new SpecError('an overlay must be an object', { place });
  const { overlay, info, extends: base, actions } = value;
  if (typeof overlay !== 'string' || !/^1\.0\.\d+$/.test(overlay)) {
    throw new SpecError(`overlay must say version 1.0.x; got ${JSON.stringify(overlay) ?? 'nothing'}`, { place });
  }
  if (!isJsonObject(info) || typeof info['title'] !== 'string' || typeof info['version'] !== 'string') {
    throw new SpecError('info must hold a title and a version', { place });
  }
  if (base !== undefined && typeof base !== 'string') throw new SpecError('extends must be a URI reference', { place });
  if (!Array.isArray(actions) || actions.length === 0)
    throw new SpecError('actions must be a list of at least one', { place });
  refuseStrangers(value, ['overlay', 'info', 'extends', 'actions'], place);
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
  if (remove !== undefined && typeof remove !== 'boolean')
    throw new SpecError('remove must be true or false', { place });
  refuseStrangers(value, ['target', 'description', 'update', 'remove'], place);
  checkTarget(target, place);
  if (remove === true) return { target, change: { kind: 'remove' } };
  if (update === undefined) throw new SpecError('an action needs update, or remove: true', { place });
  return { target, change: { kind: 'update', value: update } };
}

/** How many places of the document an action changed, 0 when its target selects nothing; changes `document` in place. */
export function applyAction(document: JsonObject, action: OverlayAction, place: string): number {
  const nodes = select(document, action.target);
  if (nodes.some((node) => node.length === 0) && action.change.kind === 'remove') {
    throw new SpecError('the whole document cannot be removed', { place });
  }
  if (action.change.kind === 'remove') for (const location of backwards(nodes)) removeAt(document, location);
  else for (const location of nodes) updateAt(document, location, { value: action.change.value, place });
  return nodes.length;
}

function updateAt(document: JsonObject, location: Location, update: { value: JsonValue; place: string }): void {
  const target = at(document, location);
  if (Array.isArray(target)) {
    target.push(structuredClone(update.value));
    return;
  }
  if (!isJsonObject(target)) {
    throw new SpecError('target selects a plain value; select the object that holds it', { place: update.place });
  }
  if (!isJsonObject(update.value)) {
    throw new SpecError('target selects an object, so update must be an object', { place: update.place });
  }
  merge(target, update.value);
}

function merge(target: JsonObject, update: JsonObject): void {
  for (const [key, value] of Object.entries(update)) {
    const present = Object.hasOwn(target, key) ? target[key] : undefined;
    if (Array.isArray(present) && Array.isArray(value)) present.push(...structuredClone(value));
    else if (isJsonObject(present) && isJsonObject(value)) merge(present, value);
    // Not an assignment: a member named __proto__ must stay a member.
    else
      Object.defineProperty(target, key, {
        value: structuredClone(value),
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
}

function removeAt(document: JsonObject, location: Location): void {
  const parent = at(document, location.slice(0, -1));
  const key = location.at(-1);
  if (Array.isArray(parent) && typeof key === 'number') parent.splice(key, 1);
  else if (isJsonObject(parent) && key !== undefined) delete parent[key];
}

// Later and deeper places first, so that taking one away does not move the next.
function backwards(locations: readonly Location[]): Location[] {
  return [...locations].sort((left, right) => {
    for (let depth = 0; depth < Math.min(left.length, right.length); depth += 1) {
      const [here, there] = [left[depth], right[depth]];
      if (here === there) continue;
      if (typeof here === 'number' && typeof there === 'number') return there - here;
      return String(here) < String(there) ? 1 : -1;
    }
    return right.length - left.length;
  });
}

function at(document: JsonObject, location: Location): JsonValue | undefined {
  let node: JsonValue | undefined = document;
  for (const key of location) {
    if (Array.isArray(node) && typeof key === 'number') node = node[key];
    else node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node;
}

// A selector list may name a place twice (`$['a','a']`); it is still one place.
function select(document: JsonObject, target: string): Location[] {
  const { nodes } = jsonPath().query(target, document);
  return [...new Map(nodes.map((node) => [JSON.stringify(node.location), node.location])).values()];
}

function checkTarget(target: string, place: string): void {
  try {
    jsonPath().compile(target);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SpecError(`target ${JSON.stringify(target)} is no JSONPath expression (${reason})`, { place, cause });
  }
}

function jsonPath(): typeof import('json-p3') {
  return load('json-p3') as typeof import('json-p3'); // `require` has no types
}

// The standard admits extensions (`x-…`) and nothing else: a misspelt member must not pass in silence.
function refuseStrangers(value: JsonObject, known: readonly string[], place: string): void {
  const stranger = Object.keys(value).find((key) => !known.includes(key) && !key.startsWith('x-'));
  if (stranger !== undefined) throw new SpecError(`${JSON.stringify(stranger)} is no member of an overlay`, { place });
}
