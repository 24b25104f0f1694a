import type { Random } from './attack-class.ts';

const hex = (byte: number, digits = 2): string => byte.toString(16).padStart(digits, '0');
const each = (text: string, write: (byte: number) => string, between = ''): string =>
  [...Buffer.from(text)].map(write).join(between);
const named: Readonly<Record<string, string>> = {
  '/': 'sol',
  '+': 'plus',
  '=': 'equals',
  _: 'lowbar',
  '.': 'period',
  ':': 'colon',
  '"': 'quot',
  '&': 'amp',
  '%': 'percnt',
  '\\': 'bsol',
  ',': 'comma',
};
const wrap = (text: string, columns: number, end: string): string =>
  (text.match(new RegExp(`.{1,${columns}}`, 'gs')) ?? []).join(end);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Ways to write a text that a reader undoes again; any of them may be around any other. */
export const encodings: Readonly<Record<string, (text: string, random: Random) => string>> = {
  percent: encodeURIComponent,
  percentAll: (text) => each(text, (byte) => `%${hex(byte)}`),
  json: (text) => JSON.stringify(text),
  jsonMember: (text) => JSON.stringify({ id: 7, text: [text] }),
  unicode: (text) => each(text, (byte) => `\\u${hex(byte, 4)}`),
  braces: (text, random) => each(text, (byte) => `\\u{${'0'.repeat(random.size(1, 3) - 1)}${hex(byte)}}`),
  wide: (text) => each(text, (byte) => `\\U${hex(byte, 8)}`),
  bytes: (text) => each(text, (byte) => `\\x${hex(byte)}`),
  octal: (text) => each(text, (byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  named: (text) => text.replace(/[/+=_.:"&%\\,]/g, (sign) => `&${named[sign]};`),
  decimal: (text, random) => each(text, (byte) => `&#${'0'.repeat(random.size(1, 9) - 1)}${byte};`),
  hexadecimal: (text, random) => each(text, (byte) => `&#x${'0'.repeat(random.size(1, 9) - 1)}${hex(byte)};`),
  hex: (text) => Buffer.from(text).toString('hex'),
  hexUpper: (text) => Buffer.from(text).toString('hex').toUpperCase(),
  hexList: (text) => each(text, (byte) => `0x${hex(byte)}`, ', '),
  base64,
  base64url: (text) => Buffer.from(text).toString('base64url'),
  mime: (text, random) => wrap(base64(text), 76, random.one(['\n', '\r\n'])),
  // Between numbers with spaces, spaces that indent lines have two readings.
  wrapped: (text, random) =>
    wrap(text, 64, random.one(['\n', '\r\n', '\t', ...(/\d \d/.test(text) ? [] : ['\n    '])])),
  buffer: (text) => JSON.stringify(Buffer.from(text)),
  array: (text) => JSON.stringify(new Uint8Array(Buffer.from(text))),
  numbers: (text) => each(text, String, ' '),
};

const names = Object.keys(encodings);

/** A text in so many encodings around each other, and their names from the inside. */
export function buildTower(text: string, levels: number, random: Random): { text: string; names: readonly string[] } {
  const chosen: string[] = [];
  let built = text;
  // Each multiplies the text, so that the last ones are left out of a tower that is large already.
  for (let level = 0; level < levels && built.length < 20_000; level++) {
    const name = random.one(names);
    built = encodings[name]?.(built, random) ?? built;
    chosen.push(name);
  }
  return { text: built, names: chosen };
}
