import type { JsonValue } from '../json.ts';

/** The name of a definition in its document, created by the reader's option `claimName`. */
export type DefinitionName = string & { readonly brand: 'DefinitionName' };
export type JsonTypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** Values of a discriminating property, by the branch that they select. */
export type Discriminator = { propertyName: string; values: ReadonlyMap<DefinitionName, readonly string[]> };

/**
 * A schema in one normal form of JSON Schema 2020-12: no `nullable`, boolean bounds, old tuples or unknown keywords; `const` is an
 * `enum` with one value; every reference is the name of an existing definition.
 */
export type CanonicalSchema = {
  ref?: DefinitionName;
  type?: readonly JsonTypeName[];
  enum?: readonly JsonValue[];
  allOf?: readonly CanonicalSchema[];
  anyOf?: readonly CanonicalSchema[];
  oneOf?: readonly CanonicalSchema[];
  not?: CanonicalSchema;
  if?: CanonicalSchema;
  /** Only together with `if`, like `else`. */
  then?: CanonicalSchema;
  else?: CanonicalSchema;
  dependentRequired?: ReadonlyMap<string, readonly string[]>;
  dependentSchemas?: ReadonlyMap<string, CanonicalSchema>;
  properties?: ReadonlyMap<string, CanonicalSchema>;
  required?: readonly string[];
  patternProperties?: ReadonlyMap<string, CanonicalSchema>;
  additionalProperties?: CanonicalSchema;
  propertyNames?: CanonicalSchema;
  unevaluatedProperties?: CanonicalSchema;
  prefixItems?: readonly CanonicalSchema[];
  items?: CanonicalSchema;
  contains?: CanonicalSchema;
  unevaluatedItems?: CanonicalSchema;
  minItems?: number;
  maxItems?: number;
  discriminator?: Discriminator;
  /** Assertions that types can't express, by keyword: bounds, pattern, format, uniqueness … */
  limits?: ReadonlyMap<string, JsonValue>;
  /** Exact JSON texts of keyword values with integers beyond 2^53, by keyword. The parsed values are rounded. */
  exactTexts?: ReadonlyMap<string, string>;
  /** The title, or the component name of a definition without a title. */
  title?: string;
  description?: string;
  default?: JsonValue;
  examples?: readonly JsonValue[];
  deprecated?: true;
  /** True for a member that only outputs have. */
  readOnly?: true;
  /** True for a member that only inputs have. */
  writeOnly?: true;
  /** True for a branch that only outputs have: the null of a `nullable` enum that doesn't list null. */
  outputOnly?: true;
};

/** Annotations, which don't affect validity, in the order in which they are printed. */
export const annotationKeywords = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
] as const;

/** The referenced schemas of a document by name. */
export type Definitions = ReadonlyMap<DefinitionName, CanonicalSchema>;
/** A schema and all definitions that it refers to. */
export type SchemaWithDefinitions = { readonly schema: CanonicalSchema; readonly definitions: Definitions };

/** The direction of a value: sent to the service, or returned by it. */
export type Side = 'input' | 'output';

/** Accepts every value. */
export const anything: CanonicalSchema = Object.freeze({});
/** Accepts no value. */
export const nothing: CanonicalSchema = Object.freeze({ not: anything });

/** True if the value has one of the types, or if there are none. */
export function isOfTypes(value: JsonValue, types: readonly JsonTypeName[] | undefined): boolean {
  if (types === undefined) return true;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return types.some((type) => type === kind || (type === 'integer' && Number.isInteger(value)));
}

/** True if the schema's types reject every value of its enum. */
export function hasImpossibleEnum({ type, enum: values }: CanonicalSchema): boolean {
  return values !== undefined && !values.some((value) => isOfTypes(value, type));
}

/** True if the schema's only type is null. */
export function isNull({ type }: CanonicalSchema): boolean {
  return type?.length === 1 && type[0] === 'null';
}

/** True if the schema is `not` an empty schema, which rejects every value. */
export function isNothing(schema: CanonicalSchema): boolean {
  return schema.not !== undefined && Object.keys(schema.not).length === 0;
}

/** A keyword that types can't express: an assertion, or an annotation of a string. */
export type LimitKeyword = {
  /** The type of values that the keyword applies to; undefined for all types. */
  readonly type: 'number' | 'string' | 'array' | 'object' | undefined;
  /** For a bound: which end of the range it is. */
  readonly end?: 'least' | 'most';
  /** The type of the keyword's own value. Default: a number. */
  readonly value?: 'string' | 'boolean';
  /** True for an annotation, which doesn't reject values. */
  readonly informs?: true;
};

/** Keywords that are stored unchanged in the `limits` of a canonical schema. */
export const limitKeywords: ReadonlyMap<string, LimitKeyword> = new Map<string, LimitKeyword>([
  ['minimum', { type: 'number', end: 'least' }],
  ['maximum', { type: 'number', end: 'most' }],
  ['exclusiveMinimum', { type: 'number', end: 'least' }],
  ['exclusiveMaximum', { type: 'number', end: 'most' }],
  ['multipleOf', { type: 'number' }],
  ['minLength', { type: 'string', end: 'least' }],
  ['maxLength', { type: 'string', end: 'most' }],
  ['pattern', { type: 'string', value: 'string' }],
  ['format', { type: undefined, value: 'string' }],
  ['minItems', { type: 'array', end: 'least' }],
  ['maxItems', { type: 'array', end: 'most' }],
  ['uniqueItems', { type: 'array', value: 'boolean' }],
  ['minProperties', { type: 'object', end: 'least' }],
  ['maxProperties', { type: 'object', end: 'most' }],
  ['minContains', { type: 'array', end: 'least' }],
  ['maxContains', { type: 'array', end: 'most' }],
  ['contentEncoding', { type: 'string', value: 'string', informs: true }],
  ['contentMediaType', { type: 'string', value: 'string', informs: true }],
]);

/** True if the keyword is a limit and its value has the right type. */
export function isLimit(keyword: string, value: JsonValue): boolean {
  const limit = limitKeywords.get(keyword);
  return limit !== undefined && typeof value === (limit.value ?? 'number');
}
