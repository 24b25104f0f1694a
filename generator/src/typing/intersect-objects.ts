import { isMatch } from './name-patterns.ts';
import {
  type Docs,
  type Field,
  neverType,
  type ObjectType,
  type Pattern,
  type Rest,
  type TypeModel,
  unknownType,
} from './type-model.ts';

type Meet = (left: TypeModel, right: TypeModel) => TypeModel;

/** Fields of both, each narrowed by what the other says of it; never when a required field admits no value. */
export function intersectObjects(left: ObjectType, right: ObjectType, meet: Meet): TypeModel {
  const fields = intersectAllFields(left, right, meet);
  for (const field of fields.values()) {
    if (field.required && field.type.kind === 'never') return neverType;
  }
  const patterns = intersectPatterns(left, right, meet);
  const rest = intersectRests(left.rest, right.rest, meet);
  const loose = left.loose || right.loose ? { loose: true as const } : {};
  const merged: ObjectType = { kind: 'object', fields, patterns, rest, ...loose };
  if (!right.loose && isSame(merged, left)) return left;
  return !left.loose && isSame(merged, right) ? right : merged;
}

function intersectAllFields(left: ObjectType, right: ObjectType, meet: Meet): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const field of left.fields.values()) {
    const other = right.fields.get(field.name);
    fields.set(field.name, other === undefined ? narrow(field, right, meet) : intersectFields(field, other, meet));
  }
  for (const field of right.fields.values()) {
    if (!fields.has(field.name)) fields.set(field.name, narrow(field, left, meet));
  }
  return fields;
}

function intersectFields(left: Field, right: Field, meet: Meet): Field {
  const type = meet(left.type, right.type);
  const required = left.required || right.required;
  const isLike = (one: Field, other: Field): boolean =>
    type === one.type &&
    required === one.required &&
    (one.undescribed === undefined || other.undescribed === true) &&
    !adds(other.docs, one.docs);
  if (isLike(left, right)) return left;
  if (isLike(right, left)) return right;
  const undescribed = left.undescribed && right.undescribed ? { undescribed: true as const } : {};
  return { name: left.name, required, type, docs: { ...right.docs, ...left.docs }, ...undescribed };
}

function adds(docs: Docs, known: Docs): boolean {
  return Object.keys(docs).some((key) => !(key in known));
}

function narrow(field: Field, by: ObjectType, meet: Meet): Field {
  const type = meet(field.type, typeOfUnlisted(field.name, by, meet));
  return type === field.type ? field : { ...field, type };
}

/** What an object type says of a member that it does not list. */
export function typeOfUnlisted(name: string, { patterns, rest }: ObjectType, meet: Meet): TypeModel {
  const matching = patterns.filter((pattern) => isMatch(pattern, name));
  if (matching.length > 0) return matching.map(({ type }) => type).reduce(meet);
  return typeOfRest(rest);
}

function typeOfRest(rest: Rest): TypeModel {
  if (rest === 'unsaid' || rest === 'open') return unknownType;
  return rest === 'closed' ? neverType : rest;
}

function intersectPatterns(left: ObjectType, right: ObjectType, meet: Meet): readonly Pattern[] {
  if (left.patterns.length === 0 && right.patterns.length === 0) return left.patterns;
  const narrowed = (pattern: Pattern, by: ObjectType): Pattern => {
    const same = by.patterns.find(({ starts, ends }) => starts === pattern.starts && ends === pattern.ends);
    // Two patterns may name the same members or not; both then stand there, and TypeScript asks for both.
    const other = same?.type ?? (by.patterns.length > 0 ? unknownType : typeOfRest(by.rest));
    const type = meet(pattern.type, other);
    return type === pattern.type ? pattern : { ...pattern, type };
  };
  const own = left.patterns.map((pattern) => narrowed(pattern, right));
  const more = right.patterns
    .map((pattern) => narrowed(pattern, left))
    .filter(({ starts, ends }) => !own.some((known) => known.starts === starts && known.ends === ends));
  return more.length === 0 && own.every((pattern, index) => pattern === left.patterns[index])
    ? left.patterns
    : [...own, ...more];
}

function intersectRests(left: Rest, right: Rest, meet: Meet): Rest {
  if (left === 'closed' || right === 'closed') return 'closed';
  if (left === 'unsaid') return right;
  if (right === 'unsaid' || right === 'open') return left;
  if (left === 'open') return right;
  const met = meet(left, right);
  return met.kind === 'never' ? 'closed' : met;
}

function isSame(left: ObjectType, right: ObjectType): boolean {
  if (left.fields.size !== right.fields.size || left.rest !== right.rest) return false;
  if (left.patterns !== right.patterns) return false;
  for (const [name, field] of left.fields) if (right.fields.get(name) !== field) return false;
  return true;
}
