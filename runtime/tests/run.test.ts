import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { catchFailure, createClient, id, input, type Router, serveScripts } from './router-under-test.ts';
import { type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();
const keys = (): unknown[] => server().seen.map(({ headers }) => headers['idempotency-key']);

describe('run', () => {
  // MR-RUN-01, MR-RUN-03, MR-RUN-15, MR-RUN-16, MR-RUN-30, MR-RUN-34, MR-HDR-01, MR-HDR-02, MR-HDR-13, MR-HDR-25, MR-IDM-42
  it('posts the input with a UUID key and returns the output with facts from the headers', async () => {
    const spend = {
      'x-committed-spend-limit': '500',
      'x-committed-spend-current': '20',
      'x-committed-spend-remaining': '480',
    };
    server().script({
      body: { images: ['a'] },
      headers: { ...spend, 'idempotent-replayed': 'true', 'x-service-credits-used': '3', 'x-more': 'kept' },
    });
    const result = await createClient(server()).router.run(id, input);
    expect(result.data).toEqual({ images: ['a'] });
    expect([result.response.status, result.response.headers.get('x-more')]).toEqual([200, 'kept']); // MR-RUN-31
    expect(result).toMatchObject({
      requestId: 'request-1',
      replayed: true,
      credits: 3,
      committedSpend: { limitCents: 500, currentCents: 20, remainingCents: 480 },
      mayBeUnconverted: false,
    });
    expect(server().seen).toMatchObject([
      {
        method: 'POST',
        url: '/v2/models/image-provider/still',
        body: JSON.stringify(input),
        headers: { 'x-api-key': 'secret-key-1' },
      },
    ]);
    expect(keys()[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(result.idempotencyKey).toBe(keys()[0]);
  });

  // MR-RUN-05, MR-RUN-09, MR-RUN-14, MR-RUN-25
  it('sends the provider options as query parameters', async () => {
    server().script({});
    const result = await createClient(server()).router.run(id, input, {
      modelProvider: 'image-provider-two',
      fallbackProvider: 'any',
    });
    expect(server().seen[0]?.url).toBe(
      '/v2/models/image-provider/still?model_provider=image-provider-two&fallback_provider=any',
    );
    expect(result.mayBeUnconverted).toBe(true);
  });

  // MR-RUN-07, MR-RUN-08, MR-RUN-19
  it('in strict mode, sends an input in the format of the other provider unchanged', async () => {
    server().script({ body: { theirs: true } });
    const options = { modelProvider: 'image-provider-two', strictMode: true } as const;
    const result = await createClient(server()).router.run(id, { text: ['in their shape'] }, options);
    expect(server().seen[0]).toMatchObject({
      url: '/v2/models/image-provider/still?model_provider=image-provider-two&strict_mode=true',
      body: '{"text":["in their shape"]}',
    });
    expect(result).toMatchObject({ data: { theirs: true }, mayBeUnconverted: false });
  });

  // MR-RUN-32, MR-HDR-12
  it('reports the provider that served the run after a fallback', async () => {
    const headers = { 'x-service-router-fallback-provider': 'image-provider-two' };
    server().script({ body: { theirs: true }, headers }, { body: { images: [] } });
    const { router } = createClient(server());
    const run = () => router.run(id, input, { fallbackProvider: 'any' });
    expect(await run()).toMatchObject({ fallbackProvider: 'image-provider-two', mayBeUnconverted: true });
    expect(await run()).toMatchObject({ mayBeUnconverted: false });
  });

  // MR-SCH-33, MR-SCH-34, MR-RUN-29, MR-HDR-29, MR-HDR-30, MR-AST-31
  it.each([{}, { images: 'none' }, { cost: 3, usage: { credits: 9 } }, [], 'text', 0, null])(
    'returns the output %j unchanged, and interprets no number in it as a charge',
    async (output) => {
      server().script({ body: JSON.stringify(output), headers: { 'content-type': 'application/json' } });
      const result = await createClient(server()).router.run(id, input);
      expect(result.data).toEqual(output);
      expect(result).not.toHaveProperty('credits');
      expect(result).not.toHaveProperty('committedSpend');
    },
  );

  // MR-HDR-26, MR-HDR-28, MR-HDR-05, MR-HDR-15
  it('a result omits facts whose headers are missing or malformed', async () => {
    const names = ['x-service-credits-used', 'x-service-upstream-status', 'x-committed-spend-limit', 'retry-after'];
    server().script({}, { headers: Object.fromEntries(names.map((name) => [name, '1.5 or so'])) });
    const { router } = createClient(server());
    const always = ['data', 'idempotencyKey', 'mayBeUnconverted', 'mediaType', 'replayed', 'requestId', 'response'];
    for (const result of [await router.run(id, input), await router.run(id, input)])
      expect(Object.keys(result).sort()).toEqual([...always, 'settle', 'text']);
    server().script({ headers: { 'x-service-upstream-status': '201', 'retry-after': '3' } });
    expect(await router.run(id, input)).toMatchObject({ upstreamStatus: 201, retryAfterMs: 3000 });
  });

  it.each(['false', 'FALSE', '1', undefined])('only recognises a replay by its header (%s)', async (word) => {
    const headers: Record<string, string> = word === undefined ? {} : { 'idempotent-replayed': word };
    server().script({ headers });
    expect((await createClient(server()).router.run(id, input)).replayed).toBe(false);
  });

  it('reads the body of an error even if a stream was requested', async () => {
    server().script(routerError(400, 'invalid_input'));
    const error = await catchFailure(createClient(server()).router.run(id, input, { as: 'stream' }));
    expect(error).toMatchObject({ kind: 'router', detail: 'It is invalid_input.' });
  });

  // MR-RUN-28, MR-SCH-36, MR-SCH-37
  const media: [type: string, body: Buffer | string, want: unknown][] = [
    ['audio/mpeg', Buffer.from([1, 2, 255]), new Uint8Array([1, 2, 255])],
    ['text/plain; charset=utf-8', 'hello', 'hello'],
    ['application/problem+json', '{"a":1}', { a: 1 }],
    ['Application/JSON; charset=utf-8', '\ufeff[1]', [1]],
    ['image/png', '{"a":1}', new TextEncoder().encode('{"a":1}')],
    ['application/octet-stream', Buffer.from('<html>'), new TextEncoder().encode('<html>')],
  ];
  it.each(media)('decodes %s by the media type of the response', async (type, body, want) => {
    server().script({ body, headers: { 'content-type': type } });
    expect((await createClient(server()).router.run({ id }, input)).data).toEqual(want);
  });

  const dropped: [header: string, want: unknown][] = [
    ['["one, two"]', ['one, two']],
    [JSON.stringify('["one"]'), ['one']],
    ['one, two', 'one, two'],
    ['["one", 2]', '["one", 2]'],
    [JSON.stringify('one, two'), JSON.stringify('one, two')],
  ];
  // MR-RUN-33, MR-HDR-06, MR-HDR-07
  it.each(dropped)('reads the dropped parameters %s', async (header, want) => {
    server().script({ headers: { 'x-service-router-dropped-params': header } });
    expect((await createClient(server()).router.run(id, input)).droppedParameters).toEqual(want);
  });
});

describe('repetition of a billed call', () => {
  const unclear: [name: string, reply: Reply, kind: string][] = [
    ['502', routerError(502, 'provider_error'), 'router'],
    ['a reset', 'reset', 'network'],
    ['a truncated 200', { body: '{"images":["a', headers: { 'content-type': 'application/json' } }, 'decode'],
    ['a 200 that breaks off', { body: { a: 1 }, truncate: true }, 'decode'],
    ['an empty 200', { body: '', headers: { 'content-type': 'application/json' } }, 'decode'],
    ['HTML of a proxy', { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }, 'opaque'],
  ];
  // MR-IDM-20, MR-IDM-21, MR-IDM-22, MR-IDM-23, MR-IDM-36, MR-IDM-38
  it.each(unclear)('sends the same key at most four times after %s', async (_, reply, kind) => {
    server().script(reply);
    const error = await catchFailure(createClient(server()).router.run(id, input));
    expect(error).toMatchObject({ kind, attempts: 4, isRetryable: true, mayBeBilled: true, idempotencyKey: keys()[0] });
    expect(server().seen).toHaveLength(4);
    expect(new Set(keys()).size).toBe(1);
  });

  it('the error of a lost call without an idempotency key does not suggest reusing one', async () => {
    server().script('reset');
    const { message } = await catchFailure(createClient(server()).router.run(id, input, { idempotencyKey: false }));
    expect(message).toMatch(/no response \((UND_ERR_SOCKET|ECONNRESET)\)\. It may still run and be billed\.$/);
  });

  it('the error of a failed connection states that nothing was sent', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = Object(closed.address());
    await new Promise((done) => closed.close(done));
    const error = await catchFailure(
      createClient(server(), { baseUrl: `http://127.0.0.1:${port}` }).router.run(id, input),
    );
    expect(error).toMatchObject({ kind: 'network', mayBeBilled: false, isRetryable: true, attempts: 4 });
    expect(error.message).toMatch(/no connection to the server \(ECONNREFUSED\)\.$/);
  });

  it('the error of a lost connection states that a run may have started', async () => {
    const gone = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    let calls = 0;
    const fetch = async (): Promise<Response> => {
      throw calls++ === 0 ? new TypeError('terminated') : gone;
    };
    const error = await catchFailure(createClient(server(), { fetch }).router.run(id, input));
    expect(error).toMatchObject({ kind: 'network', mayBeBilled: true, attempts: 4 });
    expect(error.message).toContain(`only repeat it with the key ${error.idempotencyKey}`);
  });

  it('a timeout during a wait contains the last response, and is unbilled if no attempt can have run', async () => {
    server().script(routerError(429, 'rate_limited', { 'retry-after': '30' }));
    const error = await catchFailure(createClient(server()).router.run(id, input, { deadlineMs: 2000 }));
    expect(error).toMatchObject({ kind: 'timeout', mayBeBilled: false, attempts: 1 });
    expect(error.message).toMatch(/not finished within 2000 ms; the last attempt: .*rate_limited/);
  });

  // MR-IDM-51
  const waits = ['409 concurrency_limit_exceeded', '504 deadline_exceeded', '429 rate_limited'].map((name) => {
    const [status, category = ''] = name.split(' ');
    return [name, routerError(Number(status), category, { 'retry-after': '7' })] as const;
  });
  it.each([...waits, ...unclear.map(([name, reply]) => [name, reply] as const)])(
    'does not repeat a call without a key after %s',
    async (_, reply) => {
      server().script(reply, {});
      await catchFailure(createClient(server()).router.run(id, input, { idempotencyKey: false }));
      expect(server().seen).toHaveLength(1);
      expect(keys()).toEqual([undefined]);
    },
  );

  const sent = (): unknown[] => server().seen.map(({ headers }) => headers['authorization']);

  // MR-AUT-09, MR-IDM-43, MR-IDM-45
  it('fetches a renewed token once after a 401, without waiting', async () => {
    let count = 0;
    const options = { token: () => `token-${count++}` };
    server().script('reset', routerError(401, 'unauthorized'), {});
    await createClient(server(), options).router.run(id, input);
    expect(sent()).toEqual(['Bearer token-0', 'Bearer token-0', 'Bearer token-1']);
    expect(new Set(keys()).size).toBe(1);
    server().script(routerError(401, 'unauthorized'));
    expect(await catchFailure(createClient(server(), options).router.run(id, input))).toMatchObject({
      status: 401,
      attempts: 2,
    });
    server().script(routerError(401, 'unauthorized'));
    const same = createClient(server(), { token: () => 'token-of-today' }).router;
    expect(await catchFailure(same.run(id, input))).toMatchObject({ status: 401, attempts: 1 });
  });

  it('collects a run during which several bearer tokens expire', async () => {
    let count = 0;
    const expired = routerError(401, 'unauthorized');
    const running = routerError(409, 'concurrency_limit_exceeded', { 'retry-after': '60' });
    server().script('reset', expired, running, expired, running, expired, {});
    await createClient(server(), { token: () => `token-${count++}` }).router.run(id, input);
    expect(sent()).toEqual([0, 0, 1, 1, 2, 2, 3].map((number) => `Bearer token-${number}`));
    expect(new Set(keys()).size).toBe(1);
  });
});

describe('errors', () => {
  const refused: [name: string, call: (router: Router) => Promise<unknown>][] = [
    ['an id without a slash', (router) => router.run({ id: 'still' }, input)],
    ['an id that leaves its path', (router) => router.run({ id: 'image-provider/..' }, input)],
    ['an input that is not an object', (router) => router.run({ id }, [1])],
    ['strict mode without a provider', (router) => router.run({ id }, input, { strictMode: true } as never)],
  ];
  it.each(refused)('rejects %s before anything is sent', async (_, call) => {
    server().script({});
    expect((await catchFailure(call(createClient(server()).router))).kind).toBe('local');
    expect(server().seen).toEqual([]);
  });
});
