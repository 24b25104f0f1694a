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
export function* listLayers(text: string): Iterable<string | undefined> {
  let room = size.times * text.length + size.least;
  let level = [keepVisible(text)];
  for (let depth = 0; level.length > 0; depth++) {
    yield* level;
    if (depth === deepest) return;
    level = level.flatMap((layer) => unwrap(layer));
    room -= level.reduce((sum, { length }) => sum + length, 0);
    if (room < 0) return yield undefined;
  }
}

/** The same for a credential, whose escapes alone are decoded: decoding a text decodes what looks like one in the credential too. */
export function* listEscapeLayers(text: string): Iterable<string> {
  let layer = keepVisible(text);
  for (let depth = 0; depth <= deepest; depth++) {
    yield layer;
    const decoded = decodeEscapes(layer);
    if (decoded === layer) return;
    layer = decoded;
  }
}

function unwrap(layer: string): readonly string[] {
  const joined = joinLines(layer);
  const hex = joinRuns(joined.replace(/0x|[ :,;_='"-]/gi, ''), { digits: hexDigits, filler: 'f', shortest: 16 });
  const base64 = joinRuns(joined, { digits: base64Digits, filler: '/', shortest: 11 });
  const escapes = decodeEscapes(joined);
  return [
    ...(escapes === joined ? [] : [escapes]),
    ...(hex === '' ? [] : [0, 1].map((start) => keepText(Buffer.from(hex.slice(start), 'hex')))),
    ...(base64 === '' ? [] : [0, 1, 2, 3].map((start) => keepText(Buffer.from(base64.slice(start), 'base64')))),
    ...listNumbers(layer),
  ].filter(({ length }) => length >= shortestCredential);
}

/** The visible characters, spaces, and one sign for each line end or tab. */
function keepVisible(text: string): string {
  return /[^ -~]/.test(text) ? text.replace(/[\t-\r]/g, '\n').replace(/[^\n -~]+/g, '') : text;
}

/** Without line ends and what indents the lines. */
const joinLines = (text: string): string => (text.includes('\n') ? text.replace(/\n */g, '') : text);

const escapes =
  /\\(?:u([\da-f]{4})|U([\da-f]{8})|x([\da-f]{2})|[ux]\{([\da-f]{1,8})\}|o\{([0-7]{1,4})\}|([0-3]?[0-7]{1,2})|([\s\S]))|%u([\da-f]{4})|%([\da-f]{2})|&(?:#x0{0,40}([\da-f]{1,6})(?![\da-f])|#0{0,40}(\d{1,7})(?!\d))(?:;|(?![\\%]))|&([a-z]{2,24});?/gi;

/** One level of escapes; a number without its semicolon may go on behind an escaped line end. */
function decodeEscapes(text: string): string {
  if (!/[\\%&]/.test(text)) return text;
  const decoded = text.replace(escapes, (whole, ...found: (string | undefined)[]) => {
    const [four, eight, two, braced, bracedOctal, octal, single, url, byte, hex, decimal, name] = found;
    if (single !== undefined) return 'nrtbfv'.includes(single) ? '\n' : single;
    if (name !== undefined) return readName(whole);
    if (decimal !== undefined) return toCharacter(decimal, 10);
    return (
      toCharacter(bracedOctal ?? octal, 8) || toCharacter(four ?? eight ?? two ?? braced ?? url ?? byte ?? hex, 16)
    );
  });
  return decoded === text ? text : keepVisible(decoded);
}

/** Nothing for what is not ASCII. */
function toCharacter(digits: string | undefined, base: number): string {
  const code = Number.parseInt(digits ?? '', base);
  return code < 0x7f ? String.fromCharCode(code) : '';
}

// All characters of ASCII that have a name in HTML, in their order; `&` alone stands for one without.
const names =
  'Tab NewLine excl quot,QUOT num dollar percnt amp,AMP apos lpar rpar ast,midast plus comma & period sol colon semi lt,LT equals gt,GT quest commat lsqb,lbrack bsol rsqb,rbrack Hat lowbar,UnderBar grave,DiacriticalGrave lcub,lbrace verbar,vert,VerticalLine rcub,rbrace';
const marks = '\t\n!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}';
const entities = names
  .split(' ')
  .flatMap((list, at) => list.split(',').map((name) => [`&${name.toLowerCase()}`, marks.charAt(at)] as const));

/** Without its semicolon a name may be the beginning of other text. */
function readName(whole: string): string {
  const lower = whole.toLowerCase();
  const [name, mark] =
    entities.find(([one]) => lower === `${one};`) ?? entities.find(([one]) => lower.startsWith(one)) ?? [];
  if (name === undefined || mark === undefined) return whole;
  return mark + whole.slice(name.length + Number(lower === `${name};`));
}

const base64Digits = makeTable('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_');
const hexDigits = makeTable('0123456789abcdefABCDEF');
const space = 0x20;

function makeTable(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

type Runs = { readonly digits: Uint8Array; readonly filler: string; readonly shortest: number };

/**
 * The runs of these digits, joined, spaces left out; each starts at a multiple of four, behind digits that decode to no text. A loop,
 * because the regular expressions of V8 run out of stack on a run of sixteen million.
 */
function joinRuns(text: string, { digits, filler, shortest }: Runs): string {
  const filled = filler.charCodeAt(0);
  const kept = Buffer.allocUnsafe(2 * text.length + 8);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const start = length;
    for (let code = text.charCodeAt(at); code === space || digits[code] === 1; code = text.charCodeAt(++at))
      if (code !== space) kept[length++] = code;
    if (length - start < shortest) length = start;
    else for (const end = 4 * Math.ceil(length / 4) + 4; length < end; length++) kept[length] = filled;
  }
  return kept.toString('latin1', 0, length);
}

/**
 * The stretches of bytes that are text. Other bytes end a stretch, but for NUL, which UTF-16 has between letters, and whole
 * characters of UTF-8: of text that was no base64 next to nothing is left, so that decoding ends.
 */
function keepText(bytes: Buffer): string {
  if (!mayHoldText(bytes)) return '';
  const text = bytes.toString('utf8').replaceAll('\0', '');
  return keepVisible((text.match(/[[^\uFFFD\p{Cc}]\t\n\r]{8,65536}/gv) ?? []).join(' '));
}

/** How many bytes a character of UTF-8 has that begins with this one; 0 where none of a text does. */
const widths = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return Number(byte > 0x1f || /[\t\n\r]/.test(String.fromCharCode(byte)));
  return byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
});

/** Whether eight characters may follow each other. Most of what is decoded was no base64 at all, and a look at the bytes is cheap. */
function mayHoldText(bytes: Buffer): boolean {
  let run = 0;
  for (let at = 0; at < bytes.length && run < shortestCredential; at++) {
    const width = widths[bytes[at] ?? 0] ?? 0;
    if (width === 1 || (width > 1 && isContinued(bytes, at, width))) {
      run += 1;
      at += width - 1;
    } else if (bytes[at] !== 0) run = 0;
  }
  return run >= shortestCredential;
}

function isContinued(bytes: Buffer, at: number, width: number): boolean {
  for (let next = at + 1; next < at + width; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return false;
  return true;
}

/** Lists of numbers in a usual base, such as `[115,107]` of a `Buffer` in JSON; the indices of `{"0":115,"1":107}` are left out. */
function listNumbers(text: string): readonly string[] {
  // Line ends, and spaces that begin a line, may stand between two numbers or within one.
  return [...new Set([text, joinLines(text), text.replaceAll('\n', '')])].flatMap((one) => {
    const lists = one.replace(/"\d+":|\b0[bo]/gi, '').match(/\d{1,8}(?:[^a-z\d]{1,9}\d{1,8}){7,20000}/gi) ?? [];
    const numbers = lists.map((list) => list.match(/\d+/g) ?? []);
    return [10, 8, 2].map((base) => {
      const bytes = numbers.flatMap((list) => [...list.map((number) => Number.parseInt(number, base)), 0xff]);
      return keepText(Buffer.from(bytes.map((byte) => (byte < 0x100 ? byte : 0xff))));
    });
  });
}
