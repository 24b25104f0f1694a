import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createNodeHttp } from './node-http.ts';

const nodeHttp = createNodeHttp();

let server: Server | undefined;

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((ready) => started.listen(0, '127.0.0.1', ready));
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/`;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const limits = { headers: {}, deadlineMs: 5_000, maxBytes: 1_000 };

test('returns status, headers and body of a redirect unchanged instead of following it', async () => {
  const url = await serve((request, response) => {
    response.writeHead(302, { location: '/other', etag: '"t"', 'x-seen': request.headers['x-api-key'] });
    response.end('moved');
  });
  const outcome = await nodeHttp({ ...limits, url, headers: { 'x-api-key': 'sk' } });
  expect(outcome).toMatchObject({ kind: 'response', status: 302 });
  if (outcome.kind !== 'response') return;
  expect([outcome.headers.get('etag'), outcome.headers.get('x-seen')]).toEqual(['"t"', 'sk']);
  expect(new TextDecoder().decode(outcome.bytes)).toBe('moved');
});

describe('reading compressed bodies', () => {
  const serveZipped = (bytes: Buffer, encoding = 'gzip') =>
    serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(bytes);
    });

  test('decompresses a gzip body', async () => {
    const outcome = await nodeHttp({ ...limits, url: await serveZipped(gzipSync('x'.repeat(900))) });
    expect(outcome.kind === 'response' && new TextDecoder().decode(outcome.bytes)).toBe('x'.repeat(900));
  });

  test.each([
    { title: 'exceed the limit after decompression', bytes: gzipSync('x'.repeat(1_000_000)), because: 'too-large' },
    { title: 'are truncated', bytes: gzipSync('x'.repeat(900)).subarray(0, 20), because: 'failed' },
    { title: 'have a different encoding', bytes: Buffer.from('?'), encoding: 'br', because: 'failed' },
  ])('reports compressed bodies that $title as a missing response', async ({ bytes, encoding, because }) => {
    const url = await serveZipped(bytes, encoding);
    expect(await nodeHttp({ ...limits, url })).toMatchObject({ kind: 'no-response', because });
  });
});

test('reuses connections between requests', async () => {
  let sockets = 0;
  const url = await serve((_, response) => response.end('x'));
  server?.on('connection', () => sockets++);
  for (let index = 0; index < 5; index++) await nodeHttp({ ...limits, url });
  expect(sockets).toBe(1);
});

describe('a missing response', () => {
  test('reports a body that exceeds the size limit', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(100_000)));
    expect(await nodeHttp({ ...limits, url })).toMatchObject({ kind: 'no-response', because: 'too-large' });
  });

  test('reports a deadline that passes before the body ends', async () => {
    const url = await serve((_, response) => response.write('x'));
    expect(await nodeHttp({ ...limits, url, deadlineMs: 200 })).toMatchObject({
      kind: 'no-response',
      because: 'deadline',
    });
  });

  test('reports an address without a server', async () => {
    const url = await serve((_, response) => response.end());
    await new Promise((closed) => server?.close(closed));
    expect(await nodeHttp({ ...limits, url })).toMatchObject({ kind: 'no-response', because: 'refused' });
  });

  test('reports a connection that is reset', async () => {
    const url = await serve((request) => request.socket.resetAndDestroy());
    expect(await nodeHttp({ ...limits, url })).toMatchObject({ kind: 'no-response', because: 'reset' });
  });

  test('reports an invalid URL', async () => {
    expect(await nodeHttp({ ...limits, url: 'no address' })).toMatchObject({ kind: 'no-response', because: 'refused' });
  });
});

test('reports a response that switches protocols as a missing response', async () => {
  const url = await serve(() => {});
  server?.on('upgrade', () => {});
  server?.removeAllListeners('request').on('request', (request) => {
    request.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n');
  });
  expect(await nodeHttp({ ...limits, url })).toMatchObject({ kind: 'no-response', because: 'failed' });
});

test('stops reading after 100 informational responses', async () => {
  const url = await serve(({ socket }) => {
    const pour = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(50)), 5);
    socket.on('close', () => clearInterval(pour));
  });
  const outcome = await nodeHttp({ ...limits, url });
  expect(JSON.stringify(outcome)).toContain('more than 100 informational responses');
});

test('reports a body that arrives too slowly as a missed deadline, with its time limit', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  });
  expect(await nodeHttp({ ...limits, url, deadlineMs: 150 })).toEqual({
    kind: 'no-response',
    because: 'deadline',
    detail: 'no complete response within 150 ms',
  });
});
