import { describe, expect, test } from 'vitest';
import { createCredentialDetector, redactTree } from '../../../specs/src/index.ts';
import type { Target } from '../contract/target.ts';
import { createReportRedactor, cutTexts } from './redact.ts';

const credential = 'sk-Live_9f"3/Q+x\\z7e';
const target: Target = {
  kind: 'live',
  router: {
    url: 'http://caller:pass%20word@router.test',
    credentials: { main: credential, other: 'other-credential' },
  },
  workflow: { url: 'http://workflow.test', credentials: { main: 'workflow-token' }, jobs: {} },
  secrets: ['of-the-environment'],
};
const { redact } = createReportRedactor(target);
const encode = (text: string): number[] => [...Buffer.from(text)];
const hex2 = (byte: number): string => byte.toString(16).padStart(2, '0');
const base64Of = (text: string): string => Buffer.from(text).toString('base64');

describe('replaces a credential and nothing else when it is', () => {
  test.each<[name: string, given: string]>([
    ['plain', credential],
    ['in small letters', credential.toLowerCase()],
    ['in capitals', credential.toUpperCase()],
    ['a JSON string', JSON.stringify(credential).slice(1, -1)],
    ['a JSON string in JSON', JSON.stringify(JSON.stringify(credential)).slice(3, -3)],
    [
      'all JSON escapes',
      encode(credential)
        .map((byte) => `\\u00${hex2(byte)}`)
        .join(''),
    ],
    ['percent-encoded', encodeURIComponent(credential)],
    ['percent-encoded in small letters', encodeURIComponent(credential).toLowerCase()],
    [
      'all percent-encoded',
      encode(credential)
        .map((byte) => `%${hex2(byte)}`)
        .join(''),
    ],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(credential))],
    ['escaped for HTML', credential.replace('"', '&quot;').replace('k', '&#107;').replace('L', '&#x4C;')],
    ['in hex', Buffer.from(credential).toString('hex')],
    ['in hex capitals', Buffer.from(credential).toString('hex').toUpperCase()],
    ['in base64', base64Of(`${credential}~`)],
    ['broken by invisible characters', credential.replace('L', '\u200bL\r\n')],
    ['the password of an address', 'pass%20word'],
    ['a credential of the other API', 'Workflow-Token'],
    ['another secret', 'of-the-environment'],
  ])('%s', (_, given) => {
    expect(redact(`before: ${given}, after`)).toMatch(/^before: \[redacted\][+=]*, after$/);
  });
});

test.each(['', 'u', 'us', 'user'])('replaces what base64 shows of a credential behind "%s:"', (user) => {
  const text = redact(`Basic ${base64Of(`${user}:${credential}:more text`)} end`);
  expect(text).toMatch(/^Basic [\w+/=]{0,8}\[redacted\][\w+/=]* end$/);
  const shown = text.split(/Basic |\[redacted\]| end/).map((part) => Buffer.from(part, 'base64').toString('latin1'));
  expect(shown.join()).not.toContain('sk');
  expect(shown.join()).not.toContain('7e');
});

test.each(['…', '', '...', '%', '%7', '\\u00', '\\', '%7…'])('replaces a credential that is cut before "%s"', (end) => {
  for (const whole of [encodeURIComponent(credential), credential, Buffer.from(credential).toString('hex')])
    expect(redact(`got ${whole.slice(0, -2).replace(/%..?$/, '')}${end}`)).toMatch(/^got \[redacted\](?:…|\.{3}|)$/);
});

test('replaces three quarters of a credential wherever they are', () => {
  for (const kept of [15, 16, 17, 18, 19]) {
    expect(redact(`"${credential.slice(0, kept)}", more`)).toBe('"[redacted]", more');
    expect(redact(`"${encodeURIComponent(credential.slice(0, kept))}", more`)).toBe('"[redacted]", more');
  }
  expect(redact('"sk-Live_9f", more')).toBe('"sk-Live_9f", more');
});

test('replaces the part of a text in which only a decoder finds a credential', () => {
  const nested = `a ${encodeURIComponent(
    JSON.stringify(
      encode(credential)
        .map((b) => `\\u00${hex2(b)}`)
        .join(''),
    ),
  )}`;
  const separated = encode(credential).map(hex2).join(':');
  expect(redact(`${nested} b`)).toMatch(/^a %22(?:%5C)?\[redacted\]%22 b$/);
  expect(redact(`a ${separated} b`)).toBe('a [redacted] b');
});

test('cuts a text of a finding behind its four hundredth character', () => {
  expect(cutTexts(['x'.repeat(400), 'x'.repeat(401)])).toEqual(['x'.repeat(400), `${'x'.repeat(399)}…`]);
});

test('leaves other text as it is', () => {
  for (const text of ['', 'sk-Live', 'a\\u0041%41&#65;\\', '{"id":"other-cred"}', 'x'.repeat(100)])
    expect(redact(text)).toBe(text);
});

test('redacts every string of a tree with its keys', () => {
  const tree = { step: credential, [`a ${credential}`]: [{ deep: `${credential}!` }, 1, null, true] };
  expect(redactTree(tree, redact)).toEqual({
    step: '[redacted]',
    'a [redacted]': [{ deep: '[redacted]!' }, 1, null, true],
  });
});

test('leaves nothing that a decoder finds, for any credential in any mixture of escapes', () => {
  const seed = Number(process.env['SEED'] ?? Math.trunc(performance.timeOrigin)) % 2 ** 31;
  const random = randomFrom(seed);
  for (let round = 0; round < 1_000; round++) {
    const letters = Array.from({ length: 8 + random(40) }, () => String.fromCharCode(0x21 + random(94)));
    // With signs that begin escapes, a mixture has several readings.
    const secret = letters.map((letter) => ('\\%&'.includes(letter) ? 'k' : letter)).join('');
    const only: Target = { kind: 'live', router: { url: 'http://router.test', credentials: { main: secret } } };
    const noise = (): string => Array.from({ length: random(6) }, () => '%\\&u0041fx;/ "'.charAt(random(14))).join('');
    const given = `${noise()} ${mixed(secret, random)}${noise()}`;
    const shown = createReportRedactor(only).redact(given);
    expect(shown, `seed ${seed}, round ${round}: ${given}`).toContain('[redacted]');
    expect(createCredentialDetector([secret])(shown), `seed ${seed}, round ${round}`).toBe(false);
    expect(shown.length, `seed ${seed}, round ${round}: ${given} became ${shown}`).toBeLessThan(40);
  }
});

test('takes time in proportion to a text that is all escapes or beginnings', { timeout: 20_000 }, () => {
  for (const part of ['\\', '%', '%25', '&amp;', '\\u0073', 'sk-Live_', '7', 's', '%73', '\u0001', '…'])
    expect(redact(part.repeat(200_000 / part.length))).not.toContain(credential);
});

type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.trunc((state / 2 ** 32) * below);
  };
}

/** Each character plain, in the other case, or escaped in one of the ways that text on the web knows. */
function mixed(text: string, random: Random): string {
  return [...text]
    .map((character) => {
      const hex = hex2(character.charCodeAt(0));
      const ways = [
        JSON.stringify(character).slice(1, -1),
        JSON.stringify(character.toUpperCase()).slice(1, -1),
        `%${hex}`,
        `%${hex.toUpperCase()}`,
        `%25${hex}`,
        `\\u00${hex}`,
        `\\\\u00${hex}`,
        `&#${character.charCodeAt(0)};`,
        `&#x${hex};`,
        `${character === '%' || character === '\\' || character === '&' ? `%${hex}` : character}\u200b`,
      ];
      return ways[random(ways.length)];
    })
    .join('');
}
