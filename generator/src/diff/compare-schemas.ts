import {
  canonicalText,
  type JsonObject,
  type JsonValue,
  OutOfWork,
  spend,
  type Work,
} from '../../../specs/src/index.ts';
import { compareKeywords, type Found, readStated } from './compare-keywords.ts';
import { describeSchema } from './describe-change.ts';
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
import {
  type ChangeRuleId,
  classify,
  type Direction,
  hasEffect,
  type SchemaChange,
  withoutRepetition,
} from './schema-change.ts';
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
import { createShapeReader, type ReadShapes } from './shapes.ts';
import { createSubsumption } from './subsumption.ts';

/** Answers about the schemas of one model or one call, which share a budget of steps. */
export type Comparison = {
  readonly work: Work;
  /** True if every value of the first place is also a value of the second. */
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

/** The older and the newer schemas of a member, and the member as code names it. */
type Pair = { readonly old: Place; readonly now: Place; readonly field: string };
type Item = Pair & {
  /** The places that contain this one. */
  readonly parents: Item[];
  /** True if values were lost or added here, and this is visible from the root. */
  readonly isNarrower: boolean;
  readonly isWider: boolean;
  /** True if a breaking change of this place or of a part of it is reported. */
  isExplained: boolean;
};

/** The changes between two schemas, for those who send (`input`) or read (`output`) their values. */
export function compareSchemas(
  [old, now]: readonly [Place, Place],
  { direction, field = '' }: { direction: Direction; field?: string },
  { work, isSubset, shapesOf, isCompiled }: Comparison,
): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const explain = (first: Item): void => {
    const pending = [first];
    for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
      if (!item.isExplained) pending.push(...item.parents);
      item.isExplained = true;
    }
  };
  const report = (
    item: Item,
    { rule, isNarrower = true, isWider = true, isRounded = false, ...facts }: Found,
  ): void => {
    const [lost, added] = [item.isNarrower || isRounded, item.isWider || isRounded];
    const evidence = { isNarrower: lost && isNarrower, isWider: added && isWider, isCompiled };
    if (!hasEffect(rule, evidence)) return;
    const change = classify(rule, direction, { ...facts, field: facts.field ?? item.field }, evidence);
    if (change.verdict === 'breaking') explain(item);
    changes.push(change);
  };
  const items = new Map<string, Item>();
  const visit = (pair: Pair, parent: Item | undefined): readonly (readonly [Pair, Item])[] => {
    spend(work);
    const isNarrower = (parent?.isNarrower ?? true) && !isSubset(pair.old, pair.now);
    const isWider = (parent?.isWider ?? true) && !isSubset(pair.now, pair.old);
    const item: Item = { ...pair, parents: parent ? [parent] : [], isNarrower, isWider, isExplained: false };
    const key = `${identify(pair.old)} to ${identify(pair.now)} ${isNarrower} ${isWider}`;
    const known = items.get(key);
    if (known !== undefined) {
      // Its parts are compared where it was found first; keywords next to a reference are its own.
      for (const one of compareKeywords(pair.old, pair.now)) report(item, one);
      known.parents.push(...item.parents);
      if (known.isExplained && parent !== undefined) explain(parent);
      return [];
    }
    items.set(key, item);
    const { found, inner } = comparePlaces(item, shapesOf);
    for (const one of found) report(item, one);
    return inner.map((one) => [one, item] as const);
  };
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? '';
  try {
    const pending: (readonly [Pair, Item | undefined])[] = [[{ old, now, field }, undefined]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      pending.push(...visit(...next).toReversed());
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    changes.push(classify('schema-uncompared', direction, { pointer, field }));
  }
  // Parts come later in the list: the innermost place whose break no change explains gets one of its own.
  const rule = direction === 'input' ? 'values-refused' : 'values-added';
  for (const item of [...items.values()].toReversed()) {
    const isBroken = direction === 'input' ? item.isNarrower : item.isWider;
    if (isBroken && !item.isExplained) report(item, { rule, pointer: item.now[0]?.pointer ?? pointer });
  }
  return withoutRepetition(changes);
}

/** The changes of a place, and its parts that remain to be compared. */
type Compared = { readonly found: Found[]; readonly inner: Pair[] };
type OfType = { readonly type: ShapeType; readonly old: readonly Shape[]; readonly now: readonly Shape[] };

/** Compares types and listed values, alternatives, members and items, then keywords. */
function comparePlaces(pair: Pair, shapesOf: ReadShapes): Compared {
  const byType = shapeTypes.map((type) => ({ type, old: shapesOf(pair.old, type), now: shapesOf(pair.now, type) }));
  const [wasClosed, isNowClosed] = [byType.every(({ old }) => !old.length), byType.every(({ now }) => !now.length)];
  if (wasClosed || isNowClosed) {
    const rule = isNowClosed ? 'schema-closed' : 'schema-opened';
    return { found: wasClosed && isNowClosed ? [] : [{ rule, pointer: findPointer(pair) }], inner: [] };
  }
  const areListed = byType.every(({ type, old, now }) => type === 'null' || ![...old, ...now].some(acceptsOthers));
  const compared: Compared = { found: compareTypes(pair, byType, areListed), inner: [] };
  // Where one side accepts anything, the change of types covers all others.
  const isReplaced = compared.found.length > 0 && [pair.old, pair.now].some(acceptsAnything);
  const matched = byType.flatMap(({ type, old, now }) => {
    const isOneSided = !areListed && (old.length === 0 || now.length === 0);
    if (type === 'null' || isReplaced || isOneSided) return [];
    compared.found.push(...compareListed(old, now, findPointer(pair, 'enum', 'const')));
    const isListless = ({ values }: Shape): boolean => values === undefined;
    const pairs = matchAlternatives(old.filter(isListless), now.filter(isListless), compared.found, findPointer(pair));
    for (const [was, is] of pairs)
      if (type === 'object') compareMembers(was, is, pair, compared);
      else if (type === 'array') compared.inner.push(...pairItems(was, is, pair.field));
    return pairs;
  });
  const withAlternatives = (place: Place, side: 0 | 1): Located[] =>
    listParts([...place, ...matched.flatMap((both) => both[side].origin ?? [])]);
  compared.found.push(...compareKeywords(withAlternatives(pair.old, 0), withAlternatives(pair.now, 1)));
  return compared;
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

function compareTypes(pair: Pair, byType: readonly OfType[], areListed: boolean): Found[] {
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
  const found: Found[] = [];
  // Where one side accepts any type, the change of types includes that of null.
  const takesAny = [old, now].some(({ size }) => size > shapeTypes.length);
  const [wasNull, isNull] = [old.delete('null'), now.delete('null')];
  if (wasNull !== isNull && !takesAny)
    found.push({ rule: isNull ? 'null-added' : 'null-removed', pointer: findPointer(pair) });
  const isNarrower = [...old].some((name) => !now.has(name));
  const isWider = [...now].some((name) => !old.has(name));
  // Between two lists of values, the changed values are reported instead.
  if (!(isNarrower || isWider) || areListed) return found;
  const rule = !isNarrower ? 'type-widened' : isWider ? 'type-changed' : 'type-narrowed';
  // Code that breaks by both breaks by the type.
  return [
    { rule, pointer: findPointer(pair, 'type', 'enum', 'const'), ...describeTypes(pair.old, pair.now) },
    ...found,
  ];
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

function describeLocated(located: Located): string {
  return describeSchema(rawSchema(located), located.document.exact);
}

/** Compares the values that the shapes of a type list; some shapes may accept others too. */
function compareListed(old: readonly Shape[], now: readonly Shape[], pointer: string): Found[] {
  const list = (shapes: readonly Shape[]): Map<string, JsonValue> =>
    new Map(shapes.flatMap((shape) => (acceptsOthers(shape) ? [] : [...(shape.values ?? [])])));
  const [before, after] = [list(old), list(now)];
  const [wasOpen, isNowOpen] = [old.some(acceptsOthers), now.some(acceptsOthers)];
  const areBoth = (before.size > 0 || !wasOpen) && (after.size > 0 || !isNowOpen);
  const note = (rule: ChangeRuleId, text: string, shapes: readonly Shape[]): Found => {
    // If several lists have the value, the first one.
    const shape = shapes.find((one) => !acceptsOthers(one) && one.values?.has(text));
    const at = findKeyword(shape?.schemas ?? [], ['enum', 'const']) ?? pointer;
    const value = findExact(shape?.values?.get(text) ?? null, shape?.schemas ?? []);
    return { rule, pointer: at, subject: JSON.stringify(value), [shapes === old ? 'before' : 'after']: value };
  };
  const lost = [...before.keys()].filter((text) => areBoth && !after.has(text));
  const added = [...after.keys()].filter((text) => areBoth && !before.has(text));
  const changes = [
    ...lost.map((text) => note('enum-value-removed', text, old)),
    ...added.map((text) => note('enum-value-added', text, now)),
  ];
  if (wasOpen === isNowOpen) return changes;
  const [key, listed, shapes] = wasOpen ? (['after', after, now] as const) : (['before', before, old] as const);
  const schemas = shapes.flatMap((shape) => shape.schemas);
  const all = areBoth ? {} : { [key]: [...listed.values()].map((value) => findExact(value, schemas)) };
  return [...changes, { rule: wasOpen ? 'enum-added' : 'enum-removed', pointer, ...all }];
}

/** The listed value with all digits of its large integers. */
function findExact(value: JsonValue, schemas: readonly Located[]): JsonValue {
  const text = JSON.stringify(value);
  const listed = /\d{16}/.test(text) ? readStated(schemas, ['enum', 'const']) : [];
  const exact = listed.flatMap((one) => (one.word === 'enum' ? one.value : [one.value]));
  return exact.find((one) => JSON.stringify(JSON.parse(JSON.stringify(one))) === text) ?? value;
}

function compareMembers(before: Shape, after: Shape, pair: Pair, { found, inner }: Compared): void {
  const [older, newer] = [readMembers(before), readMembers(after)];
  for (const name of new Set([...older.named.keys(), ...newer.named.keys(), ...older.required, ...newer.required])) {
    const [was, is] = [older.named.get(name)?.at(-1), newer.named.get(name)?.at(-1)];
    const [old, now] = [memberPlace(before, name), memberPlace(after, name)];
    const [wasRequired, isRequired] = [older.required.has(name), newer.required.has(name)];
    const field = joinField(pair.field, name);
    const note = (rule: ChangeRuleId, at: Located | undefined, more: Partial<Found> = {}): unknown =>
      found.push({ rule, pointer: at?.pointer ?? findPointer(pair, 'required'), field, subject: name, ...more });
    if (was !== undefined && is === undefined) {
      const isUnlisted = now.length > 0 && !isClosed(now);
      const evidence = { isNarrower: isClosed(now) && !isClosed(old), isWider: wasRequired || isUnlisted };
      note(isUnlisted ? 'property-unlisted' : 'property-removed', was, { before: describeLocated(was), ...evidence });
    } else if (was === undefined && is !== undefined) {
      const rule = isRequired ? 'property-added-required' : 'property-added-optional';
      note(isClosed(now) ? 'schema-closed' : rule, is, { after: describeLocated(is) });
    } else if (wasRequired !== isRequired)
      note(isRequired ? 'property-became-required' : 'property-became-optional', is);
    // Values that were accepted under any name had a type, and so may have those under this name.
    const others = [...(was === undefined ? [old] : []), ...(is === undefined ? [now] : [])];
    if (others.every((one) => isDescribed(one) && !isClosed(one))) inner.push({ old, now, field });
  }
  const [old, now] = [otherMembers(before), otherMembers(after)];
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? findPointer(pair);
  if (isClosed(old) !== isClosed(now)) found.push({ rule: isClosed(now) ? 'object-closed' : 'object-opened', pointer });
  // Types accept members of any name where a schema describes them, or describes no member.
  const takesAnyName = ({ names, patterns }: typeof older, others: Place): boolean =>
    others.length > 0 || (names.size === 0 && patterns.length === 0);
  if (!isClosed(old) && !isClosed(now) && takesAnyName(older, old) && !takesAnyName(newer, now))
    found.push({ rule: 'names-undescribed', pointer });
  for (const matched of [[], ...new Set([...older.patterns, ...newer.patterns])].map((one) => [one].flat())) {
    const [was, is] = [otherMembers(before, matched), otherMembers(after, matched)];
    const isCompared = (isDescribed(was) || isDescribed(is)) && !isClosed(was) && !isClosed(is);
    if (isCompared) inner.push({ old: was, now: is, field: joinField(pair.field, '*') });
  }
}

/** A member as code names it. */
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

/** Pairs the alternatives that are most alike, and notes those that were added or removed. */
function matchAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  found: Found[],
  pointer: string,
): readonly (readonly [Shape, Shape])[] {
  const added = new Map(after.map((shape) => [shape, readTraits(shape)]));
  const lost = new Map(before.map((shape) => [shape, readTraits(shape)]));
  const ranked = [...lost]
    .flatMap(([old, traits]) =>
      [...added].map(([now, others]) => ({ old, now, likeness: rateLikeness(traits, others) })),
    )
    .sort((left, right) => right.likeness - left.likeness);
  const pairs = ranked.flatMap(({ old, now, likeness }) => {
    if (!lost.has(old) || !added.has(now)) return [];
    const isRivalled = ranked.some(
      (one) =>
        (one.old === old) !== (one.now === now) && one.likeness >= likeness && lost.has(one.old) && added.has(one.now),
    );
    // Two that have little in common are a pair only if no other is left.
    const isLast = lost.size === 1 && added.size === 1;
    if (likeness < equal && !isLast && (likeness < 0.5 || isRivalled)) return [];
    lost.delete(old);
    added.delete(now);
    return [[old, now] as const];
  });
  // Where a side has no union, the whole has become another schema.
  for (const { origin } of lost.keys())
    if (origin !== undefined)
      found.push({ rule: 'union-member-removed', pointer: origin.pointer, before: describeLocated(origin) });
    else if (added.size > 0) found.push({ rule: 'constraint-added', pointer });
  for (const { origin } of added.keys())
    if (origin !== undefined)
      found.push({ rule: 'union-member-added', pointer: origin.pointer, after: describeLocated(origin) });
    else if (lost.size > 0) found.push({ rule: 'constraint-removed', pointer });
  return pairs;
}

/** The parts that distinguish an alternative from the others. */
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

function rateLikeness(one: Traits, other: Traits): number {
  if (one.text === other.text) return equal;
  if (one.constants !== '' && one.constants === other.constants) return 2;
  const all = new Set([...one.names, ...other.names]);
  return all.size === 0 ? 0 : [...one.names].filter((name) => other.names.has(name)).length / all.size;
}
