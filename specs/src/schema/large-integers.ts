import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { CanonicalSchema } from './canonical-schema.ts';

/** The digits of integers beyond 2^53, which a double rounds, by the object or list that holds them and their key in it. */
export type LargeIntegers = ReadonlyMap<object, ReadonlyMap<string, string>>;

/** Parses a JSON text, with the digits of the integers that the value has rounded. Throws as `JSON.parse` does. */
export function parseWithLargeIntegers(text: string): { readonly value: JsonValue; readonly integers: LargeIntegers } {
  const integers = new Map<object, Map<string, string>>();
  // Few documents have any, and the callback makes parsing several times slower.
  if (!/\d{16}/.test(text)) return { value: JSON.parse(text), integers };
  const note = function (this: object, key: string, value: unknown, { source = '' }: { source?: string } = {}) {
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d{16,100}$/.test(source);
    if (isRounded) integers.set(this, (integers.get(this) ?? new Map()).set(key, source));
    return value;
  };
  return { value: JSON.parse(text, note), integers };
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

/** By keyword: the JSON texts of values that hold large integers. */
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

/** For `JSON.stringify`, which writes the integers of the text whole. */
export function keepIntegers(text: string): JsonValue {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): JsonValue }; // TypeScript does not have it yet
  const keep = (_: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? rawJSON(source) : value;
  return JSON.parse(text, keep);
}

/** The limits of schemas that hold together. Of those of one keyword, the last one is kept. */
export function joinLimits(schemas: readonly CanonicalSchema[]): Pick<CanonicalSchema, 'limits' | 'exactTexts'> {
  const limits = new Map<string, JsonValue>();
  const exactTexts = new Map<string, string>();
  for (const schema of schemas) {
    for (const [keyword, value] of schema.limits ?? []) limits.set(keyword, value);
    for (const keyword of [...Object.keys(schema), ...(schema.limits?.keys() ?? [])]) exactTexts.delete(keyword);
    for (const [keyword, text] of schema.exactTexts ?? []) exactTexts.set(keyword, text);
  }
  return { ...(limits.size > 0 && { limits }), ...(exactTexts.size > 0 && { exactTexts }) };
}
