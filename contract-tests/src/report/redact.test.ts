import { expect, test } from 'vitest';
import { redactTree } from '../../../specs/src/index.ts';
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
  headers: [
    { name: 'X-Gateway', value: `Basic ${btoa('gateway:hunter2-of-the-gateway')}` },
    { name: 'X-Tenant', value: 'tenant-4711', isSecret: false },
  ],
  hooks: { url: 'http://hooks.test', credential: 'hooks-credential' },
  secrets: ['of-the-environment'],
};
const { redact } = createReportRedactor(target);

test.each([
  credential,
  'other-credential',
  'pass%20word',
  'workflow-token',
  'hunter2-of-the-gateway',
  btoa('gateway:hunter2-of-the-gateway'),
  'hooks-credential',
  'of-the-environment',
])('redacts each credential of a target: %s', (text) => {
  expect(redact(`before: ${text}, after`)).toBe('before: [redacted], after');
});

test('leaves other text unchanged, including the value of a header that is not secret', () => {
  for (const text of ['', 'sk-Live', 'a\\u0041%41&#65;\\', '{"id":"other-cred"}', 'tenant-4711'])
    expect(redact(text)).toBe(text);
});

test('redacts the configured query parameters of URLs, and their values in every later text', () => {
  const own = createReportRedactor({ ...target, redact: { query: ['ticket', 'a+b'], headers: ['X-Session'] } });
  const address = 'https://a.test/x?n=1&Ticket=ticket-4712?-def&amp;%61%2bb=plus-4712#ticket=part-4712';
  expect(own.redact(address)).toBe('https://a.test/x?n=1&Ticket=[redacted]&amp;%61%2bb=[redacted]#ticket=part-4712');
  expect(own.redactHeader('x-session', 'session-4713')).toBe('[redacted]');
  expect(own.redact('ticket-4712?-def plus-4712 session-4713')).toBe('[redacted] [redacted] [redacted]');
});

test('accepts any number of configured names of any length, and does not print them in errors', () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `${at}${'n(['.repeat(1_000)}`);
  const own = createReportRedactor({ ...target, redact: { query: names, headers: names, pointers: ['/a'] } });
  expect(own.redact('https://a.test/?a=1')).toBe('https://a.test/?a=1');
});

test('redacts configured credentials even after learning thousands of values', () => {
  const own = createReportRedactor({ ...target, redact: { headers: ['X-Session'] } });
  for (let count = 0; count < 1_000; count++) own.redactHeader('X-Session', `session-${count}-of-somebody`);
  expect(own.redact(`${credential} session-999-of-somebody`)).toBe('[redacted] [redacted]');
});

test('cuts the texts of a finding after 400 characters', () => {
  expect(cutTexts(['x'.repeat(400), 'x'.repeat(401)])).toEqual(['x'.repeat(400), `${'x'.repeat(399)}…`]);
});

test('redacts every string and key of a JSON tree', () => {
  const tree = { step: credential, [`a ${credential}`]: [{ deep: `${credential}!` }, 1, null, true] };
  expect(redactTree(tree, redact)).toEqual({
    step: '[redacted]',
    'a [redacted]': [{ deep: '[redacted]!' }, 1, null, true],
  });
});
