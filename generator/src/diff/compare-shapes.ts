import { canonicalText, type JsonValue } from '../../../specs/src/index.ts';
import { compareKeywords, type Found, findKeyword } from './compare-keywords.ts';
import { describeSchema } from './describe-schema.ts';
import { followReference, isClosed, isDescribed, listParts, type Place, rawSchema } from './located-schema.ts';
import { isInteger } from './limits.ts';
import type { ChangeRuleId } from './schema-change.ts';
import {
  countListed,
  itemPlace,
  listMemberPatterns,
  listNames,
  listProperties,
  listRequired,
  memberPlace,
  otherMembers,
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
  const all = shapeTypes.map(
    (type) => [type, { old: shapesOf(pair.old, type), now: shapesOf(pair.now, type) }] as const,
  );
  const pointer = findPointer(pair);
  const [wasClosed, isClosed] = (['old', 'now'] as const).map((side) => all.every(([, one]) => one[side].length === 0));
  if (wasClosed || isClosed) {
    const rule = isClosed ? 'schema-closed' : 'schema-opened';
    return { found: wasClosed && isClosed ? [] : [{ rule, pointer }], inner: [] };
  }
  const byType: ByType = new Map(all);
  const areListed = isListed(byType, 'old') && isListed(byType, 'now');
  const made: Compared = { found: compareTypes(pair, byType, areListed), inner: [] };
  const [before, after] = [[...pair.old], [...pair.now]];
  for (const [type, { old, now }] of byType) {
    if (type === 'null' || (!areListed && (old.length === 0 || now.length === 0))) continue;
    made.found.push(...compareListed(old, now, findPointer(pair, 'enum', 'const')));
    const open = ({ values }: Shape): boolean => values === undefined;
    for (const [was, is] of matchShapes(old.filter(open), now.filter(open), made.found, pointer)) {
      before.push(...(was.origin === undefined ? [] : [was.origin]));
      after.push(...(is.origin === undefined ? [] : [is.origin]));
      if (type === 'object') compareObjects(was, is, pair, made);
      if (type === 'array') compareLists(was, is, pair, made);
    }
  }
  made.found.push(...compareKeywords(listParts(before), listParts(after)));
  return made;
}

/** The place of the first of the keywords that a side has, else of the schemas. */
function findPointer({ old, now }: Pair, ...words: readonly string[]): string {
  return findKeyword([...listParts(now), ...listParts(old)], words) ?? now[0]?.pointer ?? old[0]?.pointer ?? '';
}

function isListed(byType: ByType, side: 'old' | 'now'): boolean {
  return [...byType].every(([type, both]) => type === 'null' || both[side].every(({ values }) => values !== undefined));
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
  return [...found, { rule, pointer: findPointer(pair, 'type', 'enum', 'const'), ...describeBoth(pair.old, pair.now) }];
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
    return describeSchema((typed && rawSchema(typed)) ?? true);
  };
  const [before, after] = [describe(old), describe(now)];
  const follow = (place: Place): Place => place.map((one) => followReference(one) ?? one);
  const isDeeper = before === after && follow(old).some((one, index) => one !== old[index]);
  return isDeeper ? describeBoth(follow(old), follow(now)) : { before, after };
}

/** What changed in listed values: those of all shapes of a type, which may also accept others. */
function compareListed(old: readonly Shape[], now: readonly Shape[], pointer: string): Found[] {
  const [before, after] = [listValues(old), listValues(now)];
  const [wasOpen, isOpen] = [old, now].map((shapes) => shapes.some(({ values }) => values === undefined));
  if (before.size === 0 && after.size === 0) return [];
  if (wasOpen && before.size === 0) return isOpen ? [] : [{ rule: 'enum-added', pointer, after: [...after.values()] }];
  if (isOpen && after.size === 0)
    return wasOpen ? [] : [{ rule: 'enum-removed', pointer, before: [...before.values()] }];
  const differing = (one: typeof before, other: typeof before): JsonValue[] =>
    [...one].flatMap(([text, value]) => (other.has(text) ? [] : [value]));
  const changes: Found[] = [
    ...differing(before, after).map((value) => noteValue('enum-value-removed', { pointer, before: value })),
    ...differing(after, before).map((value) => noteValue('enum-value-added', { pointer, after: value })),
  ];
  return wasOpen === isOpen ? changes : [...changes, { rule: wasOpen ? 'enum-added' : 'enum-removed', pointer }];
}

function noteValue(rule: ChangeRuleId, facts: Pick<Found, 'pointer' | 'before' | 'after'>): Found {
  return { rule, ...facts, subject: JSON.stringify(facts.before ?? facts.after) };
}

function listValues(shapes: readonly Shape[]): Map<string, JsonValue> {
  const isAny = ({ type, values }: Shape): boolean => type === 'boolean' && values?.length === 2;
  const values = shapes.flatMap((shape) => (isAny(shape) ? [] : (shape.values ?? [])));
  return new Map(values.map((value) => [canonicalText(value), value]));
}

function compareObjects(before: Shape, after: Shape, pair: Pair, { found, inner }: Compared): void {
  const { field } = pair;
  const [names, others] = [listProperties(before), listProperties(after)];
  const [required, later] = [listRequired(before), listRequired(after)];
  for (const name of new Set([...names.keys(), ...others.keys(), ...required, ...later])) {
    const [was, is] = [names.get(name), others.get(name)];
    const [old, now] = [memberPlace(before, name), memberPlace(after, name)];
    const member = { old, now, field: joinField(field, name) };
    const facts = { field: member.field, subject: name };
    const [wasRequired, isRequired] = [required.has(name), later.has(name)];
    if (was === undefined && is !== undefined) {
      const rule = isRequired ? 'property-added-required' : 'property-added-optional';
      const words = describeSchema(rawSchema(is) ?? true);
      found.push({ ...facts, rule: isClosed(now) ? 'schema-closed' : rule, pointer: is.pointer, after: words });
    } else if (was !== undefined && is === undefined) {
      const rule = now.length > 0 && !isClosed(now) ? 'property-unlisted' : 'property-removed';
      const words = describeSchema(rawSchema(was) ?? true);
      const isNarrower = isClosed(now) && !isClosed(old);
      const isWider = wasRequired || rule === 'property-unlisted';
      found.push({ ...facts, rule, pointer: was.pointer, before: words, isNarrower, isWider });
    } else if (wasRequired !== isRequired) {
      const rule = isRequired ? 'property-became-required' : 'property-became-optional';
      found.push({ ...facts, rule, pointer: is?.pointer ?? findPointer(pair, 'required') });
    }
    // Values that came under any name had a type, so those under this name may have had it.
    const rest = [...(was === undefined ? [old] : []), ...(is === undefined ? [now] : [])];
    if (rest.every((one) => isDescribed(one) && !isClosed(one))) inner.push(member);
  }
  compareOthers(before, after, pair, { found, inner });
}

/** Compares what is said of members that have no schema of their own. */
function compareOthers(before: Shape, after: Shape, pair: Pair, { found, inner }: Compared): void {
  const [old, now] = [otherMembers(before), otherMembers(after)];
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? findPointer(pair);
  if (isClosed(old) !== isClosed(now)) found.push({ rule: isClosed(now) ? 'object-closed' : 'object-opened', pointer });
  // Types take members of any name where a schema says so, or describes none.
  const takesAnyName = (shape: Shape, others: Place): boolean => others.length > 0 || isUndescribed(shape);
  if (!isClosed(old) && !isClosed(now) && takesAnyName(before, old) && !takesAnyName(after, now))
    found.push({ rule: 'names-undescribed', pointer });
  for (const matched of [[], ...new Set([before, after].flatMap(listMemberPatterns))].map((one) => [one].flat())) {
    const member = {
      old: otherMembers(before, matched),
      now: otherMembers(after, matched),
      field: joinField(pair.field, '*'),
    };
    const isSaid = isDescribed(member.old) || isDescribed(member.now);
    if (isSaid && !isClosed(member.old) && !isClosed(member.now)) inner.push(member);
  }
}

function isUndescribed(shape: Shape): boolean {
  return listNames(shape).length + listMemberPatterns(shape).length === 0;
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

/** Alternatives that are the same one on both sides; those that came or went are noted. */
function matchShapes(
  before: readonly Shape[],
  after: readonly Shape[],
  found: Found[],
  pointer: string,
): readonly (readonly [Shape, Shape])[] {
  const came = new Map(after.map((shape) => [shape, readTraits(shape)]));
  const lost = new Map(before.map((shape) => [shape, readTraits(shape)]));
  const ranked = [...lost].flatMap(([old, traits]) =>
    [...came].map(([now, others]) => ({ old, now, likeness: rateLikeness(traits, others) })),
  );
  const pairs = ranked
    .sort((left, right) => right.likeness - left.likeness)
    .flatMap(({ old, now, likeness }) => {
      // Two that have nothing in common are a pair when no other one is left, others when none is as much alike.
      const isOnly = lost.size === 1 && came.size === 1;
      const isRivalled = ranked.some(
        (one) =>
          (one.old === old) !== (one.now === now) && one.likeness >= likeness && lost.has(one.old) && came.has(one.now),
      );
      const isAlike = likeness === equal || (likeness >= 0.5 && !isRivalled);
      const isPair = lost.has(old) && came.has(now) && (isAlike || isOnly);
      return isPair && lost.delete(old) && came.delete(now) ? [[old, now] as const] : [];
    });
  const describe = ({ origin }: Shape): string | undefined => origin && describeSchema(rawSchema(origin) ?? true);
  // Where there was no union, or is none, it is the whole that became another one.
  for (const [one] of lost) {
    if (one.origin !== undefined)
      found.push({ rule: 'union-member-removed', pointer: one.origin.pointer, before: describe(one) });
    else if (came.size > 0) found.push({ rule: 'constraint-added', pointer });
  }
  for (const [one] of came) {
    if (one.origin !== undefined)
      found.push({ rule: 'union-member-added', pointer: one.origin.pointer, after: describe(one) });
    else if (lost.size > 0) found.push({ rule: 'constraint-removed', pointer });
  }
  return pairs;
}

/** What distinguishes an alternative from the others: its text, its name, members with a constant, names of members. */
function readTraits(shape: Shape) {
  const { origin } = shape;
  const properties = listProperties(shape);
  const tags = [...properties].flatMap(([name, { schema }]) =>
    schema.enum?.length === 1 ? [`${name}=${canonicalText([...schema.enum])}`] : [],
  );
  return {
    text: canonicalText((origin && rawSchema(origin)) ?? true),
    reference: origin?.schema.ref,
    tags: tags.sort().join('\n'),
    names: new Set([...properties.keys(), ...listRequired(shape)]),
  };
}

type Traits = ReturnType<typeof readTraits>;
const equal = 4;

function rateLikeness(one: Traits, other: Traits): number {
  if (one.text === other.text) return equal;
  if (one.reference !== undefined && one.reference === other.reference) return 3;
  if (one.tags !== '' && one.tags === other.tags) return 2;
  const all = new Set([...one.names, ...other.names]);
  return all.size === 0 ? 0 : [...one.names].filter((name) => other.names.has(name)).length / all.size;
}
