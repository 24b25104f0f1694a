import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { createNodeHttp } from './node-http.ts';

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', 'tests', 'fixtures', name), 'utf8');
const cert = fixture('self-signed.pem');
const key = fixture('self-signed.key.pem');
const limits = { headers: {}, deadlineMs: 5_000, maxBytes: 1_000 };

const servers: Server[] = [];
async function listen<T extends Server>(server: T): Promise<number> {
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a TLS server that responds with the name in the client's certificate. */
function serveTls(): Promise<number> {
  const options = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: false };
  return listen(
    createServer(options, (request, response) => {
      // The socket of a request to a TLS server is always a TLSSocket.
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(subject?.CN === undefined ? 'nobody' : String(subject.CN));
    }),
  );
}

test('reports a self-signed certificate, and accepts it if it is configured as a certificate authority', async () => {
  const url = `https://localhost:${await serveTls()}/`;
  expect(await createNodeHttp()({ ...limits, url })).toMatchObject({
    kind: 'no-response',
    because: 'untrusted',
    detail: 'it is self-signed: DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  expect(showOutcome(await createNodeHttp({ ca: cert })({ ...limits, url }))).toBe('nobody');
});

test('sends the configured client certificate to the server', async () => {
  const url = `https://localhost:${await serveTls()}/`;
  expect(showOutcome(await createNodeHttp({ ca: cert, cert, key })({ ...limits, url }))).toBe('localhost');
});

test('sends requests through the proxy in HTTP_PROXY, except those to loopback addresses', async () => {
  const seen: string[] = [];
  const proxy = await listen(
    createPlainServer((request, response) => {
      seen.push(request.url ?? '');
      response.end('by proxy');
    }),
  );
  const direct = await listen(createPlainServer((_, response) => void response.end('direct')));
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${proxy}`);
  vi.stubEnv('NO_PROXY', '');
  const http = createNodeHttp();
  expect(showOutcome(await http({ ...limits, url: 'http://router.example/v2/models' }))).toBe('by proxy');
  expect(showOutcome(await http({ ...limits, url: `http://127.0.0.1:${direct}/` }))).toBe('direct');
  expect(seen).toEqual(['http://router.example/v2/models']);
});

function showOutcome(outcome: Awaited<ReturnType<ReturnType<typeof createNodeHttp>>>): string {
  return outcome.kind === 'response' ? new TextDecoder().decode(outcome.bytes) : outcome.detail;
}
