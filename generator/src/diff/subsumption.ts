import { type CanonicalSchema, canonicalText, type JsonValue, spend, type Work } from '../../../specs/src/index.ts';
import {
  identifyGroup,
  isClosed,
  isDescribed,
  type LocatedSchema,
  printSchema,
  type SchemaGroup,
} from './documents.ts';
import {
  addSchema,
  areBoundsApart,
  countListed,
  createShapeReader,
  emptyShape,
  fitsBounds,
  forbidMember,
  listValues,
  locateItem,
  locateMember,
  locateOtherMembers,
  mayMatch,
  type ReadShapes,
  readMembers,
  readRange,
  readType,
  type Shape,
  satisfiesBounds,
  shapeTypes,
} from './shape.ts';

const maxNested = 120;
const maxSplits = 2;
const maxPieces = 40;
const maxPatterns = 4;
const maxDisjointDepth = 3;
const schemasPerStep = 500;

/** State that all subset tests of one model share, and settings of the current test. */
type SubsetSearch = {
  readonly work: Work;
  readonly shapesOf: ReadShapes;
  /** Names of members that any schema of the older document describes. */
  readonly olderNames: ReadonlySet<string>;
  /** True if values may have any member in `olderNames`, including those that their shapes don't name. */
  readonly isStrict: boolean;
  readonly isReader: boolean;
  /** Members that the compared values may have, in addition to those of their shape. */
  readonly names: ReadonlySet<string>;
  /** Results by pair; a pair that is still being compared counts as a subset. */
  readonly results: Map<string, boolean>;
  /** Keys of `results`, oldest first. */
  readonly resultKeys: string[];
  /** Pairs that are being compared, and whether a result was derived from them. */
  readonly active: Map<string, boolean>;
  /** Schemas that `splitMember` created, by content: equal schemas must be one object, because keys depend on identity. */
  readonly pieces: Map<string, CanonicalSchema>;
};

/**
 * Returns true if `wide` accepts every value of `narrow`, and false if not or if this can't be decided. `isReader`:
 * members that `wide` doesn't name are accepted, because readers ignore them.
 */
export type IsSubset = (narrow: SchemaGroup, wide: SchemaGroup, isReader?: boolean) => boolean;

/**
 * Creates the subset test for the schemas of a model. A member that `narrow` does not name counts as absent, because callers
 * are not expected to have used its
 * name. Excluded values may have any member that the older document names.
 */
export function createSubsumption(work: Work, olderNames: ReadonlySet<string>): IsSubset {
  const memory = { results: new Map(), resultKeys: [], active: new Map(), pieces: new Map() };
  const shapesOf = createShapeReader(work, false);
  const search = { work, shapesOf, olderNames, isStrict: false, names: new Set<string>(), ...memory };
  return (narrow, wide, isReader = false) => isSubset(narrow, wide, { ...search, isReader });
}

function isSubset(narrow: SchemaGroup, wide: SchemaGroup, search: SubsetSearch): boolean {
  const { results, resultKeys, active, work, isStrict, isReader, shapesOf, olderNames } = search;
  if (!isDescribed(wide) || isClosed(narrow)) return true;
  const key = `${identifyGroup(narrow)} in ${identifyGroup(wide)}${isStrict ? ' strictly' : ''}${isReader ? ' for readers' : ''}`;
  const answer = results.get(key);
  if (active.has(key)) active.set(key, true);
  if (answer !== undefined) return answer;
  if (active.size > maxNested) {
    const [texts, others] = [narrow, wide].map((group) => group.map((one) => printSchema(one, work)).sort());
    return String(texts) === String(others);
  }
  spend(work);
  results.set(key, true);
  active.set(key, false);
  const start = resultKeys.push(key);
  const isProven = shapeTypes.every((type) => {
    const [some, all] = [shapesOf(narrow, type), shapesOf(wide, type)];
    const inner = { ...search, names: isStrict ? olderNames : collectNames(some) };
    return some.every((shape) => isCovered(shape, all, inner, 0));
  });
  const isAssumed = active.get(key);
  active.delete(key);
  if (isProven) return true;
  // Remove positive results that were derived from a wrong assumption.
  if (isAssumed) for (const one of resultKeys.splice(start)) if (results.get(one)) results.delete(one);
  results.set(key, false);
  return false;
}

function collectNames(shapes: readonly Shape[]): ReadonlySet<string> {
  return new Set(shapes.flatMap((shape) => [...readMembers(shape).named.keys()]));
}

/** True if the alternatives together accept every value of a shape. `splits`: how often the shape was split already. */
function isCovered(shape: Shape, others: readonly Shape[], search: SubsetSearch, splits: number): boolean {
  spend(search.work);
  const values = listValues(shape);
  if (values !== undefined) return areCovered(values, shape, others, search);
  if (others.some((other) => fitsShape(shape, other, search))) return true;
  if (isExcluded({ ...shape, excluded: [] }, shape.excluded, search)) return true;
  if (others.length < 2 || splits >= maxSplits || shape.type !== 'object') return false;
  // Each value of a member may be covered by another alternative.
  return [...readMembers(shape).named.keys()].some((name) => {
    const parts = splitMember(shape, name, search);
    return parts.length > 1 && parts.every((part) => isCovered(part, others, search, splits + 1));
  });
}

/** True if the alternatives together accept the values, except those that the shape excludes. */
function areCovered(
  values: readonly JsonValue[],
  shape: Shape,
  others: readonly Shape[],
  search: SubsetSearch,
): boolean {
  return values.every((value) => {
    const single = { ...shape, values: emptyShape(shape.type, value).values };
    if (others.some((other) => fitsShape(single, other, search))) return true;
    return isExcluded(emptyShape(readType(value), value), shape.excluded, {
      ...search,
      names: new Set(),
      isStrict: false,
    });
  });
}

/** True if one of the excluded schemas accepts every value of the shape. */
function isExcluded(shape: Shape, excluded: readonly LocatedSchema[], search: SubsetSearch): boolean {
  const exact = { ...search, isReader: false };
  return excluded.some((one) => search.shapesOf([one], shape.type).some((other) => fitsShape(shape, other, exact)));
}

/** Splits an object shape into one shape for each value or type of a member, and one for objects without the member. */
function splitMember(shape: Shape, name: string, { shapesOf, pieces }: SubsetSearch): Shape[] {
  const group = locateMember(shape, name);
  const [at] = group;
  if (at === undefined) return [];
  const found = shapeTypes.flatMap((type) => shapesOf(group, type));
  const listed = found.map(listValues);
  const schemas: CanonicalSchema[] = listed.includes(undefined)
    ? [...new Set(found.map(({ type }) => type))].map((type) => ({ type: [type] }))
    : listed.flatMap((values) => values?.map((value) => ({ enum: [value] })) ?? []);
  if (schemas.length > maxPieces) return [];
  const parts = schemas.map((schema) => {
    const key = canonicalText([schema.enum?.[0] ?? null, schema.type?.[0] ?? '']);
    const piece = pieces.get(key) ?? schema;
    pieces.set(key, piece);
    return addSchema(shape, at, { required: [name], properties: new Map([[name, piece]]) });
  });
  return readMembers(shape).required.has(name) ? parts : [...parts, forbidMember(shape, at, name)];
}

/** True if a single shape accepts every value of another one. */
function fitsShape(shape: Shape, other: Shape, search: SubsetSearch): boolean {
  const { shapesOf, work } = search;
  spend(work);
  const [value] = shape.values?.values() ?? [];
  const listed = other.values;
  if (listed !== undefined && shape.values === undefined) return false;
  if (listed !== undefined && [...(shape.values?.keys() ?? [])].some((text) => !listed.has(text))) return false;
  const isBounded = value === undefined ? fitsBounds(shape, other, search.isReader) : satisfiesBounds(value, other);
  if (!isBounded || [...other.opaque].some((text) => !shape.opaque.has(text))) return false;
  if (shape.type === 'object' && !fitsObject(shape, other, search)) return false;
  if (shape.type === 'array' && !fitsArray(shape, other, search)) return false;
  return other.excluded.every((one) => {
    if (shapesOf([one], shape.type).every((excluded) => areApart(shape, excluded, search, 0))) return true;
    // Excluded values may have any member.
    return shape.excluded.some((own) => isSubset([one], [own], { ...search, isStrict: true, isReader: false }));
  });
}

function fitsObject(shape: Shape, other: Shape, search: SubsetSearch): boolean {
  const [own, theirs] = [readMembers(shape), readMembers(other)];
  if ([...theirs.required].some((name) => !own.required.has(name))) return false;
  const named = new Set([...own.named.keys(), ...theirs.named.keys(), ...own.required]);
  spend(search.work, Math.ceil((named.size * (shape.schemas.length + other.schemas.length)) / schemasPerStep));
  for (const name of named) {
    const group = locateMember(shape, name);
    const isUnused = !own.named.has(name) && !isUsed(name, shape, search) && !isDescribed(group);
    const isIgnored = search.isReader && !theirs.named.has(name) && isClosed(locateMember(other, name));
    if (!isUnused && !isIgnored && !isClosed(group) && !isSubset(group, locateMember(other, name), search))
      return false;
  }
  const patterns = [...new Set([...own.patterns, ...theirs.patterns])];
  if (patterns.length > maxPatterns) return false;
  // Every set of patterns that one name may match.
  let combinations: string[][] = [[]];
  for (const one of patterns) combinations = combinations.concat(combinations.map((set) => [...set, one]));
  return combinations.every((matched) => {
    const group = locateOtherMembers(shape, matched);
    const others = patterns.filter((one) => !matched.includes(one));
    return isClosed(group) || !mayMatch(matched, others) || isSubset(group, locateOtherMembers(other, matched), search);
  });
}

/** True if values of the shape may have the member. */
function isUsed(name: string, shape: Shape, { names }: SubsetSearch): boolean {
  return names.has(name) || readMembers(shape).required.has(name);
}

function fitsArray(shape: Shape, other: Shape, search: SubsetSearch): boolean {
  const { most } = readRange(shape);
  const last = Math.max(countListed(shape), countListed(other));
  const indexes = Array.from({ length: last + 1 }, (_, index) => index).filter((index) => index < most);
  return indexes.every((index) => isSubset(locateItem(shape, index), locateItem(other, index), search));
}

/** True if no value belongs to both shapes; false if this can't be decided. */
function areApart(shape: Shape, other: Shape, search: SubsetSearch, depth: number): boolean {
  spend(search.work);
  if (areBoundsApart(shape, other)) return true;
  if (shape.type !== 'object' && shape.type !== 'array') {
    // Parts that can't be decided are ignored, so `open` may accept too many values but never too few.
    const hasNone = (one: Shape, another: Shape): boolean => {
      const open = { ...another, excluded: [], opaque: new Set<string>() };
      const isFit = (value: JsonValue): boolean => fitsShape(emptyShape(one.type, value), open, search);
      return listValues(one)?.some(isFit) === false;
    };
    return hasNone(shape, other) || hasNone(other, shape);
  }
  const { values } = shape;
  if (values !== undefined && other.values !== undefined && ![...other.values.keys()].some((text) => values.has(text)))
    return true;
  if (shape.type !== 'object' || depth >= maxDisjointDepth) return false;
  return [...readMembers(shape).required, ...readMembers(other).required].some((name) => {
    const [mine, yours] = [locateMember(shape, name), locateMember(other, name)];
    // Values of the shape don't have members that its schema does not name, so they can't have this required one.
    if ((!isUsed(name, shape, search) && !isDescribed(mine)) || isClosed(mine) || isClosed(yours)) return true;
    if (!isDescribed(mine) || !isDescribed(yours)) return false;
    return shapeTypes.every((type) => {
      const [some, others] = [search.shapesOf(mine, type), search.shapesOf(yours, type)];
      const inner = { ...search, names: collectNames(some), isStrict: false };
      return some.every((one) => others.every((another) => areApart(one, another, inner, depth + 1)));
    });
  });
}
