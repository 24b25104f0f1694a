import { intersectArrays, intersectObjects } from './intersect-containers.ts';
import type { TypingState } from './named-types.ts';
import { type Literal, neverType, type ObjectType, type TsType, type TypeOf, unknownType } from './ts-type.ts';
import { classify, isInexact, joinTypes, listMembers, type SingleType } from './unions.ts';

const alternativesAtMost = 64;

/**
 * Intersects two types. Returns the object `left` or `right` itself if the other one adds nothing, so that names are kept. If
 * merging would not end or would grow too much, the result has the kind `intersection`.
 */
export function intersect(left: TsType, right: TsType, state: TypingState): TsType {
  if (left === right || right.kind === 'unknown' || left.kind === 'never') return left;
  if (left.kind === 'unknown' || right.kind === 'never') return right;
  // Doesn't count as a step, because ordinary documents have long enums.
  if (isPlain(left) && isPlain(right)) return intersectSingle(left, right, state);
  if (state.budget.steps-- <= 0) return { kind: 'intersection', members: [left, right] };
  if (left.kind === 'reference') return intersectReference(left, right, state);
  if (right.kind === 'reference') return intersectReference(right, left, state);
  if (left.kind === 'intersection') return intersectIntersection(left, right, state);
  if (right.kind === 'intersection') return intersectIntersection(right, left, state);
  if (left.kind === 'union' || right.kind === 'union') return intersectUnions(left, right, state);
  return intersectSingle(left, right, state);
}

export function intersectAll(types: readonly TsType[], state: TypingState): TsType {
  return types.reduce((sum, type) => intersect(sum, type, state), unknownType);
}

function isPlain(type: TsType): type is TypeOf<'scalar'> | TypeOf<'literal'> {
  return type.kind === 'scalar' || type.kind === 'literal';
}

function intersectReference(left: TypeOf<'reference'>, right: TsType, state: TypingState): TsType {
  if (right.kind === 'reference' && right.name === left.name) return left;
  const active = state.intersecting.get(left.name) ?? new Set();
  state.intersecting.set(left.name, active);
  const other = right.kind === 'reference' ? right.name : right;
  const expanded = active.has(other) ? undefined : state.expand(left.name);
  if (expanded === undefined)
    return { kind: 'intersection', members: [left, ofSameKinds(right, state.readShape(left.name))] };
  active.add(other);
  const merged = intersect(expanded, right, state);
  active.delete(other);
  return merged === expanded ? left : merged;
}

// Even if a type can't be merged, its kinds of values may be known, and members of other kinds are removed.
function ofSameKinds(type: TsType, unmerged: TsType | undefined): TsType {
  if (type.kind !== 'union' || unmerged === undefined) return type;
  const kinds = listMembers(unmerged).map(classify);
  if (kinds.includes(undefined)) return type;
  return joinTypes(listMembers(type).filter((member) => [undefined, ...kinds].includes(classify(member))));
}

function intersectIntersection(left: TypeOf<'intersection'>, right: TsType, state: TypingState): TsType {
  const [first, ...others] = left.members;
  if (first === undefined) return right;
  const isUnfinished = first.kind === 'reference' && state.expand(first.name) === undefined;
  const merged = isUnfinished || state.budget.steps <= 0 ? undefined : intersect(first, right, state);
  if (merged === first) return left;
  // Parts that can't be merged are set aside, because retrying them would never end.
  if (merged === undefined || merged.kind === 'intersection') return withMember(left, ofSameKinds(right, first));
  return intersectAll([merged, ...others], state);
}

function intersectUnions(left: TsType, right: TsType, state: TypingState): TsType {
  const lefts = listMembers(left);
  const rights = listMembers(right);
  const listPartners = findPartners(rights, state);
  const alternatives: TsType[] = [];
  let objects = 0;
  for (const one of lefts) {
    for (const other of listPartners(one)) {
      const merged = intersect(one, other, state);
      if (merged.kind !== 'never') alternatives.push(merged);
      if (merged.kind === 'object') objects++;
      if (objects > alternativesAtMost || state.budget.steps <= 0) {
        return { kind: 'intersection', members: [left, ofSameKinds(right, left)] };
      }
    }
  }
  if (isSameList(alternatives, lefts)) return left;
  if (isSameList(alternatives, rights)) return right;
  const joined = joinTypes(alternatives);
  const isMultiplied = [lefts, rights].every((members) => members.filter((one) => !isPlain(one)).length < objects);
  return isMultiplied ? withoutCovered(joined, state) : joined;
}

const comparedAtMost = 16;

/** Removes alternatives that others cover, because the next union would multiply them. */
export function withoutCovered(type: TsType, state: TypingState): TsType {
  const members = listMembers(type);
  if (members.length < 2 || members.filter((member) => !isPlain(member)).length > comparedAtMost) return type;
  const shapes = members.map((member) => readObjectShape(member, state));
  const covers = (wide: ObjectType | undefined, narrow: ObjectType): boolean =>
    wide !== undefined && intersect(narrow, wide, state) === narrow;
  // If two cover each other, keep the first one.
  const isCovered = (shape: ObjectType | undefined, at: number): boolean =>
    shape !== undefined &&
    shapes.some(
      (other, index) =>
        index !== at && covers(other, shape) && (index < at || other === undefined || !covers(shape, other)),
    );
  const kept = members.filter((_, at) => !isCovered(shapes[at], at));
  return kept.length === members.length ? type : joinTypes(kept);
}

const fewMembers = 8;

/** Returns a function that finds members that may overlap with a type. Literals are looked up by value, for long enums. */
function findPartners(members: readonly TsType[], state: TypingState): (type: TsType) => readonly TsType[] {
  const isLong = members.length > fewMembers;
  const literals = new Map<Literal, TsType>();
  for (const member of isLong ? members : []) {
    if (member.kind === 'literal' && !(member.inexact && literals.has(member.value)))
      literals.set(member.value, member);
  }
  const others = isLong ? members.filter((member) => member.kind !== 'literal') : members;
  return (type) => {
    const kind = classify(type);
    const same = type.kind === 'literal' ? literals.get(type.value) : undefined;
    const candidates = type.kind !== 'literal' ? members : same === undefined ? others : [same, ...others];
    state.budget.steps -= candidates.length >> 7;
    return kind === undefined ? candidates : candidates.filter((other) => (classify(other) ?? kind) === kind);
  };
}

function isSameList(left: readonly TsType[], right: readonly TsType[]): boolean {
  return left.length === right.length && left.every((member, index) => member === right[index]);
}

function intersectSingle(left: SingleType, right: SingleType, state: TypingState): TsType {
  const intersectParts = (one: TsType, other: TsType): TsType => intersect(one, other, state);
  if (left.kind === 'object' && right.kind === 'object') return intersectObjects(left, right, intersectParts);
  if (left.kind === 'array' && right.kind === 'array') return intersectArrays(left, right, intersectParts);
  const narrower = contains(right, left) ? left : contains(left, right) ? right : undefined;
  if (narrower === undefined) return neverType;
  const wider = narrower === left ? right : left;
  return isInexact(wider) && narrower.kind !== 'bytes' ? { ...narrower, inexact: true } : narrower;
}

/** True if a scalar or literal accepts every value of another one. */
export function contains(wide: SingleType, narrow: SingleType): boolean {
  if (wide.kind === 'scalar' && narrow.kind === 'scalar') {
    return wide.scalar === narrow.scalar || (wide.scalar === 'number' && narrow.scalar === 'integer');
  }
  if (wide.kind === 'scalar' && narrow.kind === 'literal') {
    return wide.scalar === 'integer' ? Number.isInteger(narrow.value) : typeof narrow.value === wide.scalar;
  }
  if (wide.kind === 'literal' && narrow.kind === 'literal') return wide.value === narrow.value;
  return wide.kind === 'bytes' && narrow.kind === 'bytes';
}

/** Returns the object type behind a name; undefined if there is none or more than one. */
export function readObjectShape(
  type: TsType,
  state: TypingState,
  followed: readonly TsType[] = [],
): ObjectType | undefined {
  if (type.kind === 'object') return type;
  if (type.kind === 'reference') {
    const expanded = state.readShape(type.name);
    if (expanded === undefined || followed.includes(expanded)) return undefined;
    return readObjectShape(expanded, state, [...followed, expanded]);
  }
  if (type.kind !== 'intersection') return undefined;
  const shapes = type.members.map((member) => readObjectShape(member, state, followed));
  const merged = intersectAll(
    shapes.map((shape) => shape ?? neverType),
    state,
  );
  return merged.kind === 'object' ? merged : undefined;
}

/** Intersects a type with an object that only adds constraints. A named type keeps its name. */
export function narrowNamed(type: TsType, narrowing: ObjectType, state: TypingState): TsType {
  const merged = intersect(type, narrowing, state);
  if (merged === type || merged.kind === 'never') return merged;
  return type.kind === 'reference' || type.kind === 'intersection' ? withMember(type, narrowing) : merged;
}

export function withMember(type: TsType, member: TsType): TsType {
  return { kind: 'intersection', members: type.kind === 'intersection' ? [...type.members, member] : [type, member] };
}
