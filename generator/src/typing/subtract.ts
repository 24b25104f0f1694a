import { contains, intersect } from './intersect.ts';
import { everyKind, isSingle, kindOf, type SingleType } from './json-kinds.ts';
import type { Merging } from './merging.ts';
import { objectShapeOf } from './object-shape.ts';
import { subtractObjects } from './subtract-objects.ts';
import {
  choiceOf,
  type ListType,
  membersOf,
  neverType,
  type ObjectType,
  type TupleType,
  type TypeModel,
} from './type-model.ts';

/** What is left of a type. When no type says it exactly, `rest` holds more values than it should, never fewer. */
export type Difference = { readonly rest: TypeModel; readonly exact: boolean };

const alternativesAtMost = 40;
const everything: TypeModel = { kind: 'choice', members: everyKind };

/** The values of `from` that `minus` does not accept; `from` itself when nothing is to be taken away. */
export function subtract(from: TypeModel, minus: TypeModel, merging: Merging): Difference {
  if (from.kind === 'never' || minus.kind === 'never') return { rest: from, exact: true };
  if (minus.kind === 'unknown' || from === minus) return { rest: neverType, exact: true };
  if (merging.steps-- <= 0) return { rest: from, exact: false };
  const key = (type: TypeModel) => (type.kind === 'reference' ? type.name : type);
  const open = merging.subtracting.get(key(from)) ?? new Set();
  if (open.has(key(minus))) return { rest: from, exact: false };
  merging.subtracting.set(key(from), open.add(key(minus)));
  const difference = subtractAny(from, minus, merging);
  open.delete(key(minus));
  return difference;
}

function subtractAny(from: TypeModel, minus: TypeModel, merging: Merging): Difference {
  switch (minus.kind) {
    case 'choice':
      return subtractAll(from, minus.members, merging);
    case 'all': {
      // To miss an intersection it is enough to miss one of its members.
      const differences = minus.members.map((member) => subtract(from, member, merging));
      const untouched = differences.find(({ rest }) => rest === from);
      if (untouched !== undefined) return untouched;
      return {
        rest: choiceOf(differences.map(({ rest }) => rest)),
        exact: differences.every(({ exact }) => exact),
      };
    }
    case 'reference': {
      if (from.kind === 'reference' && from.name === minus.name) return { rest: neverType, exact: true };
      const expanded = merging.shapeOf(minus.name);
      return expanded === undefined ? { rest: from, exact: false } : subtract(from, expanded, merging);
    }
    default:
      return subtractFrom(from, minus, merging);
  }
}

export function subtractAll(from: TypeModel, minus: readonly TypeModel[], merging: Merging): Difference {
  const values = withoutValues(from, minus);
  let left: Difference = { rest: values.from, exact: true };
  for (const member of values.minus) {
    const next = subtract(left.rest, member, merging);
    const isTooMany = membersOf(next.rest).length > membersOf(from).length + alternativesAtMost;
    left = isTooMany ? { rest: left.rest, exact: false } : { rest: next.rest, exact: left.exact && next.exact };
  }
  return left;
}

/** Values of a list are taken away at once: one by one, two long lists would take their product. */
function withoutValues(from: TypeModel, minus: readonly TypeModel[]) {
  const members = membersOf(from);
  if (minus.length < 2 || members.some((member) => member.kind !== 'literal')) return { from, minus };
  const values = new Set(
    minus.map((member) => (member.kind === 'literal' && !member.loose ? member.value : undefined)),
  );
  const kept = members.filter((member) => member.kind !== 'literal' || !values.has(member.value));
  return {
    from: kept.length === members.length ? from : choiceOf(kept),
    minus: minus.filter((member) => member.kind !== 'literal' || member.loose),
  };
}

function subtractFrom(from: TypeModel, minus: TypeModel, merging: Merging): Difference {
  switch (from.kind) {
    case 'unknown': {
      const left = subtract(everything, minus, merging);
      return left.rest === everything ? { rest: from, exact: left.exact } : left;
    }
    case 'choice': {
      const differences = from.members.map((member) => subtract(member, minus, merging));
      const isSame = differences.every(({ rest }, index) => rest === from.members[index]);
      const rest = isSame ? from : choiceOf(differences.map((one) => one.rest));
      return { rest, exact: differences.every(({ exact }) => exact) };
    }
    case 'reference':
    case 'all':
      return subtractFromNamed(from, minus, merging);
    case 'object': {
      return minus.kind === 'object' ? subtractShape(from, from, { minus, merging }) : { rest: from, exact: true };
    }
    default:
      return isSingle(from) && isSingle(minus) ? subtractSingle(from, minus, merging) : { rest: from, exact: false };
  }
}

function subtractShape(type: TypeModel, shape: ObjectType, by: { minus: ObjectType; merging: Merging }): Difference {
  return subtractObjects({ type, shape }, by.minus, {
    meet: (left, right) => intersect(left, right, by.merging),
    subtract: (from, minus) => subtract(from, minus, by.merging),
    typesAll: by.merging.typesAll,
  });
}

// Only keys are taken away from an object, so its name can stay: `Name & { key?: never }`.
function subtractFromNamed(from: TypeModel, minus: TypeModel, merging: Merging): Difference {
  const shape = objectShapeOf(from, merging);
  if (shape !== undefined) {
    return minus.kind === 'object' ? subtractShape(from, shape, { minus, merging }) : { rest: from, exact: true };
  }
  const expanded = from.kind === 'reference' ? merging.shapeOf(from.name) : undefined;
  if (expanded === undefined) return { rest: from, exact: false };
  const left = subtract(expanded, minus, merging);
  return left.rest === expanded ? { rest: from, exact: left.exact } : left;
}

function subtractSingle(from: SingleType, minus: SingleType, merging: Merging): Difference {
  if (kindOf(from) !== kindOf(minus)) return { rest: from, exact: true };
  if ((from.kind === 'list' || from.kind === 'tuple') && (minus.kind === 'list' || minus.kind === 'tuple')) {
    return subtractItems(from, minus, merging);
  }
  if ('loose' in minus) return { rest: from, exact: false };
  if (contains(minus, from)) return { rest: neverType, exact: true };
  if (from.kind === 'literal') return { rest: from, exact: true };
  if (from.kind === 'scalar' && from.scalar === 'boolean' && minus.kind === 'literal') {
    return { rest: { kind: 'literal', value: minus.value !== true }, exact: true };
  }
  return { rest: from, exact: false };
}

function subtractItems(from: ListType | TupleType, minus: ListType | TupleType, merging: Merging): Difference {
  const both = intersect(from, minus, merging);
  if (both === from) return { rest: neverType, exact: true };
  if (both.kind === 'never') return { rest: from, exact: true };
  const takesEmpty = !minus.loose && (minus.kind === 'list' || minus.required === 0);
  if (!takesEmpty) return { rest: from, exact: false };
  // Whatever else they have in common, the empty list is in both.
  const exact = both.kind === 'tuple' && both.prefix.length === 0 && both.rest === 'closed';
  if (from.kind === 'list')
    return { rest: { ...from, kind: 'tuple', prefix: [from.item], required: 1, rest: from.item }, exact };
  if (from.prefix.length === 0) return { rest: from, exact: false };
  if (from.required > 0) return { rest: from, exact };
  return { rest: { ...from, required: 1 }, exact };
}
