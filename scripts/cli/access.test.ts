import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeIo } from '../tests/fake-io.ts';
import { folderForFile } from '../tests/run-command.ts';
import { readGeneratorHeaders, readTls, refusePlainHttp } from './access.ts';
import { UsageError } from './errors.ts';
import type { SwitchyardConfig } from './settings.ts';

const certificate = readFileSync('generator/tests/fixtures/self-signed.pem', 'utf8');
const folder = folderForFile();
writeFileSync(join(folder, 'ca.pem'), certificate);
writeFileSync(join(folder, 'text.pem'), 'no certificate');

const credential = { kind: 'api-key', value: 'sk-any' } as const;
const readHeaders = (headers: Record<string, string>, env: Record<string, string> = {}) =>
  readGeneratorHeaders({ config: { http: { headers } }, folder }, credential, fakeIo({ env, workingFolder: folder }));

test('reads gateway headers from the configuration and the environment', async () => {
  const found = await readHeaders({ 'X-Tenant': 'blue', 'x-gateway-key': 'env:GATE' }, { GATE: 'secret-of-the-gate' });
  expect(found).toEqual({
    headers: { 'x-tenant': 'blue', 'x-gateway-key': 'secret-of-the-gate' },
    secrets: ['secret-of-the-gate'],
  });
  expect((await readHeaders({ Authorization: 'Basic x' })).headers).toEqual({ authorization: 'Basic x' });
});

test.each([
  { headers: { 'X-Api-Key': 'mine' }, says: /"X-Api-Key" cannot be added/ },
  { headers: { Host: 'other' }, says: /"Host" cannot be added/ },
  { headers: { 'a b': 'x' }, says: /"a b" cannot be added/ },
  { headers: { 'x-a': 'line\r\nx-b: 1' }, says: /not allowed in a header/ },
  { headers: { 'x-a': 'env:UNSET' }, says: /environment variable UNSET is not set/ },
])('rejects the gateway headers $headers', async ({ headers, says }) => {
  await expect(readHeaders(headers as Record<string, string>)).rejects.toThrow(says);
});

const tls = (http: SwitchyardConfig['http'], env: Record<string, string> = {}) =>
  readTls({ config: { ...(http && { http }) }, folder }, fakeIo({ env, workingFolder: folder }));

test('resolves certificate paths against the folder of the configuration', async () => {
  expect(await tls(undefined)).toBeUndefined();
  expect(await tls({ ca: 'ca.pem' })).toEqual({ ca: certificate });
});

test.each([
  { http: { ca: 'none.pem' }, says: /http\.ca: .*none\.pem cannot be read/ },
  { http: { ca: 'text.pem' }, says: /is not a PEM file/ },
  {
    http: { cert: 'ca.pem', key: '-----BEGIN PRIVATE KEY-----\nMIGH' },
    says: /^http\.key must be the path of a PEM file, not the PEM text itself$/,
  },
  { http: { cert: 'ca.pem' }, says: /both http\.cert and http\.key/ },
  { http: { cert: 'ca.pem', key: 'ca.pem' }, says: /form a valid TLS configuration/ },
  { http: { cert: 'ca.pem', key: 'ca.pem', passphrase: 'env:UNSET' }, says: /http\.passphrase: .* UNSET is not set/ },
])('rejects the TLS settings $http', async ({ http, says }) => {
  await expect(tls(http)).rejects.toThrow(says);
});

test.each([
  'http://router.example',
  'http://router.example.:8080/base',
  'http://local.example',
  'http://notlocalhost.com',
  'http://8.8.8.8',
  'http://172.32.0.1',
  'http://100.128.0.1',
  'http://169.253.0.1',
  'http://[2001:db8::1]',
  'http://[::ffff:8.8.8.8]',
  'http://[fec0::1]',
  'http://134744072', // 8.8.8.8
])('a credential is only sent to %s with --allow-http', (url) => {
  expect(() => refusePlainHttp(url, undefined)).toThrow(UsageError);
  expect(() => refusePlainHttp(url, undefined)).toThrow('--allow-http');
  expect(() => refusePlainHttp(url, true)).not.toThrow();
});

test.each([
  'https://router.example',
  'http://localhost:4010',
  'http://router.localhost',
  'http://router.local',
  'http://router.internal.',
  'http://router.home.arpa',
  'http://router',
  'http://router.',
  'http://127.0.0.1:4010',
  'http://127.1',
  'http://2130706433', // 127.0.0.1
  'http://0.0.0.0',
  'http://10.1.2.3',
  'http://172.31.255.255',
  'http://192.168.0.1',
  'http://169.254.1.1',
  'http://100.64.0.1',
  'http://[::1]',
  'http://[::]',
  'http://[fd00::1]',
  'http://[fe80::1]',
  'http://[::ffff:10.0.0.1]',
])('a credential is sent to %s without --allow-http', (url) => {
  expect(() => refusePlainHttp(url, undefined)).not.toThrow();
});
