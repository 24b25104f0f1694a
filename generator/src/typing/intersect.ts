import { intersectItems } from './intersect-items.ts';
import { intersectObjects } from './intersect-objects.ts';
import type { Merging } from './merging.ts';
import { choiceOf, membersOf, neverType, type TypeModel } from './type-model.ts';

const alternativesAtMost = 64;

type TypeOf<Kind extends TypeModel['kind']> = Extract<TypeModel, { kind: Kind }>;

/**
 * The values that both types accept. Returns the very object `left` or `right` when the other one adds nothing, so that
 * names survive. Where merging would not end or explode, the result is an `all`.
 */
export function intersect(left: TypeModel, right: TypeModel, merging: Merging): TypeModel {
  if (left === right || right.kind === 'unknown' || left.kind === 'never') return left;
  if (left.kind === 'unknown' || right.kind === 'never') return right;
  if (merging.steps-- <= 0) return { kind: 'all', members: [left, right] };
  if (left.kind === 'reference') return intersectReference(left, right, merging);
  if (right.kind === 'reference') return intersectReference(right, left, merging);
  if (left.kind === 'all') return intersectAll(left, right, merging);
  if (right.kind === 'all') return intersectAll(right, left, merging);
  if (left.kind === 'choice' || right.kind === 'choice') return intersectChoices(left, right, merging);
  return intersectSingle(left, right, merging);
}

function intersectReference(left: TypeOf<'reference'>, right: TypeModel, merging: Merging): TypeModel {
  if (right.kind === 'reference' && right.name === left.name) return left;
  const open = merging.open.get(left.name) ?? new Set();
  merging.open.set(left.name, open);
  const other = right.kind === 'reference' ? right.name : right;
  const expanded = open.has(other) ? undefined : merging.expand(left.name);
  if (expanded === undefined) return { kind: 'all', members: [left, right] };
  open.add(other);
  const merged = intersect(expanded, right, merging);
  open.delete(other);
  return merged === expanded ? left : merged;
}

function intersectAll(left: TypeOf<'all'>, right: TypeModel, merging: Merging): TypeModel {
  const [first, ...others] = left.members;
  if (first === undefined) return right;
  const unfinished = first.kind === 'reference' && merging.expand(first.name) === undefined;
  if (unfinished || merging.steps <= 0) return { kind: 'all', members: [...left.members, right] };
  const merged = intersect(first, right, merging);
  if (merged === first) return left;
  return others.reduce((sum, member) => intersect(sum, member, merging), merged);
}

function intersectChoices(left: TypeModel, right: TypeModel, merging: Merging): TypeModel {
  const lefts = membersOf(left);
  const rights = membersOf(right);
  const merged = lefts.flatMap((one) => rights.map((other) => intersect(one, other, merging)));
  if (merged.filter((member) => member.kind === 'object').length > alternativesAtMost) {
    return { kind: 'all', members: [left, right] };
  }
  const alternatives = merged.filter((member) => member.kind !== 'never');
  if (isSameList(alternatives, lefts)) return left;
  if (isSameList(alternatives, rights)) return right;
  return choiceOf(alternatives);
}

function isSameList(left: readonly TypeModel[], right: readonly TypeModel[]): boolean {
  return left.length === right.length && left.every((member, index) => member === right[index]);
}

type Single = Exclude<TypeModel, { kind: 'unknown' | 'never' | 'reference' | 'all' | 'choice' }>;

function intersectSingle(left: Single, right: Single, merging: Merging): TypeModel {
  const meet = (one: TypeModel, other: TypeModel): TypeModel => intersect(one, other, merging);
  if (left.kind === 'object' && right.kind === 'object') return intersectObjects(left, right, meet);
  if ((left.kind === 'list' || left.kind === 'tuple') && (right.kind === 'list' || right.kind === 'tuple')) {
    return intersectItems(left, right, meet);
  }
  const strictLeft = strictForm(left);
  const strictRight = strictForm(right);
  // Each lets values of the other's kind pass, and speaks of its own.
  if (strictLeft !== undefined && strictRight !== undefined) return choiceOf([strictLeft, strictRight]);
  if (strictLeft !== undefined) return right;
  return strictRight === undefined ? intersectPlain(left, right) : left;
}

/** A lenient container without its leniency; nothing for all that is not lenient. */
function strictForm(type: Single): TypeModel | undefined {
  return 'lenient' in type && type.lenient ? { ...type, lenient: false } : undefined;
}

function intersectPlain(left: Single, right: Single): TypeModel {
  if (contains(right, left)) return left;
  return contains(left, right) ? right : neverType;
}

function contains(wide: Single, narrow: Single): boolean {
  if (wide.kind === 'scalar' && narrow.kind === 'scalar') {
    return wide.scalar === narrow.scalar || (wide.scalar === 'number' && narrow.scalar === 'integer');
  }
  if (wide.kind === 'scalar' && narrow.kind === 'literal') {
    return wide.scalar === 'integer' ? Number.isInteger(narrow.value) : typeof narrow.value === wide.scalar;
  }
  if (wide.kind === 'literal' && narrow.kind === 'literal') return wide.value === narrow.value;
  return wide.kind === 'bytes' && narrow.kind === 'bytes';
}
