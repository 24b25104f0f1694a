import type { CanonicalSchema } from './canonical-schema.ts';
import { digits, formatSamples, hex, type Random, word } from './formats.ts';
import { linearPattern } from './linear-pattern.ts';

/** A number within the bounds: a multiple of `multipleOf`, whole for an integer, from 1 upwards where nothing bounds it. */
export function sampleNumber(schema: CanonicalSchema, random: Random): number {
  const step = chooseStep(schema);
  const above = readLimit(schema, 'exclusiveMinimum');
  const below = readLimit(schema, 'exclusiveMaximum');
  const low = above === undefined ? readLimit(schema, 'minimum') : above + step;
  const high = below === undefined ? readLimit(schema, 'maximum') : below - step;
  const highest = high === undefined ? undefined : Math.floor(high / step + 1e-9);
  const first = low === undefined ? Math.min(Math.ceil(1 / step), highest ?? Infinity) : Math.ceil(low / step - 1e-9);
  const count = Math.max(0, (highest ?? first + 100) - first);
  return Number(((first + Math.floor(random() * (count + 1))) * step).toFixed(6));
}

function chooseStep(schema: CanonicalSchema): number {
  const multiple = readLimit(schema, 'multipleOf');
  if (multiple !== undefined && multiple > 0) return multiple;
  if (schema.type?.length === 1 && schema.type[0] === 'integer') return 1;
  const low = readLimit(schema, 'minimum') ?? 0;
  const high = readLimit(schema, 'maximum') ?? readLimit(schema, 'exclusiveMaximum') ?? low + 1;
  return Math.abs(high - low) >= 1 ? 0.5 : 0.01;
}

/** A string of the schema's format or pattern, cut or padded to its length. */
export function sampleString(schema: CanonicalSchema, random: Random): string {
  const pattern = schema.limits?.get('pattern');
  const least = Math.min(readLimit(schema, 'minLength') ?? 0, 100_000);
  const most = readLimit(schema, 'maxLength') ?? Number.POSITIVE_INFINITY;
  if (typeof pattern === 'string') return sampleMatch(pattern, { least, most }, random);
  const sample = formatSamples.get(String(schema.limits?.get('format')));
  const text = sample === undefined ? `${word(random)} ${word(random)}` : sample(random);
  return text.padEnd(least, '.').slice(0, Math.max(0, most));
}

// Patterns of published documents are few and plain; for one that matches no candidate the caller's check fails.
function sampleMatch(pattern: string, length: { least: number; most: number }, random: Random): string {
  const candidates = [
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
    '',
  ];
  const isMatch = linearPattern(pattern);
  const matching = candidates.filter((candidate) => isMatch?.(candidate));
  return matching.find((text) => text.length >= length.least && text.length <= length.most) ?? matching[0] ?? '';
}

/** A numeric limit of the schema. */
export function readLimit(schema: CanonicalSchema, keyword: string): number | undefined {
  const value = schema.limits?.get(keyword);
  return typeof value === 'number' ? value : undefined;
}
