import { expect, test } from 'vitest';
import type { Target } from '../contract/target.ts';
import { createRedactor } from '../report/redact.ts';
import { addressOf, wireRequestOf } from './wire-request.ts';

const sent = (main: string): { value: string | undefined; target: Target } => {
  const target: Target = { kind: 'live', router: { url: 'http://router.test', credentials: { main } } };
  const credentials = [{ as: 'api-key', who: 'recased' }] as const;
  const { request } = wireRequestOf(target, { api: 'router', method: 'GET', to: '/v2/models', credentials });
  return { value: request.headers.find(([name]) => name === 'X-API-Key')?.[1], target };
};

test.each(['sk-Main-1', 'SK-MAIN-1', '123456'])(
  'never sends the credential %s itself where its variant is asked for',
  (main) => {
    const { value } = sent(main);
    expect(value).toBeDefined();
    expect(value).not.toBe(main);
  },
);

test('redacts the variant of a credential in reports', () => {
  const { value, target } = sent('sk-main-secret');
  expect(createRedactor(target)(`got ${value}`)).toBe('got [redacted]');
});

const addresses: readonly { given: readonly [base: string, to: string]; want: string; rebased?: true }[] = [
  { given: ['http://h:1', '/v2/models'], want: 'http://h:1/v2/models' },
  { given: ['http://h:1/', '/v2//%2e%2e/x'], want: 'http://h:1/v2//%2e%2e/x' },
  { given: ['http://h:1/gate', '/v2/models'], want: 'http://h:1/gate/v2/models' },
  { given: ['http://h:1', 'http://h:1/v2/a?b=c'], want: 'http://h:1/v2/a?b=c' },
  { given: ['http://h:1', 'https://elsewhere/v2/a?b=c'], want: 'http://h:1/v2/a?b=c', rebased: true },
  { given: ['http://h:1/gate', 'http://inner:9/v2/a'], want: 'http://h:1/gate/v2/a', rebased: true },
  { given: ['http://h:1/gate', 'http://inner:9/gate/v2/a'], want: 'http://h:1/gate/v2/a', rebased: true },
  { given: ['http://h:1', 'http://user:word@h:1/v2/a'], want: 'http://h:1/v2/a', rebased: true },
  { given: ['http://h:1', 'file:///etc/passwd'], want: 'http://h:1/etc/passwd', rebased: true },
];

test.each(addresses)('$given is sent to $want', ({ given: [base, to], want, rebased }) => {
  expect(addressOf(base, to)).toEqual(rebased ? { url: want, rebasedFrom: to } : { url: want });
});

test.each([`/v2/models?cursor=${'x'.repeat(9_000)}`, `http://h:1/${'x'.repeat(9_000)}`])(
  'requests no address of thousands of characters',
  (to) => {
    expect(() => addressOf('http://h:1', to)).toThrow(/^an address of 90\d\d characters is not requested$/);
  },
);
