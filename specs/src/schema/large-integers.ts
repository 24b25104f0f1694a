import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { CanonicalSchema } from './canonical-schema.ts';

/** Exact digits of integers beyond 2^53, by the object or list that contains them and by their key. */
export type LargeIntegers = ReadonlyMap<object, ReadonlyMap<string, string>>;

const mayBeRounded = /^-?\d{16,100}$/;

/** Parses JSON and also returns the exact digits of integers that were rounded. Throws like `JSON.parse`. */
export function parseWithLargeIntegers(text: string): { readonly value: JsonValue; readonly integers: LargeIntegers } {
  const integers = new Map<object, Map<string, string>>();
  // Few documents contain such integers, and the callback makes parsing several times slower.
  if (!/\d{16}/.test(text)) return { value: JSON.parse(text), integers };
  const recordInteger = function (
    this: object,
    key: string,
    value: unknown,
    { source = '' }: { source?: string } = {},
  ) {
    if (typeof value === 'number' && !Number.isSafeInteger(value) && mayBeRounded.test(source))
      integers.set(this, (integers.get(this) ?? new Map()).set(key, source));
    return value;
  };
  return { value: JSON.parse(text, recordInteger), integers };
}

const keywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'enum',
  'const',
  'default',
];

/** Returns the exact JSON texts of keyword values that contain large integers, by keyword. */
export function readExactTexts(raw: JsonObject, integers: LargeIntegers): Map<string, string> {
  if (integers.size === 0) return new Map();
  const print = (value: JsonValue, holder: object, key: string): string => {
    if (Array.isArray(value)) return `[${value.map((item, at) => print(item, value, `${at}`)).join(',')}]`;
    if (!isJsonObject(value)) return integers.get(holder)?.get(key) ?? JSON.stringify(value);
    return `{${Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}:${print(part, value, name)}`)}}`;
  };
  const texts = keywords.flatMap((keyword): [string, string][] => {
    const value = raw[keyword];
    const text = value === undefined ? undefined : print(value, raw, keyword);
    if (text === undefined || text === JSON.stringify(value)) return [];
    return [keyword === 'const' ? ['enum', `[${text}]`] : [keyword, text]];
  });
  return new Map(texts);
}

/** Parses a JSON text into a value whose integers `JSON.stringify` prints exactly. */
export function parseWithExactIntegers(text: string): JsonValue {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): JsonValue }; // Not in TypeScript's types yet.
  const keep = (_: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && mayBeRounded.test(source) ? rawJSON(source) : value;
  return JSON.parse(text, keep);
}

/** Merges the limits of several schemas; the last value of each keyword is kept. */
export function mergeLimits(schemas: readonly CanonicalSchema[]): Pick<CanonicalSchema, 'limits' | 'exactTexts'> {
  const limits = new Map<string, JsonValue>();
  const exactTexts = new Map<string, string>();
  for (const schema of schemas) {
    for (const [keyword, value] of schema.limits ?? []) limits.set(keyword, value);
    for (const keyword of [...Object.keys(schema), ...(schema.limits?.keys() ?? [])]) exactTexts.delete(keyword);
    for (const [keyword, text] of schema.exactTexts ?? []) exactTexts.set(keyword, text);
  }
  return { ...(limits.size > 0 && { limits }), ...(exactTexts.size > 0 && { exactTexts }) };
}
