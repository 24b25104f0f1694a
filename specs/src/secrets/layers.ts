/** Shorter text is in answers by chance, and no service issues credentials that short. */
export const shortestCredential = 8;

/** Encodings within each other that are unwrapped: text in JSON in JSON, in base64, in a URL needs four. */
const deepest = 10;
/** Characters of all that is unwrapped, as a multiple of the text, and for a short one. */
const size = { times: 12, least: 65_536 };

/**
 * A text as visible ASCII, and what it decodes to in any order of encodings, level by level: escapes of JSON, JavaScript, URLs and
 * HTML in any mixture; hex and base64 at every alignment, over several lines too; lists of numbers. Linear in the text. A last,
 * undefined layer stands for what is beyond the bound.
 */
export function* listLayers(text: string): Iterable<Buffer | undefined> {
  let room = size.times * text.length + size.least;
  let level = [keepVisible(Buffer.from(text))];
  for (let depth = 0; level.length > 0; depth++) {
    yield* level;
    if (depth === deepest) return;
    level = level.flatMap((layer) => unwrap(layer));
    room -= level.reduce((sum, { length }) => sum + length, 0);
    if (room < 0) return yield undefined;
  }
}

/** The same for a credential, whose escapes alone are decoded: decoding a text decodes what looks like one in the credential too. */
export function* listEscapeLayers(text: string): Iterable<Buffer> {
  let layer: Buffer | undefined = keepVisible(Buffer.from(text));
  for (let depth = 0; layer !== undefined && depth <= deepest; depth++) {
    yield layer;
    layer = decodeEscapes(layer);
  }
}

function unwrap(layer: Buffer): Buffer[] {
  const joined = joinLines(layer);
  const hex = joinRuns(withoutSeparators(joined), [hexDigits, 'f'], 2 * shortestCredential);
  const base64 = joinRuns(joined, [base64Digits, '/'], Math.ceil((4 * shortestCredential) / 3));
  const escapes = decodeEscapes(joined);
  return [
    ...(escapes === undefined ? [] : [escapes]),
    ...(hex === '' ? [] : [0, 1].map((start) => keepText(Buffer.from(hex.slice(start), 'hex')))),
    ...(base64 === '' ? [] : [0, 1, 2, 3].map((start) => keepText(Buffer.from(base64.slice(start), 'base64')))),
    // Spaces that begin a line may stand between two numbers.
    ...[...new Set([joined, layer])].flatMap((text) => [10, 8, 2].map((radix) => keepText(decodeNumbers(text, radix)))),
  ].filter(({ length }) => length >= shortestCredential);
}

const space = 0x20;
const lineEnd = 0x0a;
const isVisible = (byte: number): boolean => byte > space && byte < 0x7f;
const isLineEnd = (byte: number): boolean => byte >= 0x09 && byte <= 0x0d;

/** The visible bytes, spaces and line ends, in place. */
function keepVisible(bytes: Buffer): Buffer {
  let length = 0;
  // By index: an iterator takes ten times as long.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isVisible(byte) || byte === space) bytes[length++] = byte;
    else if (isLineEnd(byte)) bytes[length++] = lineEnd;
  }
  return bytes.subarray(0, length);
}

/** Without line ends and what indents the lines. */
function joinLines(layer: Buffer): Buffer {
  if (!layer.includes(lineEnd)) return layer;
  const kept = Buffer.allocUnsafe(layer.length);
  let length = 0;
  let isIndent = false;
  for (let at = 0; at < layer.length; at++) {
    const byte = layer[at] ?? 0;
    if (isVisible(byte) || (byte === space && !isIndent)) kept[length++] = byte;
    isIndent = byte === lineEnd || (isIndent && byte === space);
  }
  return kept.subarray(0, length);
}

/**
 * The stretches of bytes that are text. Other bytes end a stretch, but for NUL, which UTF-16 has between letters, and whole
 * characters of UTF-8: of text that was no base64 next to nothing is left, so that decoding ends.
 */
function keepText(bytes: Buffer): Buffer {
  let length = 0;
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? noByte;
    if (isVisible(byte) || byte === space || isLineEnd(byte)) bytes[length++] = byte;
    else if (byte !== 0 && countContinuations(bytes, at) === 0) {
      if (length - start < shortestCredential) length = start;
      else bytes[length++] = space;
      start = length;
    } else at += countContinuations(bytes, at);
  }
  return keepVisible(bytes.subarray(0, length));
}

/** Behind the first byte of a character of UTF-8. */
function countContinuations(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  let count = 0;
  while (first >= 0xc2 && first < 0xf5 && ((bytes[at + 1 + count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

/** Undefined where nothing is escaped. */
function decodeEscapes(layer: Buffer): Buffer | undefined {
  const kept = Buffer.allocUnsafe(layer.length);
  let length = 0;
  let isFound = false;
  for (let at = 0; at < layer.length; ) {
    const byte = layer[at] ?? 0;
    const found = isEscape[byte] === 1 ? readEscape(layer, at) : undefined;
    isFound ||= found !== undefined;
    kept[length++] = found?.code ?? byte;
    at = found?.next ?? at + 1;
  }
  return isFound ? keepVisible(kept.subarray(0, length)) : undefined;
}

/** A code of 0 stands for a character that is not ASCII. */
type Escape = { readonly code: number; readonly next: number };
const backslash = 0x5c;
const percent = 0x25;

function readEscape(layer: Buffer, at: number): Escape | undefined {
  const first = layer[at];
  if (first === backslash) return readBackslash(layer, at + 1);
  if (first !== percent) return readEntity(layer, at);
  return (layer[at + 1] ?? 0) === 0x75 ? readDigits(layer, at + 2, 4) : readDigits(layer, at + 1, 2);
}

function readBackslash(layer: Buffer, at: number): Escape | undefined {
  const letter = layer.toString('latin1', at, at + 1);
  const digits = { u: 4, U: 8, x: 2, o: 0 }[letter];
  if (digits !== undefined) {
    const braced = /^\{([\da-f]{1,8})\}/i.exec(layer.toString('latin1', at + 1, at + 11));
    if (braced === null) return digits === 0 ? undefined : readDigits(layer, at + 1, digits);
    return makeEscape(Number.parseInt(braced[1] ?? '', letter === 'o' ? 8 : 16), at + 1 + braced[0].length);
  }
  const [octal] = /^[0-3]?[0-7]{1,2}/.exec(layer.toString('latin1', at, at + 3)) ?? [];
  if (octal !== undefined) return makeEscape(Number.parseInt(octal, 8), at + octal.length);
  return makeEscape('nrtbfv'.includes(letter) ? lineEnd : letter.charCodeAt(0), at + 1);
}

function readDigits(layer: Buffer, at: number, digits: number): Escape | undefined {
  let code = 0;
  for (let index = at; index < at + digits; index++) {
    const digit = layer[index] ?? 0;
    if (hexDigits[digit] !== 1) return undefined;
    code = code * 16 + ((digit & 0xf) + (digit > 0x39 ? 9 : 0));
  }
  return makeEscape(code, at + digits);
}

// Of all characters of ASCII that have a name in HTML, in their order; `&` alone stands for one without.
const names =
  'Tab NewLine excl quot,QUOT num dollar percnt amp,AMP apos lpar rpar ast,midast plus comma & period sol colon semi lt,LT equals gt,GT quest commat lsqb,lbrack bsol rsqb,rbrack Hat lowbar,UnderBar grave,DiacriticalGrave lcub,lbrace verbar,vert,VerticalLine rcub,rbrace';
const marks = '\t\n!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}';
const entities = new Map(
  names
    .split(' ')
    .flatMap((list, at) => list.split(',').map((name) => [name.toLowerCase(), marks.charCodeAt(at)] as const)),
);
const longestEntity = 64;

function readEntity(layer: Buffer, at: number): Escape | undefined {
  const text = layer.toString('latin1', at, at + longestEntity);
  const [whole, hex, decimal, name = ''] = /^&(?:#x0*([\da-f]{1,6})|#0*(\d{1,7})|([a-z]{2,17}));?/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = hex ?? decimal;
  // Digits may go on behind an escaped line end.
  if (digits !== undefined && !whole.endsWith(';') && /^[\\%]/.test(text.slice(whole.length))) return undefined;
  if (digits !== undefined) return makeEscape(Number.parseInt(digits, hex === undefined ? 10 : 16), at + whole.length);
  // Without its semicolon a name may be the beginning of other text.
  for (let { length } = name; length > 1; length--) {
    const code = entities.get(name.slice(0, length).toLowerCase());
    if (code !== undefined) return makeEscape(code, at + 1 + length + Number(text[1 + length] === ';'));
  }
  return undefined;
}

function makeEscape(code: number, next: number): Escape {
  return { code: code < 0x7f ? code : 0, next };
}

const base64Digits = makeTable('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_');
const hexDigits = makeTable('0123456789abcdefABCDEF');
const hexSeparators = makeTable(' :,;_-=\'"');
const isEscape = makeTable('\\%&');
const zero = 0x30;

function makeTable(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** `73:6b` and `0x73, 0x6b` as `736b`. */
function withoutSeparators(layer: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(layer.length);
  let length = 0;
  for (let at = 0; at < layer.length; at++) {
    const byte = layer[at] ?? 0;
    const isMark = (byte | 0x20) === 0x78 && kept[length - 1] === zero;
    if (isMark) length--;
    else if (hexSeparators[byte] !== 1) kept[length++] = byte;
  }
  return kept.subarray(0, length);
}

/**
 * The runs of these digits, joined, spaces left out; each starts at a multiple of four, behind digits that decode to no text. A loop,
 * because the regular expressions of V8 run out of stack on a run of sixteen million.
 */
function joinRuns(layer: Buffer, [digits, filler]: readonly [Uint8Array, string], shortest: number): string {
  const filled = filler.charCodeAt(0);
  const kept = Buffer.allocUnsafe(2 * layer.length + 8);
  let length = 0;
  for (let at = 0; at < layer.length; at++) {
    const start = length;
    for (let byte = layer[at] ?? 0; byte === space || digits[byte] === 1; byte = layer[++at] ?? 0)
      if (byte !== space) kept[length++] = byte;
    if (length - start < shortest) length = start;
    else for (const end = 4 * Math.ceil(length / 4) + 4; length < end; length++) kept[length] = filled;
  }
  return kept.toString('latin1', 0, length);
}

/** A list of numbers as bytes, such as `[115,107]` of a `Buffer` in JSON; the indices of `{"0":115,"1":107}` are left out. */
function decodeNumbers(layer: Buffer, radix: number): Buffer {
  const kept = Buffer.allocUnsafe(layer.length + 1);
  let length = 0;
  let value = -1;
  for (let at = 0; at <= layer.length; at++) {
    const byte = layer[at] ?? space;
    const digit = byte - zero;
    if (digit >= 0 && digit < radix) value = Math.min(noByte, Math.max(0, value) * radix + digit);
    // A line may have ended within a number.
    else if (byte !== lineEnd) {
      if (value >= 0 && !endsName(layer, at)) kept[length++] = value;
      value = -1;
      if (isLetter(byte) && kept[length - 1] !== noByte) kept[length++] = noByte;
    }
  }
  return kept.subarray(0, length);
}

/** Ends a stretch of text. */
const noByte = 0xff;
const endsName = (layer: Buffer, at: number): boolean => layer[at] === 0x22 && layer[at + 1] === 0x3a;
const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
