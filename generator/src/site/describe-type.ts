import type { ArrayType, ObjectType, TypeModel } from '../typing/type-model.ts';
import { listMembers } from '../typing/unions.ts';

/** A type in one line for people; objects are written as `object`, since their fields are listed below it. */
export function describeType(type: TypeModel): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'literal':
      return JSON.stringify(type.value);
    case 'reference':
      return type.name;
    case 'array':
      return describeArray(type);
    case 'union':
      return describeUnion(type.members);
    case 'intersection':
      return type.members.map(operand).join(' & ');
    default:
      return type.kind;
  }
}

function describeArray({ prefix, rest }: ArrayType): string {
  if (prefix.length === 0 && rest !== 'closed') return `${operand(rest)}[]`;
  const items = prefix.map(describeType);
  return `[${[...items, ...(rest === 'closed' ? [] : [`...${operand(rest)}[]`])].join(', ')}]`;
}

// The values of a list are shown apart.
function describeUnion(members: readonly TypeModel[]): string {
  const texts = members.map((member) => (isListed(member) ? typeof member.value : describeType(member)));
  return [...new Set(texts)].join(' | ');
}

function operand(type: TypeModel): string {
  const isList = type.kind === 'union' || type.kind === 'intersection';
  const text = describeType(type);
  return isList && / [|&] /.test(text) ? `(${text})` : text;
}

type Listed = Extract<TypeModel, { kind: 'literal' }>;

function isListed(type: TypeModel): type is Listed {
  return type.kind === 'literal' && type.value !== null;
}

/** The values that a type lists, as JSON, also those of an array's items. */
export function listedValues(type: TypeModel): readonly string[] {
  return listMembers(type).flatMap((member) => {
    if (isListed(member)) return [JSON.stringify(member.value)];
    const item = findItem(member);
    return item === undefined ? [] : listedValues(item);
  });
}

/** The objects without a name in a type, each with what leads to it: `[]` for the items of an array. */
export function inlineObjects(type: TypeModel, path = ''): readonly { path: string; object: ObjectType }[] {
  if (type.kind === 'object') return [{ path, object: type }];
  if (type.kind === 'union' || type.kind === 'intersection')
    return type.members.flatMap((member) => inlineObjects(member, path));
  const item = findItem(type);
  return item === undefined ? [] : inlineObjects(item, `${path}[]`);
}

function findItem(type: TypeModel): TypeModel | undefined {
  return type.kind === 'array' && type.prefix.length === 0 && type.rest !== 'closed' ? type.rest : undefined;
}
