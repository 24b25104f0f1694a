import { intersectItems } from './intersect-items.ts';
import { intersectObjects } from './intersect-objects.ts';
import { kindOf, type SingleType } from './json-kinds.ts';
import type { Merging } from './merging.ts';
import { choiceOf, type Literal, membersOf, neverType, type TypeModel } from './type-model.ts';

const alternativesAtMost = 64;

type TypeOf<Kind extends TypeModel['kind']> = Extract<TypeModel, { kind: Kind }>;

/**
 * The values that both types accept. Returns the very object `left` or `right` when the other one adds nothing, so that
 * names survive. Where merging would not end or explode, the result is an `all`.
 */
export function intersect(left: TypeModel, right: TypeModel, merging: Merging): TypeModel {
  if (left === right || right.kind === 'unknown' || left.kind === 'never') return left;
  if (left.kind === 'unknown' || right.kind === 'never') return right;
  if (isPlain(left) && isPlain(right)) return intersectSingle(left, right, merging);
  if (merging.steps-- <= 0) return { kind: 'all', members: [left, right] };
  if (left.kind === 'reference') return intersectReference(left, right, merging);
  if (right.kind === 'reference') return intersectReference(right, left, merging);
  if (left.kind === 'all') return intersectAll(left, right, merging);
  if (right.kind === 'all') return intersectAll(right, left, merging);
  if (left.kind === 'choice' || right.kind === 'choice') return intersectChoices(left, right, merging);
  return intersectSingle(left, right, merging);
}

// So cheap that it is not counted: lists of values are long in honest documents, too.
function isPlain(type: TypeModel): type is TypeOf<'scalar'> | TypeOf<'literal'> {
  return type.kind === 'scalar' || type.kind === 'literal';
}

function intersectReference(left: TypeOf<'reference'>, right: TypeModel, merging: Merging): TypeModel {
  if (right.kind === 'reference' && right.name === left.name) return left;
  const open = merging.open.get(left.name) ?? new Set();
  merging.open.set(left.name, open);
  const other = right.kind === 'reference' ? right.name : right;
  const expanded = open.has(other) ? undefined : merging.expand(left.name);
  if (expanded === undefined) return { kind: 'all', members: [left, ofSameKinds(right, left, merging)] };
  open.add(other);
  const merged = intersect(expanded, right, merging);
  open.delete(other);
  return merged === expanded ? left : merged;
}

// Of a name that is still being made at least the kinds of values may be known: the others need not be spoken of.
function ofSameKinds(type: TypeModel, named: TypeOf<'reference'>, merging: Merging): TypeModel {
  const shape = type.kind === 'choice' ? merging.shapeOf(named.name) : undefined;
  if (shape === undefined) return type;
  const kinds = membersOf(shape).map(kindOf);
  if (kinds.includes(undefined)) return type;
  return choiceOf(membersOf(type).filter((member) => [undefined, ...kinds].includes(kindOf(member))));
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
  const partnersOf = findPartners(rights, merging);
  const alternatives: TypeModel[] = [];
  let objects = 0;
  for (const one of lefts) {
    for (const other of partnersOf(one)) {
      const merged = intersect(one, other, merging);
      if (merged.kind !== 'never') alternatives.push(merged);
      if (merged.kind === 'object') objects++;
      if (objects > alternativesAtMost || merging.steps <= 0) return { kind: 'all', members: [left, right] };
    }
  }
  if (isSameList(alternatives, lefts)) return left;
  if (isSameList(alternatives, rights)) return right;
  return choiceOf(alternatives);
}

const fewMembers = 8;

/** The members that may have something in common with a type; in a long list of values, a value finds its own. */
function findPartners(members: readonly TypeModel[], merging: Merging): (type: TypeModel) => readonly TypeModel[] {
  const isLong = members.length > fewMembers;
  const literals = new Map<Literal, TypeModel>();
  for (const member of isLong ? members : []) {
    if (member.kind === 'literal' && !(member.loose && literals.has(member.value))) literals.set(member.value, member);
  }
  const others = isLong ? members.filter((member) => member.kind !== 'literal') : members;
  return (type) => {
    const kind = kindOf(type);
    const same = type.kind === 'literal' ? literals.get(type.value) : undefined;
    const candidates = type.kind !== 'literal' ? members : same === undefined ? others : [same, ...others];
    merging.steps -= candidates.length >> 7;
    return kind === undefined ? candidates : candidates.filter((other) => (kindOf(other) ?? kind) === kind);
  };
}

function isSameList(left: readonly TypeModel[], right: readonly TypeModel[]): boolean {
  return left.length === right.length && left.every((member, index) => member === right[index]);
}

function intersectSingle(left: SingleType, right: SingleType, merging: Merging): TypeModel {
  const meet = (one: TypeModel, other: TypeModel): TypeModel => intersect(one, other, merging);
  if (left.kind === 'object' && right.kind === 'object') return intersectObjects(left, right, meet);
  if ((left.kind === 'list' || left.kind === 'tuple') && (right.kind === 'list' || right.kind === 'tuple')) {
    return intersectItems(left, right, meet);
  }
  const narrower = contains(right, left) ? left : contains(left, right) ? right : undefined;
  if (narrower === undefined) return neverType;
  // A value may still be refused for what makes the wider one loose, so that the result is a type of its own.
  const wider = narrower === left ? right : left;
  const isLoose = 'loose' in wider && narrower.kind !== 'bytes';
  return isLoose ? { ...narrower, loose: true } : narrower;
}

/** Of two values or scalars. */
export function contains(wide: SingleType, narrow: SingleType): boolean {
  if (wide.kind === 'scalar' && narrow.kind === 'scalar') {
    return wide.scalar === narrow.scalar || (wide.scalar === 'number' && narrow.scalar === 'integer');
  }
  if (wide.kind === 'scalar' && narrow.kind === 'literal') {
    return wide.scalar === 'integer' ? Number.isInteger(narrow.value) : typeof narrow.value === wide.scalar;
  }
  if (wide.kind === 'literal' && narrow.kind === 'literal') return wide.value === narrow.value;
  return wide.kind === 'bytes' && narrow.kind === 'bytes';
}
