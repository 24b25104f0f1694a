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
import { compareKeywords, type KnownEffect, type Report, readStated } from './compare-keywords.ts';
import {
  describeLocated,
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
  countListed,
  createShapeReader,
  isInteger,
  itemPlace,
  memberPlace,
  otherMembers,
  type ReadShapes,
  readMembers,
  type Shape,
  type ShapeType,
  shapeTypes,
} from './shape.ts';
import { createSubsumption } from './subsumption.ts';
import { joinField, listSome, quote, quoteJson, readOnlyRequired } from './words.ts';

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

/** The older and the newer schemas of a member, and the member as code names it. */
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
  root: { readonly old: Place; readonly now: Place },
  direction: Direction,
  { work, isSubset, shapesOf, isCompiled }: Comparison,
): Change[] {
  const changes: Change[] = [];
  const explain = (first: Item | undefined): void => {
    const pending = [first];
    for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
      if (!item.isExplained) pending.push(...item.parents);
      item.isExplained = true;
    }
  };
  const report = (item: Item, rule: ChangeRuleId, facts: ChangeFacts, effect: KnownEffect = {}): void => {
    const { isNarrower = true, isWider = true, isRounded = false } = effect;
    const [lost, added] = [item.isNarrower || isRounded, item.isWider || isRounded];
    const evidence = { isNarrower: lost && isNarrower, isWider: added && isWider, isCompiled };
    if (!hasEffect(rule, evidence)) return;
    const change = makeChange(rule, direction, { field: item.field, ...facts }, evidence);
    if (change.verdict === 'breaking') explain(item);
    changes.push(change);
  };
  const items = new Map<string, Item>();
  const pending: { pair: Pair; parent?: Item }[] = [{ pair: { ...root, field: '' } }];
  const pointer = root.now[0]?.pointer ?? root.old[0]?.pointer ?? '';
  try {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      spend(work);
      const { pair, parent } = next;
      const isNarrower = (parent?.isNarrower ?? true) && !isSubset(pair.old, pair.now);
      const isWider = (parent?.isWider ?? true) && !isSubset(pair.now, pair.old);
      const item: Item = { ...pair, parents: parent ? [parent] : [], isNarrower, isWider, isExplained: false };
      const reportHere: Report = (...change) => report(item, ...change);
      const key = `${identify(pair.old)} to ${identify(pair.now)} ${isNarrower} ${isWider}`;
      const known = items.get(key);
      if (known === undefined) {
        items.set(key, item);
        const parts = comparePlaces(item, shapesOf, reportHere);
        pending.push(...parts.map((part) => ({ pair: part, parent: item })).toReversed());
      } else {
        // Compare its parts only where it was first found; keywords next to a reference belong to this place.
        compareKeywords(pair.old, pair.now, reportHere);
        known.parents.push(...item.parents);
        if (known.isExplained) explain(parent);
      }
    }
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    changes.push(makeChange('schema-uncompared', direction, { pointer, field: '' }));
  }
  const reportUnexplained = (item: Item, rule: 'values-refused' | 'values-added'): void => {
    const [was, is] = [item.old, item.now].map(([one]) => quote(JSON.stringify(one ? rawSchema(one) : true), 200));
    const message = `${changeRules[rule].summary} (${was} became ${is})`;
    report(item, rule, { pointer: item.now[0]?.pointer ?? pointer, message });
  };
  // In reverse, because parts come later: the innermost unexplained place gets the change.
  const inwards = [...items.values()].toReversed();
  for (const item of inwards) {
    const isBroken = direction === 'input' ? item.isNarrower : item.isWider;
    if (isBroken && !item.isExplained)
      reportUnexplained(item, direction === 'input' ? 'values-refused' : 'values-added');
  }
  // A difference that breaks nothing may also lack an explanation.
  const innermost = inwards.find((item) => item.isNarrower || item.isWider);
  if (innermost !== undefined && changes.length === 0)
    reportUnexplained(innermost, innermost.isWider ? 'values-added' : 'values-refused');
  return withoutRepetition(changes);
}

type OfType = { readonly type: ShapeType; readonly old: readonly Shape[]; readonly now: readonly Shape[] };

/** Reports the changes of a place: types and listed values, alternatives, members and items, keywords. Returns its parts. */
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
  // Where one side accepts anything, the change of types covers all others.
  const acceptsAnything = (place: Place): boolean =>
    listParts(place).every(({ schema: { ref, allOf, ...own }, ...at }) => !isDescribed([{ ...at, schema: own }]));
  const isReplaced = hasOtherTypes && (acceptsAnything(pair.old) || acceptsAnything(pair.now));
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

/** True if a shape accepts more than a list of values. */
function acceptsOthers({ type, values }: Shape): boolean {
  return values === undefined || (type === 'boolean' && values.size === 2);
}

/** The pointer of the first of the keywords that a side has, else of the schemas. */
function findPointer({ old, now }: Pair, ...words: readonly string[]): string {
  const parts = [...listParts(now), ...listParts(old)];
  return findKeyword(parts, words) ?? now[0]?.pointer ?? old[0]?.pointer ?? '';
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
        if (type !== 'number' || shapes.length === 0) return shapes.length === 0 ? [] : [type];
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
    const schemas = listing.flatMap((shape) => shape.schemas);
    const values = new Map(listing.flatMap((shape) => [...(shape.values ?? [])]));
    return { values, listing, schemas, isOpen: listing.length < shapes.length };
  };
  const [before, after] = [list(old), list(now)];
  const areBoth = [before, after].every(({ values, isOpen }) => values.size > 0 || !isOpen);
  for (const turn of areBoth ? (['removed', 'added'] as const) : []) {
    const [side, other] = turn === 'removed' ? [before, after] : [after, before];
    const texts = [...side.values.keys()].filter((text) => !other.values.has(text));
    if (texts.length === 0) continue;
    // If several lists have the value, the first one.
    const first = side.listing.find(({ values }) => values?.has(texts[0] ?? ''))?.schemas ?? [];
    const changed = texts.map((text) => findExact(side.values.get(text) ?? null, side.schemas));
    const message = `value${changed.length > 1 ? 's' : ''} ${listSome(changed.map(quoteJson))} ${turn}`;
    const facts = { pointer: findKeyword(first, ['enum', 'const']) ?? pointer, message };
    report(`enum-value-${turn}`, { ...facts, [turn === 'removed' ? 'before' : 'after']: changed });
  }
  if (before.isOpen === after.isOpen) return;
  const rule = before.isOpen ? 'enum-added' : 'enum-removed';
  const { values, schemas } = before.isOpen ? after : before;
  const listed = [...values.values()].map((value) => findExact(value, schemas));
  const shown = before.isOpen ? `(${quoteJson(listed)})` : `(was ${quoteJson(listed)})`;
  if (areBoth) report(rule, { pointer });
  else
    report(rule, {
      pointer,
      [before.isOpen ? 'after' : 'before']: listed,
      message: `${changeRules[rule].summary} ${shown}`,
    });
}

/** The listed value with all digits of its large integers. */
function findExact(value: JsonValue, schemas: readonly Located[]): JsonValue {
  const text = JSON.stringify(value);
  const listed = /\d{16}/.test(text) ? readStated(schemas, ['enum', 'const']) : [];
  const exact = listed.flatMap((one) => (one.word === 'enum' ? one.value : [one.value]));
  return exact.find((one) => JSON.stringify(JSON.parse(JSON.stringify(one))) === text) ?? value;
}

const equal = 3;

/** Pairs the alternatives that are most alike, and reports those that were added or removed. */
function matchAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  pointer: string,
  report: Report,
): readonly (readonly [Shape, Shape])[] {
  const [lost, added] = [new Map(before.map(readTraits)), new Map(after.map(readTraits))];
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
    // Two that have little in common are a pair only if no other is left.
    if (likeness < equal && lost.size + added.size > 2 && (likeness < 0.5 || isRivalled)) continue;
    lost.delete(old);
    added.delete(now);
    pairs.push([old, now]);
  }
  const reportSide = (side: Iterable<Shape>, others: readonly Shape[], turn: 'removed' | 'added'): void => {
    const isRemoved = turn === 'removed';
    for (const { origin } of side) {
      const described = origin && describeLocated(origin);
      const facts = { pointer: origin?.pointer ?? pointer, [isRemoved ? 'before' : 'after']: described };
      const names = origin && readOnlyRequired(rawSchema(origin))?.map((name) => quote(name));
      const verb = isRemoved ? 'is no longer enough' : 'is enough now';
      if (names !== undefined) report(`union-member-${turn}`, { ...facts, message: `${names.join(' with ')} ${verb}` });
      else if (described !== undefined) {
        const message = `${isRemoved ? 'may no longer be' : 'may also be'} ${quote(described)}`;
        report(`union-member-${turn}`, { ...facts, message });
      } else if (others.length > 0) {
        // Where a side has no union, the whole has become another schema.
        const [required, other] = isRemoved
          ? (['is required now', 'must be'] as const)
          : (['is no longer required', 'no longer has to be'] as const);
        const message = describeChoice(others, required, other);
        report(isRemoved ? 'constraint-added' : 'constraint-removed', { ...facts, message });
      }
    }
  };
  const [removed, fresh] = [[...lost.keys()], [...added.keys()]];
  reportSide(removed, fresh, 'removed');
  reportSide(fresh, removed, 'added');
  return pairs;
}

/** Describes that one of several alternatives must apply. */
export function describeChoice(shapes: readonly Shape[], required: string, other: string): string {
  const origins = shapes.flatMap(({ origin }) => origin ?? []);
  const names = origins.flatMap(
    (origin) =>
      readOnlyRequired(rawSchema(origin))
        ?.map((name) => quote(name))
        .join(' with ') ?? [],
  );
  if (names.length === shapes.length) return `one of ${listSome([...new Set(names)])} ${required}`;
  const described = [...new Set(origins.map((origin) => quote(describeLocated(origin))))];
  const kinds = described.length === 1 ? `${origins.length} kinds of ` : '';
  return `${other} one of ${kinds}${listSome(described)}`;
}

/** The parts that distinguish an alternative from the others. */
type Traits = { readonly text: string; readonly constants: string; readonly names: ReadonlySet<string> };

function readTraits(shape: Shape): [Shape, Traits] {
  const { named, required } = readMembers(shape);
  const constants = [...named].flatMap(([name, all]) => {
    const { enum: listed = [] } = all.at(-1)?.schema ?? {};
    return listed.length === 1 ? [`${name}=${canonicalText([...listed])}`] : [];
  });
  const text = canonicalText(shape.origin === undefined ? true : rawSchema(shape.origin));
  return [shape, { text, constants: constants.sort().join('\n'), names: new Set([...named.keys(), ...required]) }];
}

/** The share of names that both have; more for the same constants, and most for the same text. */
function rateLikeness(one: Traits, other: Traits): number {
  if (one.text === other.text) return equal;
  if (one.constants !== '' && one.constants === other.constants) return 2;
  const all = new Set([...one.names, ...other.names]);
  return all.size === 0 ? 0 : [...one.names].filter((name) => other.names.has(name)).length / all.size;
}

/** State of a member in a schema. `unlisted`: other names are allowed; `gone`: nothing describes the name. */
type MemberState = 'required' | 'optional' | 'unlisted' | 'gone';
/** Rules for the change of a member from one state to another. */
const memberRules: Readonly<Record<string, ChangeRuleId>> = {
  'required → optional': 'property-became-optional',
  'optional → required': 'property-became-required',
  'required → unlisted': 'property-unlisted',
  'optional → unlisted': 'property-unlisted',
  'required → gone': 'property-removed',
  'optional → gone': 'property-removed',
  'unlisted → required': 'property-added-required',
  'unlisted → optional': 'property-added-optional',
  'gone → required': 'property-added-required',
  'gone → optional': 'property-added-optional',
};

/** Reports the changes of an object's members. Returns the members whose schemas remain to be compared. */
function compareMembers(before: Shape, after: Shape, pair: Pair, report: Report): Pair[] {
  const inner: Pair[] = [];
  const [older, newer] = [readMembers(before), readMembers(after)];
  for (const name of new Set([...older.named.keys(), ...newer.named.keys(), ...older.required, ...newer.required])) {
    const [was, is] = [older.named.get(name)?.at(-1), newer.named.get(name)?.at(-1)];
    const [old, now] = [memberPlace(before, name), memberPlace(after, name)];
    const field = joinField(pair.field, name);
    const isNowhere = was === undefined && is === undefined;
    const readState = (described: Located | undefined, place: Place, required: ReadonlySet<string>): MemberState => {
      if (described !== undefined || isNowhere) return required.has(name) ? 'required' : 'optional';
      return place.length > 0 && !isClosed(place) ? 'unlisted' : 'gone';
    };
    const [from, to] = [readState(was, old, older.required), readState(is, now, newer.required)];
    const rule = memberRules[`${from} → ${to}`];
    if (rule !== undefined) {
      const facts = { pointer: (is ?? was)?.pointer ?? findPointer(pair, 'required'), field };
      const { summary } = changeRules[rule];
      if (was !== undefined && is === undefined) {
        const before = describeLocated(was);
        const isWider = from === 'required' || to === 'unlisted';
        const effect = { isNarrower: isClosed(now) && !isClosed(old), isWider };
        report(rule, { ...facts, before, message: `${summary} (was ${quote(before)})` }, effect);
      } else if (was === undefined && is !== undefined) {
        const after = describeLocated(is);
        if (isClosed(now)) report('schema-closed', { ...facts, after });
        else report(rule, { ...facts, after, message: `${summary} (${quote(after)})` });
      } else report(rule, { ...facts, message: `${summary}${describeOccasion(after, name)}` });
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

/** Names the other members that an alternative requires together with one. */
function describeOccasion({ origin }: Shape, name: string): string {
  const required = origin && readOnlyRequired(rawSchema(origin));
  const names = required?.includes(name) ? required.flatMap((one) => (one === name ? [] : [quote(one)])) : [];
  return names.length === 0 ? '' : ` where ${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} given`;
}

function pairItems(before: Shape, after: Shape, field: string): Pair[] {
  const count = Math.max(countListed(before), countListed(after));
  const pairs = Array.from({ length: count + 1 }, (_, index) => {
    const [old, now] = [itemPlace(before, index), itemPlace(after, index)];
    return { old, now, field: `${field}${index < count ? `[${index}]` : '[]'}` };
  });
  return pairs.filter(({ old, now }) => isDescribed(old) || isDescribed(now));
}
