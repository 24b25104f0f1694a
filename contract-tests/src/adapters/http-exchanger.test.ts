import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { WireRequest } from '../probe.ts';
import { httpExchange } from './http-exchanger.ts';

const open: net.Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** A server that says exactly these bytes (nothing: hangs; undefined: cuts the connection) and records what it was sent. */
async function serve(answer: string | undefined): Promise<{ url: string; received: () => string }> {
  let received = '';
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => {
      received += String(chunk);
      if (answer === undefined) socket.destroy();
      else if (answer !== '') socket.end(answer);
    });
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, received: () => received };
}
const get = (url: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: 'GET',
  url,
  headers: [],
  body: undefined,
  ...more,
});

test('header lines, repetitions and bytes come back raw', async () => {
  const { url } = await serve('HTTP/1.1 200 OK\r\nX-Two: a\r\nx-two: b\r\nContent-Length: 2\r\n\r\nhi');
  const answer = await httpExchange(get(url), 1_000);
  expect(answer).toMatchObject({
    status: 200,
    headers: [
      ['X-Two', 'a'],
      ['x-two', 'b'],
      ['Content-Length', '2'],
    ],
  });
  expect(answer).toHaveProperty('body', new TextEncoder().encode('hi'));
});

test('a path is sent as written, header lines in their order', async () => {
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

test('a redirect is an answer, not followed', async () => {
  const { url } = await serve('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n');
  expect(await httpExchange(get(url), 1_000)).toMatchObject({ kind: 'response', status: 302 });
});

test.each([
  { name: 'silence', answer: '', want: 'timeout' },
  { name: 'a cut before the answer', answer: undefined, want: 'reset' },
  { name: 'a cut inside the body', answer: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', want: 'reset' },
  { name: 'what is no HTTP', answer: 'hello\r\n\r\n', want: 'malformed' },
  {
    name: 'a header that never ends',
    answer: `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`,
    want: 'malformed',
  },
])('$name is $want', async ({ answer, want }) => {
  const { url } = await serve(answer);
  expect(await httpExchange(get(url), 300)).toMatchObject({ kind: 'no-response', because: want });
});

test('a trickle of bytes does not move the deadline', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(drip));
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const answer = await httpExchange(get(`http://127.0.0.1:${address.port}`), 200);
  expect(answer).toMatchObject({ kind: 'no-response', because: 'timeout' });
});

test('a closed port is refused, an unknown host unresolved', async () => {
  const { url } = await serve('');
  await new Promise((resolve) => open.splice(0)[0]?.close(resolve));
  expect(await httpExchange(get(url), 1_000)).toMatchObject({ because: 'refused' });
  expect(await httpExchange(get('http://no-such-host.invalid'), 5_000)).toMatchObject({ because: 'unresolved' });
});

const conditional: Partial<WireRequest> = { headers: [['If-None-Match', '"a"']] };

describe('a conditional request shows what node:http hides', () => {
  test('the body of a 304', async () => {
    const { url, received } = await serve('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 4\r\n\r\nbody');
    const answer = await httpExchange(get(`${url}/a?b=c`, conditional), 1_000);
    expect(answer).toMatchObject({ status: 304, body: new TextEncoder().encode('body') });
    expect(received()).toMatch(/^GET \/a\?b=c HTTP\/1\.1\r\nIf-None-Match: "a"\r\nHost: 127\.0\.0\.1:\d+\r\n/);
  });

  test.each([
    { name: 'an honest length', answer: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', want: { status: 200 } },
    {
      name: 'too short a length',
      answer: 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhi',
      want: { because: 'malformed' },
    },
    { name: 'too long a length', answer: 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi', want: { because: 'reset' } },
    { name: 'silence', answer: '', want: { because: 'timeout' } },
    { name: 'a cut', answer: undefined, want: { because: 'reset' } },
    { name: 'what is no HTTP', answer: 'hello\r\n\r\n', want: { because: 'malformed' } },
  ])('$name', async ({ answer, want }) => {
    const { url } = await serve(answer);
    expect(await httpExchange(get(url, conditional), 300)).toMatchObject(want);
  });

  test('a connection that stays open after a 304 is waited for a moment only', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('HTTP/1.1 304 Not Modified\r\n\r\n'));
    });
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const answer = await httpExchange(get(`http://127.0.0.1:${address.port}`, conditional), 5_000);
    expect(answer).toMatchObject({ status: 304, body: new Uint8Array() });
  });

  test('a closed port is refused', async () => {
    const { url } = await serve('');
    await new Promise((resolve) => open.splice(0)[0]?.close(resolve));
    expect(await httpExchange(get(url, conditional), 1_000)).toMatchObject({ because: 'refused' });
  });
});
