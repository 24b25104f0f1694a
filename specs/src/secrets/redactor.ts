import { mapTexts } from '../json.ts';

/** Replaces secrets in a text. */
export type Redactor = (text: string) => string;

/** Written in place of a secret. */
export const replacement = '[redacted]';
/** Shorter secrets are not searched for: they would match ordinary text. */
export const shortestSecret = 8;
const mostSecrets = 200;
/** Longer texts are replaced as a whole, because a search would take many seconds. */
const longestText = 34_000_000;
/** With more of them, a text is replaced as a whole. */
const mostRanges = 500_000;
/** Encodings around each other that are decoded, such as a percent-encoded JSON string. */
const mostLayers = 2;
/** Where lines are wrapped, with what indents the next one. */
const lineEnds = /[\r\n]+[\t ]*/g;

type Range = readonly [start: number, end: number];
/** A text that was decoded from another one; `toSource` gives the place of a part of it there. */
type View = { readonly text: string; readonly toSource: (start: number, end: number) => Range };
type Search = {
  readonly forms: readonly string[];
  /** Length of the shortest form. */
  readonly shortest: number;
  /** 1 for each byte that may be a part of a secret or of an encoded one. */
  readonly isText: Uint8Array;
};

/**
 * Returns a function that replaces these secrets in a text: plain, percent-encoded, escaped as in JSON or HTML, in hex, base64
 * or base64url, in any letter case, wrapped over lines, and with two of these encodings around each other. A secret of 16 or
 * more characters is also found when a quarter of it is missing at its start or end. Secrets of fewer than eight characters,
 * and those behind the first 200, are not searched for. A text of more than 34,000,000 characters is replaced as a whole.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = listForms(secrets);
  const shortest = Math.min(...forms.map(({ length }) => length));
  const isAscii = !forms.some((form) => /[^ -~]/.test(form));
  const isText = listCodes(isAscii ? /[\t-\r -~]/ : /[\t-\r -~\x80-\xff]/);
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
    // Forms on the web write a space as a plus sign.
    return [secret, bytes, secret.replaceAll(' ', '+')].map((form) => fold(form.replace(lineEnds, '')));
  });
  const whole = [...new Set(all)].filter((form) => form.length >= shortestSecret && !replacement.includes(form));
  // A whole secret has both parts, and what is left of one that was cut has one of them.
  return whole.flatMap((form) => {
    const quarter = form.length < 16 ? 0 : Math.floor(form.length / 4);
    return quarter === 0 ? [form] : [form.slice(quarter), form.slice(0, -quarter)];
  });
}

/** Only letters of ASCII change, so that each character keeps its place. */
function fold(text: string): string {
  if (!/[^ -~\s]/.test(text)) return text.toLowerCase();
  // A pattern with a function takes a gigabyte for a film.
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

/** Each range replaced; those that touch or overlap become one. */
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

/** `offsets`: how many digits there are until they begin a byte again. */
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

/** 1 for the code of each character that the pattern accepts. */
function listCodes(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => Number(pattern.test(String.fromCharCode(code))));
}

/** Everything that a text decodes to in one step. */
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

/** The view with all matches replaced; the same view if there are none. */
function substitute(view: View, pattern: RegExp, read: (match: readonly string[]) => string): View {
  const text = replaceAll(view.text, pattern, read);
  if (text.length === view.text.length) return view;
  let places: Uint32Array | undefined;
  const toSource = (start: number, end: number): Range => {
    places ??= findPlaces(view.text, pattern, read);
    const [first = 0, last = 0, next = 0] = [places[start], places[end - 1], places[end]];
    // A line end behind a secret is not a part of it.
    return view.toSource(first, pattern === lineEnds ? last + 1 : next);
  };
  return { text, toSource };
}

/** Like `String.replaceAll`, which keeps every match of a text until its end. */
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

/** The place in a text of each character, and of the end, of what it becomes. */
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

/** The stretches of a text that consist of these characters. */
function* findRuns(text: string, isIn: Uint8Array, least: number): Iterable<Range> {
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isIn[text.charCodeAt(at)] === 1) continue;
    if (at - start >= least) yield [start, at];
    start = at + 1;
  }
}

/** The text in what a run of digits encodes. Most runs are ordinary words and encode none. */
function* decodeDigits(view: View, [from, to]: Range, { name, bits }: Digits, search: Search): Iterable<View> {
  const decoded = Buffer.from(view.text.slice(from, to), name).toString('latin1');
  for (const [first, end] of findRuns(decoded, search.isText, search.shortest))
    yield {
      text: decoded.slice(first, end),
      toSource: (start, stop) =>
        view.toSource(from + Math.floor(((first + start) * 8) / bits), from + Math.ceil(((first + stop) * 8) / bits)),
    };
}

/** Every string of a value redacted, keys included. The value is plain JSON. */
export function redactTree<T>(value: T, redact: Redactor): T {
  // Rules share their exchanges, so most strings are there several times.
  const known = new Map<string, string>();
  return mapTexts(value, (text) => {
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  });
}

/** A text in whose lines no build service finds a command; where it is JSON it still means the same. */
export function disarmCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1\\u003a').replace(/##(?=[\w.-]*\[)/g, '#\\u0023');
}

/** Without characters that hide or reorder others, or that a reader takes as a command: each becomes U+FFFD. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t]]/gv, '\uFFFD');
}
