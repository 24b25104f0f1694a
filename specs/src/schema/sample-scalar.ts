import type { CanonicalSchema } from './canonical-schema.ts';
import { linearPattern } from './linear-pattern.ts';

export type Random = () => number;

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbour', 'inlet', 'juniper'];

/** One of `choices`, or undefined when there is none. */
export function pick<T>(random: Random, choices: readonly T[]): T | undefined {
  return choices[Math.floor(random() * choices.length)];
}

/** A number within the bounds: a multiple of `multipleOf`, whole for an integer, from 1 upwards where nothing bounds it. */
export function sampleNumber(schema: CanonicalSchema, random: Random): number {
  const step = stepOf(schema);
  const above = limitOf(schema, 'exclusiveMinimum');
  const below = limitOf(schema, 'exclusiveMaximum');
  const low = above === undefined ? limitOf(schema, 'minimum') : above + step;
  const high = below === undefined ? limitOf(schema, 'maximum') : below - step;
  const highest = high === undefined ? undefined : Math.floor(high / step + 1e-9);
  const first = low === undefined ? Math.min(Math.ceil(1 / step), highest ?? Infinity) : Math.ceil(low / step - 1e-9);
  const count = Math.max(0, (highest ?? first + 100) - first);
  return Number(((first + Math.floor(random() * (count + 1))) * step).toFixed(6));
}

function stepOf(schema: CanonicalSchema): number {
  const multiple = limitOf(schema, 'multipleOf');
  if (multiple !== undefined && multiple > 0) return multiple;
  if (schema.type?.length === 1 && schema.type[0] === 'integer') return 1;
  const low = limitOf(schema, 'minimum') ?? 0;
  const high = limitOf(schema, 'maximum') ?? limitOf(schema, 'exclusiveMaximum') ?? low + 1;
  return Math.abs(high - low) >= 1 ? 0.5 : 0.01;
}

/** A string of the schema's format or pattern, cut or padded to its length. */
export function sampleString(schema: CanonicalSchema, random: Random): string {
  const pattern = schema.limits?.get('pattern');
  const least = Math.min(limitOf(schema, 'minLength') ?? 0, 100_000);
  const most = limitOf(schema, 'maxLength') ?? Number.POSITIVE_INFINITY;
  if (typeof pattern === 'string') return sampleMatch(pattern, { least, most }, random);
  const format = schema.limits?.get('format');
  const make = typeof format === 'string' ? byFormat.get(format) : undefined;
  const text = make === undefined ? `${word(random)} ${word(random)}` : make(random);
  return text.padEnd(least, '.').slice(0, Math.max(0, most));
}

const sampleUrl = (random: Random): string => `https://assets.example.com/samples/${word(random)}-${digits(random, 6)}`;
const sampleDate = (random: Random): string => `2030-01-${twoDigits(random, 28)}`;
const sampleUuid = (random: Random): string =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`;

const byFormat: ReadonlyMap<string, (random: Random) => string> = new Map([
  ['uri', sampleUrl],
  ['url', sampleUrl],
  ['date-time', (random) => `${sampleDate(random)}T${twoDigits(random, 23)}:00:00Z`],
  ['date', sampleDate],
  ['uuid', sampleUuid],
  ['uuid4', sampleUuid],
  ['email', (random) => `${word(random)}@example.com`],
  ['byte', (random) => btoa(word(random))],
  ['binary', (random) => btoa(word(random))],
]);

// Patterns of published documents are few and plain; for one that matches no candidate the caller's check fails.
function sampleMatch(pattern: string, length: { least: number; most: number }, random: Random): string {
  const candidates = [
    word(random),
    sampleUuid(random),
    sampleUrl(random),
    digits(random, 4),
    `#${hex(random, 6)}`,
    hex(random, 32),
    hex(random, 64),
    `data:image/png;base64,${btoa(word(random))}`,
    `${word(random)}-${digits(random, 2)}`,
    '16:9',
    '512x512',
    '',
  ];
  const isMatch = linearPattern(pattern);
  const matching = candidates.filter((candidate) => isMatch?.(candidate));
  return matching.find((text) => text.length >= length.least && text.length <= length.most) ?? matching[0] ?? '';
}

function word(random: Random): string {
  return pick(random, words) ?? '';
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}

function digits(random: Random, length: number): string {
  return Array.from({ length }, () => String(Math.floor(random() * 10))).join('');
}

function twoDigits(random: Random, most: number): string {
  return String(1 + Math.floor(random() * most)).padStart(2, '0');
}

/** A numeric limit of the schema. */
export function limitOf(schema: CanonicalSchema, keyword: string): number | undefined {
  const value = schema.limits?.get(keyword);
  return typeof value === 'number' ? value : undefined;
}
