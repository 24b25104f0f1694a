import {
  canonicalText,
  type JsonObject,
  type JsonValue,
  OutOfWork,
  spend,
  type Work,
} from '../../../specs/src/index.ts';
import {
  type Change,
  type ChangeFacts,
  type ChangeRuleId,
  changeRules,
  type Direction,
  hasEffect,
  makeChange,
  withoutRepetition,
} from './change.ts';
import { compareKeywords, type Limits, type Report, readStated } from './compare-keywords.ts';
import {
  followReference,
  identify,
  isClosed,
  isDescribed,
  type Located,
  listMembers,
  listParts,
  type Place,
  rawSchema,
} from './documents.ts';
import { createShapeReader, type ReadShapes } from './read-shapes.ts';
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
import { createSubsumption } from './subsumption.ts';
import { describeSchema, listSome, quote, quoteJson } from './words.ts';

/** Compares the schemas of one model or one operation with a shared budget of steps. */
export type Comparison = {
  readonly work: Work;
  /** Returns true if every value of the first place is also a value of the second. */
  readonly isSubset: (narrow: Place, wide: Place) => boolean;
  readonly shapesOf: ReadShapes;
  /** True if the compiler decides whether code breaks. */
  readonly isCompiled: boolean;
};

const stepsAtMost = 200_000;

export function createComparison(older: JsonObject, isCompiled: boolean, limits: Partial<Work> = {}): Comparison {
  const work = { left: stepsAtMost, ...limits };
  const isSubset = createSubsumption(work, new Set(listMembers(older).map(([name]) => name)));
  return { work, isSubset, shapesOf: createShapeReader(work, true), isCompiled };
}

/** Older and newer schemas of a member, and its path in code. */
type Pair = { readonly old: Place; readonly now: Place; readonly field: string };
type Item = Pair & {
  /** Places that contain this one. */
  readonly parents: Item[];
  /** True if values were removed or added here, and this is visible from the root. */
  readonly isNarrower: boolean;
  readonly isWider: boolean;
  /** True if a breaking change of this place or of a part of it is reported. */
  isExplained: boolean;
};

/**
 * Returns the changes between two schemas for senders (`input`) or readers (`output`) of their values. Subsumption
 * decides which places break, and the changes found there explain it. A place that breaks without an explanation gets a
 * generic change.
 */
export function compareSchemas(
  { old, now }: { readonly old: Place; readonly now: Place },
  direction: Direction,
  { work, isSubset, shapesOf, isCompiled }: Comparison,
): Change[] {
  const changes: Change[] = [];
  const explain = (first: Item): void => {
    const pending = [first];
    for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
      if (!item.isExplained) pending.push(...item.parents);
      item.isExplained = true;
    }
  };
  const report = (item: Item, rule: ChangeRuleId, facts: ChangeFacts, limits: Limits = {}): void => {
    const { isNarrower = true, isWider = true, isRounded = false } = limits;
    const [lost, added] = [item.isNarrower || isRounded, item.isWider || isRounded];
    const evidence = { isNarrower: lost && isNarrower, isWider: added && isWider, isCompiled };
    if (!hasEffect(rule, evidence)) return;
    const change = makeChange(rule, direction, { field: item.field, ...facts }, evidence);
    if (change.verdict === 'breaking') explain(item);
    changes.push(change);
  };
  const items = new Map<string, Item>();
  const visit = (pair: Pair, parent: Item | undefined): readonly (readonly [Pair, Item])[] => {
    spend(work);
    const isNarrower = (parent?.isNarrower ?? true) && !isSubset(pair.old, pair.now);
    const isWider = (parent?.isWider ?? true) && !isSubset(pair.now, pair.old);
    const item: Item = { ...pair, parents: parent ? [parent] : [], isNarrower, isWider, isExplained: false };
    const reportHere: Report = (...change) => report(item, ...change);
    const key = `${identify(pair.old)} to ${identify(pair.now)} ${isNarrower} ${isWider}`;
    const known = items.get(key);
    if (known === undefined) {
      items.set(key, item);
      return comparePlaces(item, shapesOf, reportHere).map((inner) => [inner, item] as const);
    }
    // Compare its parts only where it was first found; keywords next to a reference belong to this place.
    compareKeywords(pair.old, pair.now, reportHere);
    known.parents.push(...item.parents);
    if (known.isExplained && parent !== undefined) explain(parent);
    return [];
  };
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? '';
  try {
    const pending: (readonly [Pair, Item | undefined])[] = [[{ old, now, field: '' }, undefined]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      pending.push(...visit(...next).toReversed());
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    changes.push(makeChange('schema-uncompared', direction, { pointer, field: '' }));
  }
  const reportUnexplained = (item: Item, rule: 'values-refused' | 'values-added'): void => {
    const [was, is] = [item.old, item.now].map(([one]) =>
      quote(JSON.stringify(one === undefined ? true : rawSchema(one)), 200),
    );
    const message = `${changeRules[rule].summary} (${was} became ${is})`;
    report(item, rule, { pointer: item.now[0]?.pointer ?? pointer, message });
  };
  // In reverse, because parts come later: the innermost unexplained place gets the change.
  for (const item of [...items.values()].toReversed()) {
    const isBroken = direction === 'input' ? item.isNarrower : item.isWider;
    if (isBroken && !item.isExplained)
      reportUnexplained(item, direction === 'input' ? 'values-refused' : 'values-added');
  }
  // A difference that breaks nothing may also lack an explanation.
  const innermost = [...items.values()].findLast((item) => item.isNarrower || item.isWider);
  if (innermost !== undefined && changes.length === 0)
    reportUnexplained(innermost, innermost.isWider ? 'values-added' : 'values-refused');
  return withoutRepetition(changes);
}

type OfType = { readonly type: ShapeType; readonly old: readonly Shape[]; readonly now: readonly Shape[] };

/**
 * Reports the changes of a place: types and listed values, alternatives, members and items, keywords. Returns its
 * parts.
 */
function comparePlaces(pair: Pair, shapesOf: ReadShapes, report: Report): Pair[] {
  const byType = shapeTypes.map((type) => ({ type, old: shapesOf(pair.old, type), now: shapesOf(pair.now, type) }));
  const [wasClosed, isNowClosed] = [byType.every(({ old }) => !old.length), byType.every(({ now }) => !now.length)];
  if (wasClosed && isNowClosed) return [];
  if (wasClosed || isNowClosed) {
    report(isNowClosed ? 'schema-closed' : 'schema-opened', { pointer: findPointer(pair) });
    return [];
  }
  const areListed = byType.every(({ type, old, now }) => type === 'null' || ![...old, ...now].some(acceptsOthers));
  const hasOtherTypes = compareTypes(pair, byType, areListed, report);
  // If one side accepts anything, the change of types includes all others.
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

/** Returns the pointer of the first keyword that a side has, or else of its schemas. */
function findPointer({ old, now }: Pair, ...words: readonly string[]): string {
  return findKeyword([...listParts(now), ...listParts(old)], words) ?? now[0]?.pointer ?? old[0]?.pointer ?? '';
}

function findKeyword(parts: readonly Located[], words: readonly string[]): string | undefined {
  return words.flatMap((word) => readStated(parts, [word]).slice(0, 1))[0]?.pointer;
}

/** Compares types and null. Returns true if one was added or removed. */
function compareTypes(pair: Pair, byType: readonly OfType[], areListed: boolean, report: Report): boolean {
  // Represent `number` as `integer` plus `fraction`, so that `integer` is a subset of it.
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
  // If one side accepts any type, the change of types includes null.
  const takesAny = [old, now].some(({ size }) => size > shapeTypes.length);
  const [wasNull, isNull] = [old.delete('null'), now.delete('null')];
  const isNarrower = [...old].some((name) => !now.has(name));
  const isWider = [...now].some((name) => !old.has(name));
  // If both sides list values, the changed values are reported instead.
  const isOther = (isNarrower || isWider) && !areListed;
  // If both the type and null break code, report the type.
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

/** Describes both schemas. If the descriptions are the same names, describes their targets. */
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

function describeLocated(located: Located): string {
  return describeSchema(rawSchema(located), located.document.exact);
}

/** Compares the listed values of shapes of one type; some shapes may also accept other values. */
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
    // If several lists contain the value, use the first.
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

/** Returns the listed value with all digits of its large integers. */
function findExact(value: JsonValue, schemas: readonly Located[]): JsonValue {
  const text = JSON.stringify(value);
  const listed = /\d{16}/.test(text) ? readStated(schemas, ['enum', 'const']) : [];
  const exact = listed.flatMap((one) => (one.word === 'enum' ? one.value : [one.value]));
  return exact.find((one) => JSON.stringify(JSON.parse(JSON.stringify(one))) === text) ?? value;
}

/** Reports the changes of an object's members. Returns the members whose schemas must still be compared. */
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
      const limits = { isNarrower: isClosed(now) && !isClosed(old), isWider: wasRequired || isUnlisted };
      const described = describeLocated(was);
      const former = `(was ${quote(described)})`;
      const facts = { pointer: was.pointer, field, before: described };
      const unlisted = `property no longer described ${former}: it may hold any value`;
      if (isUnlisted) report('property-unlisted', { ...facts, message: unlisted }, limits);
      else report('property-removed', { ...facts, message: `property removed ${former}` }, limits);
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
    // Members of any name may have had a schema, which also applied to this name.
    const others = [...(was === undefined ? [old] : []), ...(is === undefined ? [now] : [])];
    if (others.every((one) => isDescribed(one) && !isClosed(one))) inner.push({ old, now, field });
  }
  const [old, now] = [otherMembers(before), otherMembers(after)];
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? findPointer(pair);
  if (isClosed(old) !== isClosed(now)) report(isClosed(now) ? 'object-closed' : 'object-opened', { pointer });
  // True if types accept members of any name: a schema describes them, or no member is described.
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

/** Returns the path of a member in code. */
export function joinField(field: string, name: string): string {
  if (name !== '*' && !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return `${field}[${JSON.stringify(name)}]`;
  return field === '' ? name : `${field}.${name}`;
}

function pairItems(before: Shape, after: Shape, field: string): Pair[] {
  const count = Math.max(countListed(before), countListed(after));
  const pairs = Array.from({ length: count + 1 }, (_, index) => {
    const [old, now] = [itemPlace(before, index), itemPlace(after, index)];
    return { old, now, field: `${field}${index < count ? `[${index}]` : '[]'}` };
  });
  return pairs.filter(({ old, now }) => isDescribed(old) || isDescribed(now));
}

/** Pairs the most similar alternatives, and reports added and removed ones. */
function matchAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  pointer: string,
  report: Report,
): readonly (readonly [Shape, Shape])[] {
  const [lost, added] = [before, after].map((shapes) => new Map(shapes.map((shape) => [shape, readTraits(shape)])));
  if (lost === undefined || added === undefined) return [];
  const ranked = [...lost].flatMap(([old, traits]) =>
    [...added].map(([now, others]) => ({ old, now, likeness: rateLikeness(traits, others) })),
  );
  ranked.sort((left, right) => right.likeness - left.likeness);
  const pairs: (readonly [Shape, Shape])[] = [];
  for (const { old, now, likeness } of ranked) {
    if (!lost.has(old) || !added.has(now)) continue;
    const isRivalled = ranked.some(
      (one) =>
        (one.old === old) !== (one.now === now) && one.likeness >= likeness && lost.has(one.old) && added.has(one.now),
    );
    // Two dissimilar alternatives are only paired if no other is left.
    if (likeness < equal && lost.size + added.size > 2 && (likeness < 0.5 || isRivalled)) continue;
    lost.delete(old);
    added.delete(now);
    pairs.push([old, now]);
  }
  // If a side has no union, the whole schema was replaced.
  const hasLost = lost.size > 0;
  for (const { origin } of lost.keys()) {
    const described = origin && describeLocated(origin);
    const facts = { pointer: origin?.pointer ?? pointer, before: described };
    if (described !== undefined)
      report('union-member-removed', { ...facts, message: `may no longer be ${quote(described)}` });
    else if (added.size > 0) report('constraint-added', facts);
  }
  for (const { origin } of added.keys()) {
    const described = origin && describeLocated(origin);
    const facts = { pointer: origin?.pointer ?? pointer, after: described };
    if (described !== undefined) report('union-member-added', { ...facts, message: `may also be ${quote(described)}` });
    else if (hasLost) report('constraint-removed', facts);
  }
  return pairs;
}

/** Traits that distinguish an alternative from the others. */
type Traits = { readonly text: string; readonly constants: string; readonly names: ReadonlySet<string> };

function readTraits(shape: Shape): Traits {
  const { named, required } = readMembers(shape);
  const constants = [...named].flatMap(([name, all]) => {
    const { enum: listed = [] } = all.at(-1)?.schema ?? {};
    return listed.length === 1 ? [`${name}=${canonicalText([...listed])}`] : [];
  });
  const text = canonicalText(shape.origin === undefined ? true : rawSchema(shape.origin));
  return { text, constants: constants.sort().join('\n'), names: new Set([...named.keys(), ...required]) };
}

const equal = 3;

/** Returns the fraction of common names; more for equal constants, and most for equal text. */
function rateLikeness(one: Traits, other: Traits): number {
  if (one.text === other.text) return equal;
  if (one.constants !== '' && one.constants === other.constants) return 2;
  const all = new Set([...one.names, ...other.names]);
  return all.size === 0 ? 0 : [...one.names].filter((name) => other.names.has(name)).length / all.size;
}
