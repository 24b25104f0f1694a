import { type CanonicalSchema, isNothing } from '../../../specs/src/index.ts';
import { everyKind, type Kind } from './json-kinds.ts';
import { loosen } from './limits.ts';
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
  const closing = { merging, members: read(unevaluatedProperties), items: read(unevaluatedItems) };
  if (type.kind !== 'unknown') return close(type, closing);
  if (mayDescribe(schema)) return loosen(type, kindsClosed(schema), merging);
  return close({ kind: 'choice', members: everyKind }, closing);
}

const describing = [
  ...(['ref', 'anyOf', 'oneOf', 'conditional', 'dependentSchemas', 'items', 'prefixItems', 'contains'] as const),
  ...(['properties', 'patternProperties', 'additionalProperties'] as const),
];

function kindsClosed({ unevaluatedProperties, unevaluatedItems }: CanonicalSchema): ReadonlySet<Kind> {
  return new Set<Kind>([
    ...(unevaluatedProperties === undefined ? [] : ['object' as const]),
    ...(unevaluatedItems === undefined ? [] : ['array' as const]),
  ]);
}

// Where any value fits, nothing is seen any more of what has been described.
function mayDescribe(schema: CanonicalSchema): boolean {
  return describing.some((keyword) => schema[keyword] !== undefined) || (schema.allOf ?? []).some(mayDescribe);
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
  if (rest === 'closed' || type.described) return type;
  if (items.kind === 'unknown') return { ...type, described: true };
  if (items.kind !== 'never') return type.kind === 'list' ? { ...type, item: items } : { ...type, rest: items };
  const { prefix, required } = type.kind === 'list' ? { prefix: [], required: 0 } : type;
  return { kind: 'tuple', prefix, required, rest: 'closed' };
}

function closeObject(type: ObjectType, members: TypeModel): TypeModel {
  if (type.rest !== 'unsaid') return type;
  const fields = new Map(type.fields);
  for (const [name, field] of fields) {
    if (!field.undescribed) continue;
    const { undescribed, ...described } = field;
    if (members.kind === 'unknown') fields.set(name, described);
    if (members.kind !== 'never') continue;
    if (field.required) return neverType;
    fields.set(name, { ...field, type: neverType });
  }
  if (members.kind === 'unknown') return { ...type, fields, rest: 'open' };
  return { ...type, fields, rest: members.kind === 'never' ? 'closed' : members };
}
