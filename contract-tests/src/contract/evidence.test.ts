import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import {
  allResponses,
  headerValues,
  matchesMediaType,
  parseBody,
  parseExactly,
  readHeader,
  readMediaType,
  readMember,
} from './evidence.ts';
import type { Evidence, Exchange } from './exchange.ts';
import { excerpt } from './finding.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function exchange(step: string, result: Partial<Exchange['result']> = {}): Exchange {
  const request = { method: 'GET', url: `http://h:1/${step}`, headers: [], body: undefined };
  const response = { kind: 'response', status: 200, headers: [], body: bytes('{}'), ...result } as Exchange['result']; // parts of either member
  return { step, attempt: 1, api: 'router', request, result: response, timing: { startedAtMs: 0, durationMs: 1 } };
}

const silent = exchange('silent', { kind: 'no-response', because: 'timeout', detail: 'x' });
const evidence: Evidence = [exchange('poll', { status: 202 }), exchange('poll', { status: 200 }), silent];

test('lists the responses of all exchanges', () => {
  expect(allResponses(evidence)).toHaveLength(2);
});

test('an excerpt is one line of limited length', () => {
  expect(excerpt(' a\n\tb ')).toBe('a b');
  // Longer than reports show, because credentials must be redacted before a text is cut.
  expect(excerpt('x'.repeat(50_000))).toHaveLength(20_000);
});

test('finds header lines in any letter case', () => {
  const source = {
    headers: [
      ['Set-It', 'a'],
      ['set-it', 'b'],
      ['Content-Type', 'Application/JSON; charset=utf-8'],
    ] as const,
  };
  expect(headerValues(source, 'SET-IT')).toEqual(['a', 'b']);
  expect(readHeader(source, 'set-it')).toBe('a, b');
  expect(readHeader(source, 'other')).toBeUndefined();
  expect(readMediaType(source)).toBe('application/json');
});

test.each([
  { name: 'the same type', documented: 'application/json; charset=utf-8', actual: 'application/json', want: true },
  { name: 'a different type', documented: 'application/json', actual: 'text/plain', want: false },
  { name: 'a type in a range', documented: 'image/*', actual: 'image/png', want: true },
  { name: 'a type outside a range', documented: 'image/*', actual: 'video/mp4', want: false },
  { name: 'a missing type, because it is */*', documented: '*/*', actual: undefined, want: true },
  { name: 'a missing type', documented: 'text/plain', actual: undefined, want: false },
])('the documented media type includes $name: $want', ({ documented, actual, want }) => {
  expect(matchesMediaType(documented, actual)).toBe(want);
});

test.each([
  { name: 'JSON', given: bytes('{"a":[1]}'), want: { kind: 'json', value: { a: [1] } } },
  { name: 'text', given: bytes('hello'), want: { kind: 'malformed' } },
  {
    name: 'bytes that are not UTF-8',
    given: new Uint8Array([0x22, 0xff, 0x22]),
    want: { kind: 'malformed', because: 'the bytes are not UTF-8' },
  },
  {
    name: 'brackets inside strings',
    given: bytes(JSON.stringify({ a: '[{"\\'.repeat(1_000) })),
    want: { kind: 'json' },
  },
  {
    name: 'a million values',
    given: bytes(`[${'{},'.repeat(500_000)}{}]`),
    want: { kind: 'malformed', because: 'more than 500000 values' },
  },
])('parses a body of $name as $want.kind', ({ given, want }) => {
  expect(parseBody({ body: given })).toMatchObject(want);
});

test('parses only the first 500 of 1,000 nested levels of a body', () => {
  const body = bytes(`{"a":"[","b":${'['.repeat(1_000)}"]",{}${']'.repeat(1_000)}}`);
  // Compares text, because a deep comparison of values stops before this depth.
  const value = `{"a":"[","b":${'['.repeat(499)}null${']'.repeat(499)}}`;
  expect(JSON.stringify(parseBody({ body }))).toBe(`{"kind":"json","value":${value}}`);
});

test('reads only own members of a JSON object, not inherited ones', () => {
  const body = bytes('{"a":{"b":null},"__proto__":{"c":1}}');
  expect([readMember({ body }, '/a/b'), readMember({ body }, '/a/toString'), readMember({ body }, '/c')]).toEqual([
    null,
    undefined,
    undefined,
  ]);
});

test.each([
  ['18446744073709551615', '18446744073709552000', false],
  ['18446744073709551615', '1.8446744073709551615E+19', true],
  ['9007199254740992', '9007199254740992.00', true],
  ['-9007199254740993', '-9007199254740992', false],
  ['1.0', '1', true],
  ['1e400', '"a text"', false],
  ['{"__proto__": [12345678901234567890]}', '{"__proto__": [12345678901234567891]}', false],
])('%s and %s are equal JSON values: %s', (one, other, isSame) => {
  expect(isDeepStrictEqual(parseExactly(bytes(one)), parseExactly(bytes(other)))).toBe(isSame);
});
