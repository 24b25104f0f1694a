import { beforeEach, describe, expect, test } from 'vitest';
import { createModelRouterProxy, type ProxyHandler, type ProxyOptions } from '../../generated/model-router/proxy.js';
import { createSandbox, type Sandbox } from '../../sandbox/src/index.ts';

const still = 'image-provider/still-2.1';
const queued = 'video-provider/motion4-turbo';
const page = 'https://app.example';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});

/** Uses the bearer token as the user, because these tests need no session. */
const findUser = (request: Request): string | undefined =>
  request.headers.get('authorization')?.replace('Bearer ', '') || undefined;

function proxyTo(options: Partial<ProxyOptions> = {}): ProxyHandler {
  return createModelRouterProxy({
    baseUrl: 'https://router.example',
    apiKey: sandbox.credentials.router.main,
    models: [still, queued],
    findUser,
    fetch: (url, init) => sandbox.fetch(new Request(url, init)),
    ...options,
  });
}

type Call = { user?: string; key?: string; body?: object; headers?: Record<string, string> };
function call(method: string, path: string, { user = 'ada', key, body, headers = {} }: Call = {}): Request {
  return new Request(`${page}${path}`, {
    method,
    headers: {
      ...(user === '' ? {} : { authorization: `Bearer ${user}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
const run = (options: Call): Request =>
  call('POST', `/v2/models/${still}`, {
    body: { prompt: 'a harbour' },
    ...options,
    headers: { 'content-type': 'application/json' },
  });

test.each([
  ['an unknown path', call('GET', '/v1/models'), 404],
  ['a method that the API does not have', call('DELETE', `/v2/models/${still}`), 404],
  ['dot segments', call('POST', `/v2/models/${still}/requests/..%2f..%2fother`), 404],
  ['an encoded slash', call('GET', '/v2/models/image-provider%2Fstill-2.1/openapi.json'), 404],
  ['a malformed escape', call('GET', '/v2/models/image-provider/%E0%A4'), 404],
  ['a model that is not in the list', call('POST', '/v2/models/text-provider/outline'), 403],
  ['the catalog if only some models are allowed', call('GET', '/v2/models'), 403],
])('the proxy rejects %s without a request to the router', async (_, request, status) => {
  let sent = 0;
  const proxy = proxyTo({
    fetch: async () => {
      sent += 1;
      return new Response();
    },
  });
  expect([(await proxy(request)).status, sent]).toEqual([status, 0]);
});

test('the proxy forwards reads of the catalog if all models are allowed', async () => {
  const response = await proxyTo({ models: 'all' })(call('GET', '/v2/models?limit=2'));
  expect((await response.json()).data).toHaveLength(2);
});

test('the proxy serves its operations below a base path', async () => {
  const proxy = proxyTo({ basePath: '/api/' });
  expect((await proxy(call('GET', `/api/v2/models/${still}`))).status).toBe(200);
  expect((await proxy(call('GET', `/v2/models/${still}`))).status).toBe(404);
});

describe('idempotency keys', () => {
  const billed = (): number => sandbox.ledger().billed;

  test('the proxy replays a repeated key of one user, which is billed once', async () => {
    const proxy = proxyTo();
    const first = await (await proxy(run({ key: 'K' }))).text();
    const again = await proxy(run({ key: 'K' }));
    expect([await again.text(), again.headers.get('idempotent-replayed'), billed()]).toEqual([first, 'true', 1]);
  });

  test.each([
    [
      { user: 'bob', key: 'smith.K' },
      { user: 'bob.smith', key: 'K' },
    ],
    [
      { user: 'ada', key: 'K' },
      { user: 'bob', key: 'K' },
    ],
    [
      { user: '1:a', key: 'b' },
      { user: '1', key: ':ab' },
    ],
    [
      { user: 'ä', key: 'K' },
      { user: 'a\u0308', key: 'K' },
    ],
  ])('the proxy starts different runs for the users and keys %j and %j', async (one, other) => {
    const proxy = proxyTo({ findUser: (request) => decodeURIComponent(findUser(request) ?? '') });
    for (const { user, key } of [one, other]) await proxy(run({ user: encodeURIComponent(user), key }));
    expect(billed()).toBe(2);
    for (const { key } of sandbox.ledger().keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  test('if a page disconnects from the proxy, a call with the same key gets the result, and the run is billed once', async () => {
    const proxy = proxyTo({
      fetch: async (url, init) => {
        const response = await sandbox.fetch(new Request(url, { ...init, signal: null }));
        init.signal?.throwIfAborted();
        return response;
      },
    });
    const gone = new AbortController();
    const waiting = proxy(new Request(run({ key: 'K' }), { signal: gone.signal }));
    gone.abort();
    await waiting.catch(() => undefined);
    expect((await proxy(run({ key: 'K' }))).status).toBe(200);
    expect(billed()).toBe(1);
  });
});

test('the proxy option authorize receives each call and can reject or answer it', async () => {
  const seen: object[] = [];
  const proxy = proxyTo({
    authorize: ({ operation, startsRun, model, requestId, user }) => {
      seen.push({ operation, startsRun, model, requestId, user });
      if (operation === 'readRequestStatus') return Response.json({ detail: 'later' }, { status: 429 });
      return operation !== 'cancelRequest';
    },
  });
  const path = `/v2/models/${queued}/requests`;
  const statuses = [
    await proxy(call('GET', `${path}/r1/status`)),
    await proxy(call('PUT', `${path}/r1/cancel`)),
    await proxy(run({})),
  ].map(({ status }) => status);
  expect(statuses).toEqual([429, 403, 200]);
  expect(seen).toEqual([
    { operation: 'readRequestStatus', startsRun: false, model: queued, requestId: 'r1', user: 'ada' },
    { operation: 'cancelRequest', startsRun: false, model: queued, requestId: 'r1', user: 'ada' },
    { operation: 'runModel', startsRun: true, model: still, requestId: undefined, user: 'ada' },
  ]);
});

test('the proxy sends its own credential, and no credential, cookie or empty header from the page', async () => {
  const sent: Record<string, string>[] = [];
  const proxy = proxyTo({
    apiKey: async () => ' server-key \n',
    fetch: async (_, init) => {
      sent.push(Object.fromEntries(new Headers(init.headers)));
      return new Response('{}', { headers: { 'set-cookie': 'a=b', server: 'x', 'x-service-request-id': 'r' } });
    },
  });
  const headers = { cookie: 'session=1', 'x-api-key': 'page-key', 'x-forwarded-for': '10.0.0.1', accept: '*/*' };
  const response = await proxy(call('GET', `/v2/models/${still}`, { headers }));
  expect(sent).toEqual([{ 'x-api-key': 'server-key', accept: '*/*' }]);
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/plain;charset=UTF-8',
    'x-service-request-id': 'r',
  });
});

test.each([
  ['an unreachable router', () => Promise.reject(new TypeError('connect ECONNREFUSED 10.0.0.1'))],
  ['a redirect', async () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example' } })],
])('the proxy returns 502 without details for %s', async (_, fetch) => {
  const response = await proxyTo({ fetch })(run({}));
  expect(response.status).toBe(502);
  expect(await response.text()).not.toMatch(/10\.0\.0\.1|elsewhere/);
});

test.each([
  [{ baseUrl: 'router.example' }, 'baseUrl'],
  [{ apiKey: '' }, 'apiKey'],
  [{ models: undefined }, 'models'],
  [{ findUser: undefined }, 'findUser'],
])('the proxy rejects %j and names the invalid option', (options, name) => {
  expect(() => proxyTo(options as never)).toThrow(name);
});
