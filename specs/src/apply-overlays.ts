import { applyBrand, type Brand } from './brand.ts';
import { SpecError } from './errors.ts';
import { readText } from './files.ts';
import type { JsonObject } from './json.ts';
import { applyAction, type Overlay, parseOverlay } from './overlay.ts';
import { parseYaml } from './read-document.ts';

/** The documents an overlay can change, by the file name an overlay's `extends` may end in. */
export type DocumentsByName = ReadonlyMap<string, JsonObject>;

/** Reads overlay files; the printed brand inside them is replaced as it is in our documents. */
export function readOverlays(paths: readonly string[], brand: Brand): Overlay[] {
  return paths.map((path) => parseOverlay(applyBrand(parseYaml(readText(path), path), brand), path));
}

/**
 * The documents with every action applied in order, to copies of them. An overlay with `extends` changes the document of that
 * file name, another one whichever documents its targets are found in; an action that finds nothing is a SpecError.
 */
export function applyOverlays(documents: DocumentsByName, overlays: readonly Overlay[]): Map<string, JsonObject> {
  if (overlays.length === 0) return new Map(documents);
  const changed = new Map([...documents].map(([name, document]) => [name, structuredClone(document)]));
  for (const overlay of overlays) {
    const candidates = candidatesOf(overlay, changed);
    for (const [index, action] of overlay.actions.entries()) {
      const place = `${overlay.place}, action ${index + 1}`;
      const found = candidates.map(([, document]) => applyAction(document, action, place));
      if (found.every((count) => count === 0)) {
        const names = candidates.map(([name]) => name).join(' and ');
        throw new SpecError(`target ${JSON.stringify(action.target)} selects nothing in ${names}`, { place });
      }
    }
  }
  return changed;
}

function candidatesOf(overlay: Overlay, documents: DocumentsByName): [string, JsonObject][] {
  if (overlay.extends === undefined) return [...documents];
  const wanted = stem(overlay.extends.replace(/[?#].*$/s, '').replace(/^.*[/\\]/s, ''));
  const chosen = [...documents].filter(([name]) => stem(name) === wanted);
  if (chosen.length > 0) return chosen;
  const names = [...documents.keys()].join(' or ');
  throw new SpecError(`extends ${JSON.stringify(overlay.extends)} names none of our documents (${names})`, {
    place: overlay.place,
  });
}

// The effective documents are written as YAML and as JSON; an overlay may have either in view.
function stem(name: string): string {
  return name.replace(/\.(?:ya?ml|json)$/, '');
}
