/** Replaces secrets in a text by `[redacted]`. */
export type Redactor = (text: string) => string;

const replacement = '[redacted]';
/** Shorter secrets are not searched for: they would match ordinary text. */
const shortestSecret = 8;
const mostSecrets = 200;
/** Longer texts are replaced as a whole, because a search would take more than a second. */
const longestText = 1_000_000;
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
  /** True for a byte that may be a part of a secret or of an encoded one. */
  readonly isText: (byte: number) => boolean;
};

/**
 * Returns a function that replaces these secrets in a text: plain, percent-encoded, escaped as in JSON or HTML, in hex, base64
 * or base64url, in any letter case, wrapped over lines, and with two of these encodings around each other. A secret of 16 or
 * more characters is also found when a quarter of it is missing at its start or end. Secrets of fewer than eight characters,
 * and those behind the first 200, are not searched for. A text of more than 1,000,000 characters is replaced as a whole.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = listForms(secrets);
  const shortest = Math.min(...forms.map(({ length }) => length));
  const isAscii = !forms.some((form) => /[^ -~]/.test(form));
  const isText = (byte: number): boolean => (byte > 31 ? byte < 127 || !isAscii : byte > 8 && byte < 14);
  return (text) => {
    if (text.length < shortest) return text;
    if (text.length > longestText) return replacement;
    const whole: View = { text, toSource: (start, end) => [start, end] };
    return cutOut(text, [...findSecrets(whole, { forms, shortest, isText }, mostLayers)]);
  };
}

function listForms(secrets: readonly string[]): readonly string[] {
  const all = secrets.slice(0, mostSecrets).flatMap((secret) => {
    const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte)).join('');
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
  return /[^ -~\s]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text.toLowerCase();
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
type Digits = { readonly values: Int8Array; readonly bits: number; readonly offsets: number };
const notations: readonly Digits[] = [
  { values: tabulate('0123456789abcdef', 'ABCDEF'), bits: 4, offsets: 2 },
  { values: tabulate('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_'), bits: 6, offsets: 4 },
];

/** Values by character code, -1 where there is none; `others` have the values of the last digits. */
function tabulate(digits: string, others: string): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (let at = 0; at < digits.length; at++) values[digits.charCodeAt(at)] = at;
  for (let at = 0; at < others.length; at++) values[others.charCodeAt(at)] = digits.length - others.length + at;
  return values;
}

/** Everything that a text decodes to in one step. */
function* decode(view: View, search: Search): Iterable<View> {
  for (const [mark, pattern, read] of escapes) {
    const decoded = view.text.includes(mark) ? substitute(view, pattern, read) : view;
    if (decoded !== view) yield decoded;
  }
  for (const digits of notations) {
    const least = Math.ceil((search.shortest * 8) / digits.bits);
    const isDigit = (at: number): boolean => (digits.values[view.text.charCodeAt(at)] ?? -1) >= 0;
    for (const [start, end] of findRuns(view.text.length, least, isDigit))
      for (let at = start; at < start + digits.offsets; at++) yield* decodeDigits(view, [at, end], digits, search);
  }
}

/** The view with all matches replaced; the same view if there are none. */
function substitute(view: View, pattern: RegExp, read: (match: readonly string[]) => string): View {
  const text = view.text.replace(pattern, (...match: string[]) => read(match));
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

/** The stretches of at least this length that consist of these characters or bytes. */
function* findRuns(length: number, least: number, isIn: (at: number) => boolean): Iterable<Range> {
  let start = 0;
  for (let at = 0; at <= length; at++) {
    if (at < length && isIn(at)) continue;
    if (at - start >= least) yield [start, at];
    start = at + 1;
  }
}

/** The text in what a run of digits encodes. Most runs are ordinary words and encode none. */
function* decodeDigits(view: View, [from, to]: Range, { values, bits }: Digits, search: Search): Iterable<View> {
  const bytes = new Uint8Array(Math.max(0, Math.floor(((to - from) * bits) / 8)));
  for (let [at, length, held, kept] = [from, 0, 0, 0]; length < bytes.length; at++) {
    kept = ((kept << bits) | (values[view.text.charCodeAt(at)] ?? 0)) & 0xfff;
    held += bits;
    if (held < 8) continue;
    held -= 8;
    bytes[length++] = kept >> held;
  }
  for (const [first, end] of findRuns(bytes.length, search.shortest, (at) => search.isText(bytes[at] ?? 0))) {
    let text = '';
    for (let at = first; at < end; at += 4096)
      text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 4096)));
    const toSource = (start: number, stop: number): Range =>
      view.toSource(from + Math.floor(((first + start) * 8) / bits), from + Math.ceil(((first + stop) * 8) / bits));
    yield { text, toSource };
  }
}
