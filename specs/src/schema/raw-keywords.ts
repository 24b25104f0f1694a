import type { JsonValue } from '../json.ts';

/** Kind of a keyword's value. */
export type KeywordKind = 'value' | 'schema' | 'schemas-by-name' | 'schema-list';

/** Keywords that contain schemas. */
const applicators: Readonly<Record<Exclude<KeywordKind, 'value'>, readonly string[]>> = {
  schema: [
    ...['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
    ...['unevaluatedItems', 'unevaluatedProperties'],
  ],
  'schemas-by-name': ['properties', 'patternProperties', 'dependentSchemas'],
  'schema-list': ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
};
const assertions: readonly string[] = [
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains'],
  ...['minProperties', 'maxProperties', 'required', 'dependentRequired'],
];

/** Assertions and applicators, with the kind of their value. Other keywords are annotations or unknown. */
export const schemaKeywords: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries({ value: assertions, ...applicators }).flatMap(([kind, keywords]) =>
    keywords.map((keyword) => [keyword, kind as KeywordKind] as const),
  ),
);

/** Keywords whose schemas apply to the same value and can affect its validity. */
export const keywordsOfValue: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'then',
  'else',
  'dependentSchemas',
]);
/** Keywords whose schemas are applied to the value without having to match it. */
export const testedKeywords: ReadonlySet<string> = new Set(['not', 'if']);

/** Returns the schemas in the value of a keyword. */
export function innerSchemas(keyword: string, value: JsonValue): readonly JsonValue[] {
  const kind = schemaKeywords.get(keyword);
  if (kind === 'schema') return [value];
  return kind === 'schemas-by-name' || kind === 'schema-list' ? Object.values(value ?? {}) : [];
}
