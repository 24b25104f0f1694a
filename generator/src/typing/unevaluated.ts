import { type CanonicalSchema, isNothing } from '../schema/canonical-schema.ts';
import type { Merging } from './merging.ts';
import { choiceOf, type ListType, neverType, type ObjectType, type TupleType, type TypeModel } from './type-model.ts';

type Closing = { merging: Merging; members: TypeModel | undefined; items: TypeModel | undefined };

/** Members and items that no part of the schema describes take the type given for them. */
export function readUnevaluated(
  type: TypeModel,
  schema: CanonicalSchema,
  { convert, merging }: { convert: (schema: CanonicalSchema) => TypeModel; merging: Merging },
): TypeModel {
  const { unevaluatedProperties, unevaluatedItems } = schema;
  if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return type;
  const read = (part: CanonicalSchema | undefined) =>
    part === undefined ? undefined : isNothing(part) ? neverType : convert(part);
  return close(type, { merging, members: read(unevaluatedProperties), items: read(unevaluatedItems) });
}

function close(type: TypeModel, closing: Closing, followed: readonly TypeModel[] = []): TypeModel {
  switch (type.kind) {
    case 'object':
      return closing.members === undefined ? type : closeObject(type, closing.members);
    case 'list':
    case 'tuple':
      return closing.items === undefined ? type : closeItems(type, closing.items);
    case 'choice':
      return choiceOf(type.members.map((member) => close(member, closing, followed)));
    case 'reference': {
      const expanded = closing.merging.expand(type.name);
      if (expanded === undefined || followed.includes(expanded)) return type;
      const closed = close(expanded, closing, [...followed, expanded]);
      return closed === expanded ? type : closed;
    }
    default:
      return type;
  }
}

function closeItems(type: ListType | TupleType, items: TypeModel): TypeModel {
  const rest = type.kind === 'list' ? type.item : type.rest;
  if (rest === 'closed' || rest.kind !== 'unknown') return type;
  if (items.kind !== 'never') return type.kind === 'list' ? { ...type, item: items } : { ...type, rest: items };
  const { prefix, required } = type.kind === 'list' ? { prefix: [], required: 0 } : type;
  return { kind: 'tuple', prefix, required, rest: 'closed' };
}

function closeObject(type: ObjectType, members: TypeModel): TypeModel {
  if (type.rest !== 'unsaid' || members.kind === 'unknown') return type;
  const fields = new Map(type.fields);
  for (const [name, field] of fields) {
    if (!field.undescribed || members.kind !== 'never') continue;
    if (field.required) return neverType;
    fields.set(name, { ...field, type: neverType });
  }
  return { ...type, fields, rest: members.kind === 'never' ? 'closed' : members };
}
