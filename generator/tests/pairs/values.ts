import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Dice } from '../random-documents/dice.ts';
import { mutantsOf, sampleOf } from '../random-documents/values.ts';

const samplesAtMost = 14;

/** Values around a schema: samples, single changes of them, and texts and numbers around every bound of both documents. */
export function valuesAround(
  schema: JsonValue,
  [own, other]: readonly [JsonObject, JsonObject],
  dice: Dice,
): JsonValue[] {
  const samples = Array.from({ length: samplesAtMost }, () => sampleOf(schema, own, dice));
  const hints = [own, other].flatMap(hintsIn);
  const values = [
    ...samples,
    ...samples.flatMap((sample) => [...mutantsOf(sample, samples, dice), ...withHints(sample, hints, dice)]),
  ];
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const textAtMost = 100;

/** Scalars that a document's lists and bounds tell apart. */
function hintsIn(document: JsonObject): JsonValue[] {
  const hints = new Set<JsonValue>([1.5, 'x', 'p', 'text']);
  const visit = (value: JsonValue): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isJsonObject(value)) return;
    for (const [keyword, part] of Object.entries(value)) {
      const listed = keyword === 'const' ? [part] : keyword === 'enum' && Array.isArray(part) ? part : [];
      for (const one of listed) if (typeof one !== 'object') hints.add(one);
      if (typeof part === 'number' && /^(?:min|max|exclusive)/i.test(keyword)) addBounds(keyword, part, hints);
      visit(part);
    }
  };
  visit(document);
  return [...hints];
}

function addBounds(keyword: string, bound: number, hints: Set<JsonValue>): void {
  if (!/Length$/.test(keyword)) for (const near of [-1, -0.5, 0, 0.5, 1]) hints.add(bound + near);
  else if (bound < textAtMost) for (const near of [-1, 0, 1]) hints.add('p'.repeat(Math.max(0, bound + near)));
}

/** The value with a hint in the place of each of its scalars. */
function withHints(value: JsonValue, hints: readonly JsonValue[], dice: Dice): JsonValue[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => withHints(item, hints, dice).map((changed) => value.with(index, changed)));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) =>
      withHints(member, hints, dice).map((changed) => ({ ...value, [name]: changed })),
    );
  }
  const alike = hints.filter((hint) => typeof hint === typeof value && hint !== value);
  return alike.length <= 8 ? alike : Array.from({ length: 8 }, () => dice.pick(alike));
}

/** The names of members that values of a document may have. */
export function memberNames(document: JsonObject): Set<string> {
  const names = new Set<string>();
  const visit = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isJsonObject(value)) {
      for (const name of Object.keys(isJsonObject(value['properties']) ? value['properties'] : {})) names.add(name);
      for (const name of Array.isArray(value['required']) ? value['required'] : []) names.add(String(name));
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(document);
  return names;
}

export function usesName(value: JsonValue, names: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, part]) => (!Array.isArray(value) && names.has(name)) || usesName(part, names),
  );
}
