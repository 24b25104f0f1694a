import { contains, intersect, narrowNamed, readMember, readObjectShape, removeCovered } from './intersect.ts';
import type { TypingState } from './named-types.ts';
import {
  type ArrayType,
  classify,
  everything,
  type Field,
  isInexact,
  isSingle,
  joinTypes,
  listMembers,
  makeObject,
  neverType,
  type ObjectType,
  type SingleType,
  type TsType,
} from './ts-type.ts';

/** The result of a subtraction. If no type can express it exactly, `rest` accepts too many values, never too few. */
type Difference = { readonly rest: TsType; readonly exact: boolean };

const maxAlternatives = 40;

/** Removes the values that `minus` accepts from `from`. Returns `from` itself if there is nothing to remove. */
export function subtract(from: TsType, minus: TsType, state: TypingState): Difference {
  if (from.kind === 'never' || minus.kind === 'never') return { rest: from, exact: true };
  if (minus.kind === 'unknown' || from === minus) return { rest: neverType, exact: true };
  if (state.budget.steps-- <= 0) return { rest: from, exact: false };
  const key = (type: TsType) => (type.kind === 'reference' ? type.name : type);
  const active = state.subtracting.get(key(from)) ?? new Set();
  if (active.has(key(minus))) return { rest: from, exact: false };
  state.subtracting.set(key(from), active.add(key(minus)));
  const difference = subtractAny(from, minus, state);
  active.delete(key(minus));
  return difference;
}

function subtractAny(from: TsType, minus: TsType, state: TypingState): Difference {
  switch (minus.kind) {
    case 'union':
      return subtractAll(from, minus.members, state);
    case 'intersection': {
      // A value is outside an intersection if it is outside at least one member.
      const differences = minus.members.map((member) => subtract(from, member, state));
      return differences.find(({ rest }) => rest === from) ?? uniteDifferences(differences);
    }
    case 'reference': {
      if (from.kind === 'reference' && from.name === minus.name) return { rest: neverType, exact: true };
      const expanded = state.readShape(minus.name);
      return expanded === undefined ? { rest: from, exact: false } : subtract(from, expanded, state);
    }
    default:
      return subtractFrom(from, minus, state);
  }
}

function uniteDifferences(differences: readonly Difference[]): Difference {
  return { rest: joinTypes(differences.map(({ rest }) => rest)), exact: differences.every(({ exact }) => exact) };
}

export function subtractAll(from: TsType, minus: readonly TsType[], state: TypingState): Difference {
  const values = subtractLiterals(from, minus);
  let left: Difference = { rest: values.from, exact: true };
  for (const member of values.minus) {
    const next = subtract(left.rest, member, state);
    const rest = removeCovered(next.rest, state);
    const isTooMany = listMembers(rest).length > listMembers(from).length + maxAlternatives;
    left = isTooMany ? { rest: left.rest, exact: false } : { rest, exact: left.exact && next.exact };
  }
  return left;
}

// Subtract all literals in one pass, because two long enums would otherwise take quadratic time.
function subtractLiterals(from: TsType, minus: readonly TsType[]) {
  const members = listMembers(from);
  if (minus.length < 2 || members.some((member) => member.kind !== 'literal')) return { from, minus };
  const values = new Set(
    minus.map((member) => (member.kind === 'literal' && !member.inexact ? member.value : undefined)),
  );
  const remaining = members.filter((member) => member.kind !== 'literal' || !values.has(member.value));
  return {
    from: remaining.length === members.length ? from : joinTypes(remaining),
    minus: minus.filter((member) => member.kind !== 'literal' || member.inexact),
  };
}

function subtractFrom(from: TsType, minus: TsType, state: TypingState): Difference {
  switch (from.kind) {
    case 'unknown': {
      const left = subtract(everything, minus, state);
      return left.rest === everything ? { rest: from, exact: left.exact } : left;
    }
    case 'union': {
      const differences = from.members.map((member) => subtract(member, minus, state));
      const isUnchanged = differences.every(({ rest }, index) => rest === from.members[index]);
      const left = uniteDifferences(differences);
      return isUnchanged ? { rest: from, exact: left.exact } : left;
    }
    case 'reference':
    case 'intersection':
    case 'object':
      return subtractFromObject(from, minus, state);
    default:
      return isSingle(from) && isSingle(minus) ? subtractSingle(from, minus, state) : { rest: from, exact: false };
  }
}

// Subtraction only adds constraints to an object, so the result can keep its type name: `Name & { key?: never }`.
function subtractFromObject(from: TsType, minus: TsType, state: TypingState): Difference {
  const shape = readObjectShape(from, state);
  if (shape !== undefined) {
    return minus.kind === 'object' ? subtractObject(from, shape, minus, state) : { rest: from, exact: true };
  }
  const expanded = from.kind === 'reference' ? state.readShape(from.name) : undefined;
  if (expanded === undefined) return { rest: from, exact: false };
  const left = subtract(expanded, minus, state);
  return left.rest === expanded ? { rest: from, exact: left.exact } : left;
}

function subtractSingle(from: SingleType, minus: SingleType, state: TypingState): Difference {
  if (classify(from) !== classify(minus)) return { rest: from, exact: true };
  if (from.kind === 'array' && minus.kind === 'array') return subtractArray(from, minus, state);
  if (isInexact(minus)) return { rest: from, exact: false };
  if (contains(minus, from)) return { rest: neverType, exact: true };
  if (from.kind === 'literal') return { rest: from, exact: true };
  if (from.kind === 'scalar' && from.scalar === 'boolean' && minus.kind === 'literal') {
    return { rest: { kind: 'literal', value: minus.value !== true }, exact: true };
  }
  return { rest: from, exact: false };
}

function subtractArray(from: ArrayType, minus: ArrayType, state: TypingState): Difference {
  const both = intersect(from, minus, state);
  if (both === from) return { rest: neverType, exact: true };
  if (both.kind === 'never') return { rest: from, exact: true };
  if (minus.inexact || minus.required > 0) return { rest: from, exact: false };
  // Both accept the empty array, so at least that value is removed.
  const exact = both.kind === 'array' && both.prefix.length === 0 && both.rest.kind === 'never';
  if (from.required > 0) return { rest: from, exact };
  if (from.prefix.length > 0) return { rest: { ...from, required: 1 }, exact };
  return from.rest.kind === 'never'
    ? { rest: from, exact: false }
    : { rest: { ...from, prefix: [from.rest], required: 1 }, exact };
}

/** Removes an object type from `shape`. `type`: the same object as a reference, so that the result can keep its name. */
function subtractObject(type: TsType, shape: ObjectType, minus: ObjectType, state: TypingState): Difference {
  const both = intersect(shape, minus, state);
  if (both.kind === 'never') return { rest: type, exact: true };
  if (both === shape) return { rest: neverType, exact: true };
  const unchanged = { rest: type, exact: false };
  if (minus.inexact) return unchanged;
  // Members that can keep an object out of `minus`. One optional member expresses both "absent" and "of a different
  // type".
  const misses = new Map<string, Pick<Field, 'name' | 'required' | 'type'>>();
  const addMiss = (name: string, required: boolean, missType: TsType): void => {
    const earlier = misses.get(name);
    const merged = earlier && {
      name,
      required: earlier.required && required,
      type: joinTypes([earlier.type, missType]),
    };
    misses.set(name, merged ?? { name, required, type: missType });
  };
  for (const { name, required } of minus.fields.values())
    if (required && shape.fields.get(name)?.required !== true) addMiss(name, false, neverType);
  let isExact = true;
  for (const { name, type: excluded } of minus.fields.values()) {
    const { rest, exact } = subtract(readMember(shape, name, state).type, excluded, state);
    isExact &&= exact;
    if (rest.kind !== 'never') addMiss(name, true, rest);
  }
  for (const { name, type: own } of shape.fields.values()) {
    if (minus.fields.has(name)) continue;
    const { rest, exact } = subtract(own, readMember(minus, name, state).type, state);
    if (rest.kind === 'never') continue;
    if (!exact) return unchanged;
    addMiss(name, true, rest);
  }
  // If `minus` limits unlisted members, an object with any other name may be outside `minus`; no type can express that.
  const isOpen = minus.rest.kind === 'unknown';
  const limited = isOpen ? minus : shape;
  if (limited.patterns.length > 0 || (!isOpen && shape.rest.kind !== 'never')) return unchanged;
  const alternatives = [...misses.values()].map((miss) => narrowNamed(type, makeObject([miss]), state));
  return alternatives.includes(type) ? unchanged : { rest: joinTypes(alternatives), exact: isExact };
}
