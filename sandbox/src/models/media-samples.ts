import { essenceOf } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
import type { Random } from '../random.ts';

/** A small file with the signature of its media type; plain bytes for a type that is not listed. */
export function sampleMedia(mediaType: string, random: Random): Bytes {
  const make = Object.hasOwn(makers, mediaType) ? makers[mediaType] : undefined;
  return (make ?? plainBytes)(random);
}

/** A concrete media type for a range such as any audio type, or for the first known output modality. */
export function concreteMediaType(range: string, modalities: readonly string[]): string {
  const [, kind = '*', subtype = '*'] = /^([\w!#$&^.+*-]+)\/([\w!#$&^.+*-]+)$/.exec(essenceOf(range)) ?? [];
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

const makers: Readonly<Record<string, (random: Random) => Bytes>> = {
  'image/png': () =>
    fromBase64('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  'image/gif': () => fromBase64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  'image/webp': () => fromBase64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='),
  'image/jpeg': () =>
    fromBase64(
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////' +
        'wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==',
    ),
  'audio/wav': wave,
  'audio/x-wav': wave,
  'audio/mpeg': (random) => headed([0xff, 0xfb, 0x90, 0x64], random),
  'audio/ogg': (random) => headed([0x4f, 0x67, 0x67, 0x53, 0, 2], random),
  'video/mp4': (random) =>
    headed(
      [
        0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x69, 0x73, 0x6f, 0x6d, 0, 0, 2, 0, 0x69, 0x73, 0x6f, 0x6d, 0x6d, 0x70,
        0x34, 0x31,
      ],
      random,
    ),
  'model/gltf-binary': (random) => headed([0x67, 0x6c, 0x54, 0x46, 2, 0, 0, 0], random),
};

/** Eight-bit mono at 8 kHz: a 44-byte RIFF head and a tenth of a second. */
function wave(random: Random): Bytes {
  const samples = 800;
  const file = new Uint8Array(44 + samples);
  const view = new DataView(file.buffer);
  const text = (offset: number, word: string): void => file.set(new TextEncoder().encode(word), offset);
  text(0, 'RIFF');
  view.setUint32(4, 36 + samples, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8000, true);
  view.setUint32(28, 8000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, 'data');
  view.setUint32(40, samples, true);
  const pitch = 8 + Math.floor(random() * 24);
  for (let index = 0; index < samples; index += 1) file[44 + index] = 128 + Math.round(90 * Math.sin(index / pitch));
  return file;
}

function headed(head: readonly number[], random: Random): Bytes {
  const tail = plainBytes(random);
  const file = new Uint8Array(head.length + tail.length);
  file.set(head);
  file.set(tail, head.length);
  return file;
}

function plainBytes(random: Random): Bytes {
  return Uint8Array.from({ length: 256 }, () => Math.floor(random() * 256));
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
