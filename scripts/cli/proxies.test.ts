import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { httpPorts, type Target } from '../../contract-tests/src/index.ts';
import { type ForwardProxy, startForwardProxy } from '../tests/forward-proxy.ts';
import { folderForTest, runCommand } from '../tests/run-command.ts';

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, '../tests', name), 'utf8');
const cert = fixture('router-test.pem');
const key = fixture('router-test.key.pem');
const plain = http.createServer((request, response) => response.end(`plain ${request.headers['x-gate'] ?? ''}`));
/** Reports the client in the body, and also sends that body with a 304, which must not have one. */
const secure = tls.createServer({ cert, key, ca: cert, requestCert: true, rejectUnauthorized: false }, (socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    const { subject } = socket.getPeerCertificate();
    socket.end(`HTTP/1.1 304 Not Modified\r\n\r\nseen ${subject?.CN ?? 'nobody'}`);
  });
});
const strict = tls.createServer({ cert, key, ca: cert, requestCert: true, rejectUnauthorized: true }, (socket) =>
  socket.on('error', () => undefined),
);
let proxy: ForwardProxy;
// A server that listens on a port has an address of this form.
const readPort = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of [plain, secure, strict])
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  proxy = await startForwardProxy(
    new Map([
      ['router.test', readPort(plain)],
      ['router.test:443', readPort(secure)],
    ]),
  );
});
beforeEach(() => {
  proxy.asked.length = 0;
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, proxy.url);
  for (const name of ['NO_PROXY', 'no_proxy', 'http_proxy', 'https_proxy']) vi.stubEnv(name, '');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await proxy.close();
  for (const server of [plain, secure, strict]) server.close();
});

type Headers = readonly (readonly [string, string])[];
const createHttpExchange = (tls: NonNullable<Target['tls']> = {}) => httpPorts({ kind: 'live', tls }).exchange;
const get = (url: string, headers: Headers = []) => ({ method: 'GET', url, headers, body: undefined });
const conditional = [['If-None-Match', '"tag"']] as const;
const readBody = async (sent: ReturnType<ReturnType<typeof createHttpExchange>>): Promise<string> => {
  const result = await sent;
  return result.kind === 'response' ? new TextDecoder().decode(result.body) : `${result.because}: ${result.detail}`;
};

test.each([
  ['through the proxy of the environment', '', 1, 'plain known'],
  ['directly to a host of NO_PROXY', 'router.test', 0, expect.stringContaining('unresolved')],
])('a plain http request goes %s', async (_, none, asked, body) => {
  vi.stubEnv('NO_PROXY', none);
  for (const more of [[], conditional]) {
    proxy.asked.length = 0;
    expect(
      await readBody(createHttpExchange()(get('http://router.test/v2', [['X-Gate', 'known'], ...more]), 5_000)),
    ).toEqual(body);
    expect(proxy.asked).toHaveLength(asked);
  }
});

test('never uses a proxy for requests to localhost', async () => {
  for (const headers of [[], conditional])
    expect(await readBody(createHttpExchange()(get(`http://127.0.0.1:${readPort(plain)}/`, headers), 5_000))).toBe(
      'plain ',
    );
  expect(proxy.asked).toEqual([]);
});

describe('https', () => {
  test('https uses a tunnel through the proxy, reads the body of a 304 and sends the client certificate', async () => {
    const exchange = createHttpExchange({ ca: cert, cert, key });
    expect(await readBody(exchange(get('https://router.test/v2', conditional), 5_000))).toBe('seen router.test');
    expect(await exchange(get('https://router.test/v2'), 5_000)).toMatchObject({ because: 'malformed' });
    expect(proxy.asked).toEqual(['CONNECT router.test:443', 'CONNECT router.test:443']);
  });

  test('https sends no client certificate if none is configured', async () => {
    const exchange = createHttpExchange({ ca: cert });
    expect(await readBody(exchange(get('https://router.test/v2', conditional), 5_000))).toBe('seen nobody');
    expect(await readBody(exchange(get(`https://localhost:${readPort(secure)}/`, conditional), 5_000))).toBe(
      'seen nobody',
    );
  });

  test('a request to an https server that requires a client certificate fails, and the message names the settings for it', async () => {
    for (const headers of [[], conditional])
      expect(
        await readBody(createHttpExchange({ ca: cert })(get(`https://localhost:${readPort(strict)}/`, headers), 5_000)),
      ).toContain('tls: it requires a client certificate (http.cert, http.key)');
  });

  test.each([
    [
      'a certificate that is not trusted',
      'https://router.test/',
      {},
      'tls: DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate',
    ],
    [
      'a port without TLS',
      () => `https://localhost:${readPort(plain)}/`,
      {},
      'tls: the server does not use TLS at this port',
    ],
    ['a proxy that rejects the request', 'https://other.test/', {}, 'proxy: ERR_PROXY_TUNNEL'],
    [
      'a proxy that does not listen',
      'https://router.test/',
      { HTTPS_PROXY: 'http://127.0.0.1:9' },
      'proxy: ECONNREFUSED',
    ],
    ['a proxy whose name is unknown', 'https://router.test/', { HTTPS_PROXY: 'http://no.invalid' }, 'proxy: ENOTFOUND'],
    [
      'a proxy whose URL is invalid',
      'https://router.test/',
      { HTTPS_PROXY: 'http://user:sk-secret@[no' },
      'proxy: ERR_PROXY_INVALID_CONFIG: its URL is invalid',
    ],
  ])('an https request reports %s', async (_, url, env: Record<string, string>, want) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    for (const headers of [[], conditional])
      expect(
        await readBody(createHttpExchange()(get(typeof url === 'string' ? url : url(), headers), 5_000)),
      ).toContain(want);
  });
});

describe('a proxy that rejects its own credential', () => {
  test.each([
    ['http', /status 407.*\n?.*HTTPS_PROXY or HTTP_PROXY rejected/],
    ['https', /the proxy in HTTPS_PROXY rejected: .* 407/],
  ])('generate reports a proxy that rejects its own credential, for a router at %s', async (scheme, message) => {
    const refusing = http.createServer((_, response) => response.writeHead(407).end());
    refusing.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    await new Promise<void>((ready) => refusing.listen(0, '127.0.0.1', ready));
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, `http://127.0.0.1:${readPort(refusing)}`);
    const words = ['generate', '--router-url', `${scheme}://router.test`, '--allow-http'];
    const { code, err } = await runCommand(words, folderForTest(), { SWITCHYARD_API_KEY: 'key-1' });
    refusing.close();
    expect([code, err]).toEqual([3, expect.stringMatching(message)]);
    expect(err).not.toContain('internal_error');
  });
});
