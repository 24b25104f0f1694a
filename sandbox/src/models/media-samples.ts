import { crc32, deflateSync } from 'node:zlib';
import { isJsonObject, type JsonObject, type JsonValue, readEssence } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
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

/** An image that shows the prompt of its run, in the requested size. */
export type Picture = { readonly width: number; readonly height: number; readonly text: string };

const longestSide = 4096;
const usualSide = 1024;
const longestText = 200;

/** Reads text and size from an input, using common member names of image models. Default size: 1024 × 1024 pixels. */
export function readPicture(input: JsonObject): Picture {
  const texts = [input['prompt'], input['text'], ...Object.values(input)];
  const text = texts.find((value) => typeof value === 'string') ?? '';
  const size = input['image_size'] ?? input['size'] ?? input['resolution'] ?? input['aspect_ratio'] ?? null;
  const [width, height] = readSides(input) ?? readSides(size) ?? readWords(size) ?? [usualSide, usualSide];
  return limitPicture({ width, height, text: String(text) });
}

/** Parses a picture from a link. Limits its size again, because anyone who knows the seed can sign links. */
export function parsePicture(encoded: string): Picture | undefined {
  try {
    const { width, height, text } = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return limitPicture({ width: Number(width), height: Number(height), text: String(text) });
  } catch {
    return undefined;
  }
}

export function printPicture(picture: Picture): string {
  return Buffer.from(JSON.stringify(picture)).toString('base64url');
}

function limitPicture({ width, height, text }: Picture): Picture {
  return { width: limitSide(width), height: limitSide(height), text: text.slice(0, longestText) };
}

type Sides = readonly [width: number, height: number];

function readSides(value: JsonValue): Sides | undefined {
  if (!isJsonObject(value)) return undefined;
  const { width, height } = value;
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

/** Draws a black and white PNG with the text in capital letters, as large as possible. */
export function drawPng({ width, height, text }: Picture): Bytes {
  const stride = Math.ceil(width / 8) + 1; // Each row begins with its filter type; 0 means none.
  const rows = new Uint8Array(stride * height).fill(0xff);
  for (let row = 0; row < height; row++) rows[row * stride] = 0;
  const { lines, scale } = fitText(text, width, height);
  const top = Math.floor((height - lines.length * cell.height * scale) / 2);
  for (const [lineIndex, line] of lines.entries()) {
    const left = Math.floor((width - line.length * cell.width * scale) / 2);
    for (const [index, character] of [...line].entries())
      drawCharacter(character, left + index * cell.width * scale, top + lineIndex * cell.height * scale);
  }
  function drawCharacter(character: string, x: number, y: number): void {
    for (const [column, bits] of glyphOf(character).entries())
      for (let row = 0; row < 7; row++) if ((bits >> row) & 1) fillSquare(x + column * scale, y + row * scale);
  }
  function fillSquare(x: number, y: number): void {
    for (let row = Math.max(0, y); row < Math.min(height, y + scale); row++)
      for (let column = Math.max(0, x); column < Math.min(width, x + scale); column++) {
        const at = row * stride + 1 + (column >> 3);
        rows[at] = (rows[at] ?? 0) & ~(0x80 >> (column & 7));
      }
  }
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  view.setUint8(8, 1); // Grayscale with one bit for each pixel.
  return joinBytes([pngSignature, pngChunk('IHDR', head), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', [])]);
}

const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

function pngChunk(type: string, data: ArrayLike<number>): Bytes {
  const named = joinBytes([new TextEncoder().encode(type), Uint8Array.from(data)]);
  const numbers = new DataView(new ArrayBuffer(8));
  numbers.setUint32(0, data.length);
  numbers.setUint32(4, crc32(named));
  return joinBytes([new Uint8Array(numbers.buffer, 0, 4), named, new Uint8Array(numbers.buffer, 4, 4)]);
}

function joinBytes(parts: readonly Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

/** Five columns and seven rows, plus gaps. */
const cell = { width: 6, height: 9 };

/** Breaks a text into lines at the largest scale that fits. Cuts the text if it doesn't fit even at the smallest scale. */
function fitText(text: string, width: number, height: number): { lines: string[]; scale: number } {
  const words = text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().split(/\s+/).filter(Boolean);
  const largest = Math.max(1, Math.floor(Math.min(width, height) / (8 * cell.width)));
  for (let scale = largest; ; scale--) {
    const [columns, rows] = [Math.floor(width / (cell.width * scale)), Math.floor(height / (cell.height * scale))];
    const lines = wrapWords(words, Math.max(1, columns));
    if (scale === 1 || (lines.length <= rows && lines.every((line) => line.length <= columns)))
      return { lines: lines.slice(0, Math.max(1, rows)), scale };
  }
}

function wrapWords(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Five columns of bits for each character from the space to the underscore. The lowest bit is the top row. */
const glyphs =
  '0000000000 00005F0000 0007000700 147F147F14 242A7F2A12 2313086462 3649562050 0000070000 001C224100 0041221C00 ' +
  '2A1C7F1C2A 08083E0808 0050300000 0808080808 0000606000 2010080402 3E5149453E 00427F4000 4261514946 2141454B31 ' +
  '1814127F10 2745454539 3C4A494930 0171090503 3649494936 064949291E 0036360000 0056360000 0008142241 1414141414 ' +
  '4122140800 0201510906 324979413E 7E1111117E 7F49494936 3E41414122 7F4141221C 7F49494941 7F09090901 3E4149497A ' +
  '7F0808087F 00417F4100 2040413F01 7F08142241 7F40404040 7F020C027F 7F0408107F 3E4141413E 7F09090906 3E4151215E ' +
  '7F09192946 4649494931 01017F0101 3F4040403F 1F2040201F 3F4038403F 6314081463 0708700807 6151494543 007F414100 ' +
  '0204081020 0041417F00 0402010204 4040404040';
const columnsOf = glyphs
  .split(' ')
  .map((hex) => [0, 2, 4, 6, 8].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));
/** Drawn for characters without a glyph. */
const box = [0x7f, 0x41, 0x41, 0x41, 0x7f];

function glyphOf(character: string): readonly number[] {
  return columnsOf[(character.codePointAt(0) ?? 0) - 0x20] ?? box;
}
