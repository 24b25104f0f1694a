import { crc32, deflateSync } from 'node:zlib';
import { asObject, type JsonObject, type JsonValue, readEssence } from '../../../specs/src/index.ts';
import { type Bytes, sha256 } from '../digest.ts';
import type { Random } from '../random.ts';

/** Generates a small file with the signature of its media type, or random bytes. A PNG shows the picture, if given. */
export function sampleMedia(mediaType: string, random: Random, picture?: Picture): Bytes {
  if (mediaType === 'image/png' && picture !== undefined) return drawPng(picture);
  const make = Object.hasOwn(makers, mediaType) ? makers[mediaType] : undefined;
  return (make ?? plainBytes)(random);
}

/** Returns a concrete media type for a range such as `audio/*`, or for the first known output modality. */
export function concreteMediaType(range: string, modalities: readonly string[]): string {
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
  'audio/mpeg': startingWith('//uQZA=='),
  'audio/ogg': startingWith('T2dnUwAC'),
  'video/mp4': startingWith('AAAAGGZ0eXBpc29tAAACAGlzb21tcDQx'),
  'model/gltf-binary': startingWith('Z2xURgIAAAA='),
};

/** Returns 256 samples of noise as 8-bit mono WAV at 8 kHz. */
function wave(random: Random): Bytes {
  return startingWith('UklGRiQBAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQABAAA=')(random);
}

function startingWith(head: string): (random: Random) => Bytes {
  return (random) => new Uint8Array([...fromBase64(head), ...plainBytes(random)]);
}

function plainBytes(random: Random): Bytes {
  return Uint8Array.from({ length: 256 }, () => Math.floor(random() * 256));
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** An image in one colour, which depends on the prompt of its run, in the requested size. */
export type Picture = { readonly width: number; readonly height: number; readonly colour: string };

const longestSide = 4096;
const usualSide = 1024;

/** Reads text and size from an input, using common member names of image models. Default size: 1024 × 1024 pixels. */
export function readPicture(input: JsonObject): Picture {
  const text = [input['prompt'], input['text'], ...Object.values(input)].find((value) => typeof value === 'string');
  const size = input['image_size'] ?? input['size'] ?? input['resolution'] ?? input['aspect_ratio'] ?? null;
  const [width, height] = readSides(input) ?? readSides(size) ?? readWords(size) ?? [usualSide, usualSide];
  return { width: limitSide(width), height: limitSide(height), colour: sha256(String(text)).slice(0, 6) };
}

export function printPicture({ width, height, colour }: Picture): string {
  return `${width}x${height}-${colour}`;
}

/** Parses a picture from a link. Limits its size again, because anyone who knows the seed can sign links. */
export function parsePicture(printed: string): Picture | undefined {
  const [, width, height, colour] = /^(\d+)x(\d+)-([\da-f]{6})$/.exec(printed) ?? [];
  return colour === undefined
    ? undefined
    : { width: limitSide(Number(width)), height: limitSide(Number(height)), colour };
}

type Sides = readonly [width: number, height: number];

function readSides(value: JsonValue): Sides | undefined {
  const { width, height } = asObject(value);
  return typeof width === 'number' && typeof height === 'number' ? [width, height] : undefined;
}

/** Parses `1024x768`, and ratios such as `16:9` and `landscape_16_9`, whose longer side gets 1024 pixels. */
function readWords(value: JsonValue): Sides | undefined {
  const [, first = '', second = ''] = /(\d{1,5})\D(\d{1,5})/.exec(typeof value === 'string' ? value : '') ?? [];
  const [one, other] = [Number(first), Number(second)];
  if (one === 0 || other === 0) return undefined;
  if (Math.min(one, other) > 64) return [one, other];
  const scale = usualSide / Math.max(one, other);
  const sides: Sides = [Math.round(one * scale), Math.round(other * scale)];
  const isUpright = typeof value === 'string' && value.startsWith('portrait') && one > other;
  return isUpright ? [sides[1], sides[0]] : sides;
}

function limitSide(pixels: number): number {
  return Number.isFinite(pixels) ? Math.min(longestSide, Math.max(1, Math.round(pixels))) : usualSide;
}

/** Draws a PNG with a palette of one colour. */
function drawPng({ width, height, colour }: Picture): Bytes {
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  head.setUint8(8, 1); // Bits for each pixel.
  head.setUint8(9, 3); // Pixels are indices of the palette.
  const rows = new Uint8Array((1 + Math.ceil(width / 8)) * height); // Each row begins with its filter type; 0 means none.
  return joinBytes([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    pngChunk('IHDR', new Uint8Array(head.buffer)),
    pngChunk('PLTE', Buffer.from(colour, 'hex')),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

function pngChunk(type: string, data: Uint8Array): Bytes {
  const named = joinBytes([new TextEncoder().encode(type), data]);
  const numbers = new DataView(new ArrayBuffer(8));
  numbers.setUint32(0, data.length);
  numbers.setUint32(4, crc32(named));
  return joinBytes([new Uint8Array(numbers.buffer, 0, 4), named, new Uint8Array(numbers.buffer, 4, 4)]);
}

function joinBytes(parts: readonly Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}
