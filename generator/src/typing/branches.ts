import type { CanonicalSchema, Discriminator } from '../../../specs/src/index.ts';
import { intersect } from './intersect.ts';
import { literalType } from './literal-type.ts';
import type { Merging } from './merging.ts';
import { narrowNamed, objectWith } from './object-shape.ts';
import { subtractAll } from './subtract.ts';
import { choiceOf, type TypeModel } from './type-model.ts';

/** `base` is what the schema says beside its branches: what a branch adds is judged within it. */
type Source = {
  schema: CanonicalSchema;
  base: TypeModel;
  convert: (schema: CanonicalSchema) => TypeModel;
  merging: Merging;
};

const branchesAtMost = 64;
const combinedAtMost = 4;

export function readAnyOf({ schema, base, convert, merging }: Source): TypeModel | undefined {
  if (schema.anyOf === undefined) return undefined;
  const branches = schema.anyOf.map((branch) => intersect(base, convert(branch), merging));
  // Members described by any branch that matches count as evaluated, so a value may match several at once.
  const isCounted = schema.unevaluatedProperties !== undefined && branches.length <= combinedAtMost;
  return choiceOf(isCounted ? combinationsOf(branches, merging) : branches);
}

function combinationsOf(branches: readonly TypeModel[], merging: Merging): TypeModel[] {
  const sums: TypeModel[] = [];
  for (const branch of branches) sums.push(branch, ...sums.map((sum) => intersect(sum, branch, merging)));
  return sums;
}

/**
 * Exactly one branch: each loses what another one accepts too, as far as a type can say it. Branches that exclude each other
 * anyway (a literal, different kinds) stay as they are, the others lack a key or differ in a member.
 */
export function readOneOf({ schema, base, convert, merging }: Source): TypeModel | undefined {
  if (schema.oneOf === undefined) return undefined;
  const branches = schema.oneOf.map((branch) => intersect(base, convert(branch), merging));
  const apart = keepApart(branches, merging);
  const isVain = schema.discriminator !== undefined && apart.some((type) => type.kind === 'never');
  return choiceOf(isVain ? keepApart(discriminate(branches, schema.discriminator, merging), merging) : apart);
}

function keepApart(branches: readonly TypeModel[], merging: Merging): readonly TypeModel[] {
  if (branches.length < 2 || branches.length > branchesAtMost) return branches;
  return branches.map((type, index) => {
    const others = branches.filter((_, place) => place !== index);
    return subtractAll(type, others, merging).rest;
  });
}

// A discriminator changes no verdict; but where it alone tells branches apart, its wire values are what is meant.
function discriminate(
  branches: readonly TypeModel[],
  discriminator: Discriminator | undefined,
  merging: Merging,
): readonly TypeModel[] {
  if (discriminator === undefined) return branches;
  return branches.map((type) => {
    const values = type.kind === 'reference' ? discriminator.values.get(type.name) : undefined;
    if (values === undefined) return type;
    const narrowing = { name: discriminator.propertyName, required: false, type: choiceOf(values.map(literalType)) };
    return narrowNamed(type, objectWith([narrowing]), (left, right) => intersect(left, right, merging));
  });
}
