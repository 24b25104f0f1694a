import { intersect } from './intersect.ts';
import type { Merging } from './merging.ts';
import { narrowNamed, objectShapeOf, objectWith } from './object-shape.ts';
import { choiceOf, type Field, neverType, type ObjectType, type TypeModel } from './type-model.ts';

/**
 * A type as it is to be printed. In a union, TypeScript lets a literal carry the keys of any member; a closed member therefore
 * says outright that it lacks the keys of the others, unless something already tells the two apart. Marks that only
 * matter for merging are gone.
 */
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
      return item === type.item && !type.loose ? type : { kind: 'list', item };
    }
    case 'tuple': {
      const rest = type.rest === 'closed' ? type.rest : seal(type.rest);
      return { kind: 'tuple', prefix: type.prefix.map(seal), required: type.required, rest };
    }
    case 'all':
      return sealAll(type.members, seal);
    case 'choice':
      return choiceOf(withoutForeignKeys(type.members, merging).map(seal));
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

function withoutForeignKeys(members: readonly TypeModel[], merging: Merging): readonly TypeModel[] {
  const shapes = members.map((type) => objectShapeOf(type, merging));
  if (shapes.filter((shape) => shape !== undefined).length < 2) return members;
  const meet = (left: TypeModel, right: TypeModel): TypeModel => intersect(left, right, merging);
  return members.map((type, index) => {
    const shape = shapes[index];
    if (shape?.rest !== 'closed' || shape.patterns.length > 0) return type;
    const others = shapes.filter((other) => other !== undefined && other !== shape && overlap(shape, other, meet));
    const foreign = new Set(others.flatMap((other) => [...(other?.fields.keys() ?? [])]));
    const absent = [...foreign].filter((name) => !shape.fields.has(name));
    if (absent.length === 0) return type;
    const fields = absent.map((name) => ({ name, required: false, type: neverType }));
    return type.kind === 'object' ? withFields(type, fields) : narrowNamed(type, objectWith(fields), keepBoth);
  });
}

// The name already excludes these keys as a set; as TypeScript it has to be said.
function keepBoth(left: TypeModel, right: TypeModel): TypeModel {
  return { kind: 'all', members: [left, right] };
}

function withFields(
  type: ObjectType,
  absent: readonly { name: string; required: boolean; type: TypeModel }[],
): ObjectType {
  const more = absent.map((field) => [field.name, { ...field, docs: {} }] as const);
  return { ...type, fields: new Map([...type.fields, ...more]) };
}

function overlap(left: ObjectType, right: ObjectType, meet: (left: TypeModel, right: TypeModel) => TypeModel): boolean {
  const open = (shape: ObjectType): ObjectType => ({ ...shape, rest: 'unsaid', patterns: [] });
  return meet(open(left), open(right)).kind !== 'never';
}
