import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRedactor as createOfRuntime } from '../../runtime/src/http/redactor.ts';
import { createRedactor } from '../../specs/src/index.ts';
import { notations, wrap } from './notations.ts';

const secrets = {
  'an API key': 'sk-Live_9f3Q7eXxT21vB08s',
  'a secret of eight characters': 'hunter22',
  'a secret with special characters': 'p%25"x\\y/z+a&b<c>=\'d',
  'a secret that ends with a backslash': 'C:\\private\\share\\',
  'a token of 4,000 characters': `eyJhbGciOiJSUzI1NiJ9.${'Zm9vYmFy'.repeat(490)}.c2lnbmF0dXJl-_x9`,
  'a secret with non-ASCII letters': 'пароль-für-日本-😀',
  'a secret with spaces': 'correct horse battery staple',
  'a private key': `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(2)}\n-----END PRIVATE KEY-----\n`,
} as const;

describe.each([
  { name: 'specs', create: createRedactor },
  { name: 'runtime', create: createOfRuntime },
])('the redactor of $name', ({ create }) => {
  test.each(Object.entries(secrets))('the redactor withholds a text with %s in two nested encodings', (_, secret) => {
    const redact = create(['another-secret', secret]);
    for (const [outer, writeOuter] of Object.entries(notations)) {
      for (const [inner, writeInner] of Object.entries(notations)) {
        const shown = redact(`{"a": 7} ${writeOuter(writeInner(secret))}; the rest`);
        if (shown === '[redacted]') continue;
        expect(shown, `${inner} in ${outer}`).toMatch(/^\{"a": 7\} .*\[redacted\].* the rest$/s);
        // Only the text that the encodings add next to the secret remains.
        expect(shown.length, `${inner} in ${outer}: ${shown}`).toBeLessThan(120);
      }
    }
  });

  const key = 'sk-Live_9f3Q7eXxT21vB08s';

  test.each([
    ['in capitals', key.toUpperCase()],
    ['in lowercase', key.toLowerCase()],
    ['without its last quarter', key.slice(0, 18)],
    ['without its first quarter', key.slice(6)],
    ['whose base64 is truncated', Buffer.from(`user:${key}`).toString('base64').slice(0, -8)],
    ['that occurs twice in a URL', `/${key}?b=${key}`],
  ])('the redactor replaces a secret %s', (_, text) => {
    const shown = create([key])(`It is "${text}".`);
    if (shown === '[redacted]') return;
    expect(shown).toMatch(/^It is (?:\[redacted\]|"(?:\/\[redacted\]\?b=|\w{0,7})\[redacted\]\w?".)$/);
  });

  test('the redactor merges secrets that contain, overlap or repeat each other', () => {
    const redact = create(['inner-secret', 'an inner-secret of', 'secret of another', 'ababababa']);
    expect(redact('It is an inner-secret of another one')).toBe('It is [redacted] one');
    expect(redact('inner-secretinner-secret')).toBe('[redacted]');
    expect(redact('ab ababababababababab ab')).not.toContain('ababababa');
  });

  test.each([
    '',
    'sk-Live_9f',
    'a\\u0041%41&#65;\\ %zz \\u00 &#; &#xffffffff; &#x110000; \\',
    'The quick brown fox: 2f7e7e7e7e7e7e7e7e7e7e7e, aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=\r\n\r\n  x',
    '[redacted] and redacted',
  ])('the redactor leaves other text unchanged: %s', (text) => {
    expect(create([key, 'redacted', ''])(text)).toBe(text);
  });

  test('the redactor leaves the text around a plain secret unchanged, and withholds an encoded or wrapped secret with its word or text', () => {
    const [before, after] = ['a%20b &amp; "c\\n"\n  ', '\n\n  %7E\r\n \\u0041'];
    expect(create([key])(before + encodeURIComponent(JSON.stringify(key)) + after)).toBe(
      `${before}%22[redacted]%22${after}`,
    );
    const encoded = create([key])(before + Buffer.from(key).toString('hex') + after);
    expect(['[redacted]', `${before}[redacted]${after}`]).toContain(encoded);
    expect(create([key])(before + wrap(key, 9, '\n ') + after)).toBe('[redacted]');
  });

  test('the redactor searches for up to 200 secrets of at least eight characters', () => {
    expect(create(['seven77'])('seven77')).toBe('seven77');
    const many = Array.from({ length: 300 }, (_, number) => hash('sha1', `${number}`));
    expect(create(many)(`${many[0]} ${many[199]} ${many[200]}`)).toBe(`[redacted] [redacted] ${many[200]}`);
    expect(create([])(key)).toBe(key);
  });

  test('the redactor searches long runs of one character in linear time', () => {
    for (const part of ['\n', '\n ', ' ', 'a', '0', '%', '\\', 'é'])
      expect(create([key])(part + (part.at(-1) ?? '').repeat(300_000))).toHaveLength(part.length + 300_000);
  });

  test('the redactor replaces the whole text if it is too long to search', () => {
    expect(create([key])('a'.repeat(34_000_001))).toBe('[redacted]');
  });

  test('the redactor replaces thousands of occurrences', () => {
    expect(create([key])(`${key} `.repeat(30_000))).toBe('[redacted] '.repeat(30_000));
  });

  test('the redactor takes linear time for repeated escapes and other characters', { timeout: 30_000 }, () => {
    const random = Array.from({ length: 200 }, (_, at) => `${Buffer.from(`${at}`.repeat(3_000)).toString('base64')}`);
    const redact = create([...random.slice(1), key]);
    for (const part of [
      '\\',
      '%',
      '%41',
      '%252541',
      '&#',
      '&amp;',
      '\\u0041',
      'a',
      '4',
      '\u0001',
      'é',
      '\n',
      ' ',
      key,
    ]) {
      const before = process.cpuUsage().user;
      redact(part.repeat(200_000 / part.length));
      expect(process.cpuUsage().user - before, part).toBeLessThan(1_500_000);
    }
  });

  test('the redactor searches 10 kB for ten secrets of 1 kB in a few milliseconds', () => {
    const redact = create(Array.from({ length: 10 }, (_, at) => Buffer.from(`${at}-`.repeat(400)).toString('base64')));
    const entry = {
      url: 'https://cdn.test/a%20b?x=1&y=2',
      detail: 'the "quoted" value & more',
      hash: 'd41d8cd98f00b2',
    };
    const text = JSON.stringify(
      Array.from({ length: 90 }, () => entry),
      undefined,
      1,
    );
    redact(text); // The first call compiles patterns.
    const before = process.cpuUsage().user;
    for (let round = 0; round < 50; round++) expect(redact(`${text}${round}`)).not.toContain('[redacted]');
    expect((process.cpuUsage().user - before) / 50).toBeLessThan(5_000);
  });
});
