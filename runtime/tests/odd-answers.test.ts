import { describe, expect, it } from 'vitest';
import { listModels } from '../src/catalog/index.ts';
import { queued, submit, subscribe } from '../src/queue/index.ts';
import { listPending } from '../src/resume/index.ts';
import {
  admitted,
  catchFailure,
  createClient,
  createModelRouter,
  id,
  input,
  queueState,
  type Router,
  requestId,
  secret,
  serveScripts,
} from './router-under-test.ts';
import { type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();
const page = { body: '<html>Wait</html>', headers: { 'content-type': 'text/html', 'x-service-request-id': '' } };
const images = { body: { images: ['a'] } };
const done = (): Reply => ({ body: queueState(server(), 'COMPLETED') });
const unnamed = (body: object): Reply => ({ body: JSON.stringify(body), headers: {} });
type Call = (router: Router) => Promise<unknown>;

describe('a proxy page with a success status', () => {
  const calls: [name: string, call: Call, status: number, next: () => Reply[]][] = [
    ['a submission', (router) => submit(router, id, input), 201, () => [admitted(server())]],
    ['a collection', (router) => queued(router, id, requestId).result(), 202, () => [images]],
    ['a read of a status', (router) => queued(router, id, requestId).status(), 200, () => [done()]],
    ['a cancellation', (router) => queued(router, id, requestId).cancel(), 202, () => [{ body: { status: 'x' } }]],
    ['a listing', (router) => listModels(router).next(), 200, () => [{ body: { data: [], has_more: false } }]],
  ];
  it.each(calls)('retries %s after a proxy page', async (_, call, status, next) => {
    server().script({ ...page, status }, ...next());
    const { router } = createClient(server());
    await call(router);
    expect(server().seen).toHaveLength(2);
    expect(new Set(server().seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect((await listPending(router)).map(({ operation }) => operation)).not.toContain('run');
  });
});

describe('JSON without a media type', () => {
  it('JSON without a media type is read as JSON, and other bytes as bytes', async () => {
    const others = ['plain', '12', '{ no JSON'];
    server().script(unnamed(images.body), ...others.map((body) => ({ body, headers: {} })));
    const { router } = createClient(server());
    expect((await router.run(id, input)).data).toEqual(images.body);
    for (const text of others) expect((await router.run(id, input)).data).toEqual(new TextEncoder().encode(text));
  });

  it('reads JSON without a media type in responses of the queue too', async () => {
    const state = (word: string) => unnamed(queueState(server(), word));
    server().script({ ...(state('WAITING') as object), status: 201 }, state('COMPLETED'), unnamed(images.body));
    expect((await subscribe(createClient(server()).router, id, input)).data).toEqual(images.body);
    expect(server().seen).toHaveLength(3);
  });
});

it.each([201, 204, 202])('returns the output of a run whose first response has status %i', async (status) => {
  server().script(status === 201 ? { ...images, status } : { status, body: '' }, images);
  const { router } = createClient(server());
  expect((await router.run(id, input)).data).toEqual(images.body);
  expect(server().seen).toHaveLength(status === 201 ? 1 : 2);
});

it.each<[name: string, call: Call]>([
  ['a run', (router) => router.run(id, input)],
  ['polling', (router) => queued(router, id, requestId).states()[Symbol.asyncIterator]().next()],
])('a redirect that the browser hides ends %s', async (_, call) => {
  const fetch = async (): Promise<Response> => Object.defineProperty(new Response(), 'status', { value: 0 });
  const error = await catchFailure(call(createClient(server(), { fetch }).router));
  expect(error).toMatchObject({ status: 0, attempts: 1 });
  expect(error.message).toContain('the session may have ended');
});

it('a rejection after an unclear response may be billed, and keeps the key', async () => {
  server().script({ status: 204, body: '' }, routerError(401, 'unauthorized'));
  const { router } = createClient(server());
  expect(await catchFailure(router.run(id, input))).toMatchObject({ status: 401, mayBeBilled: true });
  expect(await listPending(router)).toHaveLength(1);
});

describe('headers that a proxy has sent twice', () => {
  it('reads a header once if a proxy has repeated it', async () => {
    const words = 'concurrency_limit_exceeded, concurrency_limit_exceeded';
    const twice = { 'content-type': 'application/json, application/json' };
    server().script(
      { status: 409, body: { detail: 'x' }, headers: { 'x-service-error-type': words, 'retry-after': '7, 7' } },
      { ...images, headers: twice },
    );
    const { router, clock } = createClient(server());
    const model = { id, outputMediaTypes: ['application/json'] };
    expect((await router.run(model, input as never)).data).toEqual(images.body);
    expect(clock.slept).toEqual([7000]);
  });
});

describe('a request that was admitted', () => {
  it('a queued request stays in the store if collecting it returns 404', async () => {
    server().script(admitted(server()), done(), routerError(404, 'request_not_found'));
    const { router } = createClient(server());
    expect(await catchFailure(subscribe(router, id, input))).toMatchObject({ status: 404, attempts: 4 });
    expect(await listPending(router)).toMatchObject([{ queued: { requestId } }]);
  });

  it('collects the admitted request even if a status response has a different request id', async () => {
    const other = `${requestId.slice(0, -1)}c`;
    const at = `${server().url}/others`;
    const addresses = { request_id: other, status_url: `${at}/s`, response_url: `${at}/r`, cancel_url: `${at}/c` };
    server().script(admitted(server()), { body: { ...addresses, status: 'COMPLETED' } }, images);
    await subscribe(createClient(server()).router, id, input);
    expect(server().seen.at(-1)?.url).toBe(`/elsewhere/${requestId}/r`);
  });

  it('follows a queued request whose URLs are relative', async () => {
    const state = { request_id: requestId, status: 'WAITING', status_url: '/s', response_url: '/r', cancel_url: '/c' };
    server().script({ status: 201, body: state }, { body: { ...state, status: 'COMPLETED' } }, images);
    await subscribe(createClient(server()).router, id, input);
    expect(server().seen.map(({ url }) => url)).toEqual([`/v2/models/${id}/requests`, '/s', '/r']);
  });
});

it('strips white space around the base URL', async () => {
  server().script(images);
  await createModelRouter({ baseUrl: ` ${server().url}/ `, apiKey: secret }).run(id, input);
  expect(server().seen).toHaveLength(1);
});

describe('the message of an error', () => {
  it('an error message contains its advice once, even if the quoted message of the last attempt contains it too', async () => {
    server().script(routerError(503, 'service_unavailable', { 'retry-after': '60' }));
    const { router } = createClient(server());
    const { message } = await catchFailure(router.run(id, input, { deadlineMs: 5000 }));
    expect(message).toMatch(/within 5000 ms; the last attempt: .* 60 s\. It may still run and be billed: .*\.$/);
    expect(message.split('may still run and be billed')).toHaveLength(2);
  });

  const advice = /It may still run and be billed: only repeat it with the key \S+\.$/;
  it.each([
    [routerError(500, 'internal_error'), advice],
    [{ status: 302, headers: { location: 'https://login.example' }, body: '' }, advice],
    [{ status: 502, body: '' }, /502 \(request request-1\): no body\. It may/],
    [routerError(503, 'service_unavailable', { 'retry-after': '7200' }), /Retry after 7200 s\. It may still run/],
    [routerError(429, 'rate_limited', { 'retry-after': '7200' }), /rate_limited: It is .*\. Retry after 7200 s\.$/],
    [routerError(401, 'unauthorized'), /401 \(request request-1\) unauthorized: It is unauthorized\.$/],
  ])('the error message after the response %j contains the advice for that response', async (reply, message) => {
    server().script(reply as Reply);
    const { router } = createClient(server());
    expect((await catchFailure(router.run(id, input, { maxAttempts: 1 }))).message).toMatch(message);
  });

  it('the error message of a rejected retry mentions that the first attempt may still run', async () => {
    server().script('reset', routerError(401, 'unauthorized'));
    expect((await catchFailure(createClient(server()).router.run(id, input))).message).toMatch(advice);
    server().script('reset', routerError(409, 'invalid_input'));
    expect((await catchFailure(createClient(server()).router.run(id, input))).message).not.toMatch(advice);
  });
});
