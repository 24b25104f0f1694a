import {
  annotationKeywords,
  type CanonicalSchema,
  isNothing,
  isNull,
  type JsonValue,
  nothing,
} from '../../../specs/src/index.ts';
import { childPointer, type Located, listParts, locateChild, type SchemaPart } from './located-schema.ts';
import { type NodeType, nameTypes, readEnum, readTypes } from './types-and-values.ts';

export type Union = { readonly isExclusive: boolean; readonly members: readonly Located[]; readonly pointer: string };

export function listUnions(part: SchemaPart): Union[] {
  return (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const listed = part.schema[keyword];
    if (listed === undefined) return [];
    const members = listed.map((schema, index) => locateChild(part, schema, keyword, index));
    const pointer = childPointer(part, keyword);
    return [{ isExclusive: keyword === 'oneOf', members: members.filter(({ schema }) => !isNothing(schema)), pointer }];
  });
}

const maxNestedUnions = 20;

export function partAcceptsNull(part: SchemaPart, depth = 0): boolean {
  const { type, enum: values } = part.schema;
  if (type !== undefined && !type.includes('null')) return false;
  if (values !== undefined && !values.includes(null)) return false;
  return listUnions(part).every(({ members, isExclusive }) => {
    const accepting = members.filter((member) => acceptsNull(member, depth + 1)).length;
    return isExclusive ? accepting === 1 : accepting > 0;
  });
}

function acceptsNull(member: Located, depth: number): boolean {
  const { parts, isNever } = listParts(member);
  return depth < maxNestedUnions && !isNever && parts.every((part) => partAcceptsNull(part, depth));
}

// Alternatives that are only null are in `acceptsNull`; a single other alternative applies without condition.
export function withoutNullUnions(part: SchemaPart, parents: readonly string[]): SchemaPart[] {
  // A schema that contains itself adds nothing the second time.
  if (parents.includes(part.pointer)) return [];
  const inlined: SchemaPart[] = [];
  let schema = part.schema;
  for (const { isExclusive, members } of listUnions(part)) {
    const keyword = isExclusive ? 'oneOf' : 'anyOf';
    const left = members.filter((member) => !isNullOnly(member));
    const [only] = left;
    const { [keyword]: listed = [], ...rest } = schema;
    if (left.length === 1 && only !== undefined) {
      schema = rest;
      inlined.push(...listParts(only).parts.flatMap((one) => withoutNullUnions(one, [...parents, part.pointer])));
    } else if (left.length < members.length) {
      // The others keep their index, which is part of their pointers.
      const kept = new Set(left.map((member) => member.schema));
      schema = { ...rest, [keyword]: listed.map((one) => (kept.has(one) ? one : nothing)) };
    }
  }
  return [{ ...part, schema }, ...inlined];
}

function isNullOnly(member: Located): boolean {
  return listParts(member).parts.some(({ schema }) => {
    return isNull(schema) || (schema.enum?.length === 1 && schema.enum[0] === null);
  });
}

/** The parts with unions that list only values or types replaced by one list; undefined when a union says more. */
export function foldUnions(parts: readonly SchemaPart[]): readonly SchemaPart[] | undefined {
  const folded = parts.flatMap((part) => listUnions(part).map((union) => foldUnion(union, part)));
  const lists = folded.filter((part) => part !== undefined);
  const rest = parts.map(({ schema: { anyOf, oneOf, ...schema }, ...part }) => ({ ...part, schema }));
  return lists.length < folded.length ? undefined : [...rest, ...lists];
}

function foldUnion({ members, isExclusive, pointer }: Union, { document }: SchemaPart): SchemaPart | undefined {
  const lists = members.map(readList);
  const values = lists.flatMap((list) => list?.values ?? []);
  const types = lists.flatMap((list) => list?.types ?? []);
  // An exclusive union refuses what two alternatives have in common.
  const overlaps = (all: readonly JsonValue[]): boolean =>
    isExclusive && new Set(all.map((one) => JSON.stringify(one))).size < all.length;
  if (lists.every((list) => list?.values !== undefined) && !overlaps(values))
    return { schema: { enum: values }, pointer, document, isFolded: true };
  if (lists.every((list) => list?.types !== undefined) && !overlaps(types))
    return { schema: { type: nameTypes(new Set(types)) }, pointer, document, isFolded: true };
  return undefined;
}

function readList(member: Located): { values?: readonly JsonValue[]; types?: readonly NodeType[] } | undefined {
  const { parts, isNever } = listParts(member);
  const schemas = parts.map(({ schema }) => schema);
  const isList = schemas.every((schema) => listAssertions(schema).every((keyword) => /^(?:type|enum)$/.test(keyword)));
  if (isNever || !isList) return undefined;
  const [values, types] = [readEnum(schemas), readTypes(schemas)];
  if (values !== undefined) return { values };
  return types === undefined ? undefined : { types: [...types] };
}

const undecided = new Set<string>(['discriminator', ...annotationKeywords]);

/** The keywords of a schema that validators check. */
export function listAssertions(schema: CanonicalSchema): string[] {
  return Object.keys(schema).filter((keyword) => !undecided.has(keyword));
}
