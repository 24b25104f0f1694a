import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelRouterFor } from '../src/router/create-router.ts';
import type { RouterError } from '../src/router/router-error.ts';
import { manualClock, routerError, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const createModelRouter = createModelRouterFor<object>({ brand: 'Acme', apiKeyHeader: 'X-API-Key' });
const client = () => createModelRouter({ baseUrl: `${server.url}/base/`, token: 'token-1', clock: manualClock() });
const entry = (id: string, word: unknown) => ({
  id,
  provider: 'p',
  model: 'm',
  billing: { charges_on_policy_rejection: word },
  added: 1,
});
const page = (ids: string[], next?: string | null) => ({
  body: {
    data: ids.map((id) => entry(id, 'no')),
    has_more: next !== undefined,
    limit: 20,
    ...(next ? { next_cursor: next } : {}),
  },
});
async function idsOf(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of client().models({ limit: 2 })) ids.push(id);
  return ids;
}
const failure = (work: Promise<unknown>): Promise<RouterError> =>
  work.then(
    () => expect.unreachable('it resolved'),
    (error: RouterError) => error,
  );

describe('models', () => {
  it('pages over short and empty pages with the cursor unchanged', async () => {
    server.script(page(['a/1'], 'c+/=1'), page([], 'c2'), page(['a/2', 'a/3']));
    expect(await idsOf()).toEqual(['a/1', 'a/2', 'a/3']);
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/base/v2/models?limit=2',
      '/base/v2/models?limit=2&cursor=c%2B%2F%3D1',
      '/base/v2/models?limit=2&cursor=c2',
    ]);
    expect(server.seen[0]?.headers['authorization']).toBe('Bearer token-1');
  });

  const broken: [name: string, second: ReturnType<typeof page> | ReturnType<typeof routerError>, want: object][] = [
    ['a missing cursor', page(['a/2'], null), { kind: 'decode' }],
    ['a repeated cursor', page(['a/2'], 'c1'), { kind: 'decode' }],
    ['an expired cursor', routerError(400, 'invalid_input'), { kind: 'router', status: 400 }],
  ];
  it.each(broken)('throws at %s', async (_, second, want) => {
    server.script(page(['a/1'], 'c1'), second);
    expect(await failure(idsOf())).toMatchObject(want);
    expect(server.seen).toHaveLength(2);
  });

  it.each([429, 500, 503])('repeats a listing after %i', async (status) => {
    server.script(routerError(status, 'service_unavailable'), page(['a/1']));
    expect(await idsOf()).toEqual(['a/1']);
  });

  it.each([
    ['yes', 'yes'],
    ['no', 'no'],
    ['maybe', 'unknown'],
    [undefined, 'unknown'],
  ])('reads the billing word %s as %s and keeps the entry', async (word, want) => {
    const body = entry('image-provider/still', word);
    server.script({ body });
    const model = await client().model('image-provider/still');
    expect(model).toMatchObject({ id: 'image-provider/still', chargesOnPolicyRejection: want });
    expect(model.raw).toEqual(JSON.parse(JSON.stringify(body)));
  });
});

describe('schema', () => {
  it('returns the document with its entity tag', async () => {
    server.script({ body: { openapi: '3.1.0' }, headers: { etag: '"1"' } });
    expect(await client().schema('a/b')).toEqual({ notModified: false, etag: '"1"', document: { openapi: '3.1.0' } });
  });

  it('says when the document is the one of the given tag', async () => {
    server.script({ status: 304, headers: { etag: '"1"' } });
    expect(await client().schema('a/b', { etag: '"1"' })).toEqual({ notModified: true, etag: '"1"' });
    expect(server.seen[0]).toMatchObject({
      url: '/base/v2/models/a/b/openapi.json',
      headers: { 'if-none-match': '"1"' },
    });
  });
});

it('reads headers by the brand it was generated with', async () => {
  server.script({
    status: 404,
    body: { detail: 'No.', error_type: 'x' },
    headers: { 'x-acme-request-id': 'r-9', 'x-acme-error-type': 'model_not_found' },
  });
  expect(await failure(client().model('a/b'))).toMatchObject({
    requestId: 'r-9',
    category: { known: 'model_not_found' },
  });
});
