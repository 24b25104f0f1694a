/** An assertion that no type expresses, or a note about a text. */
export type LimitKeyword = {
  /** The type of the values that it is about; undefined for all. */
  readonly type: 'number' | 'string' | 'array' | 'object' | undefined;
  /** For a bound of a range: the end of it. */
  readonly end?: 'least' | 'most';
  /** Whether it asserts nothing. */
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
  ['pattern', { type: 'string' }],
  ['format', { type: undefined }],
  ['minItems', { type: 'array', end: 'least' }],
  ['maxItems', { type: 'array', end: 'most' }],
  ['uniqueItems', { type: 'array' }],
  ['minProperties', { type: 'object', end: 'least' }],
  ['maxProperties', { type: 'object', end: 'most' }],
  ['minContains', { type: 'array', end: 'least' }],
  ['maxContains', { type: 'array', end: 'most' }],
  ['contentEncoding', { type: 'string', informs: true }],
  ['contentMediaType', { type: 'string', informs: true }],
]);
