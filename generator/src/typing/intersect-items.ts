import { type ListType, neverType, type TupleType, type TypeModel } from './type-model.ts';

type Meet = (left: TypeModel, right: TypeModel) => TypeModel;

/** Lists and tuples, position by position; returns one of the two when the other adds nothing. */
export function intersectItems(left: ListType | TupleType, right: ListType | TupleType, meet: Meet): TypeModel {
  if (left.kind === 'list' && right.kind === 'list') return intersectLists(left, right, meet);
  const marks = marksOf(left, right);
  const length = Math.max(lengthOf(left), lengthOf(right));
  const required = Math.max(requiredOf(left), requiredOf(right));
  const prefix: TypeModel[] = [];
  for (let index = 0; index < length; index++) {
    const item = meet(itemAt(left, index), itemAt(right, index));
    if (item.kind !== 'never') prefix.push(item);
    // No value fits here, so a list must end before this place.
    else if (index < required) return neverType;
    else return settle({ kind: 'tuple', prefix, required, rest: 'closed', ...marks }, left, right);
  }
  const rest = meet(itemAt(left, length), itemAt(right, length));
  const end = rest.kind === 'never' ? 'closed' : rest;
  return settle({ kind: 'tuple', prefix, required, rest: end, ...marks }, left, right);
}

function settle(merged: TupleType, left: ListType | TupleType, right: ListType | TupleType): TypeModel {
  if (addsNoMark(right, left) && isSame(merged, left)) return left;
  return addsNoMark(left, right) && isSame(merged, right) ? right : merged;
}

type Marked = Pick<ListType, 'loose' | 'described'>;

function marksOf(left: Marked, right: Marked): Marked {
  return {
    ...(left.loose || right.loose ? { loose: true as const } : {}),
    ...(left.described || right.described ? { described: true as const } : {}),
  };
}

function addsNoMark(other: Marked, known: Marked): boolean {
  return !other.loose && (!other.described || known.described === true);
}

function isSame(merged: TupleType, other: ListType | TupleType): boolean {
  if (other.kind === 'list' || merged.required !== other.required || merged.rest !== other.rest) return false;
  return (
    merged.prefix.length === other.prefix.length && merged.prefix.every((item, index) => item === other.prefix[index])
  );
}

function intersectLists(left: ListType, right: ListType, meet: Meet): TypeModel {
  const item = meet(left.item, right.item);
  if (item === left.item && addsNoMark(right, left)) return left;
  if (item === right.item && addsNoMark(left, right)) return right;
  const marks = marksOf(left, right);
  return item.kind === 'never' ? { ...emptyTuple, ...marks } : { kind: 'list', item, ...marks };
}

const emptyTuple: TupleType = { kind: 'tuple', prefix: [], required: 0, rest: 'closed' };

function lengthOf(type: ListType | TupleType): number {
  return type.kind === 'list' ? 0 : type.prefix.length;
}

function requiredOf(type: ListType | TupleType): number {
  return type.kind === 'list' ? 0 : type.required;
}

function itemAt(type: ListType | TupleType, index: number): TypeModel {
  if (type.kind === 'list') return type.item;
  return type.prefix[index] ?? (type.rest === 'closed' ? neverType : type.rest);
}
