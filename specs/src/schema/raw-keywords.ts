import type { JsonValue } from '../json.ts';

/** The type of a keyword's value. */
export type KeywordKind = 'value' | 'schema' | 'schemas-by-name' | 'schema-list';

/** Assertions and applicators of raw schemas by the kind of their value; other keywords are annotations or unknown. */
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

/** Keywords that hold further schemas of the same value, which may decide whether it is valid. */
export const keywordsOfValue: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'then',
  'else',
  'dependentSchemas',
]);
/** Keywords that hold schemas of the same value, which need not be valid. */
export const testedKeywords: ReadonlySet<string> = new Set(['not', 'if']);

/** The schemas that a keyword of a raw schema holds. */
export function innerSchemas(keyword: string, value: JsonValue): readonly JsonValue[] {
  const kind = schemaKeywords.get(keyword);
  if (kind === 'schema') return [value];
  return kind === 'schemas-by-name' || kind === 'schema-list' ? Object.values(value ?? {}) : [];
}

function keywords(kind: KeywordKind, list: string): [string, KeywordKind][] {
  return list.split(' ').map((keyword) => [keyword, kind]);
}
