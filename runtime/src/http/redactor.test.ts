import { expect, test } from 'vitest';
import { createRedactor, redactCause, redactJson } from './redactor.ts';

const secret = 'sk-Live_9f3Q7eXxT21vB08s';
const redact = createRedactor([secret]);

test.each([
  ['JSON', { a: [1, null, true, 'text'], b: { c: 2 } }],
  [
    'an error with causes',
    new TypeError('a', {
      cause: Object.assign(new Error('b'), { code: 'ECONNRESET', socket: { bytes: new Uint8Array(2) } }),
    }),
  ],
  ['a DOMException', new DOMException('a', 'AbortError')],
  ['undefined', undefined],
])('redactCause returns the thrown value itself if it contains no secret: %s', (_, value) => {
  expect(redactCause(value, redact)).toBe(value);
});

test('redactJson replaces secrets in all strings of JSON, including member names', () => {
  const text = `{"a ${secret}": [{"__proto__": 1, "n": 1}, ["${secret}"]]}`;
  const shown = redactJson({ kind: 'json', text, value: JSON.parse(text) }, redact);
  expect(JSON.stringify(shown)).toBe('{"a [redacted]":[{"__proto__":1,"n":1},["[redacted]"]]}');
});

test('redactJson replaces JSON completely if it contains an encoded secret', () => {
  const text = JSON.stringify({ a: btoa(`u:${secret}`) });
  expect(redactJson({ kind: 'json', text, value: JSON.parse(text) }, redact)).toBe('[redacted]');
});

test.each<[string, (error: Error) => unknown]>([
  ['the message', () => new Error(`got ${secret}`)],
  ['the name', (error) => Object.assign(error, { name: secret })],
  ['a cause', () => new Error('a', { cause: new Error('b', { cause: `c ${encodeURIComponent(secret)}` }) })],
  ['the cause of one of several errors', () => new AggregateError([new Error('a', { cause: { secret } })], 'b')],
  ['a member that is not enumerable', (error) => Object.defineProperty(error, 'request', { value: secret })],
  ['a name of a member', (error) => Object.assign(error, { [secret]: 1 })],
  ['bytes', (error) => Object.assign(error, { data: new TextEncoder().encode(secret) })],
  ['headers', (error) => Object.assign(error, { headers: new Headers({ 'x-api-key': secret }) })],
  ['a message of the platform', () => new DOMException(`got ${secret}`, 'DataError')],
  ['a loop of causes', (error) => Object.assign(error, { cause: new Error(secret, { cause: error }) })],
])('copies an error without the secret in %s', async (_, change) => {
  const shown = redactCause(change(new Error('broken')), redact);
  expect(shown).toBeInstanceOf(Error);
  const { inspect } = await import('node:util');
  expect(inspect(shown, { depth: 20, showHidden: true })).not.toMatch(/sk-Live_9f3Q|115, ?107/);
});

test('keeps name, message, stack, code and cause of an error in its redacted copy', () => {
  const cause = Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' });
  const error = Object.assign(new TypeError(`failed for ${secret}`, { cause }), { code: 'E' });
  const shown = redactCause(error, redact) as Error;
  expect([shown.name, shown.message, Reflect.get(shown, 'code')]).toEqual(['TypeError', 'failed for [redacted]', 'E']);
  expect(shown.cause).toMatchObject({ message: 'closed', code: 'UND_ERR_SOCKET' });
  expect(shown.stack).toContain('redactor.test.ts');
});

test('redacts functions, and values that are too large to search', () => {
  const many = new Error('a', { cause: Array.from({ length: 2000 }, () => ({})) });
  expect(redactCause(many, redact)).toMatchObject({ message: 'a', cause: '[redacted]' });
  expect(redactCause({ a: () => secret }, redact)).toBe('[redacted]');
});
