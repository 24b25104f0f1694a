import type { JsonValue } from '../json.ts';

/** What the value of a keyword contains. */
export type KeywordKind = 'value' | 'schema' | 'schemas-by-name' | 'schema-list';

/** Assertions and applicators by the kind of their value. Other keywords are annotations or unknown. */
export const schemaKeywords: ReadonlyMap<string, KeywordKind> = new Map([
  ...keywords(
    'value',
    'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength',
  ),
  ...keywords('value', 'pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties'),
  ...keywords('value', 'required dependentRequired format'),
  ...keywords('schema', 'items contains additionalProperties propertyNames not if then else'),
  ...keywords('schema', 'unevaluatedItems unevaluatedProperties'),
  ...keywords('schemas-by-name', 'properties patternProperties dependentSchemas'),
  ...keywords('schema-list', 'allOf anyOf oneOf prefixItems'),
]);

/** Keywords with schemas for the same value that can affect its validity. */
export const keywordsOfValue: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'then',
  'else',
  'dependentSchemas',
]);
/** Keywords with schemas for the same value that it doesn't have to match. */
export const testedKeywords: ReadonlySet<string> = new Set(['not', 'if']);

/** Returns the schemas in the value of a keyword. */
export function innerSchemas(keyword: string, value: JsonValue): readonly JsonValue[] {
  const kind = schemaKeywords.get(keyword);
  if (kind === 'schema') return [value];
  return kind === 'schemas-by-name' || kind === 'schema-list' ? Object.values(value ?? {}) : [];
}

function keywords(kind: KeywordKind, list: string): [string, KeywordKind][] {
  return list.split(' ').map((keyword) => [keyword, kind]);
}
