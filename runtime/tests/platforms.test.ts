import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseUrl } from '../src/http/base-url.ts';
import { queued, subscribe } from '../src/queue/index.ts';
import { listPending } from '../src/resume/index.ts';
import {
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
afterEach(() => vi.unstubAllGlobals());
const json = { 'content-type': 'application/json', 'x-service-request-id': 'r' };
const images = '{"images":["a"]}';

/** Responses of platforms whose bodies are not web streams. */
const platforms: [name: string, respond: (text: string, type: string) => Response][] = [
  ['without a body, such as React Native', (text, type) => bodiless(text, type, undefined)],
  ['with null for a body', (text, type) => bodiless(text, type, null)],
  ['with a Node stream, such as node-fetch', (text, type) => bodiless(text, type, Readable.from([Buffer.from(text)]))],
];
function bodiless(text: string, type: string, body: unknown): Response {
  const response = new Response(text, { headers: { ...json, 'content-type': type } });
  return Object.defineProperty(response, 'body', { value: body });
}

describe.each(platforms)('a response %s', (_, respond) => {
  const at = (text: string, type: string, more = {}) =>
    createModelRouter({
      baseUrl: 'https://a.example',
      apiKey: secret,
      fetch: async () => respond(text, type),
      ...more,
    });

  it('reads a Response object from another platform as JSON, text and bytes', async () => {
    expect((await at(images, 'application/json').run(id, input)).data).toEqual({ images: ['a'] });
    expect((await at('words', 'text/plain').run({ id }, input)).data).toBe('words');
    expect((await at('bytes', 'audio/mpeg').run({ id }, input)).data).toEqual(new TextEncoder().encode('bytes'));
  });

  it('limits the size of a response of another platform, and never treats it as an empty success', async () => {
    const bounded = at(images, 'application/json', { maxResponseBytes: 4 });
    expect(await catchFailure(bounded.run(id, input))).toMatchObject({ kind: 'decode', attempts: 1 });
    const empty = at('', 'application/json', { maxAttempts: 1 });
    expect(await catchFailure(empty.run(id, input))).toMatchObject({ kind: 'decode' });
  });

  it('streams a response of another platform', async () => {
    const { data } = await at('bytes', 'audio/mpeg').run({ id }, input, { as: 'stream' });
    expect(await new Response(data as ReadableStream).text()).toBe('bytes');
  });
});

it('runs a model on platforms without TextEncoder and TextDecoder, such as jsdom, and shows no credential', async () => {
  vi.stubGlobal('TextEncoder', undefined);
  vi.stubGlobal('TextDecoder', undefined);
  const answers = [
    new Response(images, { headers: json }),
    Response.json({ detail: `got ${secret}` }, { status: 403 }),
  ];
  const fetch = async () => answers.shift() ?? expect.unreachable('there are two answers');
  const router = createModelRouter({ baseUrl: 'https://a.example', apiKey: secret, fetch });
  expect((await router.run(id, input)).data).toEqual({ images: ['a'] });
  expect((await catchFailure(router.run(id, input))).message).toContain('got [redacted]');
});

describe('on React Native', () => {
  /** Like the `URL` of React Native 0.83, which appends a slash, and that of 0.72, which lacks most members. */
  class PartialUrl {
    readonly href: string;
    constructor(url: string) {
      this.href = `${url.replace(/\/*$/, '')}/`;
    }
    get origin(): string {
      throw new Error('URL.origin is not implemented');
    }
  }

  it('uses the queue on React Native, whose URL class is incomplete', async () => {
    const { url } = server();
    vi.stubGlobal('URL', PartialUrl);
    const replies = [queueState(server(), 'WAITING'), queueState(server(), 'COMPLETED'), { images: ['a'] }];
    const asked: string[] = [];
    const fetch = async (address: string): Promise<Response> => {
      asked.push(address);
      return Response.json(replies[asked.length - 1], { status: asked.length === 1 ? 201 : 200, headers: json });
    };
    const { router } = createClient(server(), { fetch });
    expect((await subscribe(router, id, input)).data).toEqual({ images: ['a'] });
    const elsewhere = `${url}/elsewhere/${requestId}`;
    expect(asked).toEqual([`${url}/v2/models/${id}/requests`, `${elsewhere}/s`, `${elsewhere}/r`]);
  });

  it('accepts signals that have neither a reason nor throwIfAborted', async () => {
    const { signal } = new AbortController();
    Object.assign(signal, { throwIfAborted: undefined });
    server().script({ body: { images: ['a'] } });
    const { router } = createClient(server());
    expect((await router.run(id, input, { signal })).data).toEqual({ images: ['a'] });
    Object.defineProperties(signal, { aborted: { value: true }, reason: { value: undefined } });
    expect(await catchFailure(router.run(id, input, { signal }))).toMatchObject({ kind: 'aborted', attempts: 0 });
  });
});

describe('parseUrl', () => {
  it.each([
    ['https://a.example:443/x?y#z', { href: 'https://a.example:443/x?y', origin: 'https://a.example', pathname: '/x' }],
    ['HTTP://A.example:8080', { origin: 'http://a.example:8080', pathname: '' }],
    ['http://[::1]:3000/v2', { origin: 'http://[::1]:3000', pathname: '/v2' }],
    ['https://user:word@a.example/x', { origin: 'https://a.example', hasUserName: true }],
    ['/v2/models', { origin: 'https://home.example', pathname: '/v2/models' }],
    ['//other.example/v2', { origin: 'https://other.example' }],
  ])('parseUrl splits %s', (address, expected) => {
    expect(parseUrl(address, 'https://home.example/api')).toMatchObject(expected);
  });

  it.each(['', 'models', 'file:///etc/passwd', 'https://', 'https://a b/', 'https://a\\@b.example/', 'https://a@b@c/'])(
    'parseUrl returns no parts for "%s"',
    (address) => expect(parseUrl(address, 'https://home.example')).toEqual({}),
  );

  it('parseUrl returns the origin to which the platform would send the request', () => {
    const parts = [
      'https://',
      'http:/',
      '//',
      'a.example',
      'b.example',
      '@',
      ':443',
      ':8',
      '/',
      '\\',
      '?',
      '#',
      '\t',
      '%2f',
      '.',
    ];
    const texts = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => `https://${list.join('')}`);
    const trusted = ['https://a.example', 'https://a.example:8'];
    fc.assert(
      fc.property(texts, (text) => {
        const { origin = '' } = parseUrl(text);
        return !trusted.includes(origin) || new URL(text).origin === origin;
      }),
      { numRuns: 3000 },
    );
  });
});

it('keeps the digest of an error that Next.js throws for its renderer, and does not retry', async () => {
  const fetch = vi.fn(async () => {
    throw Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' });
  });
  const { router } = createClient(server(), { fetch });
  const error = await catchFailure(queued(router, id, requestId).status());
  expect([error, fetch.mock.calls.length]).toMatchObject([{ name: 'RouterError', digest: 'DYNAMIC_SERVER_USAGE' }, 1]);
});

it('recognises from the error message of Deno that nothing was sent', async () => {
  const cause = new Error('error sending request for url (http://a/): client error (Connect): tcp connect error');
  const { router } = createClient(server(), { fetch: () => Promise.reject(new TypeError('fetch failed', { cause })) });
  const error = await catchFailure(router.run(id, input));
  expect(error).toMatchObject({ kind: 'network', mayBeBilled: false });
});

it('calls a custom fetch without the client as `this`, which browsers reject', async () => {
  const fetch = async function (this: unknown): Promise<Response> {
    return this === undefined ? new Response(images, { headers: json }) : Response.json({}, { status: 500 });
  };
  const router = createModelRouter({ baseUrl: 'https://a.example', apiKey: secret, fetch, maxAttempts: 1 });
  expect((await router.run(id, input)).data).toEqual({ images: ['a'] });
});

it('a call without crypto.getRandomValues fails, and the error suggests a polyfill', async () => {
  vi.stubGlobal('crypto', undefined);
  const made = createModelRouter({ baseUrl: 'https://a.example', apiKey: secret });
  await expect(made.run(id, input)).rejects.toThrow('no crypto.getRandomValues');
});

it('a call fails locally, and is neither repeated nor billed, on a platform without fetch', async () => {
  vi.stubGlobal('fetch', undefined); // as in the jsdom of Jest
  const made = createModelRouter({ baseUrl: 'https://a.example', apiKey: secret });
  const error = await catchFailure(made.run(id, input));
  expect(error).toMatchObject({ kind: 'local', attempts: 1, isRetryable: false, mayBeBilled: false });
  expect(error.message).toContain('no fetch: set the option fetch');
  expect(await listPending(made)).toEqual([]);
});

it('sends reads with cache: no-store, because some platforms would cache them', async () => {
  const asked: unknown[] = [];
  const fetch = async (_: string, { method, cache }: { method: string; cache?: string }): Promise<Response> => {
    asked.push([method, cache]);
    return new Response(images, { headers: json });
  };
  const { router } = createClient(server(), { fetch });
  await router.run(id, input);
  await queued(router, id, requestId).result();
  expect(asked).toEqual([
    ['POST', undefined],
    ['GET', 'no-store'],
  ]);
});

describe('integers beyond 2^53', () => {
  it('sends integers beyond 2^53 exactly, and returns them in the text of a result', async () => {
    server().script({ body: '{"seed":9007199254740993}', headers: { 'content-type': 'application/json' } });
    const sent = { seed: 9007199254740993n, list: [-1n], text: '9007199254740993' };
    const { text } = await createClient(server()).router.run({ id }, sent);
    expect(server().seen[0]?.body).toBe('{"seed":9007199254740993,"list":[-1],"text":"9007199254740993"}');
    expect(text).toBe('{"seed":9007199254740993}');
  });
});

describe('an error before the first attempt', () => {
  const stop = (): never => {
    throw new Error('not signed in');
  };
  it('an error of a middleware before the first attempt is local, not retryable and not billed', async () => {
    const { router } = createClient(server());
    router.use(async () => stop());
    server().script({});
    const error = await catchFailure(router.run(id, input));
    expect(error).toMatchObject({ kind: 'local', attempts: 1, isRetryable: false, mayBeBilled: false });
    expect(error.message).toContain('not signed in');
    expect([server().seen, await listPending(router)]).toEqual([[], []]);
  });

  it('keeps the key and mayBeBilled if an attempt was already sent', async () => {
    const { router } = createClient(server());
    router.use(async (request, next) => (request.attempt === 1 ? next(request) : stop()));
    server().script('reset');
    const error = await catchFailure(router.run(id, input));
    expect(error).toMatchObject({ kind: 'local', attempts: 2, mayBeBilled: true, idempotencyKey: expect.any(String) });
    expect(await listPending(router)).toHaveLength(1);
  });

  it('a call fails locally if the platform rejects the program’s signals', async () => {
    class Foreign {
      readonly signal = new EventTarget();
      abort(): void {
        this.signal.dispatchEvent(new Event('abort'));
      }
    }
    vi.stubGlobal('AbortController', Foreign);
    server().script({});
    const error = await catchFailure(createClient(server()).router.run(id, input));
    expect(error).toMatchObject({ kind: 'local', mayBeBilled: false, isRetryable: false });
    expect(server().seen).toEqual([]);
  });

  it.each([
    ['an invalid signal', { signal: {} as AbortSignal }, 'the option signal'],
    ['an invalid header', { headers: { 'x-trace': 'a\nb' } }, 'the header x-trace'],
    ['an invalid number', { attemptTimeoutMs: Number.NaN }, 'the option attemptTimeoutMs'],
  ])('a local error mentions %s', async (_, options, words) => {
    const error = await catchFailure(createClient(server()).router.run(id, input, options));
    expect(error).toMatchObject({ kind: 'local', attempts: 0, mayBeBilled: false });
    expect(error.message).toContain(words);
  });
});

describe('an error', () => {
  it('an error contains the whole body, without credentials', async () => {
    const body = { detail: 'No.', error_type: 'provider_error', upstream_detail: { said: `for ${secret}` } };
    server().script({ status: 502, body });
    const error = await catchFailure(createClient(server()).router.run(id, input, { maxAttempts: 1 }));
    expect(error).toMatchObject({ body: { upstream_detail: { said: 'for [redacted]' } } });
  });

  it('the stack of an error contains the caller’s line within ten frames', async () => {
    server().script(routerError(400, 'invalid_input'));
    const { router } = createClient(server());
    async function callOfMine(): Promise<void> {
      await router.run(id, input);
    }
    async function statusOfMine(): Promise<void> {
      await queued(router, id, requestId).status();
    }
    for (const call of [callOfMine, statusOfMine]) {
      const { stack = '' } = await catchFailure(call());
      expect(stack.split('\n').slice(0, 11).join('\n')).toContain(call.name);
    }
  });
});

describe('a response of a proxy in front of the router', () => {
  const anonymous = { 'x-service-request-id': '' };
  const html = { ...anonymous, 'content-type': 'text/html' };
  const replies: [name: string, reply: Reply][] = [
    ['a 400', { status: 400, body: '<html>Bad request</html>', headers: html }],
    ['a 409 with Retry-After', { status: 409, body: 'wait', headers: { ...anonymous, 'retry-after': '3' } }],
  ];
  it.each(replies)('repeats a run and a collection after a proxy response that is %s', async (_, reply) => {
    const { router } = createClient(server());
    for (const call of [() => router.run(id, input), () => queued(router, id, requestId).result()]) {
      server().script(reply, { body: { images: [] } });
      expect((await call()).data).toEqual({ images: [] });
      expect(new Set(server().seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    }
  });
});

describe('the URLs of a handle', () => {
  const path = `/v2/models/${id}/requests/${requestId}`;
  const state = (statusUrl: string) => ({ requestId, statusUrl, responseUrl: '', cancelUrl: '' });

  it('uses the documented URL if the URL in the handle contains a user name', async () => {
    server().script({ body: { status: 'WAITING' } });
    const { router } = createClient(server());
    const withUser = server().url.replace('http://', 'http://user:word@');
    await queued(router, id, state(`${withUser}/elsewhere`)).status();
    expect(server().seen[0]?.url).toBe(`${path}/status`);
  });

  it('adds the path prefix of the gateway to a URL of a handle that lacks it', async () => {
    server().script({ body: { status: 'WAITING' } });
    const { router } = createClient(server(), { baseUrl: `${server().url}/gateway` });
    await queued(router, id, state(`${server().url}${path}/status?wait=1`)).status();
    await queued(router, id, state(`${server().url}/elsewhere/s`)).status();
    expect(server().seen.map(({ url }) => url)).toEqual([`/gateway${path}/status?wait=1`, '/elsewhere/s']);
  });
});
