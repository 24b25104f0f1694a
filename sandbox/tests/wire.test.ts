import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../specs/src/index.ts';
import { type Listening, listen } from '../src/http/listen.ts';
import type { ServerRequest } from '../src/http/messages.ts';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings) });
const key = sandbox.credentials.router.main;
const still = '/v2/models/image-provider/still-2.1';
let server: Listening;
beforeAll(async () => {
  server = await listen(sandbox, {
    port: 0,
    host: '127.0.0.1',
    timeouts: { headersMs: 400, requestMs: 800, idleMs: 400 },
  });
});
afterAll(async () => {
  expect((await fetch(`${server.url}/v2/models`, { headers: { 'X-API-Key': key } })).status).toBe(200); // The server still works.
  await server.close();
  sandbox.close();
});

function openSocket(url: string = server.url): Socket {
  return connect(Number(new URL(url).port), '127.0.0.1');
}

type Options = { url?: string; untilClosed?: boolean };

/** Sends a request; returns the text that the server sends until it closes the connection or has sent a complete response. */
function exchange(request: string | Uint8Array, { url, untilClosed = false }: Options = {}): Promise<string> {
  return new Promise((done) => {
    const socket = openSocket(url);
    let seen = '';
    const finish = (): void => {
      socket.destroy();
      done(seen);
    };
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      const length = /content-length: (\d+)/i.exec(seen)?.[1];
      const bodyAt = seen.indexOf('\r\n\r\n');
      if (!untilClosed && length !== undefined && bodyAt >= 0 && seen.length >= bodyAt + 4 + Number(length)) finish();
    });
    socket.on('close', finish);
    socket.on('error', finish);
    socket.write(request);
  });
}

const get = (target: string, headers: string = `X-API-Key: ${key}\r\n`): string =>
  `GET ${target} HTTP/1.1\r\nHost: sandbox\r\n${headers}\r\n`;
const post = (body: Uint8Array, headers: string = ''): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST ${still} HTTP/1.1\r\nHost: sandbox\r\nX-API-Key: ${key}\r\n${headers}content-length: ${body.length}\r\n\r\n`,
    ),
    body,
  ]);

function expectErrorReply(answer: string, status: number): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toMatch(/x-service-request-id: [0-9a-f-]{36}/i);
  const category = /x-service-error-type: (\w+)/i.exec(answer)?.[1];
  const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
  expect(body).toEqual({ detail: expect.any(String), error_type: category });
}

test.each([
  ['dot segments', '/v2/x/../models', 404],
  ['encoded dot segments', '/v2/x/%2e%2e/models', 404],
  ['half-encoded dot segments', '/v2/x/.%2e/models', 404],
  ['a NUL', '/v2/models/p%00/m', 404],
  ['an encoded slash', '/v2/models/image-provider%2fstill-2.1', 404],
  ['double slashes', '//v2//models', 404],
  ['a trailing slash', '/v2/models/', 404],
  ['a backslash', '/v2\\models', 400],
  ['a broken escape', '/v2/models/%zz/m', 404],
  ['non-ASCII bytes', '/v2/models/\u00e9/m', 400],
  ['a dot as a segment', '/v2/models/%2e/m', 404],
  ['dot segments after an origin', 'http://sandbox/v2/x/%2e%2e/models', 404],
  ['an origin without a path', 'http://sandbox', 404],
])('the sandbox does not normalise %s in a path', async (_, target, status) => {
  expectErrorReply(await exchange(get(target)), status);
});

test('the sandbox uses the host of a request target in absolute form', async () => {
  expect(await exchange(get(`${server.url}/v2/models?limit=1`))).toMatch(/^HTTP\/1\.1 200 /);
  const clock = get('http://elsewhere.test/__sandbox/clock').replace('Host: sandbox', 'Host: localhost');
  expect(await exchange(clock)).toMatch(/^HTTP\/1\.1 403 /);
});

test('returns 404 for a path that leads from one API to the other or to the admin routes', async () => {
  for (const target of ['/v2/..%2fapi/v2/jobs/x', '/v2/%2e%2e/__sandbox/ledger']) {
    expectErrorReply(await exchange(get(target)), 404);
  }
  expect(await exchange(get('/api/v2/../v2/jobs', ''))).toMatch(/401 .*"code":"unauthorized"/s);
});

test.each<[string, string | Uint8Array, number]>([
  ['headers above the limit', get('/v2/models', `X-API-Key: ${key}\r\nX-Long: ${'x'.repeat(20_000)}\r\n`), 431],
  ['a text that is not HTTP', 'hello\r\n\r\n', 400],
  ['two content lengths', `POST ${still} HTTP/1.1\r\nHost: s\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400],
  ['a malformed length', `POST ${still} HTTP/1.1\r\nHost: s\r\ncontent-length: x\r\n\r\n{}`, 400],
  [
    'both a content length and chunks',
    `POST ${still} HTTP/1.1\r\nHost: s\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n`,
    400,
  ],
  [
    'a malformed chunk',
    `POST ${still} HTTP/1.1\r\nHost: s\r\nX-API-Key: ${key}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    400,
  ],
  ['no host', `GET /v2/models HTTP/1.1\r\nX-API-Key: ${key}\r\n\r\n`, 400],
  ['two hosts', get('/v2/models', `Host: other\r\nX-API-Key: ${key}\r\n`), 400],
  ['a malformed host', get('/v2/models').replace('Host: sandbox', 'Host: a b'), 400],
  ['a repeated API key', get('/v2/models', `X-API-Key: ${key}\r\nX-API-Key: ${key}\r\n`), 401],
  [
    'a repeated bearer token',
    get('/v2/models', `Authorization: Bearer ${key}\r\nAuthorization: Bearer ${key}\r\n`),
    401,
  ],
  [
    'a repeated idempotency key',
    post(Buffer.from('{"prompt":"x"}'), 'Idempotency-Key: a\r\nIdempotency-Key: a\r\n'),
    400,
  ],
  ['a wrong method', get('/v2/models').replace('GET', 'PATCH'), 405],
  ['an unknown expectation', get('/v2/models', `Expect: nothing\r\n`), 401],
  ['a length above the limit', post(Buffer.from('{}')).toString().replace('length: 2', 'length: 99999999'), 413],
  ['a body that is not valid UTF-8', post(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])), 400],
  ['a body with 10,000 nested levels', post(Buffer.from(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)), 400],
  [
    'a body with a million nested levels',
    post(Buffer.from(`{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)),
    400,
  ],
])('rejects %s with the error envelope', async (_, request, status) => {
  expectErrorReply(await exchange(request), status);
});

test.each([
  ['that is kept alive', ''],
  ['that is closed after the response', 'Connection: close\r\n'],
])('a slow sender of a too large body gets a 413, on a connection %s', async (_, headers) => {
  const socket = openSocket();
  let seen = '';
  const broken: string[] = [];
  socket.on('data', (chunk) => {
    seen += chunk.toString('latin1');
  });
  socket.on('error', (error) => broken.push(error.message));
  socket.write(`POST ${still} HTTP/1.1\r\nHost: s\r\nX-API-Key: ${key}\r\n${headers}content-length: 12000000\r\n\r\n`);
  for (let part = 0; part < 6; part += 1) {
    socket.write(Buffer.alloc(2_000_000, 'a'));
    await new Promise((later) => setTimeout(later, 110));
  }
  socket.destroy();
  expectErrorReply(seen, 413);
  expect(broken).toEqual([]);
});

test('the sandbox treats JSON members with names such as __proto__ as ordinary members', async () => {
  const body = '{"prompt":"x","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
  expect(await exchange(post(Buffer.from(body)))).toMatch(/^HTTP\/1\.1 (?:200|422) /);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each([
  ['a body', `POST ${still} HTTP/1.1\r\nHost: s\r\nX-API-Key: ${key}\r\ncontent-length: 100\r\n\r\n{`],
  ['a header section', 'GET /v2/models HTTP/1.1\r\n'],
])('the sandbox closes a connection on which %s arrives too slowly', async (_, request) => {
  expect(await exchange(request)).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
});

test('the sandbox closes a thousand idle connections, and still serves other callers', async () => {
  const before = process.memoryUsage().rss;
  const idle = Array.from({ length: 1000 }, () => openSocket().resume());
  const closed = idle.map(
    (socket) => new Promise<void>((done) => socket.on('error', () => undefined).on('close', () => done())),
  );
  const response = await fetch(`${server.url}/v2/models`, { headers: { 'X-API-Key': key } });
  expect(response.status).toBe(200);
  await Promise.all(closed);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

test('the sandbox responds to pipelined requests in order', async () => {
  const last = get('/v2/models/a/b').replace('Host', 'Connection: close\r\nHost');
  const answers = await exchange(`${get('/v2/models?limit=1')}${get('/v2/models')}${last}`, { untilClosed: true });
  expect(answers.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
});

test('admin routes are only served to programs on this machine, and not to web pages in its browser', async () => {
  const requestAdminRoute = (host: string, headers = ''): Promise<string> =>
    exchange(get('/__sandbox/clock', headers).replace('Host: sandbox', `Host: ${host}`));
  expect(await requestAdminRoute('127.0.0.1:1')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await requestAdminRoute('sandbox')).toMatch(/^HTTP\/1\.1 403 /); // A page may use a name that it has pointed at this machine.
  expect(await requestAdminRoute('localhost', 'Origin: https://example.test\r\n')).toMatch(/^HTTP\/1\.1 403 /);
});

test('listen() writes the bytes of a raw reply unchanged, and closes the connection', async () => {
  const raw = new TextEncoder().encode('HTTP/1.1 304 Not Modified\r\n\r\nnot empty');
  const withRawReplies = {
    ...sandbox,
    handle: async (request: ServerRequest) => ({ ...(await sandbox.handle(request)), raw }),
  };
  const at = await listen(withRawReplies, { port: 0, host: '127.0.0.1' });
  expect(await exchange(get('/v2/models'), { url: at.url })).toBe(new TextDecoder().decode(raw));
  await at.close();
});
