import { describe, expect, test } from 'vitest';
import { createCredentialDetector, createRedactor } from './redactor.ts';

const credential = 'sk-Live_9f"3/Q+x\\z%7e';
const isHeld = createCredentialDetector([credential, 'other-credential']);
const toBytes = (text: string): number[] => [...Buffer.from(text)];
const toHex = (text: string): string => Buffer.from(text).toString('hex');
const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

describe('finds a credential', () => {
  test.each<[name: string, text: string]>([
    ['as it is', credential],
    ['within text', `Bearer ${credential}, refused`],
    ['in small letters', credential.toLowerCase()],
    ['in capitals', credential.toUpperCase()],
    ['as a JSON string', JSON.stringify(credential)],
    ['as JSON within JSON', JSON.stringify(JSON.stringify({ a: [credential] }))],
    [
      'as JSON with every character escaped',
      toBytes(credential)
        .map((byte) => `\\u00${hex2(byte)}`)
        .join(''),
    ],
    ['with escapes of JavaScript', `\\u{73}\\x6b${credential.slice(2)}`],
    ['percent-encoded', encodeURIComponent(credential)],
    ['percent-encoded in small letters', encodeURIComponent(credential).toLowerCase()],
    [
      'percent-encoded in every character',
      toBytes(credential)
        .map((byte) => `%${hex2(byte)}`)
        .join(''),
    ],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(credential))],
    ['percent-encoded in JSON in JSON', JSON.stringify(JSON.stringify(encodeURIComponent(credential)))],
    ['escaped for HTML', credential.replace('"', '&quot;').replace('k', '&#107;').replace('L', '&#x4C;')],
    ['in hex', toHex(credential)],
    ['in hex capitals', toHex(credential).toUpperCase()],
    ['in hex with separators', toBytes(credential).map(hex2).join(':')],
    [
      'in hex as an array',
      `[${toBytes(credential)
        .map((byte) => `0x${hex2(byte)}`)
        .join(', ')}]`,
    ],
    ['in hex behind another digit', `f${toHex(credential)}`],
    ...['', 'a', 'ab', 'abc'].map((before): [string, string] => [
      `in base64 behind ${before}`,
      toBase64(`${before}${credential}~`),
    ]),
    ['in base64url', Buffer.from(`??${credential}`).toString('base64url')],
    ['in base64 of its small letters', toBase64(credential.toLowerCase())],
    ['as the password of Basic', `Basic ${toBase64(`user:${credential}`)}`],
    ['as the user of Basic', `Basic ${toBase64(`${credential}:`)}`],
    ['in base64 over two lines', toBase64(`a${credential}`).replace(/^.{9}/, '$&\r\n')],
    ['in base64 over two lines of JSON', JSON.stringify(toBase64(`a${credential}`).replace(/^.{9}/, '$&\r\n'))],
    ['in base64 percent-encoded', encodeURIComponent(toBase64(`?${credential}`))],
    ['with invisible characters', credential.replace('L', '\u200bL\u202e')],
    ['with other characters of no credential', [...credential].join('\u00e9')],
    ['in UTF-16', Buffer.from(credential, 'utf16le').toString('latin1')],
    ['that is the second one', 'an OTHER-credential'],
    ['with named entities', credential.replaceAll('_', '&lowbar;').replaceAll('/', '&sol;').replace('+', '&plus;')],
    [
      'with leading zeros in entities',
      toBytes(credential)
        .map((byte) => `&#00000000${byte};`)
        .join(''),
    ],
    ['in base64 of base64', toBase64(toBase64(credential))],
    ['in base64 of hex', toBase64(toHex(credential))],
    [
      'in octal',
      toBytes(credential)
        .map((byte) => `\\${byte.toString(8)}`)
        .join(''),
    ],
    ['as a Buffer in JSON', JSON.stringify({ key: Buffer.from(credential) })],
    ['as numbers, each on a line', toBytes(credential).join('\n')],
    [
      'as octal numbers of a language',
      toBytes(credential)
        .map((byte) => `0o${byte.toString(8)}`)
        .join(', '),
    ],
    ['as JSON six times', [1, 2, 3, 4, 5, 6].reduce((text) => JSON.stringify(text), credential)],
    ...['\n', '\r\n', '\t', '\n      '].map((end): [string, string] => [
      `wrapped with ${JSON.stringify(end)}`,
      credential.replace(/.{6}/g, `$&${end}`),
    ]),
  ])('%s', (_, text) => {
    expect(isHeld(text)).toBe(true);
    expect(isHeld(`"first": "${'a'.repeat(7)}" ${text} last`)).toBe(true);
  });
});

test.each([
  ['nothing', ''],
  ['a part', credential.slice(1)],
  ['other text', 'The quick brown fox: sk-Live_9f, 2f7e7e7e7e7e7e7e7e, aGVsbG8gd29ybGQgaGVsbG8='],
  ['escapes of nothing', '%zz \\u00 \\x &#; &#xffffffff; \\u{110000} \\'],
])('finds none in %s', (_, text) => {
  expect(isHeld(text)).toBe(false);
});

test('replaces thousands of repetitions, and the whole text where each would take a decoder', () => {
  const redact = createRedactor([credential]);
  expect(redact(`${credential} `.repeat(5_000))).toBe('[redacted] '.repeat(5_000));
  expect(redact(`${toBase64(toHex(credential))}. `.repeat(200))).toBe('[redacted]');
});

test('looks for no credential that is shorter than eight characters', () => {
  expect(createCredentialDetector(['', 'seven77'])('seven77')).toBe(false);
});

test('takes time in proportion to a text that is all escapes or digits', { timeout: 20_000 }, () => {
  for (const part of ['\\', '%', '%41', '%252541', '&#', '&amp;', '\\u0041', '0x', 'a', '4', '\u0001', 'é', '4:'])
    expect(isHeld(part.repeat(500_000 / part.length))).toBe(false);
});

function hex2(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
