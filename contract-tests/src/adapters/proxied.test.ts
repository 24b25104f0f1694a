import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { httpExchange } from './http-exchanger.ts';

const asked: string[] = [];
const origin = http.createServer((request, response) => response.end(`origin ${request.headers['x-gate'] ?? ''}`));
/** Forwards absolute requests, and opens tunnels; Node uses these for http too. */
const proxy = http
  .createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    http.get(request.url ?? '', { headers: request.headers }, (from) => from.pipe(response));
  })
  .on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    const [host, port] = (request.url ?? '').split(':');
    const tunnel = net.connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const end of [tunnel, socket]) end.on('error', () => undefined);
  });

function addressOf(server: http.Server): string {
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  for (const server of [origin, proxy]) await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(() => {
  vi.unstubAllEnvs();
  for (const server of [origin, proxy]) server.close();
});

test.each([
  { name: 'through the proxy of the environment', use: '1', none: '', want: 1 },
  { name: 'directly to a host of NO_PROXY', use: '1', none: '127.0.0.1', want: 0 },
  { name: 'directly without NODE_USE_ENV_PROXY', use: '', none: '', want: 0 },
])('sends $name', async ({ use, none, want }) => {
  vi.stubEnv('NODE_USE_ENV_PROXY', use);
  vi.stubEnv('HTTP_PROXY', addressOf(proxy));
  vi.stubEnv('NO_PROXY', none);
  for (const headers of [
    [['X-Gate', 'known']],
    [
      ['X-Gate', 'known'],
      ['If-None-Match', '"tag"'],
    ],
  ] as const) {
    asked.length = 0;
    const request = { method: 'GET', url: `${addressOf(origin)}/v2/models`, headers, body: undefined };
    const result = await httpExchange(request, 5_000);
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    if (result.kind === 'response') expect(new TextDecoder().decode(result.body)).toBe('origin known');
    expect(asked).toHaveLength(want);
  }
});
