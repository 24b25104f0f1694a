import { expect, test } from 'vitest';
import { createPathsClient } from './paths-client.ts';

type Paths = { '/v2/models': { get: { responses: { 200: { content: { 'application/json': unknown } } } } } };

async function headersSent(options: { apiKey?: string; token?: string }, apiKeyHeader?: string): Promise<unknown> {
  const sent: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(request);
    return Response.json({});
  };
  await createPathsClient<Paths>({ baseUrl: 'http://api.test', fetch, ...options }, apiKeyHeader).GET('/v2/models');
  expect(sent[0]?.redirect).toBe('error'); // so that no other origin receives the credential
  return ['x-api-key', 'x-other-key', 'authorization'].map((name) => sent[0]?.headers.get(name) ?? null);
}

test.each([
  ['a key in the header that the API names', { apiKey: 'k' }, 'X-API-Key', ['k', null, null]],
  ['a key in another header', { apiKey: 'k' }, 'X-Other-Key', [null, 'k', null]],
  ['only the token if the API takes no key', { apiKey: 'k', token: 't' }, undefined, [null, null, 'Bearer t']],
  ['both credentials if both are given', { apiKey: 'k', token: 't' }, 'X-API-Key', ['k', null, 'Bearer t']],
  ['no credential if none is given', {}, 'X-API-Key', [null, null, null]],
] as const)('the paths client sends %s', async (_what, options, apiKeyHeader, headers) => {
  expect(await headersSent(options, apiKeyHeader)).toEqual(headers);
});
