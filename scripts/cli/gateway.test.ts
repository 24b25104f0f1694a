import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SwitchyardConfig } from './config.ts';
import { gatewayHeaders, tlsOf } from './gateway.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-gateway-'));
  writeFileSync(join(folder, 'ca.pem'), '-----BEGIN CERTIFICATE-----\n');
  writeFileSync(join(folder, 'text.pem'), 'no certificate');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const credential = { kind: 'api-key', value: 'sk-any' } as const;
const headersOf = (headers: Record<string, string>, env: Record<string, string> = {}) =>
  gatewayHeaders({ config: { http: { headers } }, folder }, credential, env);

test('reads headers from the configuration and the environment', () => {
  const found = headersOf({ 'X-Tenant': 'blue', 'x-gateway-key': 'env:GATE' }, { GATE: 'secret-of-the-gate' });
  expect(found).toEqual({
    headers: { 'x-tenant': 'blue', 'x-gateway-key': 'secret-of-the-gate' },
    secrets: ['secret-of-the-gate'],
  });
  expect(headersOf({ Authorization: 'Basic x' }).headers).toEqual({ authorization: 'Basic x' });
});

test.each([
  { headers: { 'X-Api-Key': 'mine' }, says: /no header that may be added/ },
  { headers: { Host: 'other' }, says: /no header that may be added/ },
  { headers: { 'a b': 'x' }, says: /no header that may be added/ },
  { headers: { 'x-a': 'line\r\nx-b: 1' }, says: /cannot carry/ },
  { headers: { 'x-a': 'env:UNSET' }, says: /environment variable UNSET is not set/ },
])('refuses the headers $headers', ({ headers, says }) => {
  expect(() => headersOf(headers as Record<string, string>)).toThrow(says);
});

const tls = (http: SwitchyardConfig['http']) => tlsOf({ config: { ...(http && { http }) }, folder }, {});

test('reads certificates beside the configuration', () => {
  expect(tls(undefined)).toBeUndefined();
  expect(tls({ ca: 'ca.pem' })).toEqual({ ca: '-----BEGIN CERTIFICATE-----\n' });
  expect(() => tls({ ca: 'none.pem' })).toThrow(/cannot be read/);
  expect(() => tls({ ca: 'text.pem' })).toThrow(/holds no PEM/);
  expect(() => tls({ cert: 'ca.pem' })).toThrow(/both http\.cert and http\.key/);
});
