import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { type ForwardProxy, startForwardProxy } from '../tests/forward-proxy.ts';
import { type Gateway, startGateway } from '../tests/mutual-tls-gateway.ts';
import { folderForFile, runCommand } from '../tests/run-command.ts';
import { serveSandbox } from '../tests/with-sandbox.ts';

const locatePem = (name: string): string => join(import.meta.dirname, '../tests', name);
const [cert, key] = [locatePem('router-test.pem'), locatePem('router-test.key.pem')];
const secret = 'gate-secret-0001';
const password = 'proxy-password-0001';
const env = { SWITCHYARD_API_KEY: sandboxCredentials.router.main, GATE: secret };
const folder = folderForFile();
const closing: (() => unknown)[] = [];
let gateway: Gateway;
let proxy: ForwardProxy;

beforeAll(async () => {
  const behind = await serveSandbox({ faults: ['catalog.list.request-id-missing'] });
  gateway = await startGateway(behind.url, { cert, key }, ['x-gate', secret]);
  proxy = await startForwardProxy(new Map([['router.test:443', gateway.port]]));
  closing.push(proxy.close, gateway.close, behind.close);
  const http = { ca: cert, cert, key, headers: { 'X-Gate': 'env:GATE' } };
  const configs = {
    full: { http },
    'no-authority': { http: { ...http, ca: undefined } },
  };
  for (const [name, config] of Object.entries(configs))
    writeFileSync(join(folder, `${name}.mjs`), `export default ${JSON.stringify(config)};`);
  for (const name of ['NO_PROXY', 'no_proxy', 'https_proxy']) vi.stubEnv(name, '');
  vi.stubEnv('HTTPS_PROXY', proxy.url.replace('//', `//user:${password}@`));
});
afterEach(() => {
  proxy.asked.length = 0;
  gateway.passed.length = 0;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const close of closing) await close();
});

const conform = (config: string, line: string) =>
  runCommand(['conform', '--config', `./${config}.mjs`, '--out', 'out', ...line.split(' ')], folder, env);

function reports(): readonly string[] {
  const files = readdirSync(join(folder, 'out'), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
}

test('conform checks a target behind a proxy and a gateway that requires a client certificate, with hooks and conditional requests', async () => {
  const rules = 'catalog.list.* schema-document.not-modified* outcomes.run.provider-error';
  const { code, out } = await conform(
    'full',
    `--router-url https://router.test --hooks https://router.test/__sandbox/hooks --rule ${rules} passive.header.request-id-everywhere`,
  );
  expect(code).toBe(1);
  expect(out).toMatch(/curl -sS -i -H "x-gate: \$\{GATE\}" -H "X-API-Key: \$\{SWITCHYARD_API_KEY\}"/);
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT router.test:443']));
  expect(gateway.passed).toContain('GET /__sandbox/hooks');
  expect(gateway.passed.some((line) => line.endsWith('/openapi.json'))).toBe(true);
  for (const text of [out, ...reports()])
    expect([text.includes(secret), text.includes(password)]).toEqual([false, false]);
}, 60_000);

test('conform also trusts the CA certificate in NODE_EXTRA_CA_CERTS', async () => {
  vi.stubEnv('NODE_EXTRA_CA_CERTS', cert);
  const { code } = await conform('no-authority', '--router-url https://router.test --rule catalog.list.*');
  vi.stubEnv('NODE_EXTRA_CA_CERTS', undefined);
  expect(code).toBe(0);
});

test.each([
  ['a certificate that is not trusted', 'no-authority', '', 'DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate'],
  [
    'a superfluous /v2',
    'full',
    '/v2',
    'the base URL must not end with /v2, which is appended automatically: use https://router.test',
  ],
])('conform reports %s in one line', async (_, config, path, want) => {
  const { code, out } = await conform(config, `--router-url https://router.test${path} --rule catalog.list.*`);
  expect([code, out.trim().split('\n').length, out]).toEqual([3, 1, expect.stringContaining(want)]);
});

test('conform --har checks recorded traffic, and never shows the value of a gateway header', async () => {
  const response = { status: 200, headers: [], content: { text: '{"data":[],"has_more":false,"limit":100}' } };
  const headers = [
    { name: 'X-Gate', value: secret },
    { name: 'X-API-Key', value: env.SWITCHYARD_API_KEY },
  ];
  const request = { method: 'GET', url: 'https://router.test/v2/models', headers };
  const recorded = { startedDateTime: '2026-01-01T00:00:00Z', time: 5, request, response };
  writeFileSync(join(folder, 'traffic.har'), JSON.stringify({ log: { version: '1.2', entries: [recorded] } }));
  const found = await conform('full', '--har traffic.har');
  expect(found.code).toBe(1);
  expect(reports().some((text) => /"X-Gate: \$\{GATE\}\\"/.test(text))).toBe(true);
  for (const text of [found.out, ...reports()]) expect(text).not.toContain(secret);
  const accepted = await conform('full', '--har traffic.har --write-baseline --owner team --reason known');
  expect([accepted.code, accepted.err, accepted.out]).toEqual([
    0,
    expect.any(String),
    expect.stringContaining('waived'),
  ]);
});
