import { besideEachOther } from './foreign-keys.ts';
import type { Merging } from './merging.ts';
import { choiceOf, type Field, forgetful, type ObjectType, type TypeModel } from './type-model.ts';

/** A type as it is to be printed: each part of a union beside the others, and without marks that only matter for merging. */
export function createSeal(merging: Merging): (type: TypeModel) => TypeModel {
  const sealed = new Map<TypeModel, TypeModel>();
  const seal = (type: TypeModel): TypeModel => {
    const known = sealed.get(type);
    if (known !== undefined) return known;
    const result = sealParts(type, seal, merging);
    sealed.set(type, result);
    return result;
  };
  return seal;
}

function sealParts(type: TypeModel, seal: (type: TypeModel) => TypeModel, merging: Merging): TypeModel {
  switch (type.kind) {
    case 'scalar':
    case 'literal': {
      if (!('loose' in type)) return type;
      const { loose, ...plain } = type;
      return plain;
    }
    case 'list': {
      const item = seal(type.item);
      return item === type.item && !type.loose && !type.described ? type : { kind: 'list', item };
    }
    case 'tuple': {
      const rest = type.rest === 'closed' ? type.rest : seal(type.rest);
      return { kind: 'tuple', prefix: type.prefix.map(seal), required: type.required, rest };
    }
    case 'all':
      return sealAll(type.members, seal);
    case 'choice':
      return forgetful(choiceOf(besideEachOther(type.members, merging).map(seal)));
    case 'object':
      return sealObject(type, seal);
    default:
      return type;
  }
}

function sealAll(members: readonly TypeModel[], seal: (type: TypeModel) => TypeModel): TypeModel {
  const kept = members.filter((member) => !isMark(member));
  const [only] = kept;
  if (kept.length === 1 && only !== undefined) return seal(only);
  return {
    kind: 'all',
    members: kept.map((member) => (member.kind === 'object' ? sealFields(member, seal) : seal(member))),
  };
}

// An object that says nothing stands there for its mark alone.
function isMark(member: TypeModel): boolean {
  return (
    member.kind === 'object' && member.fields.size === 0 && member.patterns.length === 0 && member.rest === 'unsaid'
  );
}

// Where no member is described, none can be misspelt.
function sealObject(type: ObjectType, seal: (type: TypeModel) => TypeModel): ObjectType {
  const isVague = type.rest === 'unsaid' && [...type.fields.values()].every((field) => field.undescribed);
  return sealFields(isVague ? { ...type, rest: 'open' } : type, seal);
}

function sealFields({ fields, patterns, rest }: ObjectType, seal: (type: TypeModel) => TypeModel): ObjectType {
  const sealed = new Map<string, Field>();
  for (const [name, field] of fields) {
    const type = seal(field.type);
    sealed.set(name, type === field.type ? field : { ...field, type });
  }
  return {
    kind: 'object',
    fields: sealed,
    patterns: patterns.map((pattern) => ({ ...pattern, type: seal(pattern.type) })),
    rest: typeof rest === 'string' ? rest : seal(rest),
  };
}
