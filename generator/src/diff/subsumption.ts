import { type CanonicalSchema, canonicalText, type JsonValue, spend, type Work } from '../../../specs/src/index.ts';
import { identify, isClosed, isDescribed, type Located, locateChild, type Place, printSchema } from './documents.ts';
import {
  areBoundsApart,
  assert,
  countListed,
  emptyShape,
  fitsBounds,
  forbid,
  isListed,
  isWithin,
  itemPlace,
  listValues,
  mayMatch,
  memberPlace,
  otherMembers,
  readMembers,
  readSizes,
  readType,
  type Shape,
  shapeTypes,
} from './shape.ts';
import { createShapeReader, type ReadShapes } from './shapes.ts';

const nestedAtMost = 120;
const splitsAtMost = 2;
const piecesAtMost = 40;
const patternsAtMost = 4;
const apartAtMost = 3;

type IsSubset = (narrow: Place, wide: Place) => boolean;
/** Names of members that values may have, beside those that their shape lists. */
type Names = ReadonlySet<string>;

/** What is remembered of the pairs of one model. */
type Search = {
  readonly work: Work;
  readonly shapesOf: ReadShapes;
  /** Members that the older document names. */
  readonly olderNames: Names;
  /** Whether values may have all of these, and not only what their shapes name. */
  readonly isStrict: boolean;
  /** Whether a pair fits; one that is being compared counts as one that does. */
  readonly known: Map<string, boolean>;
  /** The pairs of `known` in the order in which they were met. */
  readonly met: string[];
  /** Pairs that are being compared, and whether something was concluded from them. */
  readonly active: Map<string, boolean>;
  /** Parts of members that are looked at one by one. */
  readonly pieces: Map<string, CanonicalSchema>;
};
/** The same, with the names of members that values may have. */
type Asked = Search & { readonly names: Names };

/**
 * Whether every value that one place accepts is accepted by another; false also where that was not found out. A member that the
 * narrower place does not name counts as absent: nobody is taken to have used its name. What is excluded may have any member that
 * the older document names.
 */
export function createSubsumption(work: Work, olderNames: Names): IsSubset {
  const shapesOf = createShapeReader(work, false);
  const memory = { known: new Map(), met: [], active: new Map(), pieces: new Map() };
  const search = { work, shapesOf, olderNames, isStrict: false, ...memory };
  return (narrow, wide) => isSubset(narrow, wide, search);
}

function isSubset(narrow: Place, wide: Place, search: Search): boolean {
  const { known, met, active, work, isStrict } = search;
  if (!isDescribed(wide) || isClosed(narrow)) return true;
  const key = `${identify(narrow)} in ${identify(wide)}${isStrict ? ' strictly' : ''}`;
  const answer = known.get(key);
  if (active.has(key)) active.set(key, true);
  if (answer !== undefined) return answer;
  const print = (place: Place): string =>
    place
      .map((one) => printSchema(one, work))
      .sort()
      .join('\n');
  if (active.size > nestedAtMost) return print(narrow) === print(wide);
  spend(work);
  known.set(key, true);
  active.set(key, false);
  const since = met.push(key);
  const isProven = isProvenAnew(narrow, wide, search);
  const isAssumed = active.get(key);
  active.delete(key);
  if (isProven) return true;
  known.set(key, false);
  // What was concluded from a wrong assumption is concluded again.
  if (isAssumed) for (const one of met.splice(since)) if (known.get(one)) known.delete(one);
  return false;
}

function isProvenAnew(narrow: Place, wide: Place, search: Search): boolean {
  return shapeTypes.every((type) => {
    const [some, all] = [search.shapesOf(narrow, type), search.shapesOf(wide, type)];
    const asked = { ...search, names: search.isStrict ? search.olderNames : listNames(some) };
    return some.every((shape) => isCovered(shape, all, asked, 0));
  });
}

function isCovered(shape: Shape, others: readonly Shape[], asked: Asked, splits: number): boolean {
  spend(asked.work);
  const values = listValues(shape);
  if (values !== undefined) {
    const left = values.filter((value) => !shape.excluded.some((one) => accepts(one, value, asked)));
    return left.every((value) => others.some((other) => fits({ ...shape, values: [value] }, other, asked)));
  }
  if (others.some((other) => fits(shape, other, asked)) || isAllExcluded(shape, asked)) return true;
  if (others.length < 2 || splits >= splitsAtMost || shape.type !== 'object') return false;
  // Each value of a member may be covered by another alternative.
  return [...readMembers(shape).names].some((name) => {
    const parts = splitMember(shape, name, asked);
    return parts.length > 1 && parts.every((part) => isCovered(part, others, asked, splits + 1));
  });
}

function isAllExcluded(shape: Shape, asked: Asked): boolean {
  const { excluded, type } = shape;
  const whole = { ...shape, excluded: [] };
  return excluded.some((one) => asked.shapesOf([one], type).some((other) => fits(whole, other, asked)));
}

/** The object with each of the values or types that a member may have, and without it. */
function splitMember(shape: Shape, name: string, { shapesOf, pieces }: Search): Shape[] {
  const place = memberPlace(shape, name);
  const [at] = place;
  if (at === undefined) return [];
  const found = shapeTypes.flatMap((type) => shapesOf(place, type));
  const listed = found.map(listValues);
  const schemas: CanonicalSchema[] = listed.includes(undefined)
    ? [...new Set(found.map(({ type }) => type))].map((type) => ({ type: [type] }))
    : listed.flatMap((values) => values?.map((value) => ({ enum: [value] })) ?? []);
  if (schemas.length > piecesAtMost) return [];
  const parts = schemas.map((schema) => {
    const key = canonicalText([schema.enum?.[0] ?? null, schema.type?.[0] ?? '']);
    const piece = pieces.get(key) ?? schema;
    pieces.set(key, piece);
    return assert(shape, at, { required: [name], properties: new Map([[name, piece]]) });
  });
  return readMembers(shape).required.has(name) ? parts : [...parts, forbid(shape, at, name)];
}

/** Whether a schema accepts a value that holds no others. */
function accepts(located: Located, value: JsonValue, search: Search): boolean {
  const alone: Shape = { ...emptyShape(readType(value)), values: [value] };
  const asked = { ...search, names: new Set<string>(), isStrict: false };
  return search.shapesOf([located], alone.type).some((shape) => fits(alone, shape, asked));
}

function fits(shape: Shape, other: Shape, asked: Asked): boolean {
  spend(asked.work);
  if (other.values !== undefined && !isListed(shape, other.values)) return false;
  const [value] = shape.values ?? [];
  return (
    (value === undefined ? fitsBounds(shape, other) : isWithin(value, other)) &&
    [...other.opaque].every((text) => shape.opaque.has(text)) &&
    (shape.type !== 'object' || fitsObject(shape, other, asked)) &&
    (shape.type !== 'array' || fitsArray(shape, other, asked)) &&
    other.excluded.every((one) => isExcluded(shape, one, asked))
  );
}

function isExcluded(shape: Shape, one: Located, asked: Asked): boolean {
  const found = asked.shapesOf([one], shape.type);
  if (found.every((other) => areApart(shape, other, asked, 0))) return true;
  // Values outside of what is excluded may have any member.
  return shape.excluded.some((other) => isSubset([one], [other], { ...asked, isStrict: true }));
}

function fitsObject(shape: Shape, other: Shape, asked: Asked): boolean {
  const [own, theirs] = [readMembers(shape), readMembers(other)];
  if ([...theirs.required].some((name) => !own.required.has(name))) return false;
  const named = new Set([...own.names, ...theirs.names, ...own.required]);
  spend(asked.work, Math.ceil((named.size * (1 + own.general.length + theirs.general.length)) / rulesPerStep));
  for (const name of named) {
    const place = memberPlace(shape, name);
    const isUnused = !own.names.has(name) && !isUsed(name, shape, asked.names) && !isDescribed(place);
    if (!isUnused && !isClosed(place) && !isSubset(place, memberPlace(other, name), asked)) return false;
  }
  const patterns = [...new Set([...own.patterns, ...theirs.patterns])];
  if (patterns.length > patternsAtMost) return false;
  return listCombinations(patterns).every((matched) => {
    const place = otherMembers(shape, matched);
    return isClosed(place) || isSubset(place, otherMembers(other, matched), asked);
  });
}

/** Each set of patterns that a name may match, and it no other one. */
function listCombinations(patterns: readonly string[]): string[][] {
  let all: string[][] = [[]];
  for (const one of patterns) all = all.concat(all.map((set) => [...set, one]));
  const isPossible = (set: string[]): boolean =>
    mayMatch(
      set,
      patterns.filter((one) => !set.includes(one)),
    );
  return all.filter(isPossible);
}

function fitsArray(shape: Shape, other: Shape, asked: Asked): boolean {
  const { most } = readSizes(shape);
  const last = Math.max(countListed(shape), countListed(other));
  const indexes = Array.from({ length: last + 1 }, (_, index) => index).filter((index) => index < most);
  if (!indexes.every((index) => isSubset(itemPlace(shape, index), itemPlace(other, index), asked))) return false;
  const [contained, wanted] = [listContained(shape), listContained(other)];
  return wanted.every(({ schema, least, most: atMost }) => {
    const isLeast =
      least <= 0 ||
      contained.some((own) => own.least >= least && isSubset([own.schema], [schema], asked)) ||
      (readSizes(shape).least >= least && indexes.every((index) => isSubset(itemPlace(shape, index), [schema], asked)));
    const isMost =
      most <= atMost ||
      contained.some((own) => own.most <= atMost && isSubset([schema], [own.schema], { ...asked, isStrict: true }));
    return isLeast && isMost;
  });
}

/** How many items have to be of which schemas. */
function listContained({ schemas }: Shape): { schema: Located; least: number; most: number }[] {
  return schemas.flatMap((located) => {
    const { contains, limits } = located.schema;
    const [least, most] = [limits?.get('minContains') ?? 1, limits?.get('maxContains') ?? Number.POSITIVE_INFINITY];
    const schema = contains && locateChild(located, contains, 'contains');
    return schema === undefined ? [] : [{ schema, least: Number(least), most: Number(most) }];
  });
}

/** Whether no value is of both; false also where that was not found out. */
function areApart(shape: Shape, other: Shape, asked: Asked, depth: number): boolean {
  spend(asked.work);
  if (areBoundsApart(shape, other) || areBoundsApart(other, shape)) return true;
  if (shape.type !== 'object' && shape.type !== 'array')
    return hasNone(shape, other, asked) || hasNone(other, shape, asked);
  const [own, theirs] = [shape.values, other.values];
  if (own !== undefined && theirs?.every((one) => !isListed({ ...other, values: [one] }, own))) return true;
  if (shape.type !== 'object' || depth >= apartAtMost) return false;
  return [...readMembers(shape).required, ...readMembers(other).required].some((name) => {
    const [mine, yours] = [memberPlace(shape, name), memberPlace(other, name)];
    // A member whose name the schema does not list is not in its values.
    if (!isUsed(name, shape, asked.names) && !isDescribed(mine)) return true;
    return isClosed(mine) || isClosed(yours) || arePlacesApart(mine, yours, asked, depth + 1);
  });
}

/** Whether the listed values of one are not of the other: what is not decided here is left out, so that this accepts too much. */
function hasNone(shape: Shape, other: Shape, asked: Asked): boolean {
  const open = { ...other, excluded: [], opaque: new Set<string>() };
  const isFit = (value: JsonValue): boolean => fits({ ...emptyShape(shape.type), values: [value] }, open, asked);
  return listValues(shape)?.some(isFit) === false;
}

function arePlacesApart(mine: Place, theirs: Place, search: Search, depth: number): boolean {
  if (!isDescribed(mine) || !isDescribed(theirs)) return false;
  return shapeTypes.every((type) => {
    const [some, others] = [search.shapesOf(mine, type), search.shapesOf(theirs, type)];
    const asked = { ...search, names: listNames(some), isStrict: false };
    return some.every((one) => others.every((other) => areApart(one, other, asked, depth)));
  });
}

function listNames(shapes: readonly Shape[]): Names {
  return new Set(shapes.flatMap((shape) => [...readMembers(shape).names]));
}

function isUsed(name: string, shape: Shape, names: Names): boolean {
  return names.has(name) || readMembers(shape).required.has(name);
}

const rulesPerStep = 500;
