import { describe, expect, it } from 'vitest';
import { listModels, readModel, readModelSchema } from '../src/catalog/index.ts';
import { submit } from '../src/queue/index.ts';
import { createModelRouterFor } from '../src/router/create-router.ts';
import { catchFailure, serveScripts } from './router-under-test.ts';
import { manualClock, routerError } from './scripted-server.ts';

const server = serveScripts();
const createModelRouter = createModelRouterFor<object>({ brand: 'Acme', apiKeyHeader: 'X-API-Key' });
const client = () => createModelRouter({ baseUrl: `${server().url}/base/`, token: 'token-1', clock: manualClock() });
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
async function listIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of listModels(client(), { limit: 2 })) ids.push(id);
  return ids;
}
describe('models', () => {
  // MR-CAT-01, MR-CAT-03, MR-CAT-10, MR-CAT-11, MR-CAT-19, MR-CAT-21, MR-CAT-23, MR-CAT-24, MR-CAT-26, MR-CAT-28, MR-CAT-59, MR-GEN-02
  it('reads short and empty pages with unchanged cursors, and yields models that pages repeat', async () => {
    server().script(page(['a/1'], 'c+/=1'), page([], 'c2'), page(['a/1', 'a/3']));
    expect(await listIds()).toEqual(['a/1', 'a/1', 'a/3']);
    expect(server().seen.map(({ url }) => url)).toEqual([
      '/base/v2/models?limit=2',
      '/base/v2/models?limit=2&cursor=c%2B%2F%3D1',
      '/base/v2/models?limit=2&cursor=c2',
    ]);
    expect(server().seen[0]?.headers['authorization']).toBe('Bearer token-1');
  });

  // MR-CAT-04, MR-CAT-05, MR-CAT-06, MR-CAT-07, MR-CAT-08
  it('sends every cursor unchanged, regardless of its characters', async () => {
    const cursors = ['10', '9', 'image-provider/still', '%41&limit=1', 'x'.repeat(512), '['];
    server().script(...cursors.map((cursor) => page([], cursor)), page(['a/1']));
    expect(await listIds()).toEqual(['a/1']);
    const sent = server().seen.map(({ url }) => new URL(url, server().url).searchParams.get('cursor'));
    expect(sent).toEqual([null, ...cursors]);
  });

  it('stops a listing that has more pages, or a longer page, than a catalog can have', async () => {
    let pages = 0;
    const fetch = async (): Promise<Response> => Response.json(page([], `c${++pages}`).body);
    const router = createModelRouter({ baseUrl: server().url, token: 'token-1', clock: manualClock(), fetch });
    const listing = async (): Promise<void> => {
      for await (const { id } of listModels(router)) expect.unreachable(id);
    };
    expect(await catchFailure(listing())).toMatchObject({ kind: 'decode' });
    expect(pages).toBe(10_001);
    server().script({ body: `{"data":[],"has_more":false,"x":"${'x'.repeat(16 * 1024 * 1024)}"}` });
    await expect(listIds()).rejects.toThrow('16777216');
    server().script(page([], 'x'.repeat(2_049)));
    await expect(listIds()).rejects.toThrow('the next cursor is missing, too long');
  });

  it('gives each page its own deadline, and the whole listing only if requested', async () => {
    const clock = manualClock();
    const router = createModelRouter({ baseUrl: server().url, token: 't', clock });
    const idsAt = async (options: object): Promise<string[]> => {
      server().script(page(['a/1'], 'c1'), page(['a/2']));
      const ids: string[] = [];
      for await (const { id } of listModels(router, options)) {
        ids.push(id);
        clock.advance(20 * 60_000); // The program works on each entry for 20 minutes.
      }
      return ids;
    };
    expect(await idsAt({})).toEqual(['a/1', 'a/2']);
    expect(await catchFailure(idsAt({ deadlineMs: 60_000 }))).toMatchObject({
      kind: 'timeout',
      attempts: 0,
      mayBeBilled: false,
    });
  });

  // MR-CAT-19, MR-CAT-21, MR-CAT-30
  const bodies: unknown[] = ['listing', { data: [] }, { has_more: false }, { data: {}, has_more: false }];
  it.each([...bodies, { data: [{}], has_more: false }, { data: [{ id: 'no slash' }], has_more: false }])(
    'rejects %j as a listing',
    async (body) => {
      server().script({ body });
      expect(await catchFailure(listIds())).toMatchObject({ kind: 'decode', status: 200, attempts: 1 });
    },
  );

  const broken: [name: string, second: ReturnType<typeof page> | ReturnType<typeof routerError>, want: object][] = [
    ['a missing cursor', page(['a/2'], null), { kind: 'decode' }],
    ['a repeated cursor', page(['a/2'], 'c1'), { kind: 'decode' }],
    ['an expired cursor', routerError(400, 'invalid_input'), { kind: 'router', status: 400 }],
  ];
  // MR-CAT-09, MR-CAT-26, MR-CTG-02
  it.each(broken)('a listing ends with an error because of %s', async (_, second, want) => {
    server().script(page(['a/1'], 'c1'), second);
    expect(await catchFailure(listIds())).toMatchObject(want);
    expect(server().seen).toHaveLength(2);
  });

  // MR-CAT-34, MR-CAT-37, MR-CAT-40, MR-CAT-43, MR-CAT-47, MR-CAT-48, MR-CAT-49, MR-MOD-01, MR-MOD-05
  it.each([
    ['yes', 'yes'],
    ['no', 'no'],
    ['maybe', 'unknown'],
    [undefined, 'unknown'],
  ])('reads the billing value %s as %s and keeps the raw entry', async (word, want) => {
    const body = { ...entry('image-provider/still', word), input_schema_url: 'https://schemas.example/1' };
    server().script({ body });
    const model = await readModel(client(), 'image-provider/still');
    expect(model).toMatchObject({
      id: 'image-provider/still',
      provider: 'image-provider',
      model: 'still',
      chargesOnPolicyRejection: want,
      inputSchemaUrl: body.input_schema_url,
    });
    expect(server().seen[0]?.url).toBe('/base/v2/models/image-provider/still');
    expect(model.raw).toEqual(JSON.parse(JSON.stringify(body)));
  });
});

// MR-CAT-33, MR-MOD-02, MR-MOD-03
it.each([
  ['a/b', 'a/b'],
  ['4b.x_y/veo-3.1_turbo', '4b.x_y/veo-3.1_turbo'],
  ['a/b c?d#e%', 'a/b%20c%3Fd%23e%25'],
  [`${'p'.repeat(64)}/${'m'.repeat(128)}`, `${'p'.repeat(64)}/${'m'.repeat(128)}`],
])('uses the id %s in the path, with its slash', async (id, path) => {
  server().script({ body: entry(id, 'no') });
  expect((await readModel(client(), id)).id).toBe(id);
  expect(server().seen[0]?.url).toBe(`/base/v2/models/${path}`);
});

it('accepts an entry without billing', async () => {
  server().script({ body: { id: 'a/b' } });
  expect(await readModel(client(), 'a/b')).toMatchObject({ chargesOnPolicyRejection: 'unknown' });
});

// MR-SCH-02, MR-SCH-03, MR-SCH-17, MR-VER-04
it.each([
  [{}, '"1"'],
  [{ etag: '"2"' }, '"2"'],
])('returns the entity tag of a 304 with the headers %o', async (headers, etag) => {
  server().script({ status: 304, headers });
  expect(await readModelSchema(client(), 'a/b', { etag: '"1"' })).toEqual({ notModified: true, etag });
  const conditional = { 'if-none-match': '"1"' };
  expect(server().seen[0]).toMatchObject({ url: '/base/v2/models/a/b/openapi.json', headers: conditional });
});

it('rejects a 304 response to an unconditional request', async () => {
  server().script({ status: 304 });
  expect(await catchFailure(readModelSchema(client(), 'a/b'))).toMatchObject({ kind: 'opaque', status: 304 });
});

// MR-SCH-24, MR-IDM-55, MR-AUT-01, MR-VER-01
it('sends conditional headers only for schemas, keys only for billed calls, and a credential always', async () => {
  const at = `${server().url}/v2/queue`;
  const state = { request_id: 'r', status: 'COMPLETED', status_url: at, response_url: at, cancel_url: at };
  server().script({ body: { ...entry('a/b', 'no'), ...page(['a/b']).body, ...state } }); // every call accepts it
  const router = client();
  await listIds();
  await readModel(router, 'a/b');
  await readModelSchema(router, 'a/b', { etag: '"1"' });
  await router.run({ id: 'a/b' }, {});
  const handle = await submit(router, { id: 'a/b' }, {});
  await handle.status();
  await handle.result();
  await handle.cancel();
  const { seen } = server();
  const having = (name: string): number[] => seen.flatMap(({ headers }, index) => (name in headers ? [index] : []));
  expect(seen).toHaveLength(8);
  expect(having('if-none-match')).toEqual([2]);
  expect(having('idempotency-key')).toEqual([3, 4]);
  expect(having('authorization')).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const names = seen.flatMap(({ headers }) => Object.keys(headers));
  expect(names.filter((name) => name.includes('version'))).toEqual([]);
});

// MR-SCH-01, MR-SCH-11, MR-HDR-23, MR-HDR-24, MR-VER-03
it('returns a schema document with its entity tag, and never caches it, even if Cache-Control allows it', async () => {
  const document = { openapi: '3.1.0' };
  server().script({ body: document, headers: { 'cache-control': 'public, max-age=600', etag: '"1"' } });
  const router = client();
  for (let times = 0; times < 2; times += 1)
    expect(await readModelSchema(router, 'a/b')).toEqual({ notModified: false, etag: '"1"', document });
  expect(server().seen).toHaveLength(2);
});

// MR-GEN-01
it('a client reads headers with the brand of its generated package', async () => {
  server().script({
    status: 404,
    body: { detail: 'No.', error_type: 'x' },
    headers: { 'x-acme-request-id': 'r-9', 'x-acme-error-type': 'model_not_found' },
  });
  expect(await catchFailure(readModel(client(), 'a/b'))).toMatchObject({
    requestId: 'r-9',
    category: { known: 'model_not_found' },
  });
});
