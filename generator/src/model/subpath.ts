import { type ModelId, splitModelId } from '../catalog/model-id.ts';
import { toDigest } from '../digest.ts';

/** Path of a model's files in the models package, and the subpath it is imported by. */
export type Subpath = string & { readonly brand: 'Subpath' };

const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;
// Files and folders at the top of the package.
const packageNames = new Set([
  'package.json',
  'readme.md',
  'node_modules',
  'all',
  'all.js',
  'all.d.ts',
  'formats',
  'validation',
  'validators',
]);
// The subpath of a schema.
const schemaName = 'schema.json';
const longestSegment = 200;

/**
 * The id itself where it is plain. Each character other than `a-z`, `0-9`, `.`, `_` and `-` becomes `~` and its UTF-8 bytes
 * in hex, as does a first or last dot and the first letter of a name that some file system reserves. So a subpath depends
 * on its id alone and two ids never share one, on any file system.
 */
export function toSubpath(id: ModelId): Subpath {
  const [provider, model] = splitModelId(id);
  const first = encodeSegment(provider, (plain) => packageNames.has(plain));
  return `${first}/${encodeSegment(model, (plain) => plain === schemaName)}` as Subpath; // the only place that makes one
}

function encodeSegment(segment: string, isReserved: (plain: string) => boolean): string {
  let encoded = segment.replace(/[^a-z0-9._-]/gu, escapeCharacter).replace(/\.$/, '~2e');
  if (/^[.]/.test(encoded) || deviceName.test(encoded) || encoded === 'node_modules' || isReserved(encoded)) {
    encoded = escapeCharacter(encoded.charAt(0)) + encoded.slice(1);
  }
  if (encoded.length <= longestSegment) return encoded;
  // `~~` cannot come from an id, where hex digits follow `~`.
  return `${encoded.slice(0, longestSegment - 40).replace(/~.?$/, '')}~~${toDigest(segment).slice('sha256:'.length, 39)}`;
}

function escapeCharacter(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `~${byte.toString(16).padStart(2, '0')}`).join('');
}
