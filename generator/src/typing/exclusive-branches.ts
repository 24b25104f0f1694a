import { type Branch, shapeOf, withoutKeys } from './branch-shape.ts';
import { intersect } from './intersect.ts';
import type { Merging } from './merging.ts';
import { choiceOf, membersOf, neverType, type ObjectType, type TypeModel } from './type-model.ts';

const branchesAtMost = 40;
const alternativesAtMost = 8;

/**
 * The branches of a `oneOf`, kept apart where a type can: a value that matches two of them is refused. Branches that
 * already exclude each other (a discriminating literal, different kinds) stay as they are; else a branch must lack one
 * of the keys that the other one requires. What only bounds, formats or plain scalars tell apart stays a union.
 */
export function exclusiveBranches(branches: readonly TypeModel[], merging: Merging): readonly TypeModel[] {
  if (branches.length < 2 || branches.length > branchesAtMost) return branches;
  const shapes = branches.map((type) => shapeOf(type, merging));
  return branches.map((type, index) => {
    const shape = shapes[index];
    if (shape === undefined)
      return withoutSharedLiterals(
        type,
        branches.filter((_, other) => other !== index),
      );
    const others = shapes.filter((other, place) => other !== undefined && place !== index);
    return excludeAll({ type, shape }, others, merging);
  });
}

function excludeAll(branch: Branch, others: readonly (ObjectType | undefined)[], merging: Merging): TypeModel {
  let alternatives: string[][] = [[]];
  for (const other of others) {
    const both = other === undefined ? neverType : intersect(branch.shape, other, merging);
    if (other === undefined || both.kind === 'never') continue;
    const missing = requiredNames(other).filter((name) => branch.shape.fields.get(name)?.required !== true);
    // Whatever matches this branch matches the other one as well, so nothing can match exactly one.
    if (missing.length === 0 && both === branch.shape) return neverType;
    if (missing.length > 0) alternatives = alternatives.flatMap((keys) => excludeOne(keys, missing));
    if (alternatives.length > alternativesAtMost) return branch.type;
  }
  return choiceOf(alternatives.map((keys) => withoutKeys(branch, keys, merging)));
}

// To miss the other branch it is enough to lack one of its keys.
function excludeOne(keys: string[], missing: readonly string[]): string[][] {
  return keys.some((key) => missing.includes(key)) ? [keys] : missing.map((key) => [...keys, key]);
}

function requiredNames(shape: ObjectType): string[] {
  return [...shape.fields.values()].filter((field) => field.required).map((field) => field.name);
}

function withoutSharedLiterals(branch: TypeModel, others: readonly TypeModel[]): TypeModel {
  const shared = new Set(
    others.flatMap(membersOf).flatMap((member) => (member.kind === 'literal' ? [member.value] : [])),
  );
  const kept = membersOf(branch).filter((member) => member.kind !== 'literal' || !shared.has(member.value));
  return kept.length === membersOf(branch).length ? branch : choiceOf(kept);
}
