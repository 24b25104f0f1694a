import { type CanonicalSchema, isNothing, type JsonTypeName } from '../schema/canonical-schema.ts';
import { lenientObject } from './branch-shape.ts';
import { readAnyOf, readOneOf } from './branches.ts';
import { readItemWords, readObjectWords } from './container-words.ts';
import { intersect } from './intersect.ts';
import { literalType } from './literal-type.ts';
import type { Merging } from './merging.ts';
import { choiceOf, neverType, nullType, openObject, type TypeModel, unknownType } from './type-model.ts';

type Convert = (schema: CanonicalSchema) => TypeModel;
type Rule = {
  id: string;
  /** The type that this part of a schema says; nothing when it says none. */
  read(schema: CanonicalSchema, convert: Convert, merging: Merging): TypeModel | undefined;
};

/**
 * Each rule reads its own keywords; a schema's type is what all of them accept. The order decides whose field order and
 * documentation lead, not what is accepted: a schema's own words go before those of its branches.
 */
const rules: readonly Rule[] = [
  { id: 'type', read: ({ type }) => type && choiceOf(type.map((name) => typesByName[name])) },
  { id: 'enum', read: (schema) => schema.enum && choiceOf(schema.enum.map(literalType)) },
  { id: 'object-words', read: (schema, convert) => readObjectWords(schema, convert) },
  { id: 'item-words', read: (schema, convert) => readItemWords(schema, convert) },
  { id: 'reference', read: ({ ref }) => ref && { kind: 'reference', name: ref } },
  {
    id: 'all-of',
    read: (schema, convert, merging) => schema.allOf?.map(convert).reduce((sum, one) => intersect(sum, one, merging)),
  },
  { id: 'any-of', read: (schema, convert, merging) => readAnyOf({ schema, convert, merging }) },
  { id: 'one-of', read: (schema, convert, merging) => readOneOf({ schema, convert, merging }) },
  { id: 'not', read: readNot },
];

const typesByName: Record<JsonTypeName, TypeModel> = {
  null: nullType,
  boolean: { kind: 'scalar', scalar: 'boolean' },
  integer: { kind: 'scalar', scalar: 'integer' },
  number: { kind: 'scalar', scalar: 'number' },
  string: { kind: 'scalar', scalar: 'string' },
  array: { kind: 'list', item: unknownType, lenient: false },
  object: { ...openObject, rest: 'unsaid' },
};

export function readType(schema: CanonicalSchema, merging: Merging): TypeModel {
  const convert: Convert = (part) => readType(part, merging);
  let type: TypeModel = unknownType;
  for (const rule of rules) {
    const said = rule.read(schema, convert, merging);
    if (said !== undefined) type = intersect(type, said, merging);
  }
  const { unevaluatedProperties } = schema;
  return unevaluatedProperties !== undefined && isNothing(unevaluatedProperties) ? closeObjects(type, merging) : type;
}

/** Of what `not` can say, a type expresses that nothing passes and that a key is absent. */
function readNot({ not }: CanonicalSchema): TypeModel | undefined {
  if (not === undefined) return undefined;
  if (Object.keys(not).length === 0) return neverType;
  const [name, ...others] = not.required ?? [];
  if (Object.keys(not).length > 1 || name === undefined || others.length > 0) return undefined;
  return lenientObject(new Map([[name, neverType]]));
}

function closeObjects(type: TypeModel, merging: Merging, followed: readonly TypeModel[] = []): TypeModel {
  if (type.kind === 'object') return type.rest === 'unsaid' ? { ...type, rest: 'closed' } : type;
  if (type.kind === 'choice') return choiceOf(type.members.map((member) => closeObjects(member, merging, followed)));
  const expanded = type.kind === 'reference' ? merging.expand(type.name) : undefined;
  if (expanded === undefined || followed.includes(expanded)) return type;
  return closeObjects(expanded, merging, [...followed, expanded]);
}
