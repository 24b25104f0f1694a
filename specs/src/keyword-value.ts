import { SpecError } from './errors.ts';
import { isJsonObject, type JsonValue } from './json.ts';

const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const isNumber = (value: JsonValue): boolean => typeof value === 'number';
const isTexts = (value: JsonValue): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isType = (value: JsonValue): boolean => typeof value === 'string' && types.includes(value);

const intelligible: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ['type', (value) => (Array.isArray(value) ? value.every(isType) : isType(value))],
  ['enum', Array.isArray],
  ['required', isTexts],
  ['pattern', isPattern],
  ['patternProperties', (value) => isJsonObject(value) && Object.keys(value).every(isPattern)],
  ...[
    'multipleOf',
    'maximum',
    'minimum',
    'maxLength',
    'minLength',
    'maxItems',
    'minItems',
    'maxContains',
    'minContains',
  ]
    .concat('maxProperties', 'minProperties')
    .map((keyword) => [keyword, isNumber] as const),
]);

/** Throws SpecError where the keyword's value is of a kind that says nothing, such as a type that there is not. */
export function checkKeywordValue(keyword: string, value: JsonValue): void {
  if (intelligible.get(keyword)?.(value) !== false) return;
  throw new SpecError(`schema cannot be compiled: ${keyword} cannot be ${JSON.stringify(value)}`);
}

/** Published patterns hold escapes that only the older dialect knows (`\-`). Throws SyntaxError for one of neither dialect. */
export function readPattern(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

function isPattern(value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  try {
    readPattern(value, 'u');
    return true;
  } catch {
    return false;
  }
}
