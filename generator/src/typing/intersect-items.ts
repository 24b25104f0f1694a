import { type ListType, neverType, type TupleType, type TypeModel } from './type-model.ts';

type Meet = (left: TypeModel, right: TypeModel) => TypeModel;

/** Lists and tuples, position by position. */
export function intersectItems(left: ListType | TupleType, right: ListType | TupleType, meet: Meet): TypeModel {
  const lenient = left.lenient && right.lenient;
  if (left.kind === 'list' && right.kind === 'list') return intersectLists(left, right, meet);
  const length = Math.max(lengthOf(left), lengthOf(right));
  const required = Math.max(requiredOf(left), requiredOf(right));
  const prefix: TypeModel[] = [];
  for (let index = 0; index < length; index++) {
    const item = meet(itemAt(left, index), itemAt(right, index));
    if (item.kind !== 'never') prefix.push(item);
    // No value fits here, so a list must end before this place.
    else if (index < required) return neverType;
    else return { kind: 'tuple', prefix, required, rest: 'closed', lenient };
  }
  const rest = meet(itemAt(left, length), itemAt(right, length));
  return { kind: 'tuple', prefix, required, rest: rest.kind === 'never' ? 'closed' : rest, lenient };
}

function intersectLists(left: ListType, right: ListType, meet: Meet): ListType {
  const lenient = left.lenient && right.lenient;
  const item = meet(left.item, right.item);
  if (item === left.item && lenient === left.lenient) return left;
  return item === right.item && lenient === right.lenient ? right : { kind: 'list', item, lenient };
}

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
