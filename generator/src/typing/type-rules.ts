import { type CanonicalSchema, isNothing, type JsonTypeName } from '../schema/canonical-schema.ts';
import { readAnyOf, readOneOf } from './branches.ts';
import { readConditional, readDependents, readNot } from './conditions.ts';
import { readItemWords, readObjectWords, readPropertyNames } from './container-words.ts';
import { intersect } from './intersect.ts';
import { readLimits } from './limits.ts';
import { literalType } from './literal-type.ts';
import type { Merging } from './merging.ts';
import { anyList, anyObject, choiceOf, neverType, nullType, type TypeModel, unknownType } from './type-model.ts';
import { readUnevaluated } from './unevaluated.ts';

type Source = {
  schema: CanonicalSchema;
  /** What the rules before have found. */
  base: TypeModel;
  convert(schema: CanonicalSchema): TypeModel;
  meet(left: TypeModel, right: TypeModel): TypeModel;
  merging: Merging;
};
type Rule = {
  id: string;
  /** The type that this part of a schema says; nothing when it says none. */
  read(source: Source): TypeModel | undefined;
  /** What was read is the base, narrowed. */
  narrows?: true;
};

/**
 * Each rule reads its own keywords; a schema's type is what all of them accept. The order decides whose field order and
 * documentation lead: a schema's own words go before those of its branches. What takes values away comes last, where
 * most is known of what it takes them from.
 */
const rules: readonly Rule[] = [
  { id: 'type', read: ({ schema: { type } }) => type && choiceOf(type.map((name) => typesByName[name])) },
  { id: 'enum', read: ({ schema }) => schema.enum && choiceOf(schema.enum.map(literalType)) },
  { id: 'object-words', read: (source) => readObjectWords(source.schema, source) },
  { id: 'item-words', read: (source) => readItemWords(source.schema, source) },
  { id: 'property-names', read: ({ schema }) => readPropertyNames(schema) },
  { id: 'reference', read: ({ schema: { ref } }) => ref && { kind: 'reference', name: ref } },
  { id: 'all-of', read: ({ schema, convert, meet }) => schema.allOf?.map(convert).reduce(meet) },
  { id: 'any-of', read: readAnyOf, narrows: true },
  { id: 'one-of', read: readOneOf, narrows: true },
  { id: 'dependents', read: readDependents, narrows: true },
  { id: 'conditional', read: readConditional, narrows: true },
  { id: 'not', read: readNot, narrows: true },
  { id: 'limits', read: readLimits, narrows: true },
];

const typesByName: Record<JsonTypeName, TypeModel> = {
  null: nullType,
  boolean: { kind: 'scalar', scalar: 'boolean' },
  integer: { kind: 'scalar', scalar: 'integer' },
  number: { kind: 'scalar', scalar: 'number' },
  string: { kind: 'scalar', scalar: 'string' },
  array: anyList,
  object: anyObject,
};

export function readType(schema: CanonicalSchema, merging: Merging): TypeModel {
  if (isNothing(schema)) return neverType;
  const convert = (part: CanonicalSchema): TypeModel => readType(part, merging);
  const meet = (left: TypeModel, right: TypeModel): TypeModel => intersect(left, right, merging);
  let base: TypeModel = unknownType;
  for (const rule of rules) {
    const said = rule.read({ schema, base, convert, meet, merging });
    if (said !== undefined) base = rule.narrows ? said : meet(base, said);
  }
  return readUnevaluated(base, schema, { convert, merging });
}
