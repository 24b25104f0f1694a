import type { SchemaWithDefinitions } from './canonical-schema.ts';
import { flattenSchema } from './flatten-schema.ts';
import { isJsonMediaType, isWildcard, readEssence } from './model-operation.ts';

/** Returns a number in [0, 1). */
export type Random = () => number;

const sampleUrl = (random: Random): string => `https://assets.example.com/samples/${word(random)}-${digits(random, 6)}`;
const sampleDate = (random: Random): string => `2030-01-${twoDigits(random, 28)}`;
const sampleTime = (random: Random): string => `${twoDigits(random, 23)}:00:00Z`;
const sampleHost = (random: Random): string => `${word(random)}.example.com`;
const sampleUuid = (random: Random): string =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`;
const sampleBytes = (random: Random): string => btoa(word(random));

/**
 * Samples for the supported formats (docs/reference/formats.md); other formats are only annotations. Formats don't affect validity
 * unless the caller of a validator enables them.
 */
export const formatSamples: ReadonlyMap<string, (random: Random) => string> = new Map([
  ['date', sampleDate],
  ['time', sampleTime],
  ['date-time', (random) => `${sampleDate(random)}T${sampleTime(random)}`],
  ['email', (random) => `${word(random)}@example.com`],
  ['hostname', sampleHost],
  ['ipv4', (random) => `192.0.2.${1 + Math.floor(random() * 254)}`],
  ['ipv6', (random) => `2001:db8::${hex(random, 4)}`],
  ['uuid', sampleUuid],
  ['uri', sampleUrl],
  ['url', sampleUrl],
  ['uri-reference', sampleUrl],
  ['json-pointer', (random) => `/${word(random)}`],
  ['byte', sampleBytes],
  ['uuid4', sampleUuid],
  ['binary', sampleBytes],
]);

/**
 * Formats that validators commonly check. The validators of generated packages check a format only if the caller passes a
 * check for it.
 */
export const checkedFormats = [...formatSamples.keys()].filter((name) => !['uuid4', 'binary'].includes(name));

/** How a body is read. */
export type BodyKind = 'json' | 'text' | 'bytes';

/**
 * Returns the kinds that bodies of a media type may have, the most common first. If the media type is a wildcard, a
 * schema with `format: binary` means bytes (MR-SCH-35).
 */
export function listBodyKinds(mediaType: string, source: SchemaWithDefinitions): readonly BodyKind[] {
  if (isJsonMediaType(mediaType)) return ['json'];
  if (isWildcard(mediaType)) return isBinary(source) ? ['bytes', 'text'] : ['json', 'text', 'bytes'];
  return [readEssence(mediaType).startsWith('text/') ? 'text' : 'bytes'];
}

function isBinary(source: SchemaWithDefinitions): boolean {
  const { limits, type } = flattenSchema(source);
  return limits?.get('format') === 'binary' && type?.join() === 'string';
}

// Words for samples.
const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbour', 'inlet', 'juniper'];

/** Picks one of `choices`; undefined if there are none. */
export function pick<T>(random: Random, choices: readonly T[]): T | undefined {
  return choices[Math.floor(random() * choices.length)];
}

export function word(random: Random): string {
  return pick(random, words) ?? '';
}

export function hex(random: Random, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}

export function digits(random: Random, length: number): string {
  return Array.from({ length }, () => String(Math.floor(random() * 10))).join('');
}

/** Returns a number from 1 to `most` (below 100) with two digits. */
function twoDigits(random: Random, most: number): string {
  return String(1 + Math.floor(random() * most)).padStart(2, '0');
}
