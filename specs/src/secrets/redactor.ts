import { mapTexts } from '../json.ts';

/** Replaces secrets in a text. */
export type Redactor = (text: string) => string;

/** Placeholder for secrets. */
export const replacement = '[redacted]';
/** Minimum length of a secret in characters. Shorter secrets would match ordinary text. */
export const shortestSecret = 8;
const mostSecrets = 200;
/** Maximum length of a text in characters. Longer texts are replaced completely, because a search would take many seconds. */
const longestText = 34_000_000;
/** Maximum number of secrets found in a text. If there are more, the text is replaced completely. */
const mostRanges = 500_000;
/** Maximum number of nested encodings that are decoded, such as a percent-encoded JSON string. */
const mostLayers = 2;
/** Line breaks with the indentation of the next line, as in wrapped text. */
const lineEnds = /[\r\n]+[\t ]*/g;

type Range = readonly [start: number, end: number];
/** A decoded text. `toSource` maps a range to the original text. */
type View = { readonly text: string; readonly toSource: (start: number, end: number) => Range };
type Search = {
  readonly forms: readonly string[];
  /** Length of the shortest form. */
  readonly shortest: number;
  /** 1 for each byte that can be part of a plain or encoded secret. */
  readonly isText: Uint8Array;
};

/**
 * Returns a function that replaces secrets in a text, in any letter case: plain, percent-encoded, escaped as in JSON or
 * HTML, in hex, base64 or base64url, wrapped over lines, or with two of these encodings nested. A secret of 16 or more
 * characters is also found if a quarter of it is missing at its start or end. Ignores secrets shorter than eight
 * characters, and all secrets after the first 200. Replaces a text of more than 34,000,000 characters completely.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = listForms(secrets);
  const shortest = Math.min(...forms.map(({ length }) => length));
  const isAscii = !forms.some((form) => /[^ -~]/.test(form));
  const isText = isAscii ? asciiText : latin1Text;
  return (text) => {
    if (text.length < shortest) return text;
    if (text.length > longestText) return replacement;
    const whole: View = { text, toSource: (start, end) => [start, end] };
    const found: Range[] = [];
    for (const range of findSecrets(whole, { forms, shortest, isText }, mostLayers)) {
      if (found.push(range) > mostRanges) return replacement;
    }
    return cutOut(text, found);
  };
}

function listForms(secrets: readonly string[]): readonly string[] {
  const all = secrets.slice(0, mostSecrets).flatMap((secret) => {
    const bytes = Buffer.from(secret).toString('latin1');
    // HTML forms encode a space as a plus sign.
    return [secret, bytes, secret.replaceAll(' ', '+')].map((form) => fold(form.replace(lineEnds, '')));
  });
  const whole = [...new Set(all)].filter((form) => form.length >= shortestSecret && !replacement.includes(form));
  // A truncated secret still contains one of these two parts.
  return whole.flatMap((form) => {
    const quarter = form.length < 16 ? 0 : Math.floor(form.length / 4);
    return quarter === 0 ? [form] : [form.slice(quarter), form.slice(0, -quarter)];
  });
}

/** Converts only ASCII letters to lower case, so that each character keeps its position. */
function fold(text: string): string {
  if (!/[^ -~\s]/.test(text)) return text.toLowerCase();
  // Works on bytes, because `replace` with a function would need a gigabyte for a large body.
  const bytes = Buffer.from(text, 'utf16le');
  for (let at = 0; at < bytes.length; at += 2) {
    const code = bytes[at] ?? 0;
    if (code > 64 && code < 91 && bytes[at + 1] === 0) bytes[at] = code + 32;
  }
  return bytes.toString('utf16le');
}

function* findSecrets(view: View, search: Search, layers: number): Iterable<Range> {
  const joined = substitute(view, lineEnds, () => '');
  if (joined.text.length < search.shortest) return;
  const folded = fold(joined.text);
  for (const form of search.forms)
    for (let at = folded.indexOf(form); at >= 0; at = folded.indexOf(form, at + form.length))
      yield joined.toSource(at, at + form.length);
  if (layers > 0) for (const inner of decode(joined, search)) yield* findSecrets(inner, search, layers - 1);
}

/** Replaces each range; adjacent or overlapping ranges become one. */
function cutOut(text: string, ranges: readonly Range[]): string {
  let shown = '';
  let shownTo = 0;
  for (const [start, end] of [...ranges].sort(([one], [other]) => one - other)) {
    if (start > shownTo || shown === '') shown += text.slice(shownTo, start) + replacement;
    shownTo = Math.max(shownTo, end);
  }
  return shown + text.slice(shownTo);
}

const signs: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const escapes: readonly (readonly [mark: string, pattern: RegExp, read: (match: readonly string[]) => string])[] = [
  ['%', /%([\da-f]{2})/gi, ([, hex = '']) => toCharacter(hex, 16)],
  ['\\', /\\(?:u([\da-f]{4})|([^u]))/gi, ([, hex, sign = '']) => (hex ? toCharacter(hex, 16) : (signs[sign] ?? sign))],
  [
    '&',
    /&(?:#(\d{1,9})|#x([\da-f]{1,8})|(amp|lt|gt|quot|apos));/gi,
    ([, decimal, hex, name = '']) =>
      entities[name.toLowerCase()] ?? toCharacter(decimal ?? hex ?? '', decimal ? 10 : 16),
  ],
];

function toCharacter(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}

/** An encoding with digits. `offsets`: the number of possible positions of the first digit within a byte. */
type Digits = {
  readonly name: 'hex' | 'base64';
  readonly isDigit: Uint8Array;
  readonly bits: number;
  readonly offsets: number;
};
const notations: readonly Digits[] = [
  { name: 'hex', isDigit: listCodes(/[\da-f]/i), bits: 4, offsets: 2 },
  { name: 'base64', isDigit: listCodes(/[\w+/-]/), bits: 6, offsets: 4 },
];

/** Returns a table with 1 for each character code that the pattern accepts. */
function listCodes(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => Number(pattern.test(String.fromCharCode(code))));
}

const asciiText = listCodes(/[\t-\r -~]/);
const latin1Text = listCodes(/[\t-\r -~\x80-\xff]/);

/** Yields all results of decoding a text once. */
function* decode(view: View, search: Search): Iterable<View> {
  for (const [mark, pattern, read] of escapes) {
    const decoded = view.text.includes(mark) ? substitute(view, pattern, read) : view;
    if (decoded !== view) yield decoded;
  }
  for (const digits of notations) {
    const least = Math.ceil((search.shortest * 8) / digits.bits);
    for (const [start, end] of findRuns(view.text, digits.isDigit, least))
      for (let at = start; at < start + digits.offsets; at++) yield* decodeDigits(view, [at, end], digits, search);
  }
}

/** Replaces all matches; returns the same view if there are none. */
function substitute(view: View, pattern: RegExp, read: (match: readonly string[]) => string): View {
  const text = replaceAll(view.text, pattern, read);
  if (text.length === view.text.length) return view;
  let places: Uint32Array | undefined;
  const toSource = (start: number, end: number): Range => {
    places ??= findPlaces(view.text, pattern, read);
    const [first = 0, last = 0, next = 0] = [places[start], places[end - 1], places[end]];
    // A line break after a secret isn't part of it.
    return view.toSource(first, pattern === lineEnds ? last + 1 : next);
  };
  return { text, toSource };
}

/** Like `String.replaceAll`, but without keeping all matches in memory. */
function replaceAll(text: string, pattern: RegExp, read: (match: readonly string[]) => string): string {
  const blocks: string[] = [];
  let parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(from, match.index), read(match));
    from = match.index + match[0].length;
    if (parts.length < 10_000) continue;
    blocks.push(parts.join(''));
    parts = [];
  }
  return from === 0 ? text : [...blocks, ...parts, text.slice(from)].join('');
}

/** Returns the original position of each character of the replaced text, and of its end. */
function findPlaces(text: string, pattern: RegExp, read: (match: readonly string[]) => string): Uint32Array {
  const places = new Uint32Array(text.length + 1);
  let [length, from] = [0, 0];
  for (const match of text.matchAll(pattern)) {
    while (from < match.index) places[length++] = from++;
    for (let left = read(match).length; left > 0; left--) places[length++] = from;
    from += match[0].length;
  }
  while (from <= text.length) places[length++] = from++;
  return places;
}

/** Yields the ranges of a text that consist of at least `least` of these characters. */
function* findRuns(text: string, isIn: Uint8Array, least: number): Iterable<Range> {
  const isOther = (at: number) => isIn[text.charCodeAt(at)] !== 1;
  let start = 0;
  while (start + least <= text.length) {
    // Searches backwards from the minimum length. Most runs are shorter, so most characters are never read.
    let last = start + least - 1;
    while (last >= start && !isOther(last)) last--;
    if (last >= start) {
      start = last + 1;
      continue;
    }
    let end = start + least;
    while (end < text.length && !isOther(end)) end++;
    yield [start, end];
    start = end + 1;
  }
}

/** Yields the texts that a run of digits encodes. Most runs are ordinary words and encode no text. */
function* decodeDigits(view: View, [from, to]: Range, { name, bits }: Digits, search: Search): Iterable<View> {
  const decoded = Buffer.from(view.text.slice(from, to), name).toString('latin1');
  for (const [first, end] of findRuns(decoded, search.isText, search.shortest))
    yield {
      text: decoded.slice(first, end),
      toSource: (start, stop) =>
        view.toSource(from + Math.floor(((first + start) * 8) / bits), from + Math.ceil(((first + stop) * 8) / bits)),
    };
}

/** Redacts every string in a JSON value, including keys. */
export function redactTree<T>(value: T, redact: Redactor): T {
  // Most strings occur several times, because rules share exchanges.
  const known = new Map<string, string>();
  return mapTexts(value, (text) => {
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  });
}

/** Changes a text so that CI services don't find workflow commands in it. The meaning of JSON doesn't change. */
export function disarmCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1\\u003a').replace(/##(?=[\w.-]*\[)/g, '#\\u0023');
}

/** Replaces invisible characters, control characters, and characters that reorder text with U+FFFD. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t]]/gv, '\uFFFD');
}
