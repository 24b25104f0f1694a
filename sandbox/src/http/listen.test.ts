import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { createSandbox } from '../sandbox.ts';
import { listen } from './listen.ts';

const sandbox = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings) });
const headers = { 'X-API-Key': sandbox.credentials.router.main };
const freePort = { port: 0, host: '127.0.0.1' };

test('the URLs in a handle contain the address of the socket, which refuses connections after close()', async () => {
  const server = await listen(sandbox, freePort);
  const path = `${server.url}/v2/models/image-provider/still-2.1/requests`;
  const submitted = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ prompt: 'fog' }) });
  const handle: { status_url: string } = await submitted.json();
  expect((await fetch(handle.status_url, { headers })).status).toBe(200);
  await server.close();
  await expect(fetch(server.url)).rejects.toThrow();
});

test.each<[string, (socket: Socket) => unknown]>([
  ['destroys the connection', (socket) => socket.destroy()],
  ['ends the connection', (socket) => socket.end()],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
])('the ledger records that a caller %s during a call', async (_, breakConnection) => {
  const own = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings) });
  const server = await listen(own, freePort);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  const head =
    'POST /v2/models/sandbox/outcomes HTTP/1.1\r\nHost: s\r\nX-API-Key: sk-sandbox-main\r\nContent-Length: 19';
  try {
    socket.write(`${head}\r\n\r\n{"delay_ms": 60000}`);
    await vi.waitUntil(() => own.ledger().dispatches === 1);
    breakConnection(socket);
    await vi.waitUntil(() => own.ledger().clientDisconnects === 1);
  } finally {
    await server.close();
    own.close();
  }
});

test('listen() rejects if the address is in use', async () => {
  const taken = createServer();
  await new Promise<void>((open) => taken.listen(0, '127.0.0.1', open));
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(listen(sandbox, { port, host: '127.0.0.1' })).rejects.toThrow('EADDRINUSE');
  taken.close();
});
