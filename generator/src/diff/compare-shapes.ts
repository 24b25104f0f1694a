import { canonicalText, type JsonValue } from '../../../specs/src/index.ts';
import { compareKeywords, type Found, findKeyword } from './compare-keywords.ts';
import { describeSchema } from './describe-change.ts';
import { isInteger } from './limits.ts';
import {
  followReference,
  isClosed,
  isDescribed,
  type Located,
  listParts,
  type Place,
  rawSchema,
} from './located-schema.ts';
import { matchShapes } from './match-shapes.ts';
import {
  countListed,
  itemPlace,
  memberPlace,
  otherMembers,
  readMembers,
  type Shape,
  type ShapeType,
  shapeTypes,
} from './shape.ts';
import type { ReadShapes } from './shapes.ts';

/** The older and the newer schemas of a member, and the member as code names it. */
export type Pair = { readonly old: Place; readonly now: Place; readonly field: string };
/** What changed in a place, and the places inside it. */
export type Compared = { readonly found: Found[]; readonly inner: Pair[] };
type Both = { readonly old: readonly Shape[]; readonly now: readonly Shape[] };
type ByType = ReadonlyMap<ShapeType, Both>;

/** What changed in a place: its types and listed values, alternatives, members and items, and keywords. */
export function comparePlaces(pair: Pair, shapesOf: ReadShapes): Compared {
  const byType: ByType = new Map(
    shapeTypes.map((type) => [type, { old: shapesOf(pair.old, type), now: shapesOf(pair.now, type) }]),
  );
  const isSideClosed = (side: 'old' | 'now'): boolean => [...byType.values()].every((both) => both[side].length === 0);
  const [wasClosed, isNowClosed] = [isSideClosed('old'), isSideClosed('now')];
  if (wasClosed || isNowClosed) {
    const rule = isNowClosed ? 'schema-closed' : 'schema-opened';
    return { found: wasClosed && isNowClosed ? [] : [{ rule, pointer: findPointer(pair) }], inner: [] };
  }
  const areListed = isListed(byType, 'old') && isListed(byType, 'now');
  const made: Compared = { found: compareTypes(pair, byType, areListed), inner: [] };
  // Where anything took or takes the place, the types say all.
  const isReplaced = made.found.length > 0 && [pair.old, pair.now].some(takesAnything);
  const isCompared = ([type, { old, now }]: readonly [ShapeType, Both]): boolean =>
    type !== 'null' && !isReplaced && (areListed || (old.length > 0 && now.length > 0));
  const matched = [...byType].filter(isCompared).flatMap(([, both]) => compareAlternatives(pair, both, made));
  const withOrigins = (place: Place, side: 0 | 1): Located[] =>
    listParts([...place, ...matched.flatMap((both) => both[side].origin ?? [])]);
  made.found.push(...compareKeywords(withOrigins(pair.old, 0), withOrigins(pair.now, 1)));
  return made;
}

function takesAnything(place: Place): boolean {
  return listParts(place).every(({ schema: { ref, allOf, ...own }, ...at }) => !isDescribed([{ ...at, schema: own }]));
}

/** Compares the shapes of a type; returns those that are the same alternative on both sides. */
function compareAlternatives(pair: Pair, { old, now }: Both, made: Compared): readonly (readonly [Shape, Shape])[] {
  made.found.push(...compareListed(old, now, findPointer(pair, 'enum', 'const')));
  const isOpen = ({ values }: Shape): boolean => values === undefined;
  const matched = matchShapes(old.filter(isOpen), now.filter(isOpen), made.found, findPointer(pair));
  for (const [was, is] of matched) {
    if (was.type === 'object') compareObjects(was, is, pair, made);
    if (was.type === 'array') compareLists(was, is, pair, made);
  }
  return matched;
}

/** The place of the first of the keywords that a side has, else of the schemas. */
function findPointer({ old, now }: Pair, ...words: readonly string[]): string {
  return findKeyword([...listParts(now), ...listParts(old)], words) ?? now[0]?.pointer ?? old[0]?.pointer ?? '';
}

function isListed(byType: ByType, side: 'old' | 'now'): boolean {
  return [...byType].every(([type, both]) => type === 'null' || !both[side].some(takesOthers));
}

function compareTypes(pair: Pair, byType: ByType, areListed: boolean): Found[] {
  const [old, now] = (['old', 'now'] as const).map((side) => nameTypes(byType, side)) as [Set<string>, Set<string>];
  const found: Found[] = [];
  // Where one side takes any value, the change of types includes that of null.
  const takesAny = [old, now].some(({ size }) => size > shapeTypes.length);
  if (old.delete('null') !== now.delete('null') && !takesAny)
    found.push({ rule: byType.get('null')?.now.length ? 'null-added' : 'null-removed', pointer: findPointer(pair) });
  const [lost, came] = [[...old].filter((one) => !now.has(one)), [...now].filter((one) => !old.has(one))];
  // Between two lists of values, the changed ones are reported instead.
  if ((lost.length === 0 && came.length === 0) || areListed) return found;
  const rule = lost.length === 0 ? 'type-widened' : came.length === 0 ? 'type-narrowed' : 'type-changed';
  // Code that breaks by both breaks by the type.
  return [{ rule, pointer: findPointer(pair, 'type', 'enum', 'const'), ...describeBoth(pair.old, pair.now) }, ...found];
}

/** A number may be an integer alone, so that sets of types can be compared. */
function nameTypes(byType: ByType, side: 'old' | 'now'): Set<string> {
  const isWhole = (shape: Shape): boolean => isInteger(shape) || (shape.values?.every(Number.isInteger) ?? false);
  const names = [...byType].flatMap(([type, { [side]: found }]) => {
    if (found.length === 0) return [];
    return type !== 'number' ? [type] : found.every(isWhole) ? ['integer'] : ['integer', 'fraction'];
  });
  return new Set(names);
}

/** Both schemas in words; what names lead to, where the names are the same. */
function describeBoth(old: Place, now: Place): { before: string; after: string } {
  const describe = (place: Place): string => {
    const typed = place.find(({ schema }) =>
      Object.keys(schema).some((word) => /^(?:ref|type|enum|..?.?Of)$/.test(word)),
    );
    return typed === undefined ? 'anything' : describeSchema(rawSchema(typed) ?? true, typed.document.root);
  };
  const [before, after] = [describe(old), describe(now)];
  const follow = (place: Place): Place => place.map((one) => followReference(one) ?? one);
  const isDeeper = before === after && follow(old).some((one, index) => one !== old[index]);
  return isDeeper ? describeBoth(follow(old), follow(now)) : { before, after };
}

/** What changed in listed values: those of all shapes of a type, which may also accept others. */
function compareListed(old: readonly Shape[], now: readonly Shape[], pointer: string): Found[] {
  const [before, after] = [listValues(old), listValues(now)];
  const [wasOpen, isOpen] = [old.some(takesOthers), now.some(takesOthers)];
  const areBoth = (before.size > 0 || !wasOpen) && (after.size > 0 || !isOpen);
  const differing = (own: Listed, others: Listed, key: 'before' | 'after'): Found[] => {
    // Of several lists, the one that has the value.
    const places = new Map([...own.values()].map(({ shape }) => [shape, '']));
    for (const shape of places.keys()) places.set(shape, findKeyword(shape.schemas, ['enum', 'const']) ?? pointer);
    return [...own].flatMap(([text, { value, shape }]) => {
      if (!areBoth || others.has(text)) return [];
      const rule = key === 'before' ? 'enum-value-removed' : 'enum-value-added';
      return [{ rule, pointer: places.get(shape) ?? pointer, subject: JSON.stringify(value), [key]: value }];
    });
  };
  const changes = [...differing(before, after, 'before'), ...differing(after, before, 'after')];
  if (wasOpen === isOpen) return changes;
  const listed = (side: Listed): JsonValue[] => [...side.values()].map(({ value }) => value);
  const whole = wasOpen ? { after: listed(after) } : { before: listed(before) };
  return [...changes, { rule: wasOpen ? 'enum-added' : 'enum-removed', pointer, ...(areBoth ? {} : whole) }];
}

function takesOthers({ type, values }: Shape): boolean {
  return values === undefined || (type === 'boolean' && values.length === 2);
}

/** The values that shapes list, by their text, each with the first shape that lists it. */
type Listed = ReadonlyMap<string, { readonly value: JsonValue; readonly shape: Shape }>;

function listValues(shapes: readonly Shape[]): Listed {
  const listed = new Map<string, { value: JsonValue; shape: Shape }>();
  for (const shape of shapes)
    for (const value of takesOthers(shape) ? [] : (shape.values ?? [])) {
      const text = canonicalText(value);
      if (!listed.has(text)) listed.set(text, { value, shape });
    }
  return listed;
}

function compareObjects(before: Shape, after: Shape, pair: Pair, made: Compared): void {
  const [older, newer] = [readMembers(before), readMembers(after)];
  for (const name of new Set([...older.named.keys(), ...newer.named.keys(), ...older.required, ...newer.required])) {
    const [was, is] = [older.named.get(name)?.at(-1), newer.named.get(name)?.at(-1)];
    const [old, now] = [memberPlace(before, name), memberPlace(after, name)];
    const member = { old, now, field: joinField(pair.field, name) };
    const row = describeMember([was, is], member, [older.required.has(name), newer.required.has(name)]);
    if (row !== undefined)
      made.found.push({ pointer: findPointer(pair, 'required'), field: member.field, subject: name, ...row });
    // Values that came under any name had a type, so those under this name may have had it.
    const rest = [...(was === undefined ? [old] : []), ...(is === undefined ? [now] : [])];
    if (rest.every((one) => isDescribed(one) && !isClosed(one))) made.inner.push(member);
  }
  compareOthers(before, after, pair, made);
}

type BySide<T> = readonly [before: T, after: T];

/** What became of a member itself; of one that no schema describes, without a place of its own. */
function describeMember(
  [was, is]: BySide<Located | undefined>,
  { old, now }: Pair,
  [wasRequired, isRequired]: BySide<boolean>,
): (Omit<Found, 'pointer'> & { readonly pointer?: string }) | undefined {
  const describe = (one: Located): string => describeSchema(rawSchema(one) ?? true, one.document.root);
  if (was !== undefined && is === undefined) {
    const isOpen = now.length > 0 && !isClosed(now);
    const evidence = { isNarrower: isClosed(now) && !isClosed(old), isWider: wasRequired || isOpen };
    const rule = isOpen ? 'property-unlisted' : 'property-removed';
    return { rule, pointer: was.pointer, before: describe(was), ...evidence };
  }
  const turn = isRequired ? 'required' : 'optional';
  if (was === undefined && is !== undefined) {
    const rule = isClosed(now) ? 'schema-closed' : (`property-added-${turn}` as const);
    return { rule, pointer: is.pointer, after: describe(is) };
  }
  if (wasRequired === isRequired) return undefined;
  return { rule: `property-became-${turn}`, ...(is && { pointer: is.pointer }) };
}

/** Compares what is said of members that have no schema of their own. */
function compareOthers(before: Shape, after: Shape, pair: Pair, { found, inner }: Compared): void {
  const [old, now] = [otherMembers(before), otherMembers(after)];
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? findPointer(pair);
  if (isClosed(old) !== isClosed(now)) found.push({ rule: isClosed(now) ? 'object-closed' : 'object-opened', pointer });
  // Types take members of any name where a schema says so, or describes none.
  const [older, newer] = [readMembers(before), readMembers(after)];
  const takesAnyName = ({ names, patterns }: typeof older, others: Place): boolean =>
    others.length > 0 || (names.size === 0 && patterns.length === 0);
  if (!isClosed(old) && !isClosed(now) && takesAnyName(older, old) && !takesAnyName(newer, now))
    found.push({ rule: 'names-undescribed', pointer });
  for (const matched of [[], ...new Set([...older.patterns, ...newer.patterns])].map((one) => [one].flat())) {
    const [was, is] = [otherMembers(before, matched), otherMembers(after, matched)];
    const isSaid = isDescribed(was) || isDescribed(is);
    if (isSaid && !isClosed(was) && !isClosed(is)) inner.push({ old: was, now: is, field: joinField(pair.field, '*') });
  }
}

/** A member as code names it. */
export function joinField(field: string, name: string): string {
  if (name !== '*' && !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return `${field}[${JSON.stringify(name)}]`;
  return field === '' ? name : `${field}.${name}`;
}

function compareLists(before: Shape, after: Shape, { field }: Pair, { inner }: Compared): void {
  const count = Math.max(countListed(before), countListed(after));
  for (let index = 0; index <= count; index++) {
    const [old, now] = [itemPlace(before, index), itemPlace(after, index)];
    const step = index < count ? `[${index}]` : '[]';
    if (isDescribed(old) || isDescribed(now)) inner.push({ old, now, field: `${field}${step}` });
  }
}
