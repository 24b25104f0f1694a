import {
  type ArrayType,
  type Docs,
  type Field,
  isMatch,
  isUnconstrained,
  type NamePattern,
  neverType,
  type ObjectType,
  type Rest,
  type TsType,
  unknownType,
} from './ts-type.ts';

type Intersect = (left: TsType, right: TsType) => TsType;

/** Intersects two objects field by field. Returns `never` if a required field accepts no value. */
export function intersectObjects(left: ObjectType, right: ObjectType, intersect: Intersect): TsType {
  if (isUnconstrained(right) && !right.inexact) return isImpossible(left.fields) ? neverType : left;
  if (isUnconstrained(left) && !left.inexact) return isImpossible(right.fields) ? neverType : right;
  const fields = intersectAllFields(left, right, intersect);
  if (isImpossible(fields)) return neverType;
  const patterns = intersectPatterns(left, right, intersect);
  const rest = intersectRests(left.rest, right.rest, intersect);
  const inexact = left.inexact || right.inexact;
  const merged: ObjectType = { kind: 'object', fields, patterns, rest, inexact, title: right.title ?? left.title };
  if (!right.inexact && isSameObject(merged, left)) return left;
  return !left.inexact && isSameObject(merged, right) ? right : merged;
}

function isImpossible(fields: ObjectType['fields']): boolean {
  for (const { required, type } of fields.values()) if (required && type.kind === 'never') return true;
  return false;
}

function intersectAllFields(left: ObjectType, right: ObjectType, intersect: Intersect): Map<string, Field> {
  const fields = new Map<string, Field>();
  const narrow = (field: Field, by: ObjectType): Field => {
    const type = intersect(field.type, typeOfUnlisted(field.name, by, intersect));
    return type === field.type ? field : { ...field, type };
  };
  for (const field of left.fields.values()) {
    const other = right.fields.get(field.name);
    fields.set(field.name, other === undefined ? narrow(field, right) : intersectFields(field, other, intersect));
  }
  for (const field of right.fields.values()) {
    if (!fields.has(field.name)) fields.set(field.name, narrow(field, left));
  }
  return fields;
}

function intersectFields(left: Field, right: Field, intersect: Intersect): Field {
  const type = intersect(left.type, right.type);
  const required = left.required || right.required;
  const docs = intersectDocs(left, right, type);
  const isCovered = (one: Field, other: Field): boolean =>
    type === one.type &&
    required === one.required &&
    (one.unevaluated === undefined || other.unevaluated === true) &&
    docs === one.docs;
  if (isCovered(left, right)) return left;
  if (isCovered(right, left)) return right;
  const unevaluated = left.unevaluated && right.unevaluated ? { unevaluated: true as const } : {};
  return { name: left.name, required, type, docs, ...unevaluated };
}

/** Merges documentation: the side with the narrower type takes precedence. If neither is narrower, keeps both descriptions. */
function intersectDocs(left: Field, right: Field, type: TsType): Docs {
  const isNarrowerRight = isSameValues(type, right.type) && !isSameValues(type, left.type);
  const [first, second] = isNarrowerRight ? [right.docs, left.docs] : [left.docs, right.docs];
  const isOneSided = isNarrowerRight || !isSameValues(type, right.type);
  const texts = new Set([first.description, second.description].filter((text) => text !== undefined));
  const isSaid = isOneSided || texts.size < 2;
  if (isSaid && Object.keys(second).every((key) => key in first)) return first;
  return { ...second, ...first, ...(isSaid ? {} : { description: [...texts].join('\n\n') }) };
}

/** True if both types have the same scalars and literals; ignores bounds. */
function isSameValues(one: TsType, other: TsType): boolean {
  if (one === other) return true;
  if (one.kind === 'union' && other.kind === 'union')
    return (
      one.members.length === other.members.length &&
      one.members.every((member, index) => isSameValues(member, other.members[index] ?? neverType))
    );
  if (one.kind === 'literal') return other.kind === 'literal' && one.value === other.value;
  return one.kind === 'scalar' && other.kind === 'scalar' && one.scalar === other.scalar;
}

/** Returns the type of a member that isn't listed in an object type. */
export function typeOfUnlisted(name: string, { patterns, rest }: ObjectType, intersect: Intersect): TsType {
  const matching = patterns.filter((pattern) => isMatch(pattern, name));
  if (matching.length > 0) return matching.map(({ type }) => type).reduce(intersect);
  return typeOfRest(rest);
}

export function typeOfRest(rest: Rest): TsType {
  if (rest === 'unspecified' || rest === 'open') return unknownType;
  return rest === 'closed' ? neverType : rest;
}

function intersectPatterns(left: ObjectType, right: ObjectType, intersect: Intersect): readonly NamePattern[] {
  if (left.patterns.length === 0 && right.patterns.length === 0) return left.patterns;
  const isSameName = (one: NamePattern, other: NamePattern): boolean =>
    one.starts === other.starts && one.ends === other.ends;
  const narrowed = (pattern: NamePattern, by: ObjectType): NamePattern => {
    const same = by.patterns.find((other) => isSameName(other, pattern));
    // Two patterns may match the same name; both are kept, and TypeScript then applies both.
    const other = same?.type ?? (by.patterns.length > 0 ? unknownType : typeOfRest(by.rest));
    const type = intersect(pattern.type, other);
    return type === pattern.type ? pattern : { ...pattern, type };
  };
  const own = left.patterns.map((pattern) => narrowed(pattern, right));
  const more = right.patterns
    .map((pattern) => narrowed(pattern, left))
    .filter((pattern) => !own.some((known) => isSameName(known, pattern)));
  const isUnchanged = more.length === 0 && own.every((pattern, index) => pattern === left.patterns[index]);
  return isUnchanged ? left.patterns : [...own, ...more];
}

function intersectRests(left: Rest, right: Rest, intersect: Intersect): Rest {
  if (left === 'closed' || right === 'closed') return 'closed';
  if (left === 'unspecified') return right;
  if (right === 'unspecified' || right === 'open') return left;
  if (left === 'open') return right;
  const merged = intersect(left, right);
  return merged.kind === 'never' ? 'closed' : merged;
}

function isSameObject(left: ObjectType, right: ObjectType): boolean {
  if (left.fields.size !== right.fields.size || left.rest !== right.rest) return false;
  if (left.patterns !== right.patterns) return false;
  for (const [name, field] of left.fields) if (right.fields.get(name) !== field) return false;
  return true;
}

/** Intersects two arrays item by item. Returns `left` or `right` itself if the other one adds nothing. */
export function intersectArrays(left: ArrayType, right: ArrayType, intersect: Intersect): TsType {
  const length = Math.max(left.prefix.length, right.prefix.length);
  const required = Math.max(left.required, right.required);
  // The last entry is the type of all further items.
  const items = Array.from({ length: length + 1 }, (_, at) => intersect(itemAt(left, at), itemAt(right, at)));
  // The array must end before the first item that accepts no value.
  const end = items.findIndex(({ kind }) => kind === 'never');
  if (end >= 0 && end < required) return neverType;
  const merged: ArrayType = {
    kind: 'array',
    prefix: items.slice(0, end < 0 ? length : end),
    required,
    rest: end < 0 ? (items[length] ?? unknownType) : 'closed',
    inexact: left.inexact || right.inexact,
    evaluated: left.evaluated || right.evaluated,
  };
  if (isSameArray(merged, left, right)) return left;
  return isSameArray(merged, right, left) ? right : merged;
}

function isSameArray(merged: ArrayType, known: ArrayType, other: ArrayType): boolean {
  if (other.inexact || (other.evaluated && !known.evaluated)) return false;
  if (merged.required !== known.required || merged.rest !== known.rest) return false;
  return (
    merged.prefix.length === known.prefix.length && merged.prefix.every((item, index) => item === known.prefix[index])
  );
}

function itemAt({ prefix, rest }: ArrayType, index: number): TsType {
  return prefix[index] ?? (rest === 'closed' ? neverType : rest);
}
