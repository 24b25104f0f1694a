import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Dice } from '../random-documents/dice.ts';
import { mutate, sample } from '../random-documents/values.ts';

const maxSamples = 14;

/**
 * Creates values for a schema: valid samples, samples with one change, and samples with a scalar close to a bound of
 * either document.
 */
export function valuesAround(
  schema: JsonValue,
  [own, other]: readonly [JsonObject, JsonObject],
  dice: Dice,
): JsonValue[] {
  const samples = Array.from({ length: maxSamples }, () => sample(schema, own, dice));
  const hints = [own, other].flatMap(hintsIn);
  const values = [
    ...samples,
    ...samples.flatMap((sample) => [...mutate(sample, samples, dice), ...withHints(sample, hints, dice)]),
  ];
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const maxText = 100;

/** Returns the enum values of a document, and scalars close to its bounds. */
function hintsIn(document: JsonObject): JsonValue[] {
  const hints = new Set<JsonValue>([1.5, 'x', 'p', 'text']);
  for (const [keyword, value] of membersIn(document)) {
    const listed = keyword === 'const' ? [value] : keyword === 'enum' && Array.isArray(value) ? value : [];
    for (const one of listed) if (typeof one !== 'object') hints.add(one);
    if (typeof value === 'number' && /^(?:min|max|exclusive)/i.test(keyword)) addBounds(keyword, value, hints);
  }
  return [...hints];
}

/** Lists every member of every object in a value, with its name. */
function membersIn(value: JsonValue): [name: string, member: JsonValue][] {
  if (typeof value !== 'object' || value === null) return [];
  const own = isJsonObject(value) ? Object.entries(value) : [];
  return [...own, ...Object.values(value).flatMap(membersIn)];
}

function addBounds(keyword: string, bound: number, hints: Set<JsonValue>): void {
  if (!/Length$/.test(keyword)) for (const near of [-1, -0.5, 0, 0.5, 1]) hints.add(bound + near);
  else if (bound < maxText) for (const near of [-1, 0, 1]) hints.add('p'.repeat(Math.max(0, bound + near)));
}

/** Returns copies of the value in which one scalar is replaced by a hint of the same type. */
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

/** Returns the names of members that values of a document may have. */
export function memberNames(document: JsonObject): Set<string> {
  const names = membersIn(document).flatMap(([keyword, value]) => {
    if (keyword === 'properties' && isJsonObject(value)) return Object.keys(value);
    if (keyword === 'dependentRequired' && isJsonObject(value)) return Object.entries(value).flat(2).map(String);
    return keyword === 'required' && Array.isArray(value) ? value.map(String) : [];
  });
  return new Set(names);
}

export function usesName(value: JsonValue, names: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, part]) => (!Array.isArray(value) && (names.has(name) || name in Object.prototype)) || usesName(part, names),
  );
}
