import { canonicalText, type JsonObject, OutOfWork, spend, type Work } from '../../../specs/src/index.ts';
import { type Change, type ChangeFacts, changeRules, type Direction, hasEffect, makeChange } from './change.ts';
import { compareKeywords, type Report, readKeywords } from './compare-keywords.ts';
import {
  followReference,
  identifyGroup,
  isClosed,
  isDescribed,
  type LocatedSchema,
  listMemberNames,
  listParts,
  rawSchema,
  type SchemaGroup,
  type SchemaVersions,
} from './documents.ts';
import {
  countListed,
  createShapeReader,
  isInteger,
  locateItem,
  locateMember,
  locateOtherMembers,
  type ReadShapes,
  readMembers,
  type Shape,
  type ShapeType,
  shapeTypes,
} from './shape.ts';
import { createSubsumption, type IsSubset } from './subsumption.ts';
import {
  describeAlternative,
  describeChoice,
  describeLocatedSchema,
  describeMember,
  joinField,
  joinPath,
  joinSome,
  nameRequired,
  quote,
  quoteJson,
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
const maxPlaces = 20;

export function createComparison(older: JsonObject, isCompiled: boolean, limits: Partial<Work> = {}): Comparison {
  const work = { left: maxSteps, ...limits };
  const isSubset = createSubsumption(work, listMemberNames(older));
  return { work, isSubset, shapesOf: createShapeReader(work, true), isCompiled };
}

/** A member or an item of two compared values. `step`: its path in code, from the value that contains it. */
type ComparedPart = SchemaVersions & { readonly step: string };
/** The schemas of a value, which are compared once even if several members lead to them. */
type SchemaComparison = SchemaVersions & {
  /** True if values were removed (`isNarrower`) or added (`isWider`), here and in each value that contains this one. */
  readonly isNarrower: boolean;
  readonly isWider: boolean;
  readonly changes: Change[];
  readonly parts: { readonly step: string; readonly pair: SchemaComparison }[];
};

/**
 * Returns the changes between two schemas for senders (`input`) or readers (`output`) of their values. A subset test
 * decides which members break, and the changes of their keywords explain why. A member that breaks without such a
 * change gets a generic one (`values-refused` or `values-added`).
 */
export function compareSchemas(root: SchemaVersions, direction: Direction, comparison: Comparison): Change[] {
  const { work, isSubset, isCompiled } = comparison;
  const comparisons = new Map<string, SchemaComparison>();
  const isBroken = (pair: SchemaComparison): boolean => (direction === 'input' ? pair.isNarrower : pair.isWider);
  const reportTo =
    ({ isNarrower, isWider, changes }: SchemaComparison): Report =>
    (rule, facts, { isNarrower: removes = true, isWider: adds = true } = {}) => {
      const evidence = { isNarrower: isNarrower && removes, isWider: isWider && adds, isCompiled };
      if (!hasEffect(rule, evidence)) return false;
      changes.push(makeChange(rule, direction, { field: '', ...facts }, evidence));
      return true;
    };
  const reportUnexplained = (pair: SchemaComparison): void => {
    const [was, is] = [pair.old, pair.now].map(([one]) => {
      const described = one && (followReference(one) ?? one);
      return quote(JSON.stringify(described === undefined ? true : rawSchema(described)), 200);
    });
    const rule = pair.isWider && (direction === 'output' || !pair.isNarrower) ? 'values-added' : 'values-refused';
    const message = `${changeRules[rule].summary} (${was} became ${is})`;
    reportTo(pair)(rule, { pointer: findPointer(pair), message });
  };
  const uncompared: Change[] = [];
  const pending: (ComparedPart & { readonly parent?: SchemaComparison })[] = [{ ...root, step: '' }];
  try {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { old, now, step, parent } = next;
      spend(work);
      const isNarrower = parent?.isNarrower !== false && !isSubset(old, now);
      const isWider = parent?.isWider !== false && !isSubset(now, old, direction === 'output');
      const key = `${identifyGroup(old)} to ${identifyGroup(now)} ${isNarrower} ${isWider}`;
      const known = comparisons.get(key);
      const pair = known ?? { old, now, isNarrower, isWider, changes: [], parts: [] };
      parent?.parts.push({ step, pair });
      if (known !== undefined) continue;
      comparisons.set(key, pair);
      const parts = compareShapes(pair, comparison.shapesOf, direction === 'input', reportTo(pair));
      pending.push(...parts.map((part) => ({ ...part, parent: pair })).reverse());
    }
    for (const pair of comparisons.values()) {
      const isExplained =
        pair.changes.some(({ verdict }) => verdict === 'breaking') || pair.parts.some((part) => isBroken(part.pair));
      if (isBroken(pair) && !isExplained) reportUnexplained(pair);
    }
    // A difference without any explanation is reported, even if it breaks nothing.
    const [first] = comparisons.values();
    if (first && [...comparisons.values()].every(({ changes }) => changes.length === 0)) reportUnexplained(first);
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    const pointer = root.now[0]?.pointer ?? root.old[0]?.pointer ?? '';
    uncompared.push(makeChange('schema-uncompared', direction, { pointer, field: '' }));
  }
  const found = findFields(comparisons.values().next().value).flatMap(([pair, fields]) =>
    pair.changes.map((change) => ({ change, fields: fields.map((field) => joinPath(field, change.field ?? '')) })),
  );
  // References with different annotations lead to the same definition.
  const groups = Map.groupBy(found, ({ change: { rule, verdict, pointer, message } }) =>
    JSON.stringify([rule, verdict, pointer, message]),
  );
  const changes = [...groups.values()].flatMap((all): Change[] => {
    const [field, ...places] = new Set(all.flatMap(({ fields }) => fields));
    return all.slice(0, 1).map(({ change }) => ({ ...change, field, ...(places.length > 0 && { places }) }));
  });
  return [...changes, ...uncompared];
}

/** Returns the paths of the values of each pair, except those that lead through the same schemas twice. */
function findFields(root: SchemaComparison | undefined): [SchemaComparison, string[]][] {
  const fields = new Map<SchemaComparison, string[]>();
  const enclosing = new Set<string>();
  const pending = root === undefined ? [] : [{ pair: root, field: '', isLeft: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { pair, field, isLeft } = next;
    const known = fields.get(pair) ?? [];
    const key = [pair.old, pair.now].map((group) => identifyGroup(listDescribed(group))).join(' to ');
    if (isLeft) enclosing.delete(key);
    if (isLeft || enclosing.has(key) || known.length > maxPlaces) continue;
    fields.set(pair, [...known, field]);
    enclosing.add(key);
    const parts = pair.parts.map((part) => ({ pair: part.pair, field: joinPath(field, part.step), isLeft: false }));
    pending.push({ ...next, isLeft: true }, ...parts.reverse());
  }
  return [...fields];
}

/** Returns the schemas that have keywords of their own, in addition to references and an `allOf`. */
function listDescribed(group: SchemaGroup): LocatedSchema[] {
  return listParts(group).filter(({ schema: { ref, allOf, ...own }, ...at }) => isDescribed([{ ...at, schema: own }]));
}

type ShapesOfType = { readonly type: ShapeType; readonly old: readonly Shape[]; readonly now: readonly Shape[] };

/** Reports the changes of types, listed values, alternatives, members and keywords. Returns the parts to compare. */
function compareShapes(pair: SchemaVersions, shapesOf: ReadShapes, isInput: boolean, report: Report): ComparedPart[] {
  const byType = shapeTypes.map((type) => ({ type, old: shapesOf(pair.old, type), now: shapesOf(pair.now, type) }));
  const [wasClosed, isNowClosed] = [byType.every(({ old }) => !old.length), byType.every(({ now }) => !now.length)];
  if (wasClosed !== isNowClosed)
    report(isNowClosed ? 'schema-closed' : 'schema-opened', { pointer: findPointer(pair) });
  if (wasClosed || isNowClosed) return [];
  const areListed = byType.every(({ type, old, now }) => type === 'null' || ![...old, ...now].some(acceptsOthers));
  const hasOtherTypes = compareTypes(pair, byType, areListed, report);
  // If the older or the newer schema accepts anything, the change of types already includes every other change.
  const isReplaced = hasOtherTypes && [pair.old, pair.now].some((group) => listDescribed(group).length === 0);
  const parts: ComparedPart[] = [];
  const matched = byType.flatMap(({ type, old, now }) => {
    const isOneSided = !areListed && (old.length === 0 || now.length === 0);
    if (type === 'null' || isReplaced || isOneSided) return [];
    compareListed(old, now, findPointer(pair, 'enum', 'const'), report);
    const [was = [], is = []] = [old, now].map((shapes) => shapes.filter(({ values }) => values === undefined));
    const pairs = matchAlternatives(was, is, pair, report);
    for (const [was, is] of pairs)
      if (type === 'object') parts.push(...compareMembers(was, is, pair, report));
      else if (type === 'array') parts.push(...pairItems(was, is));
    return pairs;
  });
  const withAlternatives = (group: SchemaGroup, index: 0 | 1): LocatedSchema[] =>
    listParts([...group, ...matched.flatMap((both) => both[index].origin ?? [])]);
  compareKeywords({ old: withAlternatives(pair.old, 0), now: withAlternatives(pair.now, 1) }, isInput, report);
  return parts;
}

/** True if a shape isn't restricted to listed values. */
function acceptsOthers({ type, values }: Shape): boolean {
  return values === undefined || (type === 'boolean' && values.size === 2);
}

/** Returns the pointer of the first of these keywords that a newer, else an older schema has; else of the schema itself. */
function findPointer({ old, now }: SchemaVersions, ...words: readonly string[]): string {
  const parts = [...listParts(now), ...listParts(old)];
  return findKeyword(parts, words) ?? now[0]?.pointer ?? old[0]?.pointer ?? '';
}

function findKeyword(parts: readonly LocatedSchema[], words: readonly string[]): string | undefined {
  return words.flatMap((word) => readKeywords(parts, [word]).slice(0, 1))[0]?.pointer;
}

/** Returns true if a type or null was added or removed. */
function compareTypes(
  pair: SchemaVersions,
  byType: readonly ShapesOfType[],
  areListed: boolean,
  report: Report,
): boolean {
  // Integers are also numbers. So a schema of any numbers has two names, `integer` and `fraction`, and a schema of integers
  // has one: comparing the sets of names then shows which schema is wider.
  const isWhole = (shape: Shape): boolean =>
    isInteger(shape) || (shape.values !== undefined && [...shape.values.values()].every(Number.isInteger));
  const nameTypes = (version: 'old' | 'now'): Set<string> =>
    new Set(
      byType.flatMap(({ type, [version]: shapes }) => {
        if (type !== 'number' || shapes.length === 0) return shapes.length === 0 ? [] : [type];
        return shapes.every(isWhole) ? ['integer'] : ['integer', 'fraction'];
      }),
    );
  const [old, now] = [nameTypes('old'), nameTypes('now')];
  // If one of the schemas accepts any type, the reported change of types already covers null, so don't report null again.
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
function describeTypeChange(pair: SchemaVersions): ChangeFacts {
  const describe = (group: SchemaGroup, isDeep: boolean): string => {
    const typed = (isDeep ? listParts(group) : group).find(
      ({ schema: { ref, type, enum: listed, allOf, anyOf, oneOf } }) =>
        [type, listed, anyOf, oneOf, ...(isDeep ? [] : [ref, allOf])].some((keyword) => keyword !== undefined),
    );
    return typed === undefined ? 'anything' : describeLocatedSchema(typed);
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
    const values = new Map(listing.flatMap((shape) => [...(shape.values ?? [])]));
    return { values, listing, isOpen: listing.length < shapes.length };
  };
  const [before, after] = [list(old), list(now)];
  const areBoth = [before, after].every(({ values, isOpen }) => values.size > 0 || !isOpen);
  for (const kind of areBoth ? (['removed', 'added'] as const) : []) {
    const [some, others] = kind === 'removed' ? [before, after] : [after, before];
    const texts = [...some.values.keys()].filter((text) => !others.values.has(text));
    if (texts.length === 0) continue;
    // If several lists contain the value, point to the first one.
    const first = some.listing.find(({ values }) => values?.has(texts[0] ?? ''))?.schemas ?? [];
    const changed = texts.map((text) => some.values.get(text) ?? null);
    const message = `value${changed.length > 1 ? 's' : ''} ${joinSome(changed.map(quoteJson))} ${kind}`;
    const facts = { pointer: findKeyword(first, ['enum', 'const']) ?? pointer, message };
    report(`enum-value-${kind}`, { ...facts, [kind === 'removed' ? 'before' : 'after']: changed });
  }
  if (before.isOpen === after.isOpen) return;
  const isAdded = before.isOpen;
  const listed = [...(isAdded ? after : before).values.values()];
  const shown = joinSome(listed.map(quoteJson));
  const only = `only ${shown} ${listed.length > 1 ? 'are' : 'is'} possible now`;
  const message = isAdded ? only : `values are no longer limited to ${shown}`;
  const facts = areBoth ? {} : { [isAdded ? 'after' : 'before']: listed, message };
  report(isAdded ? 'enum-added' : 'enum-removed', { pointer, ...facts });
}

/**
 * Pairs alternatives with the same name or schema, then those with the same constants. Reports the others as removed or
 * added, except the last two.
 */
function matchAlternatives(
  before: readonly Shape[],
  after: readonly Shape[],
  pair: SchemaVersions,
  report: Report,
): (readonly [Shape, Shape])[] {
  const [removed, added] = [new Set(before), new Set(after)];
  const pairs: (readonly [Shape, Shape])[] = [];
  const match = (areAlike: (old: Shape, now: Shape) => boolean): void => {
    for (const old of removed) {
      const now = [...added].find((one) => areAlike(old, one));
      if (now === undefined) continue;
      removed.delete(old);
      added.delete(now);
      pairs.push([old, now]);
    }
  };
  const readText = (shape: Shape, [whole]: SchemaGroup): string => {
    const at = shape.origin ?? whole;
    return at?.schema.ref ?? canonicalText(at === undefined ? true : rawSchema(at));
  };
  match((old, now) => readText(old, pair.old) === readText(now, pair.now));
  match((old, now) => printConstants(old) !== '' && printConstants(old) === printConstants(now));
  const isOnlyName = ({ origin }: Shape): boolean => origin !== undefined && nameRequired(origin) !== undefined;
  const isLast = removed.size === 1 && added.size === 1 && ![...removed, ...added].some(isOnlyName);
  if (isLast) match(() => true);
  const isWhole = [...removed, ...added].some(({ origin }) => origin === undefined);
  if (isWhole && removed.size > 0 && added.size > 0) {
    // Only one of the documents has alternatives here, so report them together.
    const isAdded = added.size > 1;
    const alternatives = [...(isAdded ? added : removed)];
    if (!alternatives.every(isOnlyName)) {
      report('type-changed', describeTypeChange(pair));
      return pairs;
    }
    const message = describeChoice(alternatives, isAdded ? 'is required now' : 'is no longer required');
    report(`constraint-${isAdded ? 'added' : 'removed'}`, { pointer: findPointer(pair), message });
    const [[old], [now]] = [[...removed].map(withoutBranch), [...added].map(withoutBranch)];
    return old && now ? [...pairs, [old, now]] : pairs;
  }
  for (const kind of ['removed', 'added'] as const)
    for (const { origin, ...shape } of kind === 'removed' ? removed : added) {
      if (origin === undefined) continue;
      const names = nameRequired(origin);
      const [may, enough] =
        kind === 'removed' ? ['may no longer be', 'is no longer enough'] : ['may also be', 'is enough now'];
      const message = names === undefined ? `${may} ${describeAlternative(shape, origin)}` : `${names} ${enough}`;
      const described = { [kind === 'removed' ? 'before' : 'after']: describeLocatedSchema(origin) };
      report(`union-member-${kind}`, { pointer: origin.pointer, ...described, message });
    }
  return pairs;
}

/** Returns the shape without the alternative that it comes from. */
function withoutBranch({ origin, ...shape }: Shape): Shape {
  return { ...shape, schemas: shape.schemas.filter(({ schema }) => schema !== origin?.schema) };
}

/** Prints the names and values of the members that accept only one value, such as `kind`. */
function printConstants(shape: Shape): string {
  const constants = [...readMembers(shape).named].flatMap(([name, all]) => {
    const { enum: listed = [] } = all.at(-1)?.schema ?? {};
    return listed.length === 1 ? [`${name}=${canonicalText([...listed])}`] : [];
  });
  return constants.sort().join('\n');
}

/** Reports the changes of an object's members. Returns the members whose schemas remain to be compared. */
function compareMembers(before: Shape, after: Shape, pair: SchemaVersions, report: Report): ComparedPart[] {
  const [older, newer] = [readMembers(before), readMembers(after)];
  const [old, now] = [locateOtherMembers(before), locateOtherMembers(after)];
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? findPointer(pair);
  const describedNothing = older.named.size === 0 && older.patterns.length === 0 && !isDescribed(old);
  if (describedNothing && newer.named.size > 0) {
    // Each described member would be a change of its own.
    const facts = describeTypeChange(pair);
    if (!report('type-changed', facts)) report('names-undescribed', facts);
    return [];
  }
  const names = new Set([...older.named.keys(), ...newer.named.keys(), ...older.required, ...newer.required]);
  const parts = [...names].flatMap((name) => compareMember(name, before, after, pair, report) ?? []);
  if (isClosed(old) !== isClosed(now)) report(isClosed(now) ? 'object-closed' : 'object-opened', { pointer });
  // TypeScript types allow members of any name if a schema describes these.
  if (!isClosed(old) && !isClosed(now) && old.length > 0 && now.length === 0) report('names-undescribed', { pointer });
  for (const matched of [[], ...new Set([...older.patterns, ...newer.patterns])].map((one) => [one].flat())) {
    const [old, now] = [locateOtherMembers(before, matched), locateOtherMembers(after, matched)];
    const isCompared = (isDescribed(old) || isDescribed(now)) && !isClosed(old) && !isClosed(now);
    if (isCompared) parts.push({ old, now, step: joinField('', '*') });
  }
  return parts;
}

/** Reports whether a member was added, removed, or became required or optional. Returns its schemas if both sides have some. */
function compareMember(
  name: string,
  before: Shape,
  after: Shape,
  pair: SchemaVersions,
  report: Report,
): ComparedPart | undefined {
  const [older, newer] = [readMembers(before), readMembers(after)];
  const [was, is] = [older.named.get(name)?.at(-1), newer.named.get(name)?.at(-1)];
  const [old, now] = [locateMember(before, name), locateMember(after, name)];
  const [wasRequired, isRequired] = [older.required.has(name), newer.required.has(name)];
  const step = joinField('', name);
  const facts = { pointer: (is ?? was)?.pointer ?? findPointer(pair, 'required'), field: step };
  if (was !== undefined && is === undefined) {
    const isAllowed = now.length > 0 && !isClosed(now);
    const type = describeLocatedSchema(was);
    const own = { isNarrower: isClosed(now) && !isClosed(old), isWider: wasRequired || isAllowed };
    const details = { ...facts, before: type, detail: `was ${quote(type)}` };
    report(isAllowed ? 'property-unlisted' : 'property-removed', details, own);
  } else if (was === undefined && is !== undefined) {
    const added = { ...facts, after: describeLocatedSchema(is) };
    if (isClosed(now)) report('schema-closed', added);
    else report(`property-added-${isRequired ? 'required' : 'optional'}`, { ...added, detail: describeMember(is) });
  } else if (wasRequired !== isRequired) report(`property-became-${isRequired ? 'required' : 'optional'}`, facts);
  // Schemas for any name, such as `additionalProperties`, also applied to this name before it was listed.
  const others = [...(was === undefined ? [old] : []), ...(is === undefined ? [now] : [])];
  return others.every((one) => isDescribed(one) && !isClosed(one)) ? { old, now, step } : undefined;
}

function pairItems(before: Shape, after: Shape): ComparedPart[] {
  const count = Math.max(countListed(before), countListed(after));
  const pairs = Array.from({ length: count + 1 }, (_, index) => {
    const [old, now] = [locateItem(before, index), locateItem(after, index)];
    return { old, now, step: index < count ? `[${index}]` : '[]' };
  });
  return pairs.filter(({ old, now }) => isDescribed(old) || isDescribed(now));
}
