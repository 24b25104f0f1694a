import { intersect } from './intersect.ts';
import type { Merging } from './merging.ts';
import { neverType, type ObjectType, type TypeModel } from './type-model.ts';

/** A branch of a union together with the one object shape behind it. */
export type Branch = { readonly type: TypeModel; readonly shape: ObjectType };

/** The one object shape behind a type, if there is just one. */
export function shapeOf(
  type: TypeModel,
  merging: Merging,
  followed: readonly TypeModel[] = [],
): ObjectType | undefined {
  if (type.kind === 'object') return type;
  if (type.kind === 'reference') {
    const expanded = merging.expand(type.name);
    // A name may be nothing but itself.
    if (expanded === undefined || followed.includes(expanded)) return undefined;
    return shapeOf(expanded, merging, [...followed, expanded]);
  }
  if (type.kind !== 'all') return undefined;
  const shapes = type.members.map((member) => shapeOf(member, merging, followed));
  const merged = shapes.reduce<TypeModel | undefined>(
    (sum, shape) => (sum === undefined || shape === undefined ? undefined : intersect(sum, shape, merging)),
    shapes[0],
  );
  return merged?.kind === 'object' ? merged : undefined;
}

/** The branch without these keys; a named one keeps its name: `Name & { key?: never }`. */
export function withoutKeys({ type, shape }: Branch, keys: readonly string[], merging: Merging): TypeModel {
  if (keys.length === 0) return type;
  const exclusion = lenientObject(new Map(keys.map((name) => [name, neverType])));
  return keepName(type, shape.lenient ? exclusion : { ...exclusion, lenient: false }, merging);
}

/** Narrows a type by an object that only adds to it, without dissolving its name. */
export function keepName(type: TypeModel, narrowing: ObjectType, merging: Merging): TypeModel {
  if (type.kind !== 'reference' && type.kind !== 'all') return intersect(type, narrowing, merging);
  if (intersect(type, narrowing, merging) === type) return type;
  return { kind: 'all', members: type.kind === 'all' ? [...type.members, narrowing] : [type, narrowing] };
}

/** Says something of optional keys, should the value be an object. */
export function lenientObject(types: ReadonlyMap<string, TypeModel>): ObjectType {
  const fields = [...types].map(([name, type]) => [name, { name, required: false, type, docs: {} }] as const);
  return { kind: 'object', fields: new Map(fields), rest: 'unsaid', lenient: true };
}
