/** Shorter text is in answers by chance, and no service issues credentials that short. */
export const shortestCredential = 8;

/** True when the text holds a credential, as it is or encoded. */
export type CredentialDetector = (text: string) => boolean;

/**
 * Looks for credentials in what text decodes to: escapes of JSON, URLs and HTML in any mixture, then hex and base64 (either
 * alphabet, any offset, so also Basic). Letter case does not count, nor does any character that is not visible ASCII. Linear
 * in the text.
 */
export function createCredentialDetector(credentials: readonly string[]): CredentialDetector {
  // Decoding a text also decodes what looks like an escape in the credential itself.
  const wanted = credentials
    .flatMap((credential) => [...layersOf(credential)].map((layer) => layer.toLowerCase()))
    .filter(({ length }) => length >= shortestCredential);
  const isPlain = (text: string): boolean => {
    const lower = text.toLowerCase();
    return wanted.some((credential) => lower.includes(credential));
  };
  return (text) => {
    if (wanted.length === 0) return false;
    for (const layer of layersOf(text)) if (isPlain(layer) || decodedRuns(layer).some(isPlain)) return true;
    return false;
  };
}

/** Text is often escaped twice (JSON in JSON), and rarely four times. */
const deepestEscapes = 4;

/** A text, and what it decodes to again and again. */
function* layersOf(text: string): Iterable<string> {
  let layer = visible(text);
  yield layer;
  for (let depth = 1; depth <= deepestEscapes; depth++) {
    const decoded = decodeEscapes(layer);
    if (decoded === layer) return;
    layer = decoded;
    yield layer;
  }
}

/** The visible ASCII characters and spaces of a text. */
function visible(text: string): string {
  return /[^ -~]/.test(text) ? keepVisible(Buffer.from(text)) : text;
}

function keepVisible(bytes: Buffer): string {
  let length = 0;
  // By index: an iterator takes ten times as long.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x20 && byte < 0x7f) bytes[length++] = byte;
  }
  return bytes.toString('latin1', 0, length);
}

function decodeEscapes(text: string): string {
  if (!/[\\%&]/.test(text)) return text;
  const kept = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const found = isEscape[code] === 1 ? readEscape(text, at) : undefined;
    kept[length++] = found?.code ?? code;
    at = found?.next ?? at + 1;
  }
  return keepVisible(kept.subarray(0, length));
}

/** A code of 0 stands for a character that is not visible ASCII. */
type Escape = { readonly code: number; readonly next: number };

function readEscape(text: string, at: number): Escape | undefined {
  switch (text[at]) {
    case '\\':
      return readBackslash(text, at + 1);
    case '%':
      return text[at + 1] === 'u' ? readHex(text, at + 2, 4) : readHex(text, at + 1, 2);
    default:
      return readEntity(text, at);
  }
}

function readBackslash(text: string, at: number): Escape | undefined {
  const letter = text[at] ?? '\\';
  if (letter === 'u') {
    const braced = text[at + 1] === '{' ? /^[\da-f]{1,6}\}/i.exec(text.slice(at + 2, at + 9)) : null;
    return braced === null
      ? readHex(text, at + 1, 4)
      : escapeOf(Number.parseInt(braced[0], 16), at + 2 + braced[0].length);
  }
  if (letter === 'x') return readHex(text, at + 1, 2);
  return escapeOf('nrtbfv'.includes(letter) ? 0 : letter.charCodeAt(0), at + 1);
}

function readHex(text: string, at: number, digits: number): Escape | undefined {
  let code = 0;
  for (let index = at; index < at + digits; index++) {
    const digit = text.charCodeAt(index);
    if (hexDigits[digit] !== 1) return undefined;
    code = code * 16 + ((digit & 0xf) + (digit > 0x39 ? 9 : 0));
  }
  return escapeOf(code, at + digits);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function readEntity(text: string, at: number): Escape | undefined {
  const found = /^&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));?/i.exec(text.slice(at, at + 12));
  if (found === null) return undefined;
  const [whole, hex, decimal, name = ''] = found;
  const named = entities[name.toLowerCase()]?.charCodeAt(0);
  return escapeOf(named ?? Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16), at + whole.length);
}

function escapeOf(code: number, next: number): Escape {
  return { code: code < 0x7f ? code : 0, next };
}

const base64Digits = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_');
const hexDigits = tableOf('0123456789abcdefABCDEF');
const hexSeparators = tableOf(' :,;_-');
const zero = 0x30;
const isEscape = tableOf('\\%&');

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** What the hex digits and the base64 of a text decode to, at every alignment. */
function decodedRuns(text: string): readonly string[] {
  const hex = runsOf(withoutSeparators(text), hexDigits, 2 * shortestCredential);
  const base64 = runsOf(text, base64Digits, Math.ceil((4 * shortestCredential) / 3));
  return [
    ...(hex === '' ? [] : [0, 1].map((start) => Buffer.from(hex.slice(start), 'hex').toString('latin1'))),
    ...(base64 === ''
      ? []
      : [0, 1, 2, 3].map((start) => Buffer.from(base64.slice(start), 'base64').toString('latin1'))),
  ];
}

/** `73:6b` and `0x73, 0x6b` as `736b`. */
function withoutSeparators(text: string): string {
  const kept = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isMark = (code | 0x20) === 0x78 && kept[length - 1] === zero;
    if (isMark) length--;
    else if (hexSeparators[code] !== 1) kept[length++] = code;
  }
  return kept.toString('latin1', 0, length);
}

/**
 * The runs of these digits, joined; each starts at a multiple of four. A loop, because the regular expressions of V8 run out of
 * stack on a run of sixteen million.
 */
function runsOf(text: string, digits: Uint8Array, shortest: number): string {
  const kept = Buffer.allocUnsafe(2 * text.length + 8);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const start = length;
    for (; digits[text.charCodeAt(at)] === 1; at++) kept[length++] = text.charCodeAt(at);
    if (length - start < shortest) length = start;
    else for (const end = 4 * Math.ceil(length / 4) + 4; length < end; length++) kept[length] = zero;
  }
  return kept.toString('latin1', 0, length);
}
