import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { pick, type Random } from '../random.ts';

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbour', 'inlet', 'juniper'];

/** A number within the schema's bounds, a whole one where a step or the type asks for it. */
export function sampleNumber(schema: JsonObject, random: Random): number {
  const step = stepOf(schema);
  const low = lowest(schema, step);
  const high = highest(schema, step);
  const from = low ?? Math.min(0, high ?? 0);
  const to = high ?? from + 100 * step;
  const steps = Math.max(0, Math.floor((to - Math.ceil(from / step) * step) / step + 1e-9));
  return tidy((Math.ceil(from / step) + Math.floor(random() * (steps + 1))) * step);
}

function stepOf(schema: JsonObject): number {
  const multiple = numberOf(schema['multipleOf']);
  if (multiple !== undefined && multiple > 0) return multiple;
  if (schema['type'] === 'integer') return 1;
  const low = numberOf(schema['minimum']) ?? 0;
  const high = numberOf(schema['maximum']) ?? numberOf(schema['exclusiveMaximum']) ?? low + 1;
  return Math.abs(high - low) >= 1 ? 0.5 : 0.01;
}

function lowest(schema: JsonObject, step: number): number | undefined {
  const minimum = numberOf(schema['minimum']);
  const exclusive = numberOf(schema['exclusiveMinimum']) ?? (schema['exclusiveMinimum'] === true ? minimum : undefined);
  return exclusive === undefined ? minimum : exclusive + step;
}

function highest(schema: JsonObject, step: number): number | undefined {
  const maximum = numberOf(schema['maximum']);
  const exclusive = numberOf(schema['exclusiveMaximum']) ?? (schema['exclusiveMaximum'] === true ? maximum : undefined);
  return exclusive === undefined ? maximum : exclusive - step;
}

function tidy(value: number): number {
  return Number(value.toFixed(6));
}

/** A string of the schema's format or pattern, cut or stretched to its length. */
export function sampleString(schema: JsonObject, random: Random): string {
  const pattern = schema['pattern'];
  if (typeof pattern === 'string') return matching(pattern, random);
  const text = ofFormat(schema['format'], random);
  const least = numberOf(schema['minLength']) ?? 0;
  const most = numberOf(schema['maxLength']) ?? Number.POSITIVE_INFINITY;
  return text.padEnd(Math.min(least, 100_000), '.').slice(0, Math.max(0, most));
}

function ofFormat(format: JsonValue | undefined, random: Random): string {
  const word = pick(random, words) ?? '';
  switch (format) {
    case 'uri':
    case 'url':
      return `https://assets.example.com/samples/${word}-${digits(random, 6)}`;
    case 'date-time':
      return `2030-01-${twoDigits(random, 28)}T${twoDigits(random, 23)}:00:00Z`;
    case 'date':
      return `2030-01-${twoDigits(random, 28)}`;
    case 'uuid':
    case 'uuid4':
      return uuid(random);
    case 'email':
      return `${word}@example.com`;
    case 'byte':
    case 'binary':
      return btoa(word);
    default:
      return `${word} ${pick(random, words)}`;
  }
}

/** The documents' patterns are few and plain: what fits none of these kinds is left to the caller's check. */
function matching(pattern: string, random: Random): string {
  const candidates = [
    pick(random, words) ?? '',
    uuid(random),
    `https://assets.example.com/samples/${digits(random, 6)}`,
    digits(random, 4),
    `#${hex(random, 6)}`,
    hex(random, 32),
    `data:image/png;base64,${btoa(pick(random, words) ?? '')}`,
    `${pick(random, words)}-${digits(random, 2)}`,
    '16:9',
    '512x512',
    '',
  ];
  return candidates.find((candidate) => isMatch(pattern, candidate)) ?? '';
}

function isMatch(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}

function uuid(random: Random): string {
  return `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`;
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

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
