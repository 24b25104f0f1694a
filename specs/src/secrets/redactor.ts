import { mapTexts } from '../json.ts';

/** Replaces secrets in a text. */
export type Redactor = (text: string) => string;

/** Placeholder for secrets. */
export const replacement = '[redacted]';
/** Minimum length of a secret in characters. Shorter secrets would match ordinary text. */
export const shortestSecret = 8;
const maxSecrets = 200;
/** Maximum length of a text in characters. Longer texts are replaced completely, because a search would take many seconds. */
const maxTextLength = 34_000_000;
/** Maximum number of nested encodings that are decoded, such as a percent-encoded JSON string. */
const maxLayers = 2;
/** Line breaks with the indentation of the next line, as in wrapped text. */
const lineEnds = /[\r\n]+[\t ]*/g;

/**
 * Returns a function that replaces secrets in a text, in any letter case, also as a URL component and as a JSON string. A
 * secret in a different encoding replaces its whole word, or the whole text if it is wrapped over lines: other
 * percent-encoding or escapes of JSON or HTML, hex, base64 or base64url, or two of these nested. A secret of 16 or more
 * characters is also found if a quarter of it is missing at its start or end. Ignores secrets shorter than eight
 * characters, and all secrets after the first 200. Replaces a text of more than 34,000,000 characters completely.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = listForms(secrets);
  const shortest = Math.min(...forms.map(({ length }) => length));
  /** Matches the parts of decoded bytes that can contain a secret. */
  const textRun = forms.some((form) => /[^ -~]/.test(form)) ? /[\t-\r -~\x80-\xff]+/g : /[\t-\r -~]+/g;
  const hasSecret = (text: string, layers: number): boolean => {
    const joined = replaceAll(text, lineEnds, () => '');
    if (joined.length < shortest) return false;
    const folded = lowerCase(joined);
    if (forms.some((form) => folded.includes(form))) return true;
    if (layers === 0) return false;
    for (const inner of decode(joined, shortest, textRun)) if (hasSecret(inner, layers - 1)) return true;
    return false;
  };
  return (text) => {
    if (text.length < shortest) return text;
    if (text.length > maxTextLength) return replacement;
    const shown = replacePlain(text, forms);
    if (!hasSecret(shown, maxLayers)) return shown;
    const words = shown.split(/(\s+)/).map((word) => (hasSecret(word, maxLayers) ? replacement : word));
    const others = words.join('');
    return hasSecret(others, maxLayers) ? replacement : others;
  };
}

function listForms(secrets: readonly string[]): readonly string[] {
  const all = secrets.slice(0, maxSecrets).flatMap((secret) => {
    const bytes = Buffer.from(secret).toString('latin1');
    // The two most common encodings, so that a text that contains them isn't replaced completely.
    const encoded = [encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)];
    // HTML forms encode a space as a plus sign.
    return [secret, bytes, secret.replaceAll(' ', '+'), ...encoded].map((form) =>
      lowerCase(form.replace(lineEnds, '')),
    );
  });
  const whole = [...new Set(all)].filter((form) => form.length >= shortestSecret && !replacement.includes(form));
  // A truncated secret still contains one of these two parts.
  return whole.flatMap((form) => {
    const quarter = form.length < 16 ? 0 : Math.floor(form.length / 4);
    return quarter === 0 ? [form] : [form.slice(quarter), form.slice(0, -quarter)];
  });
}

/** Converts a text to lower case. Each character keeps its position: U+0130 is the only one with a longer lower case. */
function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}

/** Replaces secrets that aren't encoded; adjacent or overlapping ones become one. */
function replacePlain(text: string, forms: readonly string[]): string {
  const folded = lowerCase(text);
  const isSecret = new Uint8Array(text.length);
  for (const form of forms)
    for (let at = folded.indexOf(form); at >= 0; at = folded.indexOf(form, at + form.length))
      isSecret.fill(1, at, at + form.length);
  let shown = '';
  let from = 0;
  for (let start = isSecret.indexOf(1); start >= 0; start = isSecret.indexOf(1, from)) {
    shown += text.slice(from, start) + replacement;
    const end = isSecret.indexOf(0, start);
    from = end < 0 ? text.length : end;
  }
  return shown + text.slice(from);
}

const escapedCharacters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const escapes: readonly (readonly [pattern: RegExp, read: (match: readonly string[]) => string])[] = [
  [/%([\da-f]{2})/gi, ([, hex = '']) => toCharacter(hex, 16)],
  [
    /\\(?:u([\da-f]{4})|([^u]))/gi,
    ([, hex, sign = '']) => (hex ? toCharacter(hex, 16) : (escapedCharacters[sign] ?? sign)),
  ],
  [
    /&(?:#(\d{1,9})|#x([\da-f]{1,8})|(amp|lt|gt|quot|apos));/gi,
    ([, decimal, hex, name = '']) =>
      entities[name.toLowerCase()] ?? toCharacter(decimal ?? hex ?? '', decimal ? 10 : 16),
  ],
];

function toCharacter(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}

/** Encodings with digits. An encoded secret may begin at each of the first `offsets` digits. */
const notations = [
  { name: 'hex', run: /[\da-f]+/gi, bits: 4, offsets: 2 },
  { name: 'base64', run: /[\w+/-]+/g, bits: 6, offsets: 4 },
] as const;

/** Yields all results of decoding a text once. Most runs of digits are ordinary words and encode no text. */
function* decode(text: string, shortest: number, textRun: RegExp): Iterable<string> {
  for (const [pattern, read] of escapes) {
    const decoded = replaceAll(text, pattern, read);
    if (decoded.length < text.length) yield decoded;
  }
  for (const { name, run, bits, offsets } of notations)
    for (const [digits] of text.matchAll(run))
      for (let start = 0; start < offsets && (digits.length - start) * bits >= shortest * 8; start++)
        for (const [inner] of Buffer.from(digits.slice(start), name).toString('latin1').matchAll(textRun))
          if (inner.length >= shortest) yield inner;
}

/** Like `String.replaceAll`, but without keeping all matches in memory, which would take a gigabyte for a large body. */
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
