import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { enumOf, namesOf, type SchemaNode, type TypeWord, typesOf, type Union, withParts } from './schema-node.ts';
import { isAnnotation, type Located, partsOf, type SchemaPart } from './schema-parts.ts';

/** The schema with alternatives that only list values or types said in one list; undefined when some say more. */
export function foldUnions(node: SchemaNode, root: JsonObject): SchemaNode | undefined {
  const folded = node.unions.map((union) => foldUnion(union, root));
  const added = folded.filter((part) => part !== undefined);
  return added.length < folded.length ? undefined : withParts(node, [...node.parts.map(withoutUnions), ...added]);
}

function withoutUnions({ schema: { anyOf, oneOf, ...schema }, ...part }: SchemaPart): SchemaPart {
  return { ...part, schema };
}

function foldUnion(union: Union, root: JsonObject): SchemaPart | undefined {
  const lists = union.members.map((member) => listOf(member, root));
  const values = lists.flatMap((list) => list?.values ?? []);
  const types = lists.flatMap((list) => list?.types ?? []);
  const isWhole = (kind: 'values' | 'types'): boolean => lists.every((list) => list?.[kind] !== undefined);
  if (
    isWhole('values') &&
    !repeats(
      union,
      values.map((value) => JSON.stringify(value)),
    )
  )
    return { schema: { enum: values }, pointer: union.pointer, isFolded: true };
  if (isWhole('types') && !repeats(union, types))
    return { schema: { type: namesOf(new Set(types)) }, pointer: union.pointer, isFolded: true };
  return undefined;
}

// What two alternatives of an exclusive choice have in common, it refuses.
function repeats({ isExclusive }: Union, words: readonly string[]): boolean {
  return isExclusive && new Set(words).size < words.length;
}

type List = { readonly values?: readonly JsonValue[]; readonly types?: readonly TypeWord[] };

function listOf(member: Located, root: JsonObject): List | undefined {
  const { parts, isNever } = partsOf(member, root);
  const schemas = parts.map(({ schema }) => schema);
  if (isNever || !isJsonObject(member.schema) || !schemas.every(saysLittle)) return undefined;
  const [values, types] = [enumOf(schemas), typesOf(schemas)];
  if (values !== undefined) return { values };
  return types === undefined ? undefined : { types: [...types] };
}

function saysLittle(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => ['type', 'enum', 'const'].includes(keyword) || isAnnotation(keyword));
}
