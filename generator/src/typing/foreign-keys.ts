import { intersect } from './intersect.ts';
import type { Merging } from './merging.ts';
import { narrowNamed, objectShapeOf, objectWith } from './object-shape.ts';
import { neverType, type ObjectType, openObject, type TypeModel, unknownType } from './type-model.ts';

/**
 * Members of a union as TypeScript has to be told of them, since it lets a literal carry the keys of any member: a closed one
 * says that it lacks the keys of the others, unless something already tells the two apart, and one of optional members
 * alone says that it takes them.
 */
export function besideEachOther(members: readonly TypeModel[], merging: Merging): readonly TypeModel[] {
  const shapes = members.map((type) => objectShapeOf(type, merging));
  if (shapes.filter((shape) => shape !== undefined).length < 2) return members;
  const closed = withoutForeignKeys(members, shapes, merging);
  return withForeignKeys(closed, shapes);
}

type Shapes = readonly (ObjectType | undefined)[];

const pairsAtMost = 100_000;
const absentKeysAtMost = 20_000;

function withoutForeignKeys(members: readonly TypeModel[], shapes: Shapes, merging: Merging): readonly TypeModel[] {
  const meet = (left: TypeModel, right: TypeModel): TypeModel => intersect(left, right, merging);
  const closed = new Set(shapes.filter((shape) => shape?.rest === 'closed' && shape.patterns.length === 0));
  if (closed.size * shapes.length > pairsAtMost) return members;
  const absent = shapes.map((shape) => {
    if (shape === undefined || !closed.has(shape)) return [];
    const others = shapes.filter((other) => other !== undefined && other !== shape && overlap(shape, other, meet));
    const foreign = new Set(others.flatMap((other) => [...(other?.fields.keys() ?? [])]));
    return [...foreign].filter((name) => !shape.fields.has(name));
  });
  if (absent.reduce((sum, names) => sum + names.length, 0) > absentKeysAtMost) return members;
  return members.map((type, index) => withUndescribed(type, absent[index] ?? [], neverType));
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
