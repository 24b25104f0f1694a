import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createPathsClient } from './paths-client.ts';

type Paths = { '/v2/models': { get: { responses: { 200: { content: { 'application/json': unknown } } } } } };

async function headersSent(options: { apiKey?: string; token?: string }, apiKeyHeader?: string): Promise<unknown> {
  const sent: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(request);
    return Response.json({});
  };
  await createPathsClient<Paths>({ baseUrl: 'http://api.test', fetch, ...options }, apiKeyHeader).GET('/v2/models');
  return ['x-api-key', 'x-other-key', 'authorization'].map((name) => sent[0]?.headers.get(name) ?? null);
}

test.each([
  ['a key in the header that the API names', { apiKey: 'k' }, 'X-API-Key', ['k', null, null]],
  ['a key in another header', { apiKey: 'k' }, 'X-Other-Key', [null, 'k', null]],
  ['no key where the API takes none', { apiKey: 'k', token: 't' }, undefined, [null, null, 'Bearer t']],
  ['both where both are given', { apiKey: 'k', token: 't' }, 'X-API-Key', ['k', null, 'Bearer t']],
  ['nothing without a credential', {}, 'X-API-Key', [null, null, null]],
] as const)('sends %s', async (_what, options, apiKeyHeader, headers) => {
  expect(await headersSent(options, apiKeyHeader)).toEqual(headers);
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(status: number, headers = {}): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, reply) => {
    requests.push(request);
    reply.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end('{}');
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, requests };
}

test.each([{ apiKey: 'a-key-of-tests' }, { token: 'a-token-of-tests' }])(
  'sends no credential after a redirect: %o',
  async (credential) => {
    const elsewhere = await serve(200);
    const router = await serve(307, { location: `${elsewhere.url}/v2/models` });
    const client = createPathsClient<Paths>({ baseUrl: router.url, ...credential }, 'X-API-Key');
    await expect(client.GET('/v2/models')).rejects.toThrow();
    expect(router.requests).toHaveLength(1);
    expect(elsewhere.requests).toEqual([]);
  },
);
