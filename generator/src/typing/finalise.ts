import { intersect, readObjectShape, withMember } from './intersect.ts';
import type { TypingState } from './named-types.ts';
import {
  type Field,
  isUnconstrained,
  neverType,
  type ObjectType,
  objectWith,
  openObject,
  type TsType,
  unknownType,
} from './ts-type.ts';
import { collapseUniversalUnion, isInexact, joinTypes } from './unions.ts';

export type Finalise = (type: TsType) => TsType;

/** Creates a function that makes types printable: handles excess properties in unions and removes marks for merging. */
export function createFinalise(state: TypingState): Finalise {
  const known = new Map<TsType, TsType>();
  const finalise: Finalise = (type) => {
    const result = known.get(type) ?? finaliseParts(type, finalise, state);
    known.set(type, result);
    return result;
  };
  return finalise;
}

function finaliseParts(type: TsType, finalise: Finalise, state: TypingState): TsType {
  switch (type.kind) {
    case 'scalar':
    case 'literal':
      return isInexact(type) ? { ...type, inexact: false } : type;
    case 'array': {
      const rest = type.rest === 'closed' ? type.rest : finalise(type.rest);
      return { kind: 'array', prefix: type.prefix.map(finalise), required: type.required, rest };
    }
    case 'intersection':
      return finaliseIntersection(type.members, finalise, state);
    case 'union':
      return collapseUniversalUnion(joinTypes(withExcessProperties(type.members, state).map(finalise)));
    case 'object': {
      // An object without described members is open, because no name could be a misspelling.
      const isVague = type.rest === 'unspecified' && [...type.fields.values()].every((field) => field.unevaluated);
      return finaliseMembers(isVague ? { ...type, rest: 'open' } : type, finalise);
    }
    default:
      return type;
  }
}

function finaliseIntersection(members: readonly TsType[], finalise: Finalise, state: TypingState): TsType {
  const kept = compilable(
    // Remove objects without constraints, which only carried a mark.
    members.filter((member) => member.kind !== 'object' || !isUnconstrained(member)),
    state,
  );
  const [only] = kept;
  if (kept.length === 1 && only !== undefined) return finalise(only);
  return {
    kind: 'intersection',
    members: kept.map((member) => (member.kind === 'object' ? finaliseMembers(member, finalise) : finalise(member))),
  };
}

// TypeScript expands intersections of unions: with ten times as many alternatives it takes seconds, and with 100 times it fails.
const alternativesAtMost = 1000;

/** Removes members that make an intersection too complex for TypeScript. The result accepts more values, never fewer. */
function compilable(members: readonly TsType[], state: TypingState): readonly TsType[] {
  const known = new Map<TsType, number>();
  const countOne = (member: TsType): number => countAlternatives(member, state, known);
  if (members.reduce((product, member) => product * countOne(member), 1) <= alternativesAtMost) return members;
  const kept = new Set<TsType>();
  let product = 1;
  for (const member of members) {
    product *= countOne(member);
    if (product <= alternativesAtMost || kept.size === 0) kept.add(member);
  }
  return members.filter((member) => kept.has(member));
}

function countAlternatives(type: TsType, state: TypingState, known: Map<TsType, number>): number {
  const before = known.get(type);
  if (before !== undefined) return before;
  known.set(type, 1); // a recursive type counts once
  const countParts = (parts: readonly TsType[]): number[] => parts.map((one) => countAlternatives(one, state, known));
  let count = 1;
  if (type.kind === 'reference') [count = 1] = countParts([state.expand(type.name) ?? unknownType]);
  else if (type.kind === 'union') count = countParts(type.members).reduce((sum, one) => sum + one, 0);
  else if (type.kind === 'intersection') count = countParts(type.members).reduce((product, one) => product * one, 1);
  known.set(type, count);
  return count;
}

function finaliseMembers({ fields, patterns, rest, title }: ObjectType, finalise: Finalise): ObjectType {
  return {
    kind: 'object',
    title,
    fields: new Map([...fields].map(([name, field]) => [name, { ...field, type: finalise(field.type) }])),
    patterns: patterns.map((pattern) => ({ ...pattern, type: finalise(pattern.type) })),
    rest: typeof rest === 'string' ? rest : finalise(rest),
  };
}

type Shapes = readonly (ObjectType | undefined)[];

/**
 * Adjusts a union of objects to two rules of TypeScript. An object literal may have the keys of any member of the union, so a
 * closed member gets the keys of the others as `key?: never`, unless the two exclude each other anyway. An object that shares no
 * key with a member of only optional fields (a weak type) is refused, so such a member gets the keys of the others as unknown.
 */
function withExcessProperties(members: readonly TsType[], state: TypingState): readonly TsType[] {
  const shapes = members.map((type) => readObjectShape(type, state));
  if (shapes.filter((shape) => shape !== undefined).length < 2) return members;
  return allowForWeakMembers(closeToOthers(members, shapes, state), shapes);
}

const pairsAtMost = 100_000;
const absentKeysAtMost = 20_000;
const excessKeysAtMost = 1000;

function closeToOthers(members: readonly TsType[], shapes: Shapes, state: TypingState): readonly TsType[] {
  const closed = new Set(shapes.filter((shape) => shape?.rest === 'closed' && shape.patterns.length === 0));
  if (closed.size * shapes.length > pairsAtMost) return members;
  const absent = shapes.map((shape) => {
    if (shape === undefined || !closed.has(shape)) return [];
    const others = shapes.filter((other) => other !== undefined && other !== shape && overlap(shape, other, state));
    return listKeys(others).filter((name) => !shape.fields.has(name));
  });
  if (absent.reduce((sum, names) => sum + names.length, 0) > absentKeysAtMost) return members;
  return members.map((type, index) => withOptional(type, absent[index] ?? [], neverType));
}

function overlap(left: ObjectType, right: ObjectType, state: TypingState): boolean {
  const open = (shape: ObjectType): ObjectType => ({ ...shape, rest: 'unspecified', patterns: [] });
  return intersect(open(left), open(right), state).kind !== 'never';
}

function allowForWeakMembers(members: readonly TsType[], shapes: Shapes): readonly TsType[] {
  const weak = new Set(shapes.filter((shape) => shape !== undefined && isWeak(shape)));
  if (weak.size === 0) return members;
  const keys = listKeys(shapes);
  if (keys.length * weak.size > excessKeysAtMost) return members;
  const isAnyOpen = shapes.some((shape) => shape !== undefined && acceptsAnyKey(shape));
  return members.map((type, index) => {
    const shape = shapes[index];
    if (shape === undefined || !weak.has(shape)) return type;
    // If one member accepts any key, TypeScript can't report misspelt keys, so all members can stay open.
    if (isAnyOpen) return type.kind === 'object' ? { ...type, rest: 'open' } : withMember(type, openObject);
    const missing = keys.filter((name) => !shape.fields.has(name));
    return withOptional(type, missing, unknownType);
  });
}

function listKeys(shapes: Shapes): string[] {
  return [...new Set(shapes.flatMap((shape) => [...(shape?.fields.keys() ?? [])]))];
}

function isWeak({ fields, patterns, rest }: ObjectType): boolean {
  const all = [...fields.values()];
  return rest === 'unspecified' && patterns.length === 0 && all.length > 0 && all.every(({ required }) => !required);
}

function acceptsAnyKey({ fields, patterns, rest }: ObjectType): boolean {
  return patterns.length > 0 || (rest === 'unspecified' ? fields.size === 0 : rest !== 'closed');
}

function withOptional(type: TsType, names: readonly string[], memberType: TsType): TsType {
  if (names.length === 0) return type;
  const fields = names.map((name): Field => ({ name, required: false, type: memberType, docs: {} }));
  if (type.kind !== 'object') return withMember(type, objectWith(fields));
  return { ...type, fields: new Map([...type.fields, ...fields.map((field) => [field.name, field] as const)]) };
}
