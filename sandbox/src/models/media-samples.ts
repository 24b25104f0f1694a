import { readEssence } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
import type { Random } from '../random.ts';

/** Generates a small file that begins with the signature of its media type. Unknown types get random bytes. */
export function generateMedia(mediaType: string, random: Random): Bytes {
  const make = Object.hasOwn(generators, mediaType) ? generators[mediaType] : undefined;
  return (make ?? generateRandomBytes)(random);
}

/** Returns a media type in a range such as `audio/*`. For the range of all types, uses the first known output modality. */
export function chooseMediaType(range: string, modalities: readonly string[]): string {
  const [, kind = '*', subtype = '*'] = /^([\w!#$&^.+*-]+)\/([\w!#$&^.+*-]+)$/.exec(readEssence(range)) ?? [];
  if (subtype !== '*') return `${kind}/${subtype}`;
  const family = kind === '*' ? modalities.find((modality) => Object.hasOwn(usualTypes, modality)) : kind;
  const usual = family !== undefined && Object.hasOwn(usualTypes, family) ? usualTypes[family] : undefined;
  return usual ?? 'application/octet-stream';
}

const usualTypes: Readonly<Record<string, string>> = {
  audio: 'audio/wav',
  image: 'image/png',
  video: 'video/mp4',
  '3d': 'model/gltf-binary',
};

const generators: Readonly<Record<string, (random: Random) => Bytes>> = {
  'image/png': () =>
    fromBase64('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  'image/gif': () => fromBase64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  'image/webp': () => fromBase64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='),
  'image/jpeg': () =>
    fromBase64(
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////' +
        'wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==',
    ),
  'audio/wav': generateWave,
  'audio/x-wav': generateWave,
  'audio/mpeg': generateWithSignature('//uQZA=='),
  'audio/ogg': generateWithSignature('T2dnUwAC'),
  'video/mp4': generateWithSignature('AAAAGGZ0eXBpc29tAAACAGlzb21tcDQx'),
  'model/gltf-binary': generateWithSignature('Z2xURgIAAAA='),
};

/** Generates a WAV file with 256 random samples: 8 bits, mono, 8 kHz. */
function generateWave(random: Random): Bytes {
  return generateWithSignature('UklGRiQBAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQABAAA=')(random);
}

function generateWithSignature(head: string): (random: Random) => Bytes {
  return (random) => new Uint8Array([...fromBase64(head), ...generateRandomBytes(random)]);
}

function generateRandomBytes(random: Random): Bytes {
  return Uint8Array.from({ length: 256 }, () => Math.floor(random() * 256));
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
