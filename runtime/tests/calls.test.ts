import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { listModels, readModel, readModelSchema } from '../src/catalog/index.ts';
import { queued, submit, subscribe } from '../src/queue/index.ts';
import { listPending, resume } from '../src/resume/index.ts';
import type { ConvertedResult, RunResult } from '../src/router/results.ts';
import { isRouterError, safe } from '../src/router/router-error.ts';
import {
  admitted,
  catchFailure,
  createClient,
  createModelRouter,
  id,
  input,
  queueState,
  requestId,
  secret,
  serveScripts,
} from './router-under-test.ts';
import { type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();
const ok: Reply = { body: { images: [] } };
type Output = { images: string[] };

it('the options of a call determine its types', () => {
  const compiled = async (maybe: string | undefined): Promise<void> => {
    const router = createModelRouter({ baseUrl: undefined, limits: undefined });
    expectTypeOf(await router.run(id, input)).toEqualTypeOf<RunResult<Output>>();
    expectTypeOf(await router.run(id, input, { as: undefined })).toEqualTypeOf<RunResult<Output>>();
    expectTypeOf((await router.run(id, input, { as: 'stream' })).data).toEqualTypeOf<ReadableStream<Uint8Array>>();
    expectTypeOf((await subscribe(router, id, input, { as: 'stream' })).data).toEqualTypeOf<
      ReadableStream<Uint8Array>
    >();
    const handle = await submit(router, id, input);
    expectTypeOf((await handle.result({ as: 'stream' })).data).toEqualTypeOf<ReadableStream<Uint8Array>>();
    expectTypeOf((await handle.result()).data).toEqualTypeOf<Output>();
    const outcome = await safe(router.run(id, input, { as: 'stream' }));
    if (outcome.ok) expectTypeOf(outcome.data).toEqualTypeOf<ReadableStream<Uint8Array>>();
    const converted = await router.run(id, input, { fallbackProvider: maybe });
    expectTypeOf(converted).toEqualTypeOf<ConvertedResult<Output>>();
    expectTypeOf((await router.run(id, 7, { modelProvider: 'two', strictMode: true })).data).toBeUnknown();
    // @ts-expect-error strict mode needs a provider
    await router.run(id, input, { strictMode: true });
    // @ts-expect-error no such option
    await router.run(id, input, { timeout: 1000 });
    // @ts-expect-error no model of this id is imported
    await router.run('image-provider/other', input);
    // @ts-expect-error the input of the model
    await router.run(id, { prompt: 1 });
    await router.run(id, input, {
      signal: undefined,
      deadlineMs: undefined,
      idempotencyKey: undefined,
      headers: undefined,
    });
  };
  expectTypeOf(compiled).returns.resolves.toBeVoid(); // The function is only compiled, never called.
});

describe('options of one call', () => {
  it('adds the headers of a call to those of the client, in any letter case, and never replaces the client’s own', async () => {
    const headers = { 'x-team': 'docs', 'x-trace': 'client', 'CONTENT-TYPE': 'text/plain', 'X-API-KEY': 'another' };
    const { router } = createClient(server(), { headers });
    server().script(ok);
    await router.run(id, input);
    await router.run(id, input, { headers: { 'X-Trace': 'call', 'x-api-key': 'other', authorization: 'a' } });
    const own = { 'x-team': 'docs', 'content-type': 'application/json', 'x-api-key': secret };
    expect(server().seen[0]?.headers).toMatchObject({ ...own, 'x-trace': 'client' });
    expect(server().seen[1]?.headers).toMatchObject({ ...own, 'x-trace': 'call' });
  });

  it('options that are undefined or null are treated as omitted, and so are headers that are undefined', async () => {
    const headers = { 'x-team': 'docs', 'x-trace': undefined };
    const { router } = createClient(server(), { headers });
    server().script(ok);
    const left = { signal: null, idempotencyKey: undefined, deadlineMs: undefined } as object;
    await router.run(id, input, { headers: { 'x-team': undefined, 'x-call': undefined }, ...left });
    const [{ headers: sent } = expect.unreachable('it was sent')] = server().seen;
    expect(sent).toMatchObject({ 'x-team': 'docs', 'idempotency-key': expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['x-trace']));
    expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['x-call']));
  });

  it.each([
    ['null', { 'x-trace': null }],
    ['a number', { 'x-trace': 5 }],
    ['a list', { 'x-trace': ['a'] }],
    ['a Headers object of the platform', new Headers({ 'x-trace': 'a' })],
    ['an idempotency key', { 'idempotency-KEY': 'mine' }],
  ])('rejects a call with invalid headers before anything is sent or stored: %s', async (_, given) => {
    server().script(ok);
    const { router } = createClient(server());
    const headers = given as object as Record<string, string>;
    expect(await catchFailure(router.run(id, input, { headers }))).toMatchObject({ kind: 'local', attempts: 0 });
    expect([server().seen, await listPending(router)]).toEqual([[], []]);
  });

  it.each([null, '', 17, 'job 1', 'a'.repeat(256)])(
    'rejects a call with the idempotency key %j, because it would start a run with a different key',
    async (idempotencyKey) => {
      server().script(ok);
      const error = await catchFailure(createClient(server()).router.run(id, input, { idempotencyKey } as object));
      expect(error).toMatchObject({ kind: 'local', attempts: 0, mayBeBilled: false });
      expect(error.message).toContain('idempotencyKey must be 1 to 255 visible ASCII characters');
      expect(server().seen).toEqual([]);
    },
  );

  it('a call can limit its attempts, and the time of one attempt', async () => {
    const { router } = createClient(server());
    server().script(routerError(503, 'service_unavailable'));
    expect(await catchFailure(router.run(id, input, { maxAttempts: 2 }))).toMatchObject({ attempts: 2 });
    server().script(() => new Promise(() => undefined));
    const error = await catchFailure(readModel(router, id, { maxAttempts: 2, attemptTimeoutMs: 50 }));
    expect(error).toMatchObject({ kind: 'timeout', deadlineMs: 50, attempts: 2, isRetryable: true });
    expect(error.message).toContain('no answer within 50 ms');
  });

  const unknown: [
    name: string,
    send: (router: ReturnType<typeof createModelRouter>, options: object) => Promise<unknown>,
  ][] = [
    ['run', (router, options) => router.run(id, input, options)],
    ['submit', (router, options) => submit(router, { id }, input, options)],
    ['subscribe', (router, options) => subscribe(router, id, input, options)],
    ['model', (router, options) => readModel(router, id, options)],
    ['schema', (router, options) => readModelSchema(router, id, options)],
    ['models', async (router, options) => listModels(router, options).next()],
    ['resume', (router, options) => resume(router, { idempotencyKey: 'k' }, options)],
    ['result', (router, options) => queued(router, id, requestId).result(options)],
    ['status', (router, options) => queued(router, id, requestId).status(options)],
    ['cancel', (router, options) => queued(router, id, requestId).cancel(options)],
  ];
  it.each(unknown)('rejects options that %s does not have, and sends nothing', async (_, send) => {
    server().script(ok);
    const error = await catchFailure(send(createClient(server()).router, { timeout: 1000 }));
    expect(error).toMatchObject({ kind: 'local', attempts: 0 });
    expect(error.message).toMatch(/timeout is not an option; options: signal, deadlineMs, /);
    expect(server().seen).toEqual([]);
  });
});

describe('the name of the client', () => {
  it('sends the client’s name as User-Agent outside of browsers, unless the options set that header', async () => {
    server().script(ok);
    await createClient(server()).router.run(id, input);
    await createClient(server(), { headers: { 'user-agent': 'mine' } }).router.run(id, input);
    vi.stubGlobal('document', {});
    const page = createClient(server()).router;
    vi.unstubAllGlobals();
    await page.run(id, input);
    const names = server().seen.map(({ headers }) => headers['user-agent']);
    expect(names).toEqual(['model-router-client', 'mine', 'node']);
  });
});

describe('validate', () => {
  const detail = [{ loc: ['body', 'prompt'], msg: 'must be a string', type: 'type' }];
  const validate = (value: unknown) =>
    typeof Object(value).prompt === 'string' ? ({ valid: true } as const) : ({ valid: false, detail } as const);
  const types = { input: {}, output: {} };
  const model = { id, types };

  it('rejects an invalid input before it is sent, with the error of the service', async () => {
    const { router } = createClient(server());
    server().script({ status: 422, body: { detail }, headers: { 'x-service-error-type': 'invalid_input' } });
    const theirs = await catchFailure(router.run({ id }, {}));
    server().script(ok);
    const ours = await catchFailure(router.run({ ...model, inputAuthored: true }, {}, { validate }));
    const { kind, status, fields, category } = { fields: [], category: {}, status: 0, ...theirs };
    expect(ours).toMatchObject({ kind, status, fields, category: { known: (category as { known: string }).known } });
    expect(ours).toMatchObject({ attempts: 0, mayBeBilled: false, isRetryable: false });
    expect(server().seen).toEqual([]);
    await router.run(model, input, { validate });
    await router.run(model, {});
    expect(server().seen).toHaveLength(2);
  });

  it('rejects a validate option that is not a function', async () => {
    const { router } = createClient(server());
    server().script(ok);
    const options = JSON.parse('{ "validate": true }');
    const error = await catchFailure(router.run(model, input, options));
    expect(error).toMatchObject({ kind: 'local', attempts: 0 });
    expect(error.message).toContain('validate must be the function validateInput of the model');
    expect(server().seen).toEqual([]);
  });
});

describe('an input', () => {
  const lost: [path: string, whole: object][] = [
    ['input.image', { image: new Blob(['a']) }],
    ['input.image', { image: new File(['a'], 'a.png') }],
    ['input.layers[1].pixels', { layers: [1, { pixels: new Uint8Array(2) }] }],
    ['input.image', { image: Buffer.from('a') }],
    ['input.image', { image: new ArrayBuffer(2) }],
    ['input.options', { options: new Map([['a', 1]]) }],
    ['input.tags', { tags: new Set(['a']) }],
    ['input.scale', { scale: Number.NaN }],
    ['input.scale', { scale: Number.POSITIVE_INFINITY }],
    ['input.layers[0]', { layers: [undefined] }],
    ['input.draw', { draw: () => undefined }],
    ['input.image', { image: Promise.resolve('a') }],
  ];
  it.each(lost)('rejects an input that JSON would change: %s', async (path, whole) => {
    server().script(ok);
    const error = await catchFailure(createClient(server()).router.run({ id }, whole));
    expect(error).toMatchObject({ kind: 'local', attempts: 0 });
    expect(error.message).toContain(`${path} is `);
    expect(server().seen).toEqual([]);
  });

  it('an input may have values with a toJSON method, and undefined members', async () => {
    server().script(ok);
    const when = new Date(0);
    const at = new URL('https://assets.example/a');
    const whole = { when, at, none: undefined, nothing: null, bare: Object.create(null), deep: [[{ a: 0 }]] };
    await createClient(server()).router.run({ id }, whole);
    expect(JSON.parse(server().seen[0]?.body ?? '')).toEqual({
      when: when.toISOString(),
      at: at.href,
      nothing: null,
      bare: {},
      deep: [[{ a: 0 }]],
    });
  });
});

describe('middleware', () => {
  it('a run whose middleware or fetch returns no response keeps its key and may be billed', async () => {
    server().script(ok);
    const { router } = createClient(server(), { maxAttempts: 1 });
    router.use(async (request, next) => void next(request) as never); // vitest fails for a rejection that nobody handles
    const mocked = createClient(server(), {
      maxAttempts: 1,
      fetch: async () => ({ ok: true, json: () => ({}) }) as never,
    });
    for (const one of [router, mocked.router]) {
      const error = await catchFailure(one.run(id, input));
      expect(error).toMatchObject({ kind: 'network', mayBeBilled: true, idempotencyKey: expect.any(String) });
      expect(error.message).toContain('fetch or a middleware returned no Response');
      expect(await listPending(one)).toHaveLength(1);
    }
  });

  it('middleware sees each attempt in order, can change it, and can answer it', async () => {
    const { router } = createClient(server());
    const seen: unknown[] = [];
    router.use(async (request, next) => {
      seen.push(['outer', request.attempt, request.operation, request.model, request.method]);
      return next({ ...request, headers: { ...request.headers, 'x-signed': 'yes' } });
    });
    router.use({
      middleware: async (request, next) => {
        seen.push(['inner', request.callId]);
        return request.attempt === 3 ? Response.json({ images: ['own'] }) : next(request);
      },
    });
    server().script(routerError(503, 'service_unavailable'));
    const { data } = await router.run(id, input);
    expect(data).toEqual({ images: ['own'] });
    const outer = (attempt: number) => ['outer', attempt, 'run', id, 'POST'];
    const [, [, callId] = []] = seen as string[][];
    expect(seen).toEqual([1, 2, 3].flatMap((attempt) => [outer(attempt), ['inner', callId]]));
    expect(server().seen.map(({ headers }) => headers['x-signed'])).toEqual(['yes', 'yes']);
  });
});

describe('observers', () => {
  it('observers see start and end of a call, and its attempts with an id and reasons', async () => {
    const events: [name: string, event: Record<string, unknown>][] = [];
    const names = ['onStart', 'onEnd', 'onRequest', 'onResponse', 'onRetry'];
    const observers = Object.fromEntries(
      names.map((name) => [name, (event: object) => void events.push([name, { ...event }])]),
    );
    const { router } = createClient(server(), { observers });
    server().script(routerError(503, 'service_unavailable'), ok);
    await router.run(id, input);
    const attempt = ['onRequest', 'onResponse'];
    expect(events.map(([name]) => name)).toEqual(['onStart', ...attempt, 'onRetry', ...attempt, 'onEnd']);
    expect(new Set(events.map(([, { callId }]) => callId)).size).toBe(1);
    expect(events[3]?.[1]).toMatchObject({ attempt: 1, reason: '503 service_unavailable' });
    expect(events[6]?.[1]).toMatchObject({ operation: 'run', model: id, durationMs: expect.any(Number) });
    server().script(routerError(401, 'unauthorized'));
    const error = await catchFailure(readModel(router, id));
    expect(events.at(-1)).toMatchObject(['onEnd', { operation: 'readModel', error }]);
    expect(events.at(-1)?.[1]['callId']).not.toBe(events[0]?.[1]['callId']);
  });

  it('a subscription is one call for observers', async () => {
    const ids: unknown[] = [];
    const { router } = createClient(server(), { observers: { onRequest: ({ callId }) => ids.push(callId) } });
    server().script(admitted(server()), { body: queueState(server(), 'COMPLETED') }, ok);
    await subscribe(router, id, input);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('errors', () => {
  it('recognises errors of other copies of the package, and shows their message in JSON', async () => {
    server().script(routerError(403, 'forbidden'));
    const error = await catchFailure(createClient(server()).router.run(id, input));
    expect(isRouterError(error)).toBe(true);
    const { isRouterError: ofCopy } = await import(`../src/router/router-error.ts?copy=${1}`);
    expect(ofCopy(error)).toBe(true);
    for (const other of [undefined, null, 'RouterError', new Error('no'), { name: 'RouterError' }])
      expect(isRouterError(other)).toBe(false);
    const printed = JSON.parse(JSON.stringify(error));
    expect(printed).toMatchObject({ name: 'RouterError', message: error.message, kind: 'router', status: 403 });
  });
});

it.each([
  ['https://router.example/v2', 'ends with /v2, and /v2 is added to it: use https://router.example'],
  ['https://router.example/base/v2/', 'ends with /v2, and /v2 is added to it: use https://router.example/base'],
  ['https://router.example/?key=1', 'ends with /?key=1, and /v2 is added to it: use https://router.example'],
  ['https://router.example/base#top', 'ends with #top, and /v2 is added to it: use https://router.example/base'],
])('rejects the base URL %s, and suggests the correct one', (baseUrl, message) => {
  expect(() => createModelRouter({ baseUrl, apiKey: 'k' })).toThrow(message);
});
