import { type ModelId, segmentsOf } from '../catalog/model-id.ts';
import { digestOf } from '../digest.ts';

/** Where a model's files lie below the models package, and the subpath it is imported by. */
export type Subpath = string & { readonly brand: 'Subpath' };

const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;
// At the top of the package these are files or folders with a meaning of their own.
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
// As the name of a model this would be the subpath of a schema.
const schemaName = 'schema.json';
const longestSegment = 200;

/**
 * The id itself where it is plain. Else each character that is not `a-z`, `0-9`, `.`, `_` or `-` becomes `~` and its
 * UTF-8 bytes in hex, as does a first or last dot and the first letter of a name that some file system reserves. So a
 * subpath depends on its id alone, holds no capitals, and two ids never share one, on any file system.
 */
export function subpathOf(id: ModelId): Subpath {
  const [provider, model] = segmentsOf(id);
  const first = encodeSegment(provider, (plain) => packageNames.has(plain));
  return `${first}/${encodeSegment(model, (plain) => plain === schemaName)}` as Subpath; // the only door to Subpath
}

function encodeSegment(segment: string, isTaken: (plain: string) => boolean): string {
  let encoded = segment.replace(/[^a-z0-9._-]/gu, escapeCharacter).replace(/\.$/, '~2e');
  if (/^[.]/.test(encoded) || deviceName.test(encoded) || encoded === 'node_modules' || isTaken(encoded)) {
    encoded = escapeCharacter(encoded.charAt(0)) + encoded.slice(1);
  }
  if (encoded.length <= longestSegment) return encoded;
  // After `~` stand hex digits, so a doubled one cannot come from an id.
  return `${encoded.slice(0, longestSegment - 40).replace(/~.?$/, '')}~~${digestOf(segment).slice('sha256:'.length, 39)}`;
}

function escapeCharacter(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `~${byte.toString(16).padStart(2, '0')}`).join('');
}
