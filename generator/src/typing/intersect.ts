import type { TypingState } from './named-types.ts';
import {
  type ArrayType,
  classify,
  type Docs,
  type Field,
  isInexact,
  joinTypes,
  type Literal,
  listMembers,
  matchesPattern,
  type NamePattern,
  neverType,
  type ObjectType,
  type SingleType,
  type TsType,
  type TypeOf,
  unevaluatedType,
  unknownType,
} from './ts-type.ts';

const maxAlternatives = 64;

/**
 * Intersects two types. Returns the object `left` or `right` itself if the other one adds nothing, so that names are kept. If
 * merging would not end or would grow too much, the result has the kind `intersection`.
 */
export function intersect(left: TsType, right: TsType, state: TypingState): TsType {
  if (left === unevaluatedType) return right;
  if (left === right || right.kind === 'unknown' || left.kind === 'never') return left;
  if (left.kind === 'unknown' || right.kind === 'never') return right;
  // Merging two of these doesn't count as a step, because ordinary documents have long enums.
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
    return { kind: 'intersection', members: [left, keepSameKinds(right, state.readShape(left.name))] };
  active.add(other);
  const merged = intersect(expanded, right, state);
  active.delete(other);
  return merged === expanded ? left : merged;
}

// If a union can't be merged with `unmerged`, at least removes its members of other kinds, such as strings for an object.
function keepSameKinds(type: TsType, unmerged: TsType | undefined): TsType {
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
  // Don't retry a part that couldn't be merged, because this would never end.
  if (merged === undefined || merged.kind === 'intersection') return addMember(left, keepSameKinds(right, first));
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
      if (objects > maxAlternatives || state.budget.steps <= 0) {
        return { kind: 'intersection', members: [left, keepSameKinds(right, left)] };
      }
    }
  }
  if (isSameList(alternatives, lefts)) return left;
  if (isSameList(alternatives, rights)) return right;
  const joined = joinTypes(alternatives);
  const isMultiplied = [lefts, rights].every((members) => members.filter((one) => !isPlain(one)).length < objects);
  return isMultiplied ? removeCovered(joined, state) : joined;
}

const maxCompared = 16;

/** Removes alternatives that others cover, because intersecting with the next union would multiply them. */
export function removeCovered(type: TsType, state: TypingState): TsType {
  const members = listMembers(type);
  if (members.length < 2 || members.filter((member) => !isPlain(member)).length > maxCompared) return type;
  const shapes = members.map((member) => readObjectShape(member, state));
  const covers = (wide: number, narrow: number): boolean => {
    const [one, other] = [shapes[wide], shapes[narrow]];
    return one !== undefined && other !== undefined && intersect(other, one, state) === other;
  };
  // If two alternatives cover each other, keep the first one.
  const isCovered = (at: number): boolean =>
    shapes.some((_, other) => other !== at && covers(other, at) && (other < at || !covers(at, other)));
  const uncovered = members.filter((_, at) => !isCovered(at));
  return uncovered.length === members.length ? type : joinTypes(uncovered);
}

/** Returns a function that finds members that may overlap with a type. Looks up literals by value: enums may be long. */
function findPartners(members: readonly TsType[], state: TypingState): (type: TsType) => readonly TsType[] {
  const literals = new Map<Literal, TsType>();
  for (const member of members)
    if (member.kind === 'literal' && !(member.inexact && literals.has(member.value)))
      literals.set(member.value, member);
  const others = members.filter((member) => member.kind !== 'literal');
  return (type) => {
    const kind = classify(type);
    const same = type.kind === 'literal' ? literals.get(type.value) : undefined;
    const possible = same === undefined ? others : [same, ...others];
    const candidates = type.kind === 'literal' ? possible : members;
    state.budget.steps -= candidates.length >> 7;
    return kind === undefined ? candidates : candidates.filter((other) => (classify(other) ?? kind) === kind);
  };
}

function isSameList<Item>(left: readonly Item[], right: readonly Item[]): boolean {
  return left.length === right.length && left.every((member, index) => member === right[index]);
}

function intersectSingle(left: SingleType, right: SingleType, state: TypingState): TsType {
  if (left.kind === 'object' && right.kind === 'object') return intersectObjects(left, right, state);
  if (left.kind === 'array' && right.kind === 'array') return intersectArrays(left, right, state);
  const narrower = contains(right, left) ? left : contains(left, right) ? right : undefined;
  if (narrower === undefined) return neverType;
  const wider = narrower === left ? right : left;
  return isInexact(wider) && narrower.kind !== 'bytes' ? { ...narrower, inexact: true } : narrower;
}

/** True if the scalar or literal `wide` accepts every value of `narrow`. */
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

/** Returns the object type that a type consists of or refers to; undefined if it isn't exactly one object. */
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
  return type.kind === 'reference' || type.kind === 'intersection' ? addMember(type, narrowing) : merged;
}

export function addMember(type: TsType, member: TsType): TsType {
  return { kind: 'intersection', members: type.kind === 'intersection' ? [...type.members, member] : [type, member] };
}

/** Intersects two objects field by field. Returns `never` if a required field accepts no value. */
function intersectObjects(left: ObjectType, right: ObjectType, state: TypingState): TsType {
  const fields = new Map<string, Field>();
  const addFields = (object: ObjectType, other: ObjectType): void => {
    for (const [name, field] of object.fields)
      if (!fields.has(name)) fields.set(name, intersectFields(field, readMember(other, name, state), state));
  };
  addFields(left, right);
  addFields(right, left);
  for (const { required, type } of fields.values()) if (required && type.kind === 'never') return neverType;
  const merged: ObjectType = {
    kind: 'object',
    fields,
    patterns: intersectPatterns(left, right, state),
    rest: intersect(left.rest, right.rest, state),
    inexact: left.inexact || right.inexact,
    title: right.title ?? left.title,
  };
  if (!right.inexact && isSameObject(merged, left)) return left;
  return !left.inexact && isSameObject(merged, right) ? right : merged;
}

function intersectFields(left: Field, right: Field, state: TypingState): Field {
  const type = intersect(left.type, right.type, state);
  const required = left.required || right.required;
  const docs = intersectDocs(left, right, type);
  const unevaluated = left.unevaluated && right.unevaluated;
  const isUnchanged = (one: Field): boolean =>
    one.type === type && one.required === required && one.docs === docs && one.unevaluated === unevaluated;
  if (isUnchanged(left)) return left;
  if (isUnchanged(right)) return right;
  return { name: left.name, required, type, docs, ...(unevaluated ? { unevaluated } : {}) };
}

/** Merges documentation. The narrower field takes precedence; if neither is narrower, keeps both descriptions. */
function intersectDocs(left: Field, right: Field, type: TsType): Docs {
  const isNarrowerRight = haveSameValues(type, right.type) && !haveSameValues(type, left.type);
  const [first, second] = isNarrowerRight ? [right.docs, left.docs] : [left.docs, right.docs];
  const isOneSided = isNarrowerRight || !haveSameValues(type, right.type);
  const texts = new Set([first.description, second.description].filter((text) => text !== undefined));
  const isDescribed = isOneSided || texts.size < 2;
  if (isDescribed && Object.keys(second).every((key) => key in first)) return first;
  return { ...second, ...first, ...(isDescribed ? {} : { description: [...texts].join('\n\n') }) };
}

/** True if both types have the same scalars and literals; ignores bounds. */
function haveSameValues(one: TsType, other: TsType): boolean {
  if (one === other) return true;
  if (one.kind === 'union' && other.kind === 'union')
    return (
      one.members.length === other.members.length &&
      one.members.every((member, index) => haveSameValues(member, other.members[index] ?? neverType))
    );
  if (one.kind === 'literal') return other.kind === 'literal' && one.value === other.value;
  return one.kind === 'scalar' && other.kind === 'scalar' && one.scalar === other.scalar;
}

/** Returns a member of an object. If it isn't listed, its type follows from the patterns or from the type of further members. */
export function readMember(object: ObjectType, name: string, state: TypingState): Field {
  const listed = object.fields.get(name);
  const type = listed?.type ?? readUnlistedType(name, object, state);
  return listed ?? { name, required: false, type, docs: {}, unevaluated: true };
}

/** Returns the type of a member that isn't listed in an object type. */
export function readUnlistedType(
  name: string,
  { patterns, rest }: Pick<ObjectType, 'patterns' | 'rest'>,
  state: TypingState,
): TsType {
  const matching = patterns.filter((pattern) => matchesPattern(pattern, name)).map(({ type }) => type);
  if (matching.length > 0) return intersectAll(matching, state);
  return rest === unevaluatedType ? unknownType : rest;
}

function intersectPatterns(left: ObjectType, right: ObjectType, state: TypingState): readonly NamePattern[] {
  const findIn = ({ patterns }: ObjectType, { starts, ends }: NamePattern): NamePattern | undefined =>
    patterns.find((other) => other.starts === starts && other.ends === ends);
  const narrow = (pattern: NamePattern, by: ObjectType): NamePattern => {
    // Two patterns may match the same name; both are kept, and TypeScript then applies both.
    const other = findIn(by, pattern)?.type ?? (by.patterns.length > 0 ? unknownType : by.rest);
    const type = intersect(pattern.type, other, state);
    return type === pattern.type ? pattern : { ...pattern, type };
  };
  const own = left.patterns.map((pattern) => narrow(pattern, right));
  const more = right.patterns.filter((pattern) => findIn(left, pattern) === undefined);
  const merged = [...own, ...more.map((pattern) => narrow(pattern, left))];
  return isSameList(merged, left.patterns) ? left.patterns : merged;
}

function isSameObject(left: ObjectType, right: ObjectType): boolean {
  if (left.fields.size !== right.fields.size || left.rest !== right.rest) return false;
  if (left.patterns !== right.patterns) return false;
  for (const [name, field] of left.fields) if (right.fields.get(name) !== field) return false;
  return true;
}

/** Intersects two arrays item by item. Returns `left` or `right` itself if the other one adds nothing. */
function intersectArrays(left: ArrayType, right: ArrayType, state: TypingState): TsType {
  const length = Math.max(left.prefix.length, right.prefix.length);
  const required = Math.max(left.required, right.required);
  // One entry more than the length: the last is the type of all further items.
  const items = Array.from({ length: length + 1 }, (_, at) =>
    intersect(readItem(left, at), readItem(right, at), state),
  );
  // The array must end before the first item that accepts no value.
  const end = items.findIndex(({ kind }) => kind === 'never');
  if (end >= 0 && end < required) return neverType;
  const merged: ArrayType = {
    kind: 'array',
    prefix: items.slice(0, end < 0 ? length : end),
    required,
    rest: (end < 0 ? items[length] : undefined) ?? neverType,
    inexact: left.inexact || right.inexact,
  };
  const isSame = ({ prefix, required, rest }: ArrayType): boolean =>
    merged.required === required && merged.rest === rest && isSameList(merged.prefix, prefix);
  if (!right.inexact && isSame(left)) return left;
  return !left.inexact && isSame(right) ? right : merged;
}

function readItem({ prefix, rest }: ArrayType, index: number): TsType {
  return prefix[index] ?? rest;
}
