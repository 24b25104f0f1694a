import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { toNodeHandler } from '../src/node/index.ts';
import { createModelRouterProxy, type ProxyOptions } from '../src/proxy/index.ts';

afterEach(() => void [vi.unstubAllEnvs(), vi.restoreAllMocks()]);

const options: ProxyOptions = { models: 'all', baseUrl: 'https://router.example', findUser: () => 'ada' };

it.each([
  ['MODEL_ROUTER_API_KEY', 'x-api-key', 'from-outside'],
  ['MODEL_ROUTER_TOKEN', 'authorization', 'Bearer from-outside'],
])('the proxy reads its credential from %s, as the client does', async (name, header, expected) => {
  vi.stubEnv('MODEL_ROUTER_API_KEY', undefined);
  vi.stubEnv(name, 'from-outside');
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}));
  await createModelRouterProxy({ ...options, fetch })(new Request('http://page.example/v2/models'));
  expect(new Headers(fetch.mock.calls[0]?.[1].headers).get(header)).toBe(expected);
});

it('the proxy responds with 400 and sends nothing if the request body from the browser is incomplete', async () => {
  const fetch = vi.fn(async () => Response.json({}));
  const body = new ReadableStream({ start: (stream) => stream.error(new Error('the page was closed')) });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const response = await createModelRouterProxy({ ...options, apiKey: 'k', fetch })(
    new Request('http://page.example/v2/models/a/b', init),
  );
  expect([response.status, fetch.mock.calls.length]).toEqual([400, 0]);
});

it.each([
  ['without a user', { findUser: () => undefined }, 401, 'unauthorized'],
  ['to a model that is not allowed', { models: ['a/b'] }, 403, 'forbidden'],
  ['that authorize rejects', { authorize: () => false }, 403, 'forbidden'],
  ['for which authorize returns nothing', { authorize: () => undefined as never }, 403, 'forbidden'],
  ['with null for a user', { findUser: () => null }, 401, 'unauthorized'],
  ['with a body that is too long', { maxRequestBytes: 1 }, 413, 'invalid_input'],
  ['to a different path', { basePath: '/api' }, 404, undefined],
])('the proxy rejects a call %s with the router’s category', async (_, more, status, type) => {
  const proxy = createModelRouterProxy({ ...options, apiKey: 'k', ...more });
  const response = await proxy(new Request('http://page.example/v2/models/a/c', { method: 'POST', body: '{}' }));
  expect([response.status, (await response.json()).error_type]).toEqual([status, type]);
});

it('the proxy throws if findUser returns an object, because all users would share their runs', async () => {
  const proxy = createModelRouterProxy({ ...options, apiKey: 'k', findUser: () => ({ id: 'ada' }) as never });
  await expect(proxy(new Request('http://page.example/v2/models'))).rejects.toThrow('findUser must return a string');
});

it.each([
  ['a renewed token', () => `token-${++tokens}`, 200, ['Bearer token-1', 'Bearer token-2']],
  ['the same token', () => 'token-1', 502, ['Bearer token-1']],
])('after a 401 of the router, the proxy uses %s of the server', async (_, token, status, expected) => {
  tokens = 0;
  const sent: (string | null)[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    sent.push(new Headers(init.headers).get('authorization'));
    return Response.json({}, { status: sent.at(-1) === 'Bearer token-1' ? 401 : 200 });
  };
  const response = await createModelRouterProxy({ ...options, token, fetch })(
    new Request('http://page.example/v2/models'),
  );
  expect([response.status, sent]).toEqual([status, expected]);
});
let tokens = 0;

it('the proxy ends the request to the router if the page disconnects or the router does not respond in time', async () => {
  vi.stubGlobal('AbortSignal', { ...AbortSignal, any: undefined, timeout: undefined }); // as in some edge runtimes
  const page = new AbortController();
  for (const [timeoutMs, abort] of [
    [5, () => undefined],
    [60_000, () => page.abort()],
  ] as const) {
    const fetch = (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
        abort();
      });
    const proxy = createModelRouterProxy({ ...options, apiKey: 'k', fetch, timeoutMs });
    const response = await proxy(new Request('http://page.example/v2/models', { signal: page.signal }));
    expect(response.status).toBe(502);
  }
  vi.unstubAllGlobals();
});

// `node:http` does not await listeners, so a rejection would end the server's process.
describe('toNodeHandler in node:http', () => {
  const failed = new Error('the session store is down');
  const server = createServer((incoming, outgoing) => {
    rejections.push(
      toNodeHandler(async ({ url }) => (url.endsWith('/fails') ? Promise.reject(failed) : new Response('served')))(
        incoming,
        outgoing,
      ),
    );
  });
  const rejections: Promise<void>[] = [];
  beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
  afterAll(() => server.close());

  async function sendLine(line: string): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const part of socket) text += part;
    await Promise.all(rejections); // Rejects if a handler has rejected.
    return text.split('\r\n', 1)[0] ?? '';
  }

  it.each(['GET //', 'GET http://[', 'TRACE /v2/models'])(
    'toNodeHandler responds with 400 to "%s", for which no Request can be created',
    async (line) => {
      expect(await sendLine(line)).toBe('HTTP/1.1 400 Bad Request');
    },
  );

  it('toNodeHandler logs an error of the handler and responds with 500', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    expect(await sendLine('GET /fails')).toBe('HTTP/1.1 500 Internal Server Error');
    expect(log).toHaveBeenCalledWith(failed);
    expect(await sendLine('GET /works')).toBe('HTTP/1.1 200 OK');
  });
});

it('toNodeHandler passes an error of the handler to the next function of Express', async () => {
  const next = vi.fn();
  const failed = new Error('the session store is down');
  const incoming = { url: '/v2/models', headers: {}, headersDistinct: {} };
  const outgoing = { once: () => undefined };
  await toNodeHandler(() => Promise.reject(failed))(incoming as never, outgoing as never, next);
  expect(next).toHaveBeenCalledWith(failed);
});

describe('toNodeHandler behind a body parser that stores the body elsewhere, such as those of Fastify and Koa', () => {
  const echo = toNodeHandler(async (request) => new Response(await request.text()));
  const failures: unknown[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const parsed = JSON.parse((await readText(incoming)) || '{}');
    if (incoming.url === '/set') Object.assign(incoming, { body: parsed });
    await echo(incoming, outgoing, (error) => {
      failures.push(error);
      outgoing.writeHead(500).end();
    });
  });
  beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
  afterAll(() => server.close());

  it.each([
    ['/set', '{"prompt":"a"}', 200, '{"prompt":"a"}'],
    ['/unset', '{"prompt":"a"}', 500, ''],
    ['/unset', '', 200, ''],
  ])('a handler at %s, given "%s", answers %i and does not forward an empty body', async (path, body, status, text) => {
    failures.length = 0;
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const response = await fetch(address, { method: 'POST', body });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(String(failures)).toMatch(status === 500 ? /the body was read before/ : /^$/);
  });
});
