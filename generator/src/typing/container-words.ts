import { type CanonicalSchema, isNothing } from '../../../specs/src/index.ts';
import { docsOf } from './docs.ts';
import { allButArrays, allButObjects } from './json-kinds.ts';
import { isMatch, readNamePattern } from './name-patterns.ts';
import {
  choiceOf,
  type Field,
  type ListType,
  neverType,
  type ObjectType,
  type Pattern,
  type Rest,
  type TupleType,
  type TypeModel,
  unknownType,
} from './type-model.ts';

/** Makes types of schemas, and what two types have in common. */
export type Making = {
  convert(schema: CanonicalSchema): TypeModel;
  meet(left: TypeModel, right: TypeModel): TypeModel;
};

/** What a schema says of objects, beside all values that are none. */
export function readObjectWords(schema: CanonicalSchema, making: Making): TypeModel | undefined {
  const { properties, required, additionalProperties, patternProperties } = schema;
  if (!properties && !required && !additionalProperties && !patternProperties) return undefined;
  const object = readObject(schema, making);
  for (const field of object.fields.values()) {
    if (field.required && field.type.kind === 'never') return choiceOf(allButObjects);
  }
  return choiceOf([object, ...allButObjects]);
}

function readObject(schema: CanonicalSchema, making: Making): ObjectType {
  const words = readPatterns(schema, making);
  const rest = readRest(schema, words, making);
  const context: FieldContext = { ...words, rest, making, required: new Set(schema.required) };
  const fields = new Map<string, Field>();
  for (const [name, property] of [...(schema.properties ?? []), ...words.wholeNames]) {
    if (!fields.has(name)) fields.set(name, describedField(name, property, context));
  }
  for (const name of context.required) if (!fields.has(name)) fields.set(name, namedField(name, context));
  const loose = words.unsaid.length > 0 ? { loose: true as const } : {};
  return { kind: 'object', fields, patterns: words.patterns, rest, ...loose };
}

type FieldContext = PatternWords & { rest: Rest; making: Making; required: ReadonlySet<string> };

function describedField(name: string, property: CanonicalSchema, context: FieldContext): Field {
  const { convert, meet } = context.making;
  const whole = context.wholeNames.get(name);
  const also = whole === undefined || whole === property ? [] : [convert(whole)];
  const type = [convert(property), ...also, ...matching(name, context)].reduce(meet);
  return { name, required: context.required.has(name), type, docs: docsOf(property) };
}

/** A member that only `required` speaks of. */
function namedField(name: string, context: FieldContext): Field {
  const said = matching(name, context);
  if (said.length > 0) return { name, required: true, type: said.reduce(context.making.meet), docs: {} };
  const type = context.unsaid.length > 0 ? unknownType : typeOfRest(context.rest);
  return { name, required: true, type, docs: {}, ...(context.rest === 'unsaid' ? { undescribed: true } : {}) };
}

function matching(name: string, { patterns, every }: FieldContext): TypeModel[] {
  const types = patterns.filter((one) => isMatch(one, name)).map(({ type }) => type);
  return types.length > 0 || every === undefined ? types : [every];
}

type PatternWords = {
  wholeNames: ReadonlyMap<string, CanonicalSchema>;
  patterns: readonly Pattern[];
  /** Behind an expression that every name matches. */
  every: TypeModel | undefined;
  /** Behind expressions that no type can say. */
  unsaid: readonly TypeModel[];
};

function readPatterns({ patternProperties }: CanonicalSchema, { convert, meet }: Making): PatternWords {
  const wholeNames = new Map<string, CanonicalSchema>();
  const some: Pattern[] = [];
  const unsaid: TypeModel[] = [];
  let every: TypeModel | undefined;
  for (const [expression, schema] of patternProperties ?? []) {
    const names = readNamePattern(expression);
    if (names === undefined) unsaid.push(convert(schema));
    else if (names.whole) wholeNames.set(names.starts, schema);
    else if (names.starts === '' && names.ends === '') every = meet(every ?? unknownType, convert(schema));
    else some.push({ starts: names.starts, ends: names.ends, type: convert(schema) });
  }
  const patterns = some.map((one) => ({ ...one, type: every === undefined ? one.type : meet(one.type, every) }));
  return { wholeNames, patterns, every, unsaid };
}

function readRest({ additionalProperties }: CanonicalSchema, { every, unsaid }: PatternWords, making: Making): Rest {
  // Then no name is left for anything else to speak of.
  if (every !== undefined) return restOf(every);
  if (additionalProperties === undefined) return unsaid.length === 0 ? 'unsaid' : 'open';
  const own = isNothing(additionalProperties) ? neverType : making.convert(additionalProperties);
  return restOf(choiceOf([own, ...unsaid]));
}

function restOf(type: TypeModel): Rest {
  if (type.kind === 'never') return 'closed';
  return type.kind === 'unknown' ? 'open' : type;
}

function typeOfRest(rest: Rest): TypeModel {
  if (rest === 'unsaid' || rest === 'open') return unknownType;
  return rest === 'closed' ? neverType : rest;
}

/** What a schema says of arrays, beside all values that are none. How many there may be is told for listed items only. */
export function readItemWords(schema: CanonicalSchema, { convert }: Making): TypeModel | undefined {
  const { prefixItems, items } = schema;
  if (prefixItems === undefined && items === undefined) return undefined;
  const item = items === undefined ? unknownType : convert(items);
  const list = readList(schema, item, convert);
  if (list === undefined) return choiceOf(allButArrays);
  return choiceOf([items === undefined ? list : { ...list, described: true }, ...allButArrays]);
}

function readList(
  { prefixItems, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: CanonicalSchema,
  item: TypeModel,
  convert: Making['convert'],
): ListType | TupleType | undefined {
  const loose = { loose: true as const };
  if (prefixItems === undefined && item.kind !== 'never') {
    return { kind: 'list', item, ...(minItems > 0 || maxItems < Number.POSITIVE_INFINITY ? loose : {}) };
  }
  const fitting = takeFitting((prefixItems ?? []).slice(0, maxItems).map(convert));
  const isClosed = item.kind === 'never' || fitting.isCut || maxItems <= fitting.prefix.length;
  return readTuple(fitting.prefix, isClosed ? 'closed' : item, { minItems, maxItems });
}

// Where no value fits, the list must end before.
function takeFitting(items: readonly TypeModel[]): { prefix: readonly TypeModel[]; isCut: boolean } {
  const end = items.findIndex((item) => item.kind === 'never');
  return end < 0 ? { prefix: items, isCut: false } : { prefix: items.slice(0, end), isCut: true };
}

/** So many items behind the listed ones are spelt out, to say how many there have to be. */
const countedAtMost = 16;

function readTuple(
  prefix: readonly TypeModel[],
  rest: TupleType['rest'],
  { minItems, maxItems }: { minItems: number; maxItems: number },
): TupleType | undefined {
  if (rest === 'closed') {
    return minItems > prefix.length ? undefined : { kind: 'tuple', prefix, required: minItems, rest };
  }
  const isCapped = maxItems <= countedAtMost;
  const least = minItems <= countedAtMost ? minItems : 0;
  const length = Math.max(prefix.length, isCapped ? maxItems : least);
  const counted = Array.from({ length }, (_, index) => prefix[index] ?? rest);
  const required = Math.min(minItems, length);
  if (isCapped) return minItems > maxItems ? undefined : { kind: 'tuple', prefix: counted, required, rest: 'closed' };
  const isLoose = minItems > length || maxItems < Number.POSITIVE_INFINITY;
  return { kind: 'tuple', prefix: counted, required, rest, ...(isLoose ? { loose: true } : {}) };
}
