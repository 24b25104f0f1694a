import { type CanonicalSchema, canonicalText, isNothing, type JsonValue, nothing } from '../../../specs/src/index.ts';
import { identify, isClosed, isDescribed, type Located, type Place, printSchema } from './located-schema.ts';
import { includesPattern } from './patterns.ts';
import {
  type Bound,
  countListed,
  emptyShape,
  isMultiple,
  isWithin,
  itemPlace,
  listNames,
  listPatterns,
  listSteps,
  type MemberRule,
  memberPlace,
  otherMembers,
  readBound,
  readSizes,
  readType,
  type Shape,
  shapeTypes,
} from './shape.ts';
import { createShapeReader } from './shapes.ts';
import { spend, type Work } from './work.ts';

const nestedAtMost = 120;
const splitsAtMost = 2;
const piecesAtMost = 40;
const patternsAtMost = 4;
const apartAtMost = 3;

export type IsSubset = (narrow: Place, wide: Place) => boolean;
/** Names of members that values may have, beside those that their shape lists. */
type Names = ReadonlySet<string>;

/**
 * Whether every value that one place accepts is accepted by another; false also where that was not found out. A member that the
 * narrower place does not name counts as absent: nobody is taken to have used its name. What is excluded may have any member that
 * the older document names.
 */
export function createSubsumption(work: Work, olderNames: Names): IsSubset {
  const shapesOf = createShapeReader(work, false);
  const known = new Map<string, boolean>();
  /** True as long as the pairs that are being compared are. */
  const supposed = new Set<string>();
  const active = new Set<string>();
  const assumed = new Set<string>();
  const pieces = new Map<string, CanonicalSchema>();

  return isSubset;

  function isSubset(narrow: Place, wide: Place, isStrict = false): boolean {
    if (!isDescribed(wide) || isClosed(narrow)) return true;
    const key = `${identify(narrow)} in ${identify(wide)}${isStrict ? ' strictly' : ''}`;
    const answer = known.get(key);
    if (answer !== undefined || supposed.has(key)) return answer ?? true;
    if (active.has(key)) {
      assumed.add(key);
      return true;
    }
    if (active.size > nestedAtMost) return printPlace(narrow, work) === printPlace(wide, work);
    spend(work);
    active.add(key);
    const isProven = shapeTypes.every((type) => {
      const [some, all] = [shapesOf(narrow, type), shapesOf(wide, type)];
      const names = isStrict ? olderNames : new Set(some.flatMap(listNames));
      return some.every((shape) => isCovered(shape, all, names, 0));
    });
    active.delete(key);
    if (!isProven) known.set(key, false);
    else supposed.add(key);
    // What was concluded from a wrong assumption is concluded again.
    if (assumed.delete(key) && !isProven) supposed.clear();
    if (active.size === 0) {
      for (const one of supposed) known.set(one, true);
      supposed.clear();
    }
    return isProven;
  }

  function isCovered(shape: Shape, others: readonly Shape[], names: Names, splits: number): boolean {
    spend(work);
    const values = listValues(shape);
    if (values !== undefined) {
      const left = values.filter((value) => !shape.excluded.some((one) => accepts(one, value)));
      return left.every((value) => others.some((other) => fits({ ...shape, values: [value] }, other, names)));
    }
    if (others.some((other) => fits(shape, other, names))) return true;
    if (others.length < 2 || splits >= splitsAtMost || shape.type !== 'object') return false;
    // Each value of a member may be covered by another alternative.
    return [...new Set(listNames(shape))].some((name) => {
      const parts = splitMember(shape, name);
      return parts.length > 1 && parts.every((part) => isCovered(part, others, names, splits + 1));
    });
  }

  /** The object with each of the values or types that a member may have. */
  function splitMember(shape: Shape, name: string): Shape[] {
    const place = memberPlace(shape, name);
    const [at] = place;
    if (at === undefined) return [];
    const found = shapeTypes.flatMap((type) => shapesOf(place, type));
    const listed = found.flatMap((one) => listValues(one) ?? []);
    const isListed = found.every((one) => listValues(one) !== undefined);
    const types = [...new Set(found.map(({ type }) => type))];
    const schemas: CanonicalSchema[] = isListed
      ? listed.map((value) => ({ enum: [value] }))
      : types.map((type) => ({ type: [type] }));
    if (schemas.length > piecesAtMost) return [];
    if (!shape.required.has(name)) schemas.push(nothing);
    return schemas.map((schema) => {
      const key = canonicalText([schema.enum?.[0] ?? null, schema.type?.[0] ?? '', isNothing(schema)]);
      const piece = pieces.get(key) ?? schema;
      pieces.set(key, piece);
      const required = isNothing(schema) ? shape.required : new Map([...shape.required, [name, at.pointer]]);
      const rule: MemberRule = { kind: 'property', name, schema: { ...at, schema: piece } };
      return { ...shape, required, members: [...shape.members, rule] };
    });
  }

  /** Whether a schema accepts a value that holds no others. */
  function accepts(located: Located, value: JsonValue): boolean {
    const type = readType(value);
    const alone: Shape = { ...emptyShape(type), values: [value] };
    return shapesOf([located], type).some((shape) => fits(alone, shape, new Set()));
  }

  function fits(shape: Shape, other: Shape, names: Names): boolean {
    spend(work);
    if (other.values !== undefined && !isListed(shape, other.values)) return false;
    const [value] = shape.values ?? [];
    const isFit = value === undefined ? fitsBounds(shape, other) : isWithin(value, other);
    return (
      isFit &&
      [...other.opaque.keys()].every((key) => shape.opaque.has(key)) &&
      (shape.type !== 'object' || fitsObject(shape, other, names)) &&
      (shape.type !== 'array' || fitsArray(shape, other, names === olderNames)) &&
      other.excluded.every((one) => isExcluded(shape, one, names))
    );
  }

  function isExcluded(shape: Shape, one: Located, names: Names): boolean {
    const found = shapesOf([one], shape.type);
    if (found.every((other) => areApart(shape, other, names, 0))) return true;
    // Values outside of what is excluded may have any member.
    return shape.excluded.some((other) => isSubset([one], [other], true));
  }

  function fitsObject(shape: Shape, other: Shape, names: Names): boolean {
    if ([...other.required.keys()].some((name) => !shape.required.has(name))) return false;
    const own = new Set(listNames(shape));
    const named = new Set([...own, ...listNames(other), ...shape.required.keys()]);
    spend(work, Math.ceil((named.size * (shape.members.length + other.members.length)) / rulesPerStep));
    for (const name of named) {
      const place = memberPlace(shape, name);
      const isUnused = !own.has(name) && !isUsed(name, shape, names) && !isDescribed(place);
      if (!isUnused && !isClosed(place) && !isSubset(place, memberPlace(other, name), names === olderNames))
        return false;
    }
    const patterns = [...new Set([shape, other].flatMap(listMemberPatterns))];
    if (patterns.length > patternsAtMost) return false;
    return listCombinations(patterns).every((matched) => {
      const place = otherMembers(shape, matched);
      return isClosed(place) || isSubset(place, otherMembers(other, matched), names === olderNames);
    });
  }

  function fitsArray(shape: Shape, other: Shape, isStrict: boolean): boolean {
    const { most } = readSizes(shape);
    const last = Math.max(countListed(shape), countListed(other));
    const indexes = Array.from({ length: last + 1 }, (_, index) => index).filter((index) => index < most);
    if (!indexes.every((index) => isSubset(itemPlace(shape, index), itemPlace(other, index), isStrict))) return false;
    return other.contains.every(({ schema, least, most: atMost }) => {
      const isLeast =
        least <= 0 ||
        shape.contains.some((own) => own.least >= least && isSubset([own.schema], [schema], isStrict)) ||
        (readSizes(shape).least >= least &&
          indexes.every((index) => isSubset(itemPlace(shape, index), [schema], isStrict)));
      const isMost =
        most <= atMost || shape.contains.some((own) => own.most <= atMost && isSubset([schema], [own.schema], true));
      return isLeast && isMost;
    });
  }

  /** Whether no value is of both; false also where that was not found out. */
  function areApart(shape: Shape, other: Shape, names: Names, depth: number): boolean {
    spend(work);
    // What is not decided here is left out, so that the other shape accepts too much rather than too little.
    const hasNone = (one: Shape, two: Shape): boolean => {
      const open = { ...two, excluded: [], opaque: new Map() };
      return (
        listValues(one)?.every((value) => !fits({ ...emptyShape(one.type), values: [value] }, open, names)) ?? false
      );
    };
    if (shape.type !== 'object' && shape.type !== 'array' && (hasNone(shape, other) || hasNone(other, shape)))
      return true;
    if (
      shape.values !== undefined &&
      other.values !== undefined &&
      !shape.values.some((one) => isListed({ ...shape, values: [one] }, other.values ?? []))
    )
      return true;
    if (areSizesApart(shape, other) || areSizesApart(other, shape)) return true;
    if (shape.type !== 'object' || depth >= apartAtMost) return false;
    return [...new Set([...shape.required.keys(), ...other.required.keys()])].some((name) => {
      const [mine, theirs] = [memberPlace(shape, name), memberPlace(other, name)];
      // A member whose name the schema does not list is not in its values.
      if (!isUsed(name, shape, names) && !isDescribed(mine)) return true;
      return isClosed(mine) || isClosed(theirs) || arePlacesApart(mine, theirs, depth + 1);
    });
  }

  function arePlacesApart(mine: Place, theirs: Place, depth: number): boolean {
    if (!isDescribed(mine) || !isDescribed(theirs)) return false;
    return shapeTypes.every((type) => {
      const [some, others] = [shapesOf(mine, type), shapesOf(theirs, type)];
      const names = new Set(some.flatMap(listNames));
      return some.every((one) => others.every((other) => areApart(one, other, names, depth)));
    });
  }
}

function isUsed(name: string, { required }: Shape, names: Names): boolean {
  return names.has(name) || required.has(name);
}

function printPlace(place: Place, work: Work): string {
  const text = place.map(printSchema).sort().join('\n');
  spend(work, Math.ceil(text.length / charactersPerStep));
  return text;
}

const charactersPerStep = 50;
const rulesPerStep = 500;
const rangeAtMost = 50;

/** The values of a shape that has few. */
function listValues(shape: Shape): readonly JsonValue[] | undefined {
  if (shape.values !== undefined) return shape.values.filter((value) => isWithin(value, shape));
  if (!shape.isInteger) return undefined;
  const [least, most] = [readBound(shape, 'minimum', true), readBound(shape, 'maximum', true)];
  if (least === undefined || most === undefined || -most.reach - least.reach > rangeAtMost) return undefined;
  const count = Math.max(0, -most.reach - least.reach + 1);
  return Array.from({ length: count }, (_, index) => least.reach + index).filter((value) => isWithin(value, shape));
}

function isListed({ values }: Shape, listed: readonly JsonValue[]): boolean {
  const texts = new Set(listed.map(canonicalText));
  return values?.every((value) => texts.has(canonicalText(value))) ?? false;
}

function fitsBounds(shape: Shape, other: Shape): boolean {
  if (shape.type === 'number') return fitsNumbers(shape, other);
  const [own, theirs] = [readSizes(shape), readSizes(other)];
  if (own.least < theirs.least || own.most > theirs.most) return false;
  if (shape.type === 'array') return !isUnique(other) || isUnique(shape) || own.most <= 1;
  const patterns = listPatterns(shape);
  return listPatterns(other).every((wide) => patterns.some((narrow) => includesPattern(wide, narrow)));
}

function isUnique({ limits }: Shape): boolean {
  return [...limits.values()].some(({ keyword }) => keyword === 'uniqueItems');
}

function fitsNumbers(shape: Shape, other: Shape): boolean {
  const steps = listSteps(shape);
  const isInteger = shape.isInteger || steps.some(Number.isInteger);
  if (other.isInteger && !isInteger) return false;
  const isStricter = (end: 'minimum' | 'maximum'): boolean =>
    reachesAsFar(readBound(shape, end, isInteger), readBound(other, end, isInteger));
  if (!isStricter('minimum') || !isStricter('maximum')) return false;
  return listSteps(other).every(
    (wide) => (isInteger && isMultiple(1, wide)) || steps.some((narrow) => isMultiple(narrow, wide)),
  );
}

function reachesAsFar(own: Bound | undefined, theirs: Bound | undefined): boolean {
  if (theirs === undefined) return true;
  if (own === undefined) return false;
  return own.reach > theirs.reach || (own.reach === theirs.reach && (own.isOpen || !theirs.isOpen));
}

function areSizesApart(shape: Shape, other: Shape): boolean {
  if (shape.type !== 'number') return readSizes(shape).least > readSizes(other).most;
  const [least, most] = [readBound(shape, 'minimum', false), readBound(other, 'maximum', false)];
  return least !== undefined && most !== undefined && least.reach > -most.reach;
}

function listMemberPatterns({ members }: Shape): string[] {
  return members.flatMap((rule) => {
    if (rule.kind === 'property') return [];
    return rule.kind === 'pattern' ? [rule.pattern] : rule.patterns;
  });
}

/** Each set of patterns that a name may match, and it no other one. */
function listCombinations(patterns: readonly string[]): string[][] {
  const all = patterns.reduce<string[][]>((sets, one) => [...sets, ...sets.map((set) => [...set, one])], [[]]);
  return all.filter((set) => {
    const others = patterns.filter((one) => !set.includes(one));
    return set.every((one) => others.every((other) => !includesPattern(other, one))) && !others.includes('');
  });
}
