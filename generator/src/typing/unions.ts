import type { JsonTypeName } from '../../../specs/src/index.ts';
import {
  anyArray,
  anyObject,
  isUnconstrained,
  neverType,
  nullType,
  stringType,
  type TsType,
  unknownType,
} from './ts-type.ts';

/** The kinds of values that the keyword `type` distinguishes; integers count as numbers. */
export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'bytes';
/** A type whose values all have the same kind. */
export type SingleType = Exclude<TsType, { kind: 'unknown' | 'never' | 'reference' | 'intersection' | 'union' }>;

export const typesByName: Readonly<Record<JsonTypeName, TsType>> = {
  null: nullType,
  boolean: { kind: 'scalar', scalar: 'boolean' },
  number: { kind: 'scalar', scalar: 'number' },
  string: stringType,
  array: anyArray,
  object: anyObject,
  integer: { kind: 'scalar', scalar: 'integer' },
};
// Integers are numbers.
const everyKind = Object.values(typesByName).slice(0, -1);
export const everyJsonKind: ReadonlySet<Kind> = new Set(['null', 'boolean', 'number', 'string', 'array', 'object']);
/** The type of every JSON value as a union of all kinds, so that one kind can be narrowed. */
export const everything: TsType = { kind: 'union', members: everyKind };
/** Kinds of values that object keywords don't constrain; array keywords don't constrain the kinds of `allButArrays`. */
export const allButObjects = everyKind.filter((type) => type !== anyObject);
export const allButArrays = everyKind.filter((type) => type !== anyArray);

export function isSingle(type: TsType): type is SingleType {
  return classify(type) !== undefined;
}

export function classify(type: TsType): Kind | undefined {
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'integer' ? 'number' : type.scalar;
    case 'literal':
      return type.value === null ? 'null' : kindsOfLiterals[typeof type.value];
    case 'array':
    case 'object':
    case 'bytes':
      return type.kind;
    default:
      return undefined;
  }
}

const kindsOfLiterals: Readonly<Record<string, Kind>> = { string: 'string', number: 'number', boolean: 'boolean' };

export function listMembers(type: TsType): readonly TsType[] {
  return type.kind === 'union' ? type.members : [type];
}

export function isInexact(type: TsType): boolean {
  return 'inexact' in type && type.inexact === true;
}

/** Creates a union without nesting or repetition; `unknown` if the members accept every value. */
export function joinTypes(types: readonly TsType[]): TsType {
  const [sole] = types;
  if (types.length === 1 && sole !== undefined) return sole;
  const members = new Set<TsType>();
  const keys = new Set<string>();
  for (const member of types.flatMap(listMembers)) {
    const key = identify(member);
    if (member.kind === 'never' || (key !== undefined && keys.has(key))) continue;
    if (key !== undefined) keys.add(key);
    members.add(member);
  }
  const [only] = members;
  if (only === undefined) return neverType;
  if (keys.has('unknown') || keysOfEverything.every((key) => keys.has(key))) return unknownType;
  return members.size === 1 ? only : { kind: 'union', members: [...members] };
}

const keysOfEverything = everyKind.flatMap((type) => identify(type) ?? []);

// Only types that are cheap to compare get a key. Two equal objects in one union are harmless.
function identify(member: TsType): string | undefined {
  if (isInexact(member)) return undefined;
  switch (member.kind) {
    case 'scalar':
      return member.scalar;
    case 'literal':
      return `=${JSON.stringify(member.value)}`;
    case 'reference':
      return `#${member.name}`;
    case 'array':
      return isAnyArray(member) && !member.evaluated ? 'array' : undefined;
    case 'object':
      // An open object differs from an unspecified one until `unevaluatedProperties` has been applied.
      return isUnconstrained(member) ? 'object' : undefined;
    case 'bytes':
    case 'unknown':
      return member.kind;
    default:
      return undefined;
  }
}

function isAnyArray({ prefix, rest }: TsType & { kind: 'array' }): boolean {
  return prefix.length === 0 && rest !== 'closed' && rest.kind === 'unknown';
}

/** Replaces a finalised union that accepts every value by `unknown`. */
export function collapseUniversalUnion(type: TsType): TsType {
  const keys = listMembers(type).map((member) =>
    identify(member.kind === 'object' && member.rest === 'open' ? { ...member, rest: 'unspecified' } : member),
  );
  return keysOfEverything.every((key) => keys.includes(key)) ? unknownType : type;
}
