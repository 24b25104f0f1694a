import {
  asObject,
  canonicalText,
  type JsonObject,
  type JsonValue,
  OutOfWork,
  spend,
  type Work,
} from '../../../specs/src/index.ts';
import {
  type Change,
  type ChangeRuleId,
  type Covered,
  changeRules,
  type Direction,
  hasEffect,
  makeChange,
  summarise,
  withoutRepetition,
} from './change.ts';
import {
  compareKeywords,
  describeMember,
  type Effect,
  type Facts,
  type IsSubset,
  type Report,
  readKeywords,
} from './compare-keywords.ts';
import {
  describeLocated,
  identify,
  isClosed,
  isDescribed,
  type Located,
  listMemberNames,
  listParts,
  locateChild,
  type Place,
  rawSchema,
  type Sides,
} from './documents.ts';
import {
  countListed,
  createShapeReader,
  isInteger,
  itemPlace,
  type Members,
  memberPlace,
  otherMembers,
  type ReadShapes,
  readMembers,
  type Shape,
  type ShapeType,
  shapeTypes,
} from './shape.ts';
import { createSubsumption } from './subsumption.ts';
import {
  isPathWithin,
  joinField,
  joinPath,
  listSome,
  quote,
  quoteJson,
  readOnlyRequired,
  splitField,
} from './words.ts';

/** Compares the schemas of one model or one operation with a shared budget of steps. */
export type Comparison = {
  readonly work: Work;
  readonly isSubset: IsSubset;
  readonly shapesOf: ReadShapes;
  /** True if the compiler decides whether code breaks. */
  readonly isCompiled: boolean;
};

const maxSteps = 200_000;

export function createComparison(older: JsonObject, isCompiled: boolean, limits: Partial<Work> = {}): Comparison {
  const work = { left: maxSteps, ...limits };
  const isSubset = createSubsumption(work, listMemberNames(older));
  return { work, isSubset, shapesOf: createShapeReader(work, true), isCompiled };
}

/** A change, and the schema of an added or removed member. */
type Found = { readonly change: Change; readonly schema?: Located | undefined };
/** The older and newer schemas of a member, and the path of the member in code. */
type Pair = Sides & { readonly field: string };
type Item = Pair & {
  /** Items whose schemas contain this one. */
  readonly parents: Item[];
  /** True if values were removed (`isNarrower`) or added (`isWider`) here and in every parent up to the root. */
  readonly isNarrower: boolean;
  readonly isWider: boolean;
  /** True if a change that breaks these schemas or a part of them is reported, or one that is the whole difference. */
  isExplained: boolean;
};

/**
 * Returns the changes between two schemas for senders (`input`) or readers (`output`) of their values. A subset test
 * decides which members break, and the changes of their keywords explain why. A member that breaks without such a
 * change gets a generic one (`values-refused` or `values-added`).
 */
export function compareSchemas(root: Sides, direction: Direction, comparison: Comparison): Change[] {
  const { work, isSubset, isCompiled } = comparison;
  const found: Found[] = [];
  const aliases: [first: string, other: string][] = [];
  const explain = (first: Item | undefined): void => {
    const pending = [first];
    for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
      if (!item.isExplained) pending.push(...item.parents);
      item.isExplained = true;
    }
  };
  const report = (item: Item, ...[rule, facts, effect = {}]: Parameters<Report>): void => {
    const { isNarrower = true, isWider = true } = effect;
    const evidence = { isNarrower: item.isNarrower && isNarrower, isWider: item.isWider && isWider, isCompiled };
    if (!hasEffect(rule, evidence)) return;
    const { schema, ...others } = facts;
    const change = makeChange(rule, direction, { field: item.field, ...others }, evidence);
    if (change.verdict === 'breaking' || effect.isWholeCause) explain(item);
    found.push({ change, schema });
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
        const parts = comparePlaces(item, direction, comparison, reportHere);
        pending.push(...parts.map((part) => ({ pair: part, parent: item })).toReversed());
      } else {
        // The parts were compared when this pair was first found. Only keywords next to a reference may differ here.
        compareKeywords(pair, direction, isSubset, reportHere);
        known.parents.push(...item.parents);
        aliases.push([known.field, pair.field]);
        if (known.isExplained) explain(parent);
      }
    }
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    found.push({ change: makeChange('schema-uncompared', direction, { pointer, field: '' }) });
  }
  const reportUnexplained = (item: Item, rule: 'values-refused' | 'values-added'): void => {
    const [was, is] = [item.old, item.now].map(([one]) => quote(JSON.stringify(one ? rawSchema(one) : true), 200));
    const message = `${changeRules[rule].summary} (${was} became ${is})`;
    report(item, rule, { pointer: item.now[0]?.pointer ?? pointer, message });
  };
  // Parts come after the items that contain them: in reverse, the innermost unexplained item gets the generic change.
  const inwards = [...items.values()].toReversed();
  for (const item of inwards) {
    const isBroken = direction === 'input' ? item.isNarrower : item.isWider;
    if (isBroken && !item.isExplained)
      reportUnexplained(item, direction === 'input' ? 'values-refused' : 'values-added');
  }
  // If no change was reported at all, report a difference even if it breaks nothing.
  const innermost = inwards.find((item) => item.isNarrower || item.isWider);
  if (innermost !== undefined && found.length === 0)
    reportUnexplained(innermost, innermost.isWider ? 'values-added' : 'values-refused');
  const moves = findMoves(found, direction);
  const changes = found.map((one) => {
    const places = listPlaces(one.change.field ?? '', aliases);
    return { ...one.change, ...(places.length > 0 && { places }), ...moves.get(one) };
  });
  return withoutRepetition(changes);
}

const maxPlaces = 20;

/** Returns the other paths to a member: one definition may be used in several places. */
function listPlaces(field: string, aliases: readonly (readonly [first: string, other: string])[]): string[] {
  const found = new Set([field]);
  // An object that contains itself has infinitely many paths.
  for (const place of found)
    for (const [first, other] of aliases)
      if (found.size < maxPlaces && isPathWithin(place, first) && (place === field || !isPathWithin(other, first)))
        found.add(joinPath(other, place.slice(first.length)));
  return [...found].slice(1);
}

/**
 * Finds removed members that an added member probably replaces: it has the same type, and a similar name or the same
 * description. Returns the message and the verdict that the removal gets then.
 */
function findMoves(found: readonly Found[], direction: Direction): Map<Found, Partial<Change>> {
  const added = found.flatMap(({ change: { rule, field = '' }, schema }) => {
    if (schema === undefined || !rule.startsWith('property-added')) return [];
    const isRequired = rule === 'property-added-required' && direction === 'input';
    const inner = listParts([schema]).flatMap((part) =>
      [...(part.schema.properties ?? [])].map(([name, one]) => {
        return { field: joinField(field, name), at: locateChild(part, one, 'properties', name), isRequired: false };
      }),
    );
    return [{ field, at: schema, isRequired }, ...inner];
  });
  const moves = new Map<Found, Partial<Change>>();
  for (const one of found) {
    const { change, schema } = one;
    if (change.rule !== 'property-removed' || schema === undefined) continue;
    const { name } = splitField(change.field ?? '');
    const was = describeLocated(schema);
    const lists = [`list of ${was}`, `list of (${was})`];
    const readText = (at: Located): JsonValue | undefined => asObject(rawSchema(at))['description'];
    const [first, ...others] = added.filter(({ field, at }) => {
      const { name: now } = splitField(field);
      const isSame = readText(schema) !== undefined && readText(schema) === readText(at);
      if (lists.includes(describeLocated(at))) return isSame || now === `${name.replace(/_\d+$/, '')}s`;
      const isSimilar = name === now || name.endsWith(`_${now}`) || now.endsWith(`_${name}`);
      return (isSimilar || isSame) && was === describeLocated(at);
    });
    if (first === undefined || others.length > 0) continue;
    const is = describeLocated(first.at);
    const type = is === was ? '' : ` (${quote(is)})`;
    const message = `${change.message}, probably ${quote(`${direction}.${first.field}`)}${type} now`;
    const covers = addedRules.map((rule) => [rule, first.field] as const);
    moves.set(one, { movedTo: first.field, message, covers });
    if (!first.isRequired) continue;
    const required = { message: `${message}, which is required`, refused: 'calls without it' };
    moves.set(one, { movedTo: first.field, covers, breaks: ['calls', 'code'], ...required });
  }
  return moves;
}

type OfType = { readonly type: ShapeType; readonly old: readonly Shape[]; readonly now: readonly Shape[] };

/** Reports the changes of a pair of schemas, except in members and items. Returns these as pairs for the caller to compare. */
function comparePlaces(pair: Pair, direction: Direction, { shapesOf, isSubset }: Comparison, report: Report): Pair[] {
  const byType = shapeTypes.map((type) => ({ type, old: shapesOf(pair.old, type), now: shapesOf(pair.now, type) }));
  const [wasClosed, isNowClosed] = [byType.every(({ old }) => !old.length), byType.every(({ now }) => !now.length)];
  if (wasClosed && isNowClosed) return [];
  if (wasClosed || isNowClosed) {
    report(isNowClosed ? 'schema-closed' : 'schema-opened', { pointer: findPointer(pair) });
    return [];
  }
  const areListed = byType.every(({ type, old, now }) => type === 'null' || ![...old, ...now].some(acceptsOthers));
  const hasOtherTypes = compareTypes(pair, byType, areListed, report);
  // If the older or the newer schema accepts anything, the change of types already includes every other change.
  const acceptsAnything = (place: Place): boolean =>
    listParts(place).every(({ schema: { ref, allOf, ...own }, ...at }) => !isDescribed([{ ...at, schema: own }]));
  const isReplaced = hasOtherTypes && (acceptsAnything(pair.old) || acceptsAnything(pair.now));
  const inner: Pair[] = [];
  const matched = byType.flatMap(({ type, old, now }) => {
    const isOneSided = !areListed && (old.length === 0 || now.length === 0);
    if (type === 'null' || isReplaced || isOneSided) return [];
    compareListed(old, now, findPointer(pair, 'enum', 'const'), report);
    const [was = [], is = []] = [old, now].map((shapes) => shapes.filter(({ values }) => values === undefined));
    if (type === 'object' && (isDivided(was, is) || isDivided(is, was))) {
      report('type-changed', describeTypeChange(pair));
      return [];
    }
    const pairs = matchAlternatives(was, is, pair, report);
    for (const [was, is] of pairs)
      if (type === 'object') inner.push(...compareMembers(was, is, pair, direction, report));
      else if (type === 'array') inner.push(...pairItems(was, is, pair.field));
    return pairs;
  });
  const withAlternatives = (place: Place, side: 0 | 1): Located[] =>
    listParts([...place, ...matched.flatMap((both) => both[side].origin ?? [])]);
  const all = { old: withAlternatives(pair.old, 0), now: withAlternatives(pair.now, 1) };
  compareKeywords(all, direction, isSubset, report);
  return inner;
}

/** True if a shape isn't restricted to listed values. */
function acceptsOthers({ type, values }: Shape): boolean {
  return values === undefined || (type === 'boolean' && values.size === 2);
}

/** Returns the pointer of the first of these keywords that a newer, else an older schema has; else of the schema itself. */
function findPointer({ old, now }: Pair, ...words: readonly string[]): string {
  const parts = [...listParts(now), ...listParts(old)];
  return findKeyword(parts, words) ?? now[0]?.pointer ?? old[0]?.pointer ?? '';
}

function findKeyword(parts: readonly Located[], words: readonly string[]): string | undefined {
  return words.flatMap((word) => readKeywords(parts, [word]).slice(0, 1))[0]?.pointer;
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
  // If the older or the newer schema accepts any type, the change of types already includes that of null.
  const acceptsAnyType = [old, now].some(({ size }) => size > shapeTypes.length);
  const [wasNull, isNull] = [old.delete('null'), now.delete('null')];
  const isNarrower = [...old].some((name) => !now.has(name));
  const isWider = [...now].some((name) => !old.has(name));
  // Between two lists of values, the changed values are reported instead.
  const hasOtherType = (isNarrower || isWider) && !areListed;
  if (hasOtherType) {
    const rule = !isNarrower ? 'type-widened' : isWider ? 'type-changed' : 'type-narrowed';
    report(rule, describeTypeChange(pair));
  }
  const hasNullChanged = wasNull !== isNull && !acceptsAnyType;
  if (hasNullChanged) report(isNull ? 'null-added' : 'null-removed', { pointer: findPointer(pair) });
  return hasOtherType || hasNullChanged;
}

/** Describes the older and the newer type. If different types have the same name, describes their contents instead. */
function describeTypeChange(pair: Pair): Facts {
  const describe = (place: Place, isDeep: boolean): string => {
    const typed = (isDeep ? listParts(place) : place).find(
      ({ schema: { ref, type, enum: listed, allOf, anyOf, oneOf } }) =>
        [type, listed, anyOf, oneOf, ...(isDeep ? [] : [ref, allOf])].some((keyword) => keyword !== undefined),
    );
    return typed === undefined ? 'anything' : describeLocated(typed);
  };
  const isSame = describe(pair.old, false) === describe(pair.now, false);
  const [before, after] = [describe(pair.old, isSame), describe(pair.now, isSame)];
  const [was, is] = [before, after].map((one) => (one === 'object' ? 'any JSON object' : quote(one)));
  const message = before === after ? {} : { message: `type changed from ${was} to ${is}` };
  return { pointer: findPointer(pair, 'type', 'enum', 'const'), before, after, ...message };
}

/** Compares the values that shapes of one type list. Some of the shapes may accept values that are not listed. */
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
    // If several lists contain the value, point to the first one.
    const first = side.listing.find(({ values }) => values?.has(texts[0] ?? ''))?.schemas ?? [];
    const changed = texts.map((text) => findExact(side.values.get(text) ?? null, side.schemas));
    const message = `value${changed.length > 1 ? 's' : ''} ${listSome(changed.map(quoteJson))} ${turn}`;
    const facts = { pointer: findKeyword(first, ['enum', 'const']) ?? pointer, message };
    report(`enum-value-${turn}`, { ...facts, [turn === 'removed' ? 'before' : 'after']: changed });
  }
  if (before.isOpen === after.isOpen) return;
  const isAdded = before.isOpen;
  const { values, schemas } = isAdded ? after : before;
  const listed = [...values.values()].map((value) => findExact(value, schemas));
  const shown = listSome(listed.map(quoteJson));
  const only = `only ${shown} ${listed.length > 1 ? 'are' : 'is'} possible now`;
  const message = isAdded ? only : `values are no longer limited to ${shown}`;
  const facts = areBoth ? {} : { [isAdded ? 'after' : 'before']: listed, message };
  report(isAdded ? 'enum-added' : 'enum-removed', { pointer, ...facts });
}

/** Returns the value as written in the schema, with all digits of its large integers. */
function findExact(value: JsonValue, schemas: readonly Located[]): JsonValue {
  const text = JSON.stringify(value);
  const listed = /\d{16}/.test(text) ? readKeywords(schemas, ['enum', 'const']) : [];
  const exact = listed.flatMap((one) => (one.word === 'enum' ? one.value : [one.value]));
  return exact.find((one) => JSON.stringify(JSON.parse(JSON.stringify(one))) === text) ?? value;
}

/** Pairs the alternatives that are most alike, and reports those that were added or removed. */
function matchAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  pair: Pair,
  report: Report,
): readonly (readonly [Shape, Shape])[] {
  const newer = after.map((now) => ({ now, traits: readTraits(now) }));
  const ranked = before.flatMap((old) => {
    const own = readTraits(old);
    return newer.map(({ now, traits }) => ({ old, now, likeness: rateLikeness(own, traits) }));
  });
  ranked.sort((left, right) => right.likeness - left.likeness);
  const [removed, added] = [new Set(before), new Set(after)];
  const pairs: (readonly [Shape, Shape])[] = [];
  for (const { old, now, likeness } of ranked) {
    if (!removed.has(old) || !added.has(now)) continue;
    const isRivalled = ranked.some(
      (one) =>
        (one.old === old) !== (one.now === now) &&
        one.likeness >= likeness &&
        removed.has(one.old) &&
        added.has(one.now),
    );
    // Alternatives with little in common are a pair only if they are the last two.
    const isLast = removed.size + added.size === 2;
    if (likeness < 3 && !isLast && (likeness < 0.5 || isRivalled)) continue;
    removed.delete(old);
    added.delete(now);
    pairs.push([old, now]);
  }
  for (const turn of ['removed', 'added'] as const) {
    const isRemoved = turn === 'removed';
    const [side, others] = isRemoved ? [removed, [...added]] : [added, [...removed]];
    for (const { origin, ...shape } of side) {
      if (origin === undefined) {
        // This document has no union here, so the whole schema was replaced by alternatives, or replaced them.
        const words = isRemoved ? ['is required now', 'must be'] : ['is no longer required', 'no longer has to be'];
        const facts = { pointer: findPointer(pair), message: describeChoice(others, ...words) };
        if (others.length > 0) report(`constraint-${isRemoved ? 'added' : 'removed'}`, facts);
        continue;
      }
      const names = nameRequired(origin);
      const [may, enough] = isRemoved ? ['may no longer be', 'is no longer enough'] : ['may also be', 'is enough now'];
      const message = names === undefined ? `${may} ${describeAlternative(shape, origin)}` : `${names} ${enough}`;
      const covers = isRemoved || names ? undefined : coverAdded(pair.field, readMembers(shape).required, 'input');
      const described = { [isRemoved ? 'before' : 'after']: describeLocated(origin) };
      report(`union-member-${turn}`, { pointer: origin.pointer, ...described, message, covers });
    }
  }
  return pairs;
}

/** Describes an alternative by its name or its members, including required members that only outer schemas describe. */
function describeAlternative(shape: Shape, origin: Located): string {
  const [described, { properties }] = [describeLocated(origin), asObject(rawSchema(origin))];
  const { named, required } = readMembers(shape);
  const needed = [...required].map((name) => [name, named.get(name)?.map(rawSchema).at(-1) ?? true] as const);
  if (shape.type !== 'object' || needed.length === 0) return quote(described);
  const members = { ...asObject(properties), ...Object.fromEntries(needed) };
  const text = quote(describeLocated(origin, { properties: members, required: [...required] }));
  return properties === undefined ? `${quote(described)} (${text})` : text;
}

/** True if one schema was divided into alternatives, and none of them resembles it. */
function isDivided([one, ...others]: readonly Shape[], alternatives: readonly Shape[]): boolean {
  if (one === undefined || others.length > 0 || alternatives.length < 2) return false;
  const listNames = ({ schemas }: Shape): string[] => schemas.flatMap(({ schema: { ref } }) => ref ?? []);
  const isAlike = (other: Shape): boolean =>
    rateLikeness(readTraits(one), readTraits(other)) > 1 ||
    listNames(other).some((name) => listNames(one).includes(name));
  const isOwn = ({ origin }: Shape): boolean =>
    origin !== undefined && readOnlyRequired(rawSchema(origin)) === undefined;
  return alternatives.every((other) => isOwn(other) && !isAlike(other));
}

/** Names the members that an alternative requires; undefined if it has any other keyword. */
function nameRequired(origin: Located): string | undefined {
  const names = readOnlyRequired(rawSchema(origin))?.map((name) => quote(name));
  return names?.join(' with ');
}

const addedRules = ['property-added-optional', 'property-added-required'] as const;

/** Lists the compatible changes that add these members. */
function coverAdded(field: string, names: Iterable<string>, direction: Direction): Covered[] {
  const rules = direction === 'input' ? addedRules.slice(0, 1) : addedRules;
  return [...names].flatMap((name) => rules.map((rule) => [rule, joinField(field, name)] as const));
}

/** Describes that one of several alternatives must apply. */
export function describeChoice(shapes: readonly Shape[], required = '', other = ''): string {
  const origins = shapes.flatMap(({ origin }) => origin ?? []);
  const listed = origins.map(nameRequired);
  const names = new Set(listed.filter((one) => one !== undefined));
  if (listed.length === shapes.length && !listed.includes(undefined))
    return `one of ${listSome([...names])} ${required}`;
  const described = [...new Set(origins.map((origin) => quote(describeLocated(origin))))];
  return `${other} one of ${described.length === 1 ? `${origins.length} kinds of ` : ''}${listSome(described)}`;
}

/** Properties that distinguish one alternative of a union from the others. */
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

/** Returns 3 for equal texts, 2 for equal constants, else the share of member names that both alternatives have (0 to 1). */
function rateLikeness(one: Traits, other: Traits): number {
  if (one.text === other.text) return 3;
  if (one.constants !== '' && one.constants === other.constants) return 2;
  const all = new Set([...one.names, ...other.names]);
  return all.size === 0 ? 0 : [...one.names].filter((name) => other.names.has(name)).length / all.size;
}

/** State of a member in a schema. `unlisted`: other names are allowed; `gone`: nothing describes the name. */
type MemberState = 'required' | 'optional' | 'unlisted' | 'gone';

/** Returns the rule for the change of a member from one state to another. */
function readMemberRule(from: MemberState, to: MemberState): ChangeRuleId | undefined {
  const [wasListed, isListed] = [from, to].map((state) => state === 'required' || state === 'optional');
  if (to === 'required' || to === 'optional')
    return from === to ? undefined : `property-${wasListed ? 'became' : 'added'}-${to}`;
  if (!wasListed || isListed) return undefined;
  return to === 'gone' ? 'property-removed' : 'property-unlisted';
}

/** Reports the changes of an object's members. Returns the members whose schemas remain to be compared. */
function compareMembers(before: Shape, after: Shape, pair: Pair, direction: Direction, report: Report): Pair[] {
  const [older, newer] = [readMembers(before), readMembers(after)];
  const names = new Set([...older.named.keys(), ...newer.named.keys(), ...older.required, ...newer.required]);
  const inner = [...names].flatMap((name) => compareMember(name, before, after, pair, direction, report));
  compareOtherMembers(before, after, pair, direction, report);
  for (const matched of [[], ...new Set([...older.patterns, ...newer.patterns])].map((one) => [one].flat())) {
    const [old, now] = [otherMembers(before, matched), otherMembers(after, matched)];
    const isCompared = (isDescribed(old) || isDescribed(now)) && !isClosed(old) && !isClosed(now);
    if (isCompared) inner.push({ old, now, field: joinField(pair.field, '*') });
  }
  return inner;
}

/** Reports whether a member was added, removed, or became required or optional. Returns its schemas if both sides have some. */
function compareMember(
  name: string,
  before: Shape,
  after: Shape,
  pair: Pair,
  direction: Direction,
  report: Report,
): Pair[] {
  const [older, newer] = [readMembers(before), readMembers(after)];
  const [was, is] = [older.named.get(name)?.at(-1), newer.named.get(name)?.at(-1)];
  const [old, now] = [memberPlace(before, name), memberPlace(after, name)];
  const field = joinField(pair.field, name);
  const isNowhere = was === undefined && is === undefined;
  const readState = (described: Located | undefined, place: Place, required: ReadonlySet<string>): MemberState => {
    if (described !== undefined || isNowhere) return required.has(name) ? 'required' : 'optional';
    return place.length > 0 && !isClosed(place) ? 'unlisted' : 'gone';
  };
  const [from, to] = [readState(was, old, older.required), readState(is, now, newer.required)];
  const rule = readMemberRule(from, to);
  if (rule !== undefined) {
    const facts = { pointer: (is ?? was)?.pointer ?? findPointer(pair, 'required'), field, schema: is ?? was };
    const summary = summarise(rule, direction);
    if (was !== undefined && is === undefined) {
      const removed = describeLocated(was);
      const isWider = from === 'required' || to === 'unlisted';
      const effect = { isNarrower: isClosed(now) && !isClosed(old), isWider };
      report(rule, { ...facts, before: removed, message: `${summary} (was ${quote(removed)})` }, effect);
    } else if (was === undefined && is !== undefined) {
      const added = describeLocated(is);
      if (isClosed(now)) report('schema-closed', { ...facts, after: added });
      else {
        // Readers of an output ignore a member that they don't know, although a closed schema ruled it out before.
        const effect: Effect = direction === 'output' && isClosed(old) ? { isWholeCause: true } : {};
        report(rule, { ...facts, after: added, message: `${summary} (${describeMember(is)})` }, effect);
      }
    } else {
      const isLeftOut = rule === 'property-became-optional' && direction === 'input' && is !== undefined;
      const [preset] = isLeftOut ? readKeywords(listParts([is]), ['default']) : [];
      const covers = preset && [['default-changed', field] as const];
      const when = preset ? `, ${quoteJson(preset.value)} where calls leave it out` : describeOccasion(after, name);
      report(rule, { ...facts, message: `${summary}${when}`, covers });
    }
  }
  // Schemas for any name, such as `additionalProperties`, also applied to this name before it was listed.
  const others = [...(was === undefined ? [old] : []), ...(is === undefined ? [now] : [])];
  return others.every((one) => isDescribed(one) && !isClosed(one)) ? [{ old, now, field }] : [];
}

/** Reports whether members that the schemas don't list became possible or impossible, or disappeared from the type. */
function compareOtherMembers(before: Shape, after: Shape, pair: Pair, direction: Direction, report: Report): void {
  const [older, newer] = [readMembers(before), readMembers(after)];
  const [old, now] = [otherMembers(before), otherMembers(after)];
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? findPointer(pair);
  const namesNothing = ({ named, patterns }: Members): boolean => named.size === 0 && patterns.length === 0;
  // An object that described no member describes some now: its type lists all of them.
  const isTyped = namesNothing(older) && older.required.size === 0 && !isDescribed(old) && newer.named.size > 0;
  const type = isTyped ? String(describeTypeChange(pair).after) : '';
  const covers = [
    ['description-changed', pair.field] as const,
    ...coverAdded(pair.field, newer.named.keys(), direction),
  ];
  const message = `type changed from any JSON object to ${quote(type)}`;
  const facts = { pointer, ...(isTyped && { after: type, covers, message }) };
  if (isClosed(old) !== isClosed(now)) report(isClosed(now) ? 'object-closed' : 'object-opened', facts);
  // TypeScript types allow members of any name if a schema describes these, or if no member is described.
  const takesAnyName = (members: Members, others: Place): boolean => others.length > 0 || namesNothing(members);
  if (!isClosed(old) && !isClosed(now) && takesAnyName(older, old) && !takesAnyName(newer, now))
    report('names-undescribed', facts);
}

/** Names the members that an alternative requires together with the named one. */
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
