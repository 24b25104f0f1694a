import { intersect } from './intersect.ts';
import type { Merging } from './merging.ts';
import { narrowNamed, objectShapeOf, objectWith } from './object-shape.ts';
import {
  choiceOf,
  type Field,
  neverType,
  type ObjectType,
  openObject,
  type TypeModel,
  unknownType,
} from './type-model.ts';

/**
 * A type as it is to be printed. In a union, TypeScript lets a literal carry the keys of any member; a closed member therefore
 * says outright that it lacks the keys of the others, unless something already tells the two apart, and one of optional
 * members alone that it takes them. Marks that only matter for merging are gone.
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
      return choiceOf(besideEachOther(type.members, merging).map(seal));
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

function besideEachOther(members: readonly TypeModel[], merging: Merging): readonly TypeModel[] {
  const shapes = members.map((type) => objectShapeOf(type, merging));
  if (shapes.filter((shape) => shape !== undefined).length < 2) return members;
  const closed = withoutForeignKeys(members, shapes, merging);
  return withForeignKeys(closed, shapes);
}

type Shapes = readonly (ObjectType | undefined)[];

function withoutForeignKeys(members: readonly TypeModel[], shapes: Shapes, merging: Merging): readonly TypeModel[] {
  const meet = (left: TypeModel, right: TypeModel): TypeModel => intersect(left, right, merging);
  return members.map((type, index) => {
    const shape = shapes[index];
    if (shape?.rest !== 'closed' || shape.patterns.length > 0) return type;
    const others = shapes.filter((other) => other !== undefined && other !== shape && overlap(shape, other, meet));
    const foreign = new Set(others.flatMap((other) => [...(other?.fields.keys() ?? [])]));
    const absent = [...foreign].filter((name) => !shape.fields.has(name));
    return withUndescribed(type, absent, neverType);
  });
}

const foreignKeysAtMost = 1000;

/**
 * TypeScript takes an object for misspelt that shares no key with a type of optional members alone. Where other members of
 * the union know the key, it is none: such a type takes it as what the schema says of it, anything.
 */
function withForeignKeys(members: readonly TypeModel[], shapes: Shapes): readonly TypeModel[] {
  const weak = new Set(shapes.filter((shape) => shape !== undefined && isWeak(shape)));
  if (weak.size === 0) return members;
  const known = new Set(shapes.flatMap((shape) => [...(shape?.fields.keys() ?? [])]));
  if (known.size * weak.size > foreignKeysAtMost) return members;
  const isAnyOpen = shapes.some((shape) => shape !== undefined && isOpened(shape));
  return members.map((type, index) => {
    const shape = shapes[index];
    if (shape === undefined || !weak.has(shape)) return type;
    // Beside a member that takes any key none is told to be misspelt anyway.
    if (isAnyOpen)
      return type.kind === 'object' ? { ...type, rest: 'open' } : { kind: 'all', members: [type, openObject] };
    return withUndescribed(
      type,
      [...known].filter((name) => !shape.fields.has(name)),
      unknownType,
    );
  });
}

function isWeak({ fields, patterns, rest }: ObjectType): boolean {
  const all = [...fields.values()];
  return rest === 'unsaid' && patterns.length === 0 && all.length > 0 && all.every(({ required }) => !required);
}

function isOpened({ fields, patterns, rest }: ObjectType): boolean {
  return patterns.length > 0 || (rest === 'unsaid' ? fields.size === 0 : rest !== 'closed');
}

function withUndescribed(type: TypeModel, names: readonly string[], member: TypeModel): TypeModel {
  if (names.length === 0) return type;
  const fields = names.map((name) => ({ name, required: false, type: member }));
  return type.kind === 'object' ? withFields(type, fields) : narrowNamed(type, objectWith(fields), keepBoth);
}

// The name already says this of these keys as a set; as TypeScript it has to be said.
function keepBoth(left: TypeModel, right: TypeModel): TypeModel {
  return { kind: 'all', members: [left, right] };
}

function withFields(
  type: ObjectType,
  named: readonly { name: string; required: boolean; type: TypeModel }[],
): ObjectType {
  const more = named.map((field) => [field.name, { ...field, docs: {} }] as const);
  return { ...type, fields: new Map([...type.fields, ...more]) };
}

function overlap(left: ObjectType, right: ObjectType, meet: (left: TypeModel, right: TypeModel) => TypeModel): boolean {
  const open = (shape: ObjectType): ObjectType => ({ ...shape, rest: 'unsaid', patterns: [] });
  return meet(open(left), open(right)).kind !== 'never';
}
