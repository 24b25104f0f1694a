import { expect, test } from 'vitest';
import { parseJsonBody } from './content.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('parses a JSON body with any media type', () => {
  expect(parseJsonBody(bytes('{"a":[1]}'), 'text/plain')).toEqual({ kind: 'json', value: { a: [1] } });
});

test.each([
  ['<html><body>Sign in</body></html>', 'text/html', 'the body looks like an HTML page'],
  ['<!doctype html>', undefined, 'the body looks like an HTML page'],
  ['{"data":[', 'application/json', 'the body is invalid or truncated JSON'],
  ['upstream error', 'text/plain', 'the body is plain text'],
  ['', 'application/json', 'the body is empty'],
])('explains why the body %j with media type %s is not JSON: %s', (text, mediaType, because) => {
  expect(parseJsonBody(bytes(text), mediaType)).toEqual({ kind: 'not-json', because });
});

test('rejects bytes that are not valid UTF-8', () => {
  expect(parseJsonBody(Uint8Array.of(0x7b, 0xff, 0x7d), 'application/json')).toMatchObject({ kind: 'not-json' });
});
