import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { fetchHttp } from './fetch-http.ts';

let server: Server | undefined;

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((ready) => started.listen(0, '127.0.0.1', ready));
  const address = started.address();
  if (!isAddress(address)) throw new Error('no address');
  return `http://127.0.0.1:${address.port}/`;
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const limits = { headers: {}, deadlineMs: 5_000, maxBytes: 1_000 };

test('status, headers and bytes come as they are, and a redirect is not followed', async () => {
  const url = await serve((request, response) => {
    response.writeHead(302, { location: '/other', etag: '"t"', 'x-seen': request.headers['x-api-key'] });
    response.end('moved');
  });
  const outcome = await fetchHttp({ ...limits, url, headers: { 'x-api-key': 'sk' } });
  expect(outcome).toMatchObject({ kind: 'answer', status: 302 });
  if (outcome.kind !== 'answer') return;
  expect([outcome.headers.get('etag'), outcome.headers.get('x-seen')]).toEqual(['"t"', 'sk']);
  expect(new TextDecoder().decode(outcome.bytes)).toBe('moved');
});

describe('no answer', () => {
  test('when the body is too large', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(100_000)));
    expect(await fetchHttp({ ...limits, url })).toMatchObject({ kind: 'no-answer', because: 'too-large' });
  });

  test('when the deadline passes before the body ends', async () => {
    const url = await serve((_, response) => response.write('x'));
    expect(await fetchHttp({ ...limits, url, deadlineMs: 200 })).toMatchObject({
      kind: 'no-answer',
      because: 'deadline',
    });
  });

  test('when nobody listens', async () => {
    const url = await serve((_, response) => response.end());
    await new Promise((closed) => server?.close(closed));
    expect(await fetchHttp({ ...limits, url })).toMatchObject({ kind: 'no-answer', because: 'refused' });
  });

  test('when the connection is reset', async () => {
    const url = await serve((request) => request.socket.resetAndDestroy());
    expect(await fetchHttp({ ...limits, url })).toMatchObject({ kind: 'no-answer', because: 'reset' });
  });

  test('when the address is none', async () => {
    expect(await fetchHttp({ ...limits, url: 'no address' })).toMatchObject({ kind: 'no-answer', because: 'refused' });
  });
});
