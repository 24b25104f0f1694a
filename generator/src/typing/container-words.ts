import { type CanonicalSchema, isNothing } from '../schema/canonical-schema.ts';
import { docsOf } from './docs.ts';
import {
  choiceOf,
  type Field,
  type ListType,
  neverType,
  type ObjectType,
  type Rest,
  type TupleType,
  type TypeModel,
  unknownType,
} from './type-model.ts';

type Convert = (schema: CanonicalSchema) => TypeModel;

/** What a schema says of objects; it does not by itself say that the value is one. */
export function readObjectWords(schema: CanonicalSchema, convert: Convert): ObjectType | undefined {
  const { properties, required, additionalProperties, patternProperties } = schema;
  if (!properties && !required && !additionalProperties && !patternProperties) return undefined;
  const rest = readRest(schema, convert);
  const fields = new Map<string, Field>();
  const requiredNames = new Set(required);
  for (const [name, property] of properties ?? []) {
    fields.set(name, { name, required: requiredNames.has(name), type: convert(property), docs: docsOf(property) });
  }
  for (const name of requiredNames) {
    if (!fields.has(name)) fields.set(name, { name, required: true, type: typeOfUnlisted(schema, rest), docs: {} });
  }
  return { kind: 'object', fields, rest, lenient: true };
}

function readRest({ additionalProperties, patternProperties }: CanonicalSchema, convert: Convert): Rest {
  const patterns = [...(patternProperties?.values() ?? [])].map(convert);
  if (additionalProperties === undefined) return patterns.length === 0 ? 'unsaid' : 'open';
  if (isNothing(additionalProperties)) return patterns.length === 0 ? 'closed' : choiceOf(patterns);
  const type = choiceOf([convert(additionalProperties), ...patterns]);
  return type.kind === 'unknown' ? 'open' : type;
}

function typeOfUnlisted(schema: CanonicalSchema, rest: Rest): TypeModel {
  if (rest === 'unsaid' || rest === 'open' || schema.patternProperties !== undefined) return unknownType;
  return rest === 'closed' ? neverType : rest;
}

/** What a schema says of arrays. How many there may be is told by a type only for the listed first items. */
export function readItemWords(schema: CanonicalSchema, convert: Convert): ListType | TupleType | undefined {
  const { prefixItems, items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (prefixItems === undefined && items === undefined) return undefined;
  const item = items === undefined ? unknownType : convert(items);
  if (prefixItems === undefined && item.kind !== 'never') return { kind: 'list', item, lenient: true };
  const prefix = (prefixItems ?? []).slice(0, maxItems).map(convert);
  const ends = item.kind === 'never' || maxItems <= prefix.length;
  return {
    kind: 'tuple',
    prefix,
    required: Math.min(minItems, prefix.length),
    rest: ends ? 'closed' : item,
    lenient: true,
  };
}
