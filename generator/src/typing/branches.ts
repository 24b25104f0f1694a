import type { CanonicalSchema, Discriminator } from '../schema/canonical-schema.ts';
import { keepName, lenientObject, shapeOf, withoutKeys } from './branch-shape.ts';
import { exclusiveBranches } from './exclusive-branches.ts';
import { intersect } from './intersect.ts';
import { literalType } from './literal-type.ts';
import type { Merging } from './merging.ts';
import { choiceOf, type ObjectType, type TypeModel } from './type-model.ts';

type Source = { schema: CanonicalSchema; convert: (schema: CanonicalSchema) => TypeModel; merging: Merging };

export function readAnyOf({ schema, convert, merging }: Source): TypeModel | undefined {
  if (schema.anyOf === undefined) return undefined;
  const branches = discriminate(schema.anyOf.map(convert), schema.discriminator, merging);
  return choiceOf(sealClosed(branches, merging));
}

export function readOneOf({ schema, convert, merging }: Source): TypeModel | undefined {
  if (schema.oneOf === undefined) return undefined;
  const branches = discriminate(schema.oneOf.map(convert), schema.discriminator, merging);
  return choiceOf(exclusiveBranches(sealClosed(branches, merging), merging));
}

// The discriminating property carries the values of the wire; the names of the schemas never travel.
function discriminate(
  branches: readonly TypeModel[],
  discriminator: Discriminator | undefined,
  merging: Merging,
): readonly TypeModel[] {
  if (discriminator === undefined) return branches;
  return branches.map((type) => {
    const values = type.kind === 'reference' ? discriminator.values.get(type.name) : undefined;
    if (values === undefined) return type;
    const narrowing = lenientObject(new Map([[discriminator.propertyName, choiceOf(values.map(literalType))]]));
    return keepName(type, narrowing, merging);
  });
}

/**
 * In a union, TypeScript lets a literal carry the keys of any member; a closed branch therefore says outright that it
 * lacks the keys of the others, unless a literal already tells the two apart.
 */
function sealClosed(branches: readonly TypeModel[], merging: Merging): readonly TypeModel[] {
  if (branches.length < 2) return branches;
  const shapes = branches.map((type) => shapeOf(type, merging));
  return branches.map((type, index) => {
    const shape = shapes[index];
    if (shape?.rest !== 'closed') return type;
    const others = shapes.filter((other) => other !== undefined && other !== shape && overlap(shape, other, merging));
    const foreign = others
      .flatMap((other) => [...(other?.fields.keys() ?? [])])
      .filter((name) => !shape.fields.has(name));
    return withoutKeys({ type, shape }, [...new Set(foreign)], merging);
  });
}

function overlap(left: ObjectType, right: ObjectType, merging: Merging): boolean {
  const open = (shape: ObjectType): ObjectType => ({ ...shape, rest: 'unsaid' });
  return intersect(open(left), open(right), merging).kind !== 'never';
}
