import { type CanonicalSchema, isNothing, type JsonTypeName } from '../../../specs/src/index.ts';
import { readAnyOf, readOneOf } from './branches.ts';
import { readConditional, readDependents, readNot } from './conditions.ts';
import { readItemWords, readObjectWords } from './container-words.ts';
import { intersect } from './intersect.ts';
import { readLimits } from './limits.ts';
import { literalType } from './literal-type.ts';
import type { Merging } from './merging.ts';
import { readPropertyNames } from './property-names.ts';
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
  /** The rule is asked where one of these is said. */
  keywords: readonly (keyof CanonicalSchema)[];
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
  { keywords: ['type'], read: ({ schema: { type } }) => type && choiceOf(type.map((name) => typesByName[name])) },
  { keywords: ['enum'], read: ({ schema }) => schema.enum && choiceOf(schema.enum.map(literalType)) },
  {
    keywords: ['properties', 'required', 'additionalProperties', 'patternProperties'],
    read: (source) => readObjectWords(source.schema, source),
  },
  { keywords: ['items', 'prefixItems'], read: (source) => readItemWords(source.schema, source) },
  {
    keywords: ['propertyNames'],
    read: ({ schema, convert, merging }) => readPropertyNames(schema, { convert, expand: merging.expand }),
  },
  { keywords: ['ref'], read: ({ schema: { ref } }) => ref && { kind: 'reference', name: ref } },
  { keywords: ['allOf'], read: readAllOf, narrows: true },
  { keywords: ['anyOf'], read: readAnyOf, narrows: true },
  { keywords: ['oneOf'], read: readOneOf, narrows: true },
  { keywords: ['dependentRequired', 'dependentSchemas'], read: readDependents, narrows: true },
  { keywords: ['conditional'], read: readConditional, narrows: true },
  { keywords: ['not'], read: readNot, narrows: true },
  {
    keywords: ['limits', 'contains', 'propertyNames', 'minItems', 'maxItems'],
    read: readLimits,
    narrows: true,
  },
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

// What takes values away is read last and within the others: only then is it known what is left.
function readAllOf({ schema: { allOf }, base, convert, meet, merging }: Source): TypeModel | undefined {
  if (allOf === undefined) return undefined;
  const others = allOf.filter((part) => !takesAway(part)).map(convert);
  const [first, ...more] = others;
  const known = first === undefined ? base : meet(base, more.reduce(meet, first));
  return allOf.filter(takesAway).reduce((type, part) => readType(part, merging, type), known);
}

function takesAway(schema: CanonicalSchema): boolean {
  const { conditional, not, oneOf, unevaluatedProperties, unevaluatedItems } = schema;
  // What is undescribed is judged by the part's own words.
  if (unevaluatedProperties !== undefined || unevaluatedItems !== undefined) return false;
  return conditional !== undefined || oneOf !== undefined || (not !== undefined && !isNothing(schema));
}

/** `base` is what is known of the value beside this schema. */
export function readType(schema: CanonicalSchema, merging: Merging, base: TypeModel = unknownType): TypeModel {
  if (isNothing(schema)) return neverType;
  const convert = (part: CanonicalSchema): TypeModel => readType(part, merging);
  const meet = (left: TypeModel, right: TypeModel): TypeModel => intersect(left, right, merging);
  const source: Source = { schema, base, convert, meet, merging };
  for (const { keywords, read, narrows } of rules) {
    if (!keywords.some((keyword) => schema[keyword] !== undefined)) continue;
    const said = read(source);
    if (said !== undefined) source.base = narrows ? said : meet(source.base, said);
  }
  return readUnevaluated(source.base, schema, { convert, merging });
}
