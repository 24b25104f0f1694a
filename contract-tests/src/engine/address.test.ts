import { expect, test } from 'vitest';
import { addressOf } from './address.ts';

const table: readonly { given: readonly [base: string, to: string]; want: string; rebased?: true }[] = [
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

test.each(table)('$given goes to $want', ({ given: [base, to], want, rebased }) => {
  expect(addressOf(base, to)).toEqual(rebased ? { url: want, rebasedFrom: to } : { url: want });
});
