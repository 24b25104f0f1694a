import type { JsonValue } from '../../../specs/src/index.ts';
import { compareKeywords, type Report, readStated } from './compare-keywords.ts';
import {
  describeLocated,
  followReference,
  isClosed,
  isDescribed,
  type Located,
  listParts,
  type Place,
} from './documents.ts';
import { matchAlternatives } from './match-alternatives.ts';
import type { ReadShapes } from './read-shapes.ts';
import {
  countListed,
  isInteger,
  itemPlace,
  memberPlace,
  otherMembers,
  readMembers,
  type Shape,
  type ShapeType,
  shapeTypes,
} from './shape.ts';
import { joinField, listSome, quote, quoteJson } from './words.ts';

/** The older and the newer schemas of a member, and the member as code names it. */
export type Pair = { readonly old: Place; readonly now: Place; readonly field: string };

type OfType = { readonly type: ShapeType; readonly old: readonly Shape[]; readonly now: readonly Shape[] };

/** Reports the changes of a place: types and listed values, alternatives, members and items, keywords. Returns its parts. */
export function comparePlaces(pair: Pair, shapesOf: ReadShapes, report: Report): Pair[] {
  const byType = shapeTypes.map((type) => ({ type, old: shapesOf(pair.old, type), now: shapesOf(pair.now, type) }));
  const [wasClosed, isNowClosed] = [byType.every(({ old }) => !old.length), byType.every(({ now }) => !now.length)];
  if (wasClosed && isNowClosed) return [];
  if (wasClosed || isNowClosed) {
    report(isNowClosed ? 'schema-closed' : 'schema-opened', { pointer: findPointer(pair) });
    return [];
  }
  const areListed = byType.every(({ type, old, now }) => type === 'null' || ![...old, ...now].some(acceptsOthers));
  const hasOtherTypes = compareTypes(pair, byType, areListed, report);
  // Where one side accepts anything, the change of types covers all others.
  const isReplaced = hasOtherTypes && [pair.old, pair.now].some(acceptsAnything);
  const inner: Pair[] = [];
  const matched = byType.flatMap(({ type, old, now }) => {
    const isOneSided = !areListed && (old.length === 0 || now.length === 0);
    if (type === 'null' || isReplaced || isOneSided) return [];
    compareListed(old, now, findPointer(pair, 'enum', 'const'), report);
    const isListless = ({ values }: Shape): boolean => values === undefined;
    const pairs = matchAlternatives(old.filter(isListless), now.filter(isListless), findPointer(pair), report);
    for (const [was, is] of pairs)
      if (type === 'object') inner.push(...compareMembers(was, is, pair, report));
      else if (type === 'array') inner.push(...pairItems(was, is, pair.field));
    return pairs;
  });
  const withAlternatives = (place: Place, side: 0 | 1): Located[] =>
    listParts([...place, ...matched.flatMap((both) => both[side].origin ?? [])]);
  compareKeywords(withAlternatives(pair.old, 0), withAlternatives(pair.now, 1), report);
  return inner;
}

function acceptsAnything(place: Place): boolean {
  return listParts(place).every(({ schema: { ref, allOf, ...own }, ...at }) => !isDescribed([{ ...at, schema: own }]));
}

/** True if a shape accepts more than a list of values. */
function acceptsOthers({ type, values }: Shape): boolean {
  return values === undefined || (type === 'boolean' && values.size === 2);
}

/** The pointer of the first of the keywords that a side has, else of the schemas. */
function findPointer({ old, now }: Pair, ...words: readonly string[]): string {
  return findKeyword([...listParts(now), ...listParts(old)], words) ?? now[0]?.pointer ?? old[0]?.pointer ?? '';
}

function findKeyword(parts: readonly Located[], words: readonly string[]): string | undefined {
  return words.flatMap((word) => readStated(parts, [word]).slice(0, 1))[0]?.pointer;
}

/** Returns true if a type or null was added or removed. */
function compareTypes(pair: Pair, byType: readonly OfType[], areListed: boolean, report: Report): boolean {
  // A number may also be only an integer: two names make these sets comparable.
  const isWhole = (shape: Shape): boolean =>
    isInteger(shape) || (shape.values !== undefined && [...shape.values.values()].every(Number.isInteger));
  const nameTypes = (side: 'old' | 'now'): Set<string> =>
    new Set(
      byType.flatMap(({ type, [side]: shapes }) => {
        if (shapes.length === 0) return [];
        if (type !== 'number') return [type];
        return shapes.every(isWhole) ? ['integer'] : ['integer', 'fraction'];
      }),
    );
  const [old, now] = [nameTypes('old'), nameTypes('now')];
  // Where one side accepts any type, the change of types includes that of null.
  const takesAny = [old, now].some(({ size }) => size > shapeTypes.length);
  const [wasNull, isNull] = [old.delete('null'), now.delete('null')];
  const isNarrower = [...old].some((name) => !now.has(name));
  const isWider = [...now].some((name) => !old.has(name));
  // Between two lists of values, the changed values are reported instead.
  const isOther = (isNarrower || isWider) && !areListed;
  // Code that breaks by both breaks by the type.
  if (isOther) {
    const rule = !isNarrower ? 'type-widened' : isWider ? 'type-changed' : 'type-narrowed';
    const { before, after } = describeTypes(pair.old, pair.now);
    const message = `type changed from ${quote(before)} to ${quote(after)}`;
    report(rule, { pointer: findPointer(pair, 'type', 'enum', 'const'), before, after, message });
  }
  const isNullTurned = wasNull !== isNull && !takesAny;
  if (isNullTurned) report(isNull ? 'null-added' : 'null-removed', { pointer: findPointer(pair) });
  return isOther || isNullTurned;
}

/** Both schemas in words. Where only the names are the same, the targets of the names. */
function describeTypes(old: Place, now: Place): { before: string; after: string } {
  const describe = (place: Place): string => {
    const typed = place.find(({ schema: { ref, type, enum: listed, allOf, anyOf, oneOf } }) =>
      [ref, type, listed, allOf, anyOf, oneOf].some((keyword) => keyword !== undefined),
    );
    return typed === undefined ? 'anything' : describeLocated(typed);
  };
  const [before, after] = [describe(old), describe(now)];
  const follow = (place: Place): Place => place.map((one) => followReference(one) ?? one);
  const isDeeper = before === after && follow(old).some((one, index) => one !== old[index]);
  return isDeeper ? describeTypes(follow(old), follow(now)) : { before, after };
}

/** Compares the values that the shapes of a type list; some shapes may accept others too. */
function compareListed(old: readonly Shape[], now: readonly Shape[], pointer: string, report: Report): void {
  const list = (shapes: readonly Shape[]) => {
    const listing = shapes.filter((shape) => !acceptsOthers(shape));
    const values = new Map(listing.flatMap((shape) => [...(shape.values ?? [])]));
    return { values, listing, isOpen: listing.length < shapes.length };
  };
  const [before, after] = [list(old), list(now)];
  const areBoth = [before, after].every(({ values, isOpen }) => values.size > 0 || !isOpen);
  const reportValues = (rule: 'enum-value-added' | 'enum-value-removed', side: typeof before, other: typeof after) => {
    const texts = [...side.values.keys()].filter((text) => areBoth && !other.values.has(text));
    // If several lists have the value, the first one.
    const first = side.listing.find(({ values }) => values?.has(texts[0] ?? ''))?.schemas ?? [];
    if (texts.length === 0) return;
    const schemas = side.listing.flatMap((shape) => shape.schemas);
    const changed = texts.map((text) => findExact(side.values.get(text) ?? null, schemas));
    const [turn, key] = rule === 'enum-value-added' ? (['added', 'after'] as const) : (['removed', 'before'] as const);
    const message = `value${changed.length > 1 ? 's' : ''} ${listSome(changed.map(quoteJson))} ${turn}`;
    report(rule, { pointer: findKeyword(first, ['enum', 'const']) ?? pointer, [key]: changed, message });
  };
  reportValues('enum-value-removed', before, after);
  reportValues('enum-value-added', after, before);
  if (before.isOpen === after.isOpen) return;
  const [rule, key, { values, listing }] = before.isOpen
    ? (['enum-added', 'after', after] as const)
    : (['enum-removed', 'before', before] as const);
  if (areBoth) report(rule, { pointer });
  else {
    const schemas = listing.flatMap((shape) => shape.schemas);
    const listed = [...values.values()].map((value) => findExact(value, schemas));
    const [all, was] = [quoteJson(listed), 'values are no longer limited to a list (was '];
    const message = before.isOpen ? `only listed values are possible now (${all})` : `${was}${all})`;
    report(rule, { pointer, [key]: listed, message });
  }
}

/** The listed value with all digits of its large integers. */
function findExact(value: JsonValue, schemas: readonly Located[]): JsonValue {
  const text = JSON.stringify(value);
  const listed = /\d{16}/.test(text) ? readStated(schemas, ['enum', 'const']) : [];
  const exact = listed.flatMap((one) => (one.word === 'enum' ? one.value : [one.value]));
  return exact.find((one) => JSON.stringify(JSON.parse(JSON.stringify(one))) === text) ?? value;
}

/** Reports the changes of an object's members. Returns the members whose schemas remain to be compared. */
function compareMembers(before: Shape, after: Shape, pair: Pair, report: Report): Pair[] {
  const inner: Pair[] = [];
  const [older, newer] = [readMembers(before), readMembers(after)];
  for (const name of new Set([...older.named.keys(), ...newer.named.keys(), ...older.required, ...newer.required])) {
    const [was, is] = [older.named.get(name)?.at(-1), newer.named.get(name)?.at(-1)];
    const [old, now] = [memberPlace(before, name), memberPlace(after, name)];
    const [wasRequired, isRequired] = [older.required.has(name), newer.required.has(name)];
    const field = joinField(pair.field, name);
    if (was !== undefined && is === undefined) {
      const isUnlisted = now.length > 0 && !isClosed(now);
      const effect = { isNarrower: isClosed(now) && !isClosed(old), isWider: wasRequired || isUnlisted };
      const described = describeLocated(was);
      const former = `(was ${quote(described)})`;
      const facts = { pointer: was.pointer, field, before: described };
      const unlisted = `property no longer described ${former}: it may hold any value`;
      if (isUnlisted) report('property-unlisted', { ...facts, message: unlisted }, effect);
      else report('property-removed', { ...facts, message: `property removed ${former}` }, effect);
    } else if (was === undefined && is !== undefined) {
      const described = describeLocated(is);
      const facts = { pointer: is.pointer, field, after: described };
      const message = `${isRequired ? 'required' : 'optional'} property added (${quote(described)})`;
      if (isClosed(now)) report('schema-closed', facts);
      else report(isRequired ? 'property-added-required' : 'property-added-optional', { ...facts, message });
    } else if (wasRequired !== isRequired) {
      const pointer = is?.pointer ?? findPointer(pair, 'required');
      report(isRequired ? 'property-became-required' : 'property-became-optional', { pointer, field });
    }
    // Values that were accepted under any name had a type, and so may have those under this name.
    const others = [...(was === undefined ? [old] : []), ...(is === undefined ? [now] : [])];
    if (others.every((one) => isDescribed(one) && !isClosed(one))) inner.push({ old, now, field });
  }
  const [old, now] = [otherMembers(before), otherMembers(after)];
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? findPointer(pair);
  if (isClosed(old) !== isClosed(now)) report(isClosed(now) ? 'object-closed' : 'object-opened', { pointer });
  // Types accept members of any name where a schema describes them, or describes no member.
  const takesAnyName = ({ names, patterns }: typeof older, others: Place): boolean =>
    others.length > 0 || (names.size === 0 && patterns.length === 0);
  if (!isClosed(old) && !isClosed(now) && takesAnyName(older, old) && !takesAnyName(newer, now))
    report('names-undescribed', { pointer });
  for (const matched of [[], ...new Set([...older.patterns, ...newer.patterns])].map((one) => [one].flat())) {
    const [was, is] = [otherMembers(before, matched), otherMembers(after, matched)];
    const isCompared = (isDescribed(was) || isDescribed(is)) && !isClosed(was) && !isClosed(is);
    if (isCompared) inner.push({ old: was, now: is, field: joinField(pair.field, '*') });
  }
  return inner;
}

function pairItems(before: Shape, after: Shape, field: string): Pair[] {
  const count = Math.max(countListed(before), countListed(after));
  const pairs = Array.from({ length: count + 1 }, (_, index) => {
    const [old, now] = [itemPlace(before, index), itemPlace(after, index)];
    return { old, now, field: `${field}${index < count ? `[${index}]` : '[]'}` };
  });
  return pairs.filter(({ old, now }) => isDescribed(old) || isDescribed(now));
}
