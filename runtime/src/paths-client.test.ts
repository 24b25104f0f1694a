import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { OperationDescriptor } from './descriptor.ts';
import { createPathsClient } from './paths-client.ts';

const listModels: OperationDescriptor = {
  method: 'GET',
  path: '/v2/models',
  parameters: [],
  requestMediaTypes: [],
  security: [],
  credentialRequired: false,
  responses: { 200: ['application/json'], 204: [], 206: ['*/*'], 304: [], default: ['application/json'] },
};
const operations = { listModels };

type Paths = { '/v2/models': { get: { responses: { 200: { content: { 'application/json': unknown } } } } } };

async function headersSent(options: { apiKey?: string; token?: string }, apiKeyHeader?: string): Promise<unknown> {
  const sent: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(request);
    return Response.json({});
  };
  await createPathsClient<Paths>(
    { baseUrl: 'http://api.test', fetch, ...options },
    { operations, ...(apiKeyHeader === undefined ? {} : { apiKeyHeader }) },
  ).GET('/v2/models');
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

type Served = { location?: string; body?: string; length?: number; keep?: boolean };

/** A body shorter than its length breaks off, or is left open. */
async function serve(
  status: number,
  { location, body = '{}', length = body.length, keep = false }: Served = {},
): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, reply) => {
    requests.push(request);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': length };
    reply.writeHead(status, { ...headers, ...(location === undefined ? {} : { location }) });
    if (length === body.length) reply.end(body);
    else reply.write(body, () => (keep ? undefined : setTimeout(() => request.socket.destroy(), 50)));
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
    const client = createPathsClient<Paths>(
      { baseUrl: router.url, ...credential },
      { operations, apiKeyHeader: 'X-API-Key' },
    );
    await expect(client.GET('/v2/models')).rejects.toThrow();
    expect(router.requests).toHaveLength(1);
    expect(elsewhere.requests).toEqual([]);
  },
);

describe('an answer', () => {
  type Given = [what: string, status: number, mediaType: string, body: string, outcome: object];
  const page = '<!doctype html><title>Bad gateway</title>';
  const unexpected = (word: string, mediaType: string, text: string) => ({
    error: { unexpected: word, mediaType, text },
  });
  test.each<Given>([
    ['of JSON is a value', 200, 'application/json; charset=utf-8', '{"a":1}', { data: { a: 1 } }],
    ['without a media type is read as documented', 200, '', '[1]', { data: [1] }],
    ['of any media type may be JSON', 206, 'application/vnd.x+json', '"x"', { data: 'x' }],
    ['of any media type may be text', 206, 'text/plain', '{', { data: '{' }],
    ['of any media type may be bytes', 206, 'image/png', 'x', { data: new Uint8Array([120]) }],
    [
      'that broke off as JSON keeps status and text',
      200,
      'application/json',
      '{"a":',
      unexpected('malformed', 'application/json', '{"a":'),
    ],
    [
      'of a proxy in place of a success is its text',
      200,
      'text/html',
      page,
      unexpected('undocumented', 'text/html', page),
    ],
    [
      'of a proxy in place of an error is its text',
      502,
      'text/html',
      page,
      unexpected('undocumented', 'text/html', page),
    ],
    [
      'without a body where one is due says so',
      500,
      'application/json',
      '',
      unexpected('empty', 'application/json', ''),
    ],
    ['without a body where none is due is undefined', 304, '', '', { error: undefined }],
    ['of an error is its value', 404, 'application/json', '{"error_type":"x"}', { error: { error_type: 'x' } }],
  ])('%s', async (_what, status, mediaType, body, outcome) => {
    const headers = { 'X-Service-Request-Id': 'r-1', ...(mediaType === '' ? {} : { 'Content-Type': mediaType }) };
    const fetch = async () => new Response(body === '' ? null : new TextEncoder().encode(body), { status, headers });
    const client = createPathsClient<Paths>({ baseUrl: 'http://api.test', fetch }, { operations });
    const { response, ...rest } = await client.GET('/v2/models');
    expect(rest).toMatchObject(outcome);
    expect([response.status, response.headers.get('x-service-request-id')]).toEqual([status, 'r-1']);
  });

  test.each([200, 500])('%i whose connection breaks keeps what arrived', async (status) => {
    const server = await serve(status, { body: '{"data":[', length: 100 });
    const client = createPathsClient<Paths>({ baseUrl: server.url }, { operations });
    const { error, response } = await client.GET('/v2/models');
    expect(response.status).toBe(status);
    expect(error).toMatchObject({ unexpected: 'truncated', text: '{"data":[', cause: expect.any(TypeError) });
  });

  test('that is longer than 256 MiB is not read to its end, and not kept', async () => {
    const part = new Uint8Array(16 * 1024 * 1024).fill(0x20);
    let parts = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      parts += 1;
      controller.enqueue(part);
    };
    const headers = { 'content-type': 'application/json' };
    const fetch = async () => new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers });
    const client = createPathsClient<Paths>({ baseUrl: 'http://api.test', fetch }, { operations });
    const { error } = await client.GET('/v2/models');
    expect(error).toMatchObject({
      unexpected: 'truncated',
      text: '',
      cause: { message: 'the body is longer than 268435456 bytes' },
    });
    expect(parts).toBe(17);
  });

  test('that the caller gave up on is no answer', async () => {
    const server = await serve(200, { body: '{', length: 100, keep: true });
    const client = createPathsClient<Paths>({ baseUrl: server.url }, { operations });
    await expect(client.GET('/v2/models', { signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/);
  });

  test('reaches middlewares as it came, and is left to the caller with `parseAs`', async () => {
    const fetch = async () => new Response(page, { headers: { 'Content-Type': 'text/html' } });
    const client = createPathsClient<Paths>({ baseUrl: 'http://api.test', fetch }, { operations });
    const seen: (string | null)[] = [];
    client.use({
      onResponse({ response }) {
        seen.push(response.headers.get('content-type'));
      },
    });
    expect((await client.GET('/v2/models')).error).toMatchObject({ unexpected: 'undocumented' });
    expect((await client.GET('/v2/models', { parseAs: 'text' })).data).toBe(page);
    expect(seen).toEqual(['text/html', 'text/html']);
  });
});
