import { createRequire } from 'node:module';
import { SpecError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** An action of an overlay. Without `update`, it removes the target. `place`: the file and the number of the action. */
export type OverlayAction = { place: string; target: string; update: JsonValue | undefined };
/** An OpenAPI Overlay 1.0 document; `place` is its file. */
export type Overlay = { place: string; extends: string | undefined; actions: readonly OverlayAction[] };

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
  refuseUnknownMembers(value, ['overlay', 'info', 'extends', 'actions'], place);
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
  refuseUnknownMembers(value, ['target', 'description', 'update', 'remove'], place);
  checkTarget(target, place);
  if (remove === true) return { place, target, update: undefined };
  if (update === undefined) throw new SpecError('an action needs update, or remove: true', { place });
  return { place, target, update };
}

function checkTarget(target: string, place: string): void {
  try {
    jsonPath().compile(target);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SpecError(`target ${JSON.stringify(target)} is not a JSONPath expression (${reason})`, { place, cause });
  }
}

// The only other members allowed are extensions (`x-…`), so that a misspelt member is reported.
function refuseUnknownMembers(value: JsonObject, known: readonly string[], place: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key) && !key.startsWith('x-'));
  if (unknown === undefined) return;
  throw new SpecError(`${JSON.stringify(unknown)} is not a member of an overlay`, { place });
}

export type Location = readonly (string | number)[];

/** Returns the locations that a target selects. A location that is selected twice (`$['a','a']`) is returned once. */
export function selectLocations(document: JsonObject, target: string): Location[] {
  const { nodes } = jsonPath().query(target, document);
  return [...new Map(nodes.map((node) => [JSON.stringify(node.location), node.location])).values()];
}

const load = createRequire(import.meta.url); // Loads json-p3 on first use, because most commands have no overlay.

function jsonPath(): typeof import('json-p3') {
  return load('json-p3') as typeof import('json-p3'); // `createRequire` returns any.
}
