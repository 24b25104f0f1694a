import {
  canonicalText,
  checkedFormats,
  isJsonObject,
  isLimit,
  type JsonValue,
  limitKeywords,
} from '../../../specs/src/index.ts';
import { describeSchema } from './describe-change.ts';
import {
  childPointer,
  followReference,
  isClosed,
  isDescribed,
  type Located,
  listParts,
  type Place,
  rawSchema,
} from './documents.ts';
import type { ChangeFacts, ChangeRuleId } from './schema-change.ts';
import {
  countListed,
  isInteger,
  isMultiple,
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
  const sides = [
    { left: lost, other: came, rule: 'union-member-removed', whole: 'constraint-added', key: 'before' },
    { left: came, other: lost, rule: 'union-member-added', whole: 'constraint-removed', key: 'after' },
  ] as const;
  for (const { left, other, rule, whole, key } of sides) {
    for (const { origin } of left.keys()) {
      // Where there was no union, or is none, it is the whole that became another one.
      if (origin === undefined && other.size > 0) found.push({ rule: whole, pointer });
      const words = origin && describeSchema(rawSchema(origin) ?? true, origin.document.root);
      if (origin !== undefined) found.push({ rule, pointer: origin.pointer, [key]: words });
    }
  }
  return pairs;
}

/** What distinguishes an alternative from the others: its text, members with a constant, names of members. */
function readTraits(shape: Shape) {
  const { origin } = shape;
  const { named, required } = readMembers(shape);
  const tags = [...named].flatMap(([name, all]) => {
    const listed = all.at(-1)?.schema.enum;
    return listed?.length === 1 ? [`${name}=${canonicalText([...listed])}`] : [];
  });
  return {
    text: canonicalText((origin && rawSchema(origin)) ?? true),
    tags: tags.sort().join('\n'),
    names: new Set([...named.keys(), ...required]),
  };
}

type Traits = ReturnType<typeof readTraits>;
const equal = 3;

function rateLikeness(one: Traits, other: Traits): number {
  if (one.text === other.text) return equal;
  if (one.tags !== '' && one.tags === other.tags) return 2;
  const all = new Set([...one.names, ...other.names]);
  return all.size === 0 ? 0 : [...one.names].filter((name) => other.names.has(name)).length / all.size;
}

/** A change of a place; `isNarrower` and `isWider` say that no value goes or comes by it. */
export type Found = {
  readonly rule: ChangeRuleId;
  readonly isNarrower?: boolean;
  readonly isWider?: boolean;
} & ChangeFacts;

type Stated = { readonly word: string; readonly value: JsonValue; readonly pointer: string };
type Difference = { readonly lost: readonly Stated[]; readonly came: readonly Stated[] };
type Group = readonly [words: readonly string[], pickRule: (difference: Difference) => ChangeRuleId];

const constraints = [
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'dependentRequired', 'dependentSchemas'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];
const bounds = [...limitKeywords].filter(([word, { end }]) => end !== undefined && !word.startsWith('exclusive'));
/** Keywords that are compared together, with the rule of a change. */
const groups: readonly Group[] = [
  [['default'], () => 'default-changed'],
  [['description'], () => 'description-changed'],
  [['title'], () => 'description-changed'],
  [['examples', 'example'], () => 'examples-changed'],
  [['deprecated'], () => 'deprecation-changed'],
  ...bounds.map(([word]): Group => [[word, word.replace(/^m/, 'exclusiveM')], pickBoundRule]),
  [['multipleOf'], pickStepRule],
  [['pattern'], (difference) => `pattern-${readTurn(difference)}`],
  [['uniqueItems'], ({ came }) => `uniqueness-${came.length > 0 ? 'added' : 'removed'}`],
  [['format'], pickFormatRule],
  ...constraints.map((word): Group => [[word], (difference) => `constraint-${readTurn(difference)}`]),
];
/** Their names say which keyword it is. */
const saysKeyword = /^(?:default|description|examples|deprecation)-/;

/** What changed in keywords that have a value of their own, in schemas that apply to the same values. */
export function compareKeywords(old: readonly Located[], now: readonly Located[]): Found[] {
  const rows = groups.flatMap(([words, pickRule]): Found[] => {
    const difference = subtract(readStated(old, words), readStated(now, words));
    const { lost, came } = difference;
    const at = came[0] ?? lost[0];
    if (at === undefined) return [];
    const rule = pickRule(difference);
    const subject = saysKeyword.test(rule) ? undefined : at.word;
    return [{ rule, pointer: at.pointer, subject, before: printValues(lost), after: printValues(came) }];
  });
  return [...rows, ...compareExclusive(old, now)];
}

function readStated(parts: readonly Located[], words: readonly string[]): Stated[] {
  return parts.flatMap((part) => {
    const raw = rawSchema(part);
    return words.flatMap((word): Stated[] => {
      const value = isJsonObject(raw) ? raw[word] : undefined;
      if (value === undefined || (limitKeywords.has(word) && !isLimit(word, value))) return [];
      return [{ word, value, pointer: childPointer(part, word) }];
    });
  });
}

function subtract(before: readonly Stated[], after: readonly Stated[]): Difference {
  const print = ({ word, value }: Stated): string => `${word} ${canonicalText(value)}`;
  const without = (some: readonly Stated[], others: readonly Stated[]): Stated[] => {
    const texts = new Set(others.map(print));
    return some.filter((one) => !texts.has(print(one)));
  };
  return { lost: without(before, after), came: without(after, before) };
}

function printValues(stated: readonly Stated[]): JsonValue | undefined {
  const values = stated.map(({ word, value }) => (word.startsWith('exclusive') ? `${value} (exclusive)` : value));
  // A reference and the schema that it leads to may state the same.
  const distinct = [...new Map(values.map((value) => [canonicalText(value), value])).values()];
  return distinct.length > 1 ? distinct : distinct[0];
}

function readTurn({ lost, came }: Difference): 'added' | 'removed' | 'changed' {
  if (lost.length === 0) return 'added';
  return came.length === 0 ? 'removed' : 'changed';
}

function pickBoundRule(difference: Difference): ChangeRuleId {
  const turn = readTurn(difference);
  if (turn !== 'changed') return turn === 'added' ? 'bound-tightened' : 'bound-loosened';
  const isLeast = difference.came.some(({ word }) => limitKeywords.get(word)?.end === 'least');
  // An end that is excluded lies a little further in.
  const [before = 0, after = 0] = [difference.lost, difference.came].map((stated) =>
    Math.max(
      ...stated.map(
        ({ word, value }) => Number(value) * (isLeast ? 1 : -1) + (word.startsWith('exclusive') ? 1e-9 : 0),
      ),
    ),
  );
  return after > before ? 'bound-tightened' : 'bound-loosened';
}

function pickStepRule({ lost, came }: Difference): ChangeRuleId {
  const covers = (some: readonly Stated[], steps: readonly Stated[]): boolean =>
    steps.every(({ value: step }) => some.some(({ value }) => isMultiple(Number(value), Number(step))));
  if (covers(came, lost)) return 'bound-tightened';
  return covers(lost, came) ? 'bound-loosened' : 'bound-changed';
}

function pickFormatRule({ lost, came }: Difference): ChangeRuleId {
  const isChecked = ({ value }: Stated): boolean => checkedFormats.some((name) => name === value);
  return [...lost, ...came].some(isChecked) ? 'format-changed' : 'format-noted';
}

/** Whether only one of a union's alternatives may match now, or several. */
function compareExclusive(old: readonly Located[], now: readonly Located[]): Found[] {
  const [was, is] = [old, now].map((parts) => parts.find(({ schema }) => schema.anyOf ?? schema.oneOf));
  const [wasExclusive, isExclusive] = [was, is].map((part) => (part?.schema.oneOf?.length ?? 0) > 1);
  if (was === undefined || is === undefined || wasExclusive === isExclusive) return [];
  const at = childPointer(isExclusive ? is : was, 'oneOf');
  return [{ rule: `union-made-${isExclusive ? 'exclusive' : 'inclusive'}`, pointer: at }];
}

/** The place of the first keyword that a schema has. */
function findKeyword(parts: readonly Located[], words: readonly string[]): string | undefined {
  return words.map((word) => readStated(parts, [word])[0]?.pointer).find((pointer) => pointer !== undefined);
}
