import { expect, test } from 'vitest';
import { parseBrand } from '../../specs/src/index.ts';
import { readCatalog } from '../src/catalog/read-catalog.ts';
import { createRouterClient } from '../src/catalog/router-client.ts';
import { GeneratorError } from '../src/diagnostics.ts';
import { createFakeRouter, type FakeRouter, modelDocument, type Reply, routerUrl } from './fake-router.ts';
import { instantClock } from './run-generate.ts';

const brand = parseBrand('Service');
const entry = (id: string) => ({ id, billing: { charges_on_policy_rejection: 'yes' } });

function read(router: FakeRouter, clock = instantClock()) {
  const credential = { kind: 'api-key', value: 'sk-test' } as const;
  const source = createRouterClient({ routerUrl, credential, brand }, { http: router.http, clock });
  return readCatalog(source, () => {});
}

/** Creates a router that serves these pages of the catalog, by cursor; `''` is the first page. */
function paged(pages: Record<string, Reply>): FakeRouter {
  const router = createFakeRouter();
  router.intercept = (_, url) => pages[url.searchParams.get('cursor') ?? ''];
  return router;
}

async function failure(router: FakeRouter): Promise<GeneratorError> {
  const error = await read(router).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof GeneratorError)) throw new Error(`expected a GeneratorError, got ${String(error)}`);
  return error;
}

test('reads the catalog until has_more is false, including short and empty pages, with unchanged cursors', async () => {
  const router = paged({
    '': { body: { data: [entry('p/b')], has_more: true, next_cursor: 'a+b/c=%20' } },
    'a+b/c=%20': { body: { data: [], has_more: true, next_cursor: 'third' } },
    third: { body: { data: [entry('p/a'), entry('p/b')], has_more: false, next_cursor: 'ignored' } },
  });
  const catalog = await read(router);
  expect(catalog.entries.map(({ id }) => id)).toEqual(['p/a', 'p/b']);
  expect(catalog.pages).toBe(3);
  expect(router.requests.every(({ url }) => new URL(url).searchParams.get('limit') === '100')).toBe(true);
});

test('omits malformed entries of the catalog with a diagnostic and reads the others', async () => {
  const catalog = await read(
    paged({ '': { body: { data: [entry('p/a'), { id: 3 }, entry('nope')], has_more: false } } }),
  );
  expect(catalog.entries).toHaveLength(1);
  expect(catalog.diagnostics.map(({ code }) => code)).toEqual(['catalog-entry-malformed', 'catalog-entry-malformed']);
});

test('reads the catalog again from the start after a rejected cursor, and merges the entries by id', async () => {
  const router = createFakeRouter();
  let walks = 0;
  router.intercept = (_, url) => {
    const cursor = url.searchParams.get('cursor');
    if (cursor === null) return { body: { data: [entry(`p/${++walks}`)], has_more: true, next_cursor: 'next' } };
    if (walks === 1) return { status: 400, body: { detail: 'expired', error_type: 'invalid_input' } };
    return { body: { data: [entry('p/1'), entry('p/last')], has_more: false } };
  };
  expect((await read(router)).entries.map(({ id }) => id)).toEqual(['p/1', 'p/2', 'p/last']);
});

test('ends the run if the router rejects a cursor again after the catalog was restarted', async () => {
  const router = paged({
    '': { body: { data: [], has_more: true, next_cursor: 'next' } },
    next: { status: 400, body: { detail: 'expired', error_type: 'invalid_input' } },
  });
  expect(await failure(router)).toMatchObject({ code: 'cursor-rejected', operation: 'listModels', status: 400 });
});

test('ends the run without a restart after a 400 that does not have the error type of the router', async () => {
  const router = paged({
    '': { body: { data: [], has_more: true, next_cursor: 'next' } },
    next: { status: 400, body: '<html>Bad Request</html>' },
  });
  expect(await failure(router)).toMatchObject({ code: 'source-refused', category: 'internal_error', status: 400 });
  expect(router.requests).toHaveLength(2);
});

test('reports a cursor loop with operation, page and request id', async () => {
  const router = paged({
    '': { body: { data: [], has_more: true, next_cursor: 'one' } },
    one: { body: { data: [], has_more: true, next_cursor: 'two' } },
    two: { body: { data: [], has_more: true, next_cursor: 'one' }, headers: { 'x-service-request-id': 'req-loop' } },
  });
  const error = await failure(router);
  expect(error).toMatchObject({ code: 'cursor-loop', operation: 'listModels', requestId: 'req-loop' });
  expect(error.message).toContain('page 3');
});

test.each<[string, Reply, object, string]>([
  ['has_more without a cursor', { body: { data: [], has_more: true } }, { code: 'cursor-missing' }, 'page 1'],
  [
    'an HTML page',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in, secret-token-text</html>' },
    { code: 'source-not-json', status: 200, requestId: 'req-1' },
    'HTML page (status 200, media type text/html)',
  ],
  [
    'truncated JSON',
    { headers: { 'content-type': 'application/json' }, body: '{"data":[{"id":' },
    { code: 'source-not-json', status: 200 },
    'invalid or truncated JSON',
  ],
  ['a different JSON body', { body: { models: [] } }, { code: 'catalog-malformed' }, 'not a list of models'],
])('reports %s instead of the catalog as an error, without retries', async (_, answer, facts, words) => {
  const router = paged({ '': answer });
  const error = await failure(router);
  expect(error).toMatchObject({ operation: 'listModels', ...facts });
  expect(error.message).toContain(words);
  expect(error.message).not.toContain('secret-token-text');
  expect(error.help).toBeTruthy();
  expect(router.requests).toHaveLength(1);
});

test('retries after a 503 for the catalog, and never treats it as an empty catalog (MR-CAT-58)', async () => {
  const router = paged({ '': { status: 503, headers: { 'retry-after': '2' }, body: {} } });
  const clock = instantClock();
  await expect(read(router, clock)).rejects.toMatchObject({ code: 'source-unavailable', status: 503 });
  expect(clock.waits).toEqual([2_000, 2_000, 2_000]);
});

test('reports a source without a server as unreachable', async () => {
  const router = createFakeRouter();
  router.intercept = () => ({ kind: 'no-response', because: 'refused', detail: 'fetch failed: ECONNREFUSED' });
  const error = await failure(router);
  expect(error.code).toBe('source-unreachable');
  expect(error.message).toBe(`the catalog of ${routerUrl} cannot be read: no connection (fetch failed: ECONNREFUSED)`);
  expect(error.help).toContain('Check the URL');
});

test('sends no credential to a different origin after a redirect', async () => {
  const router = paged({ '': { status: 302, headers: { location: 'http://elsewhere.test/v2/models' } } });
  expect(await failure(router)).toMatchObject({ code: 'redirect-refused', status: 302 });
  expect(router.requests.map(({ url }) => new URL(url).origin)).toEqual([routerUrl]);
});

test('follows a redirect on the same origin with the credential', async () => {
  const router = createFakeRouter({ 'p/a': modelDocument('p/a') });
  router.intercept = (_, url) =>
    url.pathname === '/v2/models' && !url.searchParams.has('moved') ? moved(url) : undefined;
  expect((await read(router)).entries).toHaveLength(1);
  expect(router.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['sk-test', 'sk-test']);
});

function moved(url: URL): Reply {
  return { status: 307, headers: { location: `${url.pathname}${url.search}&moved=1` } };
}

test('ends the run if a catalog never stops returning a next cursor', { timeout: 60_000 }, async () => {
  const router = createFakeRouter();
  let number = 0;
  router.intercept = () => ({ body: { data: [], has_more: true, next_cursor: String(++number) } });
  expect(await failure(router)).toMatchObject({
    code: 'catalog-endless',
    message: expect.stringContaining('20000 pages'),
  });
});

test('generate fails if reading the catalog takes too long', async () => {
  const router = createFakeRouter();
  let number = 0;
  const clock = { ...instantClock(), now: () => number * 60_000 };
  router.intercept = () => ({ body: { data: [], has_more: true, next_cursor: String(++number) } });
  const source = createRouterClient({ routerUrl, credential: undefined, brand }, { http: router.http, clock });
  const failed = readCatalog(source, () => {});
  await expect(failed).rejects.toMatchObject({ code: 'catalog-endless', message: expect.stringContaining('16 pages') });
});

test('sends a bearer credential in the Authorization header', async () => {
  const router = createFakeRouter({ 'p/a': modelDocument('p/a') });
  const source = createRouterClient(
    { routerUrl: `${routerUrl}/`, credential: { kind: 'bearer', value: 'token' }, brand },
    { http: router.http, clock: instantClock() },
  );
  await readCatalog(source, () => {});
  expect(router.requests[0]?.headers).toMatchObject({ authorization: 'Bearer token' });
  expect(router.requests[0]?.url).toBe(`${routerUrl}/v2/models?limit=100`);
});

test.each([
  ['contains invalid Unicode', '\ud800'],
  ['is longer than 2,048 characters', 'x'.repeat(2049)],
])('ends the run, with the page in the message, after a cursor that %s', async (_, cursor) => {
  const router = paged({ '': { body: { data: [entry('p/a')], has_more: true, next_cursor: cursor } } });
  expect(await failure(router)).toMatchObject({ code: 'cursor-missing', operation: 'listModels', requestId: 'req-1' });
});

test('accepts a cursor of 2,048 characters and an id of 193, and rejects longer ones', async () => {
  const cursor = 'x'.repeat(2048);
  const id = `${'p'.repeat(64)}/${'m'.repeat(128)}`;
  const { entries } = await read(
    paged({
      '': { body: { data: [entry(id)], has_more: true, next_cursor: cursor } },
      [cursor]: { body: { data: [entry(`${id}m`), entry(`p${id}`)], has_more: false } },
    }),
  );
  expect(entries.map((one) => one.id)).toEqual([id]);
});
