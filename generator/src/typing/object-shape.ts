import { intersect } from './intersect.ts';
import type { Merging } from './merging.ts';
import { anyObject, type Field, type ObjectType, type TypeModel } from './type-model.ts';

/** The one object shape behind a type, if there is just one. */
export function objectShapeOf(
  type: TypeModel,
  merging: Merging,
  followed: readonly TypeModel[] = [],
): ObjectType | undefined {
  if (type.kind === 'object') return type;
  if (type.kind === 'reference') {
    const expanded = merging.shapeOf(type.name);
    // A name may be nothing but itself.
    if (expanded === undefined || followed.includes(expanded)) return undefined;
    return objectShapeOf(expanded, merging, [...followed, expanded]);
  }
  if (type.kind !== 'all') return undefined;
  const shapes = type.members.map((member) => objectShapeOf(member, merging, followed));
  const merged = shapes.reduce<TypeModel | undefined>(
    (sum, shape) => (sum === undefined || shape === undefined ? undefined : intersect(sum, shape, merging)),
    shapes[0],
  );
  return merged?.kind === 'object' ? merged : undefined;
}

/** An object that says something of these members and nothing of any other. */
export function objectWith(fields: readonly Pick<Field, 'name' | 'required' | 'type'>[]): ObjectType {
  const whole = fields.map((field) => [field.name, { ...field, docs: {}, undescribed: true as const }] as const);
  return { ...anyObject, fields: new Map(whole) };
}

/** Narrows a type by an object that only adds to it, without dissolving its name. */
export function narrowNamed(
  type: TypeModel,
  narrowing: ObjectType,
  meet: (left: TypeModel, right: TypeModel) => TypeModel,
): TypeModel {
  const merged = meet(type, narrowing);
  if ((type.kind !== 'reference' && type.kind !== 'all') || merged === type || merged.kind === 'never') return merged;
  return { kind: 'all', members: type.kind === 'all' ? [...type.members, narrowing] : [type, narrowing] };
}
