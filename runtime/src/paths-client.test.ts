import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createPathsClient } from './paths-client.ts';

type Paths = { '/v2/models': { get: { responses: { 200: { content: { 'application/json': object } } } } } };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(status: number, location?: string): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, reply) => {
    requests.push(request);
    reply.writeHead(status, { 'Content-Type': 'application/json', ...(location === undefined ? {} : { location }) });
    reply.end('{}');
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
    const router = await serve(307, `${elsewhere.url}/v2/models`);
    const client = createPathsClient<Paths>({ baseUrl: router.url, ...credential }, 'X-API-Key');
    await expect(client.GET('/v2/models')).rejects.toThrow();
    expect(router.requests).toHaveLength(1);
    expect(elsewhere.requests).toEqual([]);
  },
);

test('sends the credential to its base address', async () => {
  const router = await serve(200);
  const client = createPathsClient<Paths>({ baseUrl: router.url, apiKey: 'a-key-of-tests' }, 'X-API-Key');
  expect((await client.GET('/v2/models')).response.status).toBe(200);
  expect(router.requests[0]?.headers['x-api-key']).toBe('a-key-of-tests');
});
