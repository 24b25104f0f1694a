import { formatPointer, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';

const anchorKeywords = ['$anchor', '$dynamicAnchor'];
/** What stands behind these is a value, unless they are the names of members. */
const valueKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'example', 'examples']);
const holdersOfNames: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas'],
]);

type Part = { value: JsonValue; step: string; outer: Part | undefined };

/** Pointers by anchor. Without recursion, since it walks where no depth has been checked. */
export function findAnchors(document: JsonObject): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  const pending: Part[] = [{ value: document, step: '', outer: undefined }];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    for (const anchor of anchorsAt(part.value)) {
      if (!anchors.has(anchor)) anchors.set(anchor, pointerTo(part));
    }
    for (const inner of partsOf(part)) pending.push(inner);
  }
  return anchors;
}

function anchorsAt(value: JsonValue): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([keyword, anchor]) =>
    anchorKeywords.includes(keyword) && typeof anchor === 'string' ? [anchor] : [],
  );
}

function partsOf(part: Part): Part[] {
  if (typeof part.value !== 'object' || part.value === null) return [];
  const holdsNames = holdersOfNames.has(part.step);
  return Object.entries(part.value).flatMap(([step, value]) => {
    const isSchema = typeof value === 'object' && (holdsNames || !valueKeywords.has(step));
    return isSchema ? [{ value, step, outer: part }] : [];
  });
}

function pointerTo(part: Part): string {
  const steps: string[] = [];
  for (let at = part; at.outer !== undefined; at = at.outer) steps.unshift(at.step);
  return formatPointer(steps);
}
