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
  /** `if`, `then` and `else`. */
  conditional?: { test: CanonicalSchema; yes?: CanonicalSchema; no?: CanonicalSchema };
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
  description?: string;
  default?: JsonValue;
  examples?: readonly JsonValue[];
  deprecated?: true;
  /** A member so marked belongs to outputs only. */
  readOnly?: true;
  /** A member so marked belongs to inputs only. */
  writeOnly?: true;
};

/** Keywords that decide nothing, in the order in which they are printed. */
export const annotationKeywords = [
  ...(['description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'] as const),
];

/** The schemas that references of a document lead to. */
export type Definitions = ReadonlyMap<DefinitionName, CanonicalSchema>;
/** A schema with all that it refers to. */
export type SchemaWithDefinitions = { readonly schema: CanonicalSchema; readonly definitions: Definitions };

/** What is sent to the service, or what it gives. */
export type Side = 'input' | 'output';

/** Accepts every value. */
export const anything: CanonicalSchema = Object.freeze({});
/** Accepts no value. */
export const nothing: CanonicalSchema = Object.freeze({ not: anything });

/** Whether the schema says by its type that null alone is valid. */
export function isNull({ type }: CanonicalSchema): boolean {
  return type?.length === 1 && type[0] === 'null';
}

/** Whether the schema says outright that no value is valid. */
export function isNothing(schema: CanonicalSchema): boolean {
  return schema.not !== undefined && Object.keys(schema.not).length === 0;
}
