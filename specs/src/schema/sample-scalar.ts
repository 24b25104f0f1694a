import type { JsonValue } from '../json.ts';
import type { CanonicalSchema } from './canonical-schema.ts';
import { digits, formatSamples, hex, type Random, word } from './formats.ts';
import type { Matcher } from './linear-pattern.ts';
import { findText } from './pattern-search.ts';

/** Returns the values that all schemas have for a limiting keyword. */
export function readLimits(schemas: readonly CanonicalSchema[], keyword: string): number[] {
  const values = schemas.map(({ limits }) => limits?.get(keyword));
  return values.filter((value) => typeof value === 'number');
}

export const largest = (numbers: readonly number[]): number =>
  numbers.reduce((one, other) => Math.max(one, other), -Infinity);
export const smallest = (numbers: readonly number[]): number =>
  numbers.reduce((one, other) => Math.min(one, other), Infinity);

/** Returns the matcher of a pattern; undefined for a pattern that only the server can check. */
export type ReadPattern = (pattern: string) => Matcher | undefined;

/** True if a number or string is within all limits of the schemas; always true for other values. */
export function isWithinLimits(
  value: JsonValue,
  schemas: readonly CanonicalSchema[],
  readPattern: ReadPattern = () => undefined,
): boolean {
  if (typeof value === 'number') {
    return (
      value >= largest(readLimits(schemas, 'minimum')) &&
      value <= smallest(readLimits(schemas, 'maximum')) &&
      value > largest(readLimits(schemas, 'exclusiveMinimum')) &&
      value < smallest(readLimits(schemas, 'exclusiveMaximum')) &&
      readLimits(schemas, 'multipleOf').every((step) => step <= 0 || isMultiple(value, step))
    );
  }
  if (typeof value !== 'string') return true;
  const length = [...value].length;
  return (
    length >= largest(readLimits(schemas, 'minLength')) &&
    length <= smallest(readLimits(schemas, 'maxLength')) &&
    readPatterns(schemas).every((pattern) => readPattern(pattern)?.(value) !== false)
  );
}

function isMultiple(value: number, step: number): boolean {
  return Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

const maxNumberAttempts = 1_000;

/** Returns a number within the bounds that is a multiple of each `multipleOf`. Without bounds, it is at least 1. */
export function sampleNumber(
  schemas: readonly CanonicalSchema[],
  isInteger: boolean,
  random: Random,
): number | undefined {
  const step = chooseStep(schemas, isInteger);
  const least = largest([...readLimits(schemas, 'minimum'), ...readLimits(schemas, 'exclusiveMinimum')]);
  const most = smallest([...readLimits(schemas, 'maximum'), ...readLimits(schemas, 'exclusiveMaximum')]);
  // Integers beyond 2^53 would be rounded, so the range is reduced to smaller integers if it contains any.
  const low = Number.isFinite(least) && least < Number.MIN_SAFE_INTEGER && most >= 1 ? 0 : least;
  const high = most > Number.MAX_SAFE_INTEGER && low <= Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : most;
  const highest = Math.floor(high / step + 1e-9);
  const first = Number.isFinite(low) ? Math.ceil(low / step - 1e-9) : Math.min(Math.ceil(1 / step), highest);
  const count = Math.max(0, (Number.isFinite(most) ? highest : first + 100) - first);
  const start = first + Math.floor(random() * (count + 1));
  for (let tried = 0; tried < Math.min(maxNumberAttempts, count + 1); tried++) {
    const at = first + ((start - first + tried) % (count + 1));
    const value = Number((at * step).toPrecision(15));
    if ((!isInteger || Number.isInteger(value)) && isWithinLimits(value, schemas)) return value;
  }
  return undefined;
}

function chooseStep(schemas: readonly CanonicalSchema[], isInteger: boolean): number {
  const multiple = largest(readLimits(schemas, 'multipleOf').filter((step) => step > 0));
  if (Number.isFinite(multiple)) return isInteger && !Number.isInteger(multiple) && multiple < 1 ? 1 : multiple;
  if (isInteger) return 1;
  const low = largest([0, ...readLimits(schemas, 'minimum'), ...readLimits(schemas, 'exclusiveMinimum')]);
  const high = smallest([low + 1, ...readLimits(schemas, 'maximum'), ...readLimits(schemas, 'exclusiveMaximum')]);
  return high - low >= 1 ? 0.5 : high > low ? Math.min(0.01, (high - low) / 2) : 0.01;
}

/** Maximum length of a sample text. */
const maxTextLength = 100_000;
const searchLimits = { size: 500, states: 4_000, guesses: true };

function readPatterns(schemas: readonly CanonicalSchema[]): string[] {
  return schemas.flatMap(({ limits }) => {
    const pattern = limits?.get('pattern');
    return typeof pattern === 'string' ? [pattern] : [];
  });
}

/** Returns a text that has the format, matches the patterns and has an allowed length. */
export function sampleString(
  schemas: readonly CanonicalSchema[],
  random: Random,
  readPattern: ReadPattern,
): string | undefined {
  const formats = schemas.flatMap(({ limits }) => formatSamples.get(String(limits?.get('format'))) ?? []);
  const least = Math.max(0, largest(readLimits(schemas, 'minLength')));
  const most = smallest(readLimits(schemas, 'maxLength'));
  if (least > maxTextLength || most < 0) return undefined;
  const fitLength = (text: string): string =>
    [...text.padEnd(least, '.')].slice(0, Math.min(most, maxTextLength)).join('');
  const patterns = readPatterns(schemas).filter((pattern) => readPattern(pattern) !== undefined);
  const usual = formats[0]?.(random) ?? `${word(random)} ${word(random)}`;
  if (patterns.length === 0) return fitLength(usual);
  const isAllowed = (text: string): boolean => isWithinLimits(text, schemas, readPattern);
  const friendly =
    listUsualTexts(usual, random).find(isAllowed) ?? listUsualTexts(usual, random).map(fitLength).find(isAllowed);
  if (friendly !== undefined) return friendly;
  const all = least > 0 ? [...patterns, `^[^]{${Math.ceil(least)}}`] : patterns;
  const { text } = findText({ all }, searchLimits, random);
  return text !== undefined && isAllowed(text) ? text : undefined;
}

/** Lists values that match common patterns, because they are more readable than a text built from the pattern. */
function listUsualTexts(usual: string, random: Random): string[] {
  return [
    usual,
    word(random),
    ...['uuid', 'uri'].map((format) => formatSamples.get(format)?.(random) ?? ''),
    digits(random, 4),
    `#${hex(random, 6)}`,
    hex(random, 32),
    hex(random, 64),
    `data:image/png;base64,${btoa(word(random))}`,
    `${word(random)}-${digits(random, 2)}`,
    '16:9',
    '512x512',
  ];
}
