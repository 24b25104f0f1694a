import { expect, test } from 'vitest';
import { isCredentialHeader, secretsInHeader } from './header-secrets.ts';

test.each<[name: string, value: string, secrets: readonly string[]]>([
  ['X-API-Key', ' sk-1234 ', ['sk-1234']],
  ['Authorization', 'Bearer abc.def', ['Bearer abc.def', 'abc.def', 'Bearer']],
  ['authorization', 'Basic dXNlcjpwYTpzcw==', ['Basic dXNlcjpwYTpzcw==', 'dXNlcjpwYTpzcw==', 'pa:ss', 'user']],
  ['Authorization', 'Basic a2V5Og==', ['Basic a2V5Og==', 'a2V5Og==', 'key']],
  ['Cookie', 'a=1; b="two"', ['a=1; b="two"', 'a=1', 'b="two"', '1', 'two']],
  ['Set-Cookie', 'sid=abc; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT', ['sid=abc', 'abc']],
  [
    'Authorization',
    'Digest uri="/v2", response="r"',
    ['Digest uri="/v2", response="r"', 'uri="/v2", response="r"', 'Digest', 'response="r"', 'r'],
  ],
  ['X-Gateway', 'correct horse battery staple', ['correct horse battery staple', 'horse battery staple']],
  ['Cookie', '[redacted]', []],
  ['Cookie', '', []],
])('finds the secrets in %s: %s', (name, value, secrets) => {
  expect(secretsInHeader(name, value)).toEqual(secrets);
});

test('reads a header in linear time', () => {
  for (const part of ['=', ';', 'a=', '"', ' ', 'a b', '=,'])
    expect(secretsInHeader('Cookie', part.repeat(200_000)).length).toBeLessThan(10);
});

test('recognises credential headers in any letter case, and no other headers', () => {
  const names = ['AUTHORIZATION', 'Set-Cookie', 'cookie', 'x-api-key', 'Proxy-Authorization'];
  expect([...names, 'X-Request-Id', '__proto__'].filter(isCredentialHeader)).toEqual(names);
});
