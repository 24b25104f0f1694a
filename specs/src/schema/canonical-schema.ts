import type { JsonValue } from '../json.ts';

/** Names a definition within its document; made by the `claimName` of a reader's options. */
export type DefinitionName = string & { readonly brand: 'DefinitionName' };
export type JsonTypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** Wire value of a discriminating property, by the branch it selects. */
export type Discriminator = { propertyName: string; values: ReadonlyMap<DefinitionName, readonly string[]> };

/**
 * A JSON Schema 2020-12 without the dialects of its source: no `nullable`, no boolean bounds, no old tuples, no unknown
 * keywords, `const` as an `enum` of one, every reference a name of the same document that exists.
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
  /** Like `else` beside an `if` only. */
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
  /** Assertions no type expresses, kept by keyword: bounds, pattern, format, uniqueness … */
  limits?: ReadonlyMap<string, JsonValue>;
  /** By keyword: the JSON text of a value with integers beyond 2^53, which its member here has rounded. */
  exactTexts?: ReadonlyMap<string, string>;
  /** Its title, or for a definition without one the name of its component. */
  title?: string;
  description?: string;
  default?: JsonValue;
  examples?: readonly JsonValue[];
  deprecated?: true;
  /** A member so marked belongs to outputs only. */
  readOnly?: true;
  /** A member so marked belongs to inputs only. */
  writeOnly?: true;
  /** A branch so marked belongs to outputs only: the null of a `nullable` enum that does not list null. */
  outputOnly?: true;
};

/** Keywords that decide nothing, in the order in which they are printed. */
export const annotationKeywords = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
] as const;

/** The schemas that references of a document lead to. */
export type Definitions = ReadonlyMap<DefinitionName, CanonicalSchema>;
/** A schema with all that it refers to. */
export type SchemaWithDefinitions = { readonly schema: CanonicalSchema; readonly definitions: Definitions };

/** The direction of a value: sent to the service, or returned by it. */
export type Side = 'input' | 'output';

/** Accepts every value. */
export const anything: CanonicalSchema = Object.freeze({});
/** Accepts no value. */
export const nothing: CanonicalSchema = Object.freeze({ not: anything });

/** True if the schema's types reject every value of its enum. */
export function hasImpossibleEnum({ type, enum: values }: CanonicalSchema): boolean {
  if (type === undefined || values === undefined) return false;
  return !values.some((value) => {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    return type.some((name) => name === kind || (name === 'integer' && Number.isInteger(value)));
  });
}

/** True if the schema's only type is null. */
export function isNull({ type }: CanonicalSchema): boolean {
  return type?.length === 1 && type[0] === 'null';
}

/** True if the schema is `not` an empty schema, which rejects every value. */
export function isNothing(schema: CanonicalSchema): boolean {
  return schema.not !== undefined && Object.keys(schema.not).length === 0;
}

/** An assertion that no type expresses, or a note about a text. */
export type LimitKeyword = {
  /** The type of the values that the keyword applies to; undefined for all. */
  readonly type: 'number' | 'string' | 'array' | 'object' | undefined;
  /** For a bound of a range: the end of it. */
  readonly end?: 'least' | 'most';
  /** The type of the keyword's value; a number by default. */
  readonly value?: 'string' | 'boolean';
  /** True for an annotation, which rejects no value. */
  readonly informs?: true;
};

/** Keywords kept as they are in the `limits` of a canonical schema. */
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
