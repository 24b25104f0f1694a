import { type Docs, type Field, neverType, type ObjectType, type Rest, type TypeModel } from './type-model.ts';

type Meet = (left: TypeModel, right: TypeModel) => TypeModel;

/** Fields of both, each narrowed by what the other says of it; never when a required field admits no value. */
export function intersectObjects(left: ObjectType, right: ObjectType, meet: Meet): TypeModel {
  const fields = new Map<string, Field>();
  for (const field of left.fields.values()) {
    const other = right.fields.get(field.name);
    fields.set(field.name, other === undefined ? narrow(field, right.rest, meet) : intersectFields(field, other, meet));
  }
  for (const field of right.fields.values()) {
    if (!fields.has(field.name)) fields.set(field.name, narrow(field, left.rest, meet));
  }
  for (const field of fields.values()) {
    if (field.required && field.type.kind === 'never') return neverType;
  }
  const merged: ObjectType = {
    kind: 'object',
    fields,
    rest: intersectRests(left.rest, right.rest, meet),
    lenient: left.lenient && right.lenient,
  };
  if (isSame(merged, left)) return left;
  return isSame(merged, right) ? right : merged;
}

function intersectFields(left: Field, right: Field, meet: Meet): Field {
  const type = meet(left.type, right.type);
  const required = left.required || right.required;
  if (type === left.type && required === left.required && adds(right.docs, left.docs) === false) return left;
  if (type === right.type && required === right.required && adds(left.docs, right.docs) === false) return right;
  return { name: left.name, required, type, docs: { ...right.docs, ...left.docs } };
}

function adds(docs: Docs, known: Docs): boolean {
  return Object.keys(docs).some((key) => !(key in known));
}

function narrow(field: Field, rest: Rest, meet: Meet): Field {
  if (rest === 'unsaid' || rest === 'open') return field;
  const type = rest === 'closed' ? neverType : meet(field.type, rest);
  return type === field.type ? field : { ...field, type };
}

function intersectRests(left: Rest, right: Rest, meet: Meet): Rest {
  if (left === 'closed' || right === 'closed') return 'closed';
  if (left === 'unsaid') return right;
  if (right === 'unsaid' || right === 'open') return left;
  return left === 'open' ? right : meet(left, right);
}

function isSame(left: ObjectType, right: ObjectType): boolean {
  if (left.fields.size !== right.fields.size || left.rest !== right.rest || left.lenient !== right.lenient)
    return false;
  for (const [name, field] of left.fields) if (right.fields.get(name) !== field) return false;
  return true;
}
