import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { WireRequest } from '../contract/exchange.ts';
import { createHttpExchange } from './http-exchanger.ts';

const httpExchange = createHttpExchange();
const open: net.Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** Starts a server and returns its URL. */
async function listen(talk: (socket: net.Socket) => void): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    talk(socket);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

/** Starts a server that records the request and sends these bytes, nothing for `''`, or closes the connection. */
async function serve(reply: string | undefined): Promise<{ url: string; received: () => string }> {
  let received = '';
  const url = await listen((socket) => {
    socket.once('data', (chunk) => {
      received += String(chunk);
      if (reply === undefined) socket.destroy();
      else if (reply !== '') socket.end(reply);
    });
  });
  return { url, received: () => received };
}
const get = (url: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: 'GET',
  url,
  headers: [],
  body: undefined,
  ...more,
});

test('returns the header lines of a response, also repeated ones, and its bytes unchanged', async () => {
  const { url } = await serve('HTTP/1.1 200 OK\r\nX-Two: a\r\nx-two: b\r\nContent-Length: 2\r\n\r\nhi');
  const reply = await httpExchange(get(url), 1_000);
  expect(reply).toMatchObject({
    status: 200,
    headers: [
      ['X-Two', 'a'],
      ['x-two', 'b'],
      ['Content-Length', '2'],
    ],
  });
  expect(reply).toHaveProperty('body', new TextEncoder().encode('hi'));
});

test.each([[[]], [[['If-None-Match', '"a"']]]] as const)(
  'measures the time until the first bytes separately from the total time: %j',
  async (headers) => {
    const url = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n');
      setTimeout(() => socket.end('hi'), 200);
    });
    const startedAtMs = Date.now();
    const reply = await httpExchange(get(url, { headers }), 5_000);
    const waitMs = reply.kind === 'response' ? (reply.waitMs ?? Number.NaN) : Number.NaN;
    expect(waitMs).toBeGreaterThanOrEqual(0);
    expect(waitMs + 100).toBeLessThan(Date.now() - startedAtMs);
  },
);

test('sends the path unchanged and header lines in order', async () => {
  const { url, received } = await serve('HTTP/1.1 204 No Content\r\n\r\n');
  await httpExchange(
    get(`${url}/v2//a/%2e%2e/b?c=%00`, {
      headers: [
        ['X-B', '1'],
        ['x-a', '2'],
      ],
    }),
    1_000,
  );
  expect(received()).toMatch(/^GET \/v2\/\/a\/%2e%2e\/b\?c=%00 HTTP\/1\.1\r\nX-B: 1\r\nx-a: 2\r\n/);
});

test('returns a redirect without following it', async () => {
  const { url } = await serve('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n');
  expect(await httpExchange(get(url), 1_000)).toMatchObject({ kind: 'response', status: 302 });
});

test.each([
  { name: 'silence', reply: '', want: 'timeout' },
  { name: 'a connection closed before the response', reply: undefined, want: 'reset' },
  {
    name: 'a connection closed inside the body',
    reply: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
    want: 'reset',
  },
  { name: 'text that is not HTTP', reply: 'hello\r\n\r\n', want: 'malformed' },
  {
    name: 'a header that never ends',
    reply: `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`,
    want: 'malformed',
  },
])('reports $name instead of a response as $want', async ({ reply, want }) => {
  const { url } = await serve(reply);
  expect(await httpExchange(get(url), 300)).toMatchObject({ kind: 'no-response', because: want });
});

test('a request ends at its deadline even if bytes keep arriving', async () => {
  const url = await listen((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(drip));
  });
  const reply = await httpExchange(get(url), 200);
  expect(reply).toMatchObject({ kind: 'no-response', because: 'timeout' });
});

test('reports a closed port as refused, and an unknown host as unresolved', async () => {
  const { url } = await serve('');
  await new Promise((resolve) => open.splice(0)[0]?.close(resolve));
  expect(await httpExchange(get(url), 1_000)).toMatchObject({ because: 'refused' });
  expect(await httpExchange(get('http://no-such-host.invalid'), 5_000)).toMatchObject({ because: 'unresolved' });
});

const conditional: Partial<WireRequest> = { headers: [['If-None-Match', '"a"']] };

describe('a request with Connection: keep-alive', () => {
  const kept = [['Connection', 'keep-alive']] as const;
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

  /** Counts connections. Closes a connection without a response after it has carried this number of responses. */
  async function serveMany(answers: number): Promise<{ url: string; connections: () => number }> {
    let connections = 0;
    const url = await listen((socket) => {
      connections += 1;
      let left = answers;
      socket.on('data', () => {
        if (left > 0) socket.write(answer);
        else socket.destroy();
        left -= 1;
      });
    });
    return { url, connections: () => connections };
  }

  test('a request with Connection: keep-alive shares its connection with the next one', async () => {
    const { url, connections } = await serveMany(9);
    for (let count = 0; count < 3; count += 1)
      expect(await httpExchange(get(url, { headers: kept }), 1_000)).toMatchObject({ status: 200 });
    expect(connections()).toBe(1);
    await httpExchange(get(url), 1_000);
    expect(connections()).toBe(2);
  });

  test('requests with Connection: keep-alive use at most eight connections', async () => {
    const { url, connections } = await serveMany(100);
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => httpExchange(get(url, { headers: kept }), 5_000)),
    );
    expect(replies.map((reply) => reply.kind)).toEqual(replies.map(() => 'response'));
    expect(connections()).toBe(8);
  });

  test('repeats a request on a new connection if the server has closed the kept one', async () => {
    const { url, connections } = await serveMany(1);
    for (let count = 0; count < 2; count += 1)
      expect(await httpExchange(get(url, { headers: kept }), 1_000)).toMatchObject({ status: 200 });
    expect(connections()).toBe(2);
  });
});

describe('a conditional request', () => {
  test('returns the body of a 304', async () => {
    const { url, received } = await serve('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 4\r\n\r\nbody');
    const reply = await httpExchange(get(`${url}/a?b=c`, conditional), 1_000);
    expect(reply).toMatchObject({ status: 304, body: new TextEncoder().encode('body') });
    expect(received()).toMatch(/^GET \/a\?b=c HTTP\/1\.1\r\nIf-None-Match: "a"\r\nHost: 127\.0\.0\.1:\d+\r\n/);
  });

  test.each([
    { name: 'a correct length', reply: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', want: { status: 200 } },
    {
      name: 'a length that is too short',
      reply: 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhi',
      want: { because: 'malformed' },
    },
    {
      name: 'a length that is too long',
      reply: 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi',
      want: { because: 'reset' },
    },
    { name: 'silence', reply: '', want: { because: 'timeout' } },
    { name: 'a closed connection', reply: undefined, want: { because: 'reset' } },
    { name: 'text that is not HTTP', reply: 'hello\r\n\r\n', want: { because: 'malformed' } },
  ])('a conditional request ends with $want if the server sends $name', async ({ reply, want }) => {
    const { url } = await serve(reply);
    expect(await httpExchange(get(url, conditional), 300)).toMatchObject(want);
  });

  test.each([
    ['behind an early hint', ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 304 X\r\n\r\nbody']],
    ['in a separate packet', ['HTTP/1.1 304 X\r\nConnection: close\r\n\r\n', 'body']],
    ['in pieces', ['HTTP/1.1 304 X\r\nETag: "a"\r\n\r', '\nbo', 'dy']],
  ])('returns the body of a 304 %s', async (_, pieces) => {
    const url = await listen((socket) => {
      socket.once('data', async () => {
        for (const piece of pieces) {
          socket.write(piece);
          await new Promise((resolve) => setTimeout(resolve, 30));
        }
      });
    });
    const reply = await httpExchange(get(url, conditional), 5_000);
    const body = reply.kind === 'response' ? new TextDecoder().decode(reply.body) : reply.detail;
    expect(pieces.join('')).toContain(body);
    expect(body).toMatch(/^bo/);
  });

  test('waits only briefly for more bytes after a 304', async () => {
    const url = await listen((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 304 Not Modified\r\n\r\n'));
    });
    const reply = await httpExchange(get(url, conditional), 5_000);
    expect(reply).toMatchObject({ status: 304, body: new Uint8Array() });
  });

  test('reports a closed port as refused for a conditional request', async () => {
    const { url } = await serve('');
    await new Promise((resolve) => open.splice(0)[0]?.close(resolve));
    expect(await httpExchange(get(url, conditional), 1_000)).toMatchObject({ because: 'refused' });
  });
});
