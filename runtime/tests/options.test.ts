import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readModel } from '../src/catalog/index.ts';
import { createCredential } from '../src/http/credential.ts';
import { submit, subscribe } from '../src/queue/index.ts';
import { resume } from '../src/resume/index.ts';
import { safe } from '../src/router/router-error.ts';
import {
  admitted,
  catchFailure,
  createClient,
  createModelRouter,
  id,
  input,
  onlyPending,
  queueState,
  requestId,
  secret,
  serveScripts,
} from './router-under-test.ts';
import { manualClock, type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();
afterEach(() => vi.unstubAllEnvs());

describe('the environment', () => {
  it.each([
    ['MODEL_ROUTER_API_KEY', 'x-api-key', 'from-outside'],
    ['MODEL_ROUTER_TOKEN', 'authorization', 'Bearer from-outside'],
  ])('reads the base URL from MODEL_ROUTER_URL, and a credential from %s', async (name, header, want) => {
    vi.stubEnv('MODEL_ROUTER_URL', server().url);
    vi.stubEnv('MODEL_ROUTER_API_KEY', undefined); // a developer may have exported it, as the README does
    vi.stubEnv(name, 'from-outside');
    server().script({ body: {} });
    await createModelRouter().run(id, input);
    expect(server().seen[0]?.headers[header]).toBe(want); // MR-AUT-02, MR-AUT-03
  });

  it('options take precedence over environment variables', async () => {
    vi.stubEnv('MODEL_ROUTER_API_KEY', 'from-outside');
    server().script({ body: {} });
    // MR-AUT-04, MR-AUT-10: one credential, in one header
    await createClient(server(), { token: async () => 'an-api-key' }).router.run(id, input);
    expect(server().seen[0]?.headers).toMatchObject({ authorization: 'Bearer an-api-key' });
    expect(server().seen[0]?.headers).not.toHaveProperty('x-api-key');
  });
});

describe('options', () => {
  const url = { baseUrl: 'https://a.example' };
  const valid = { ...url, apiKey: 'k' };
  const refused: [name: string, options: object, message: string][] = [
    ['no base URL', { apiKey: 'k' }, 'set baseUrl or MODEL_ROUTER_URL'],
    ['a relative URL', { baseUrl: '/v2', apiKey: 'k' }, 'must be an absolute http or https URL'],
    ['a URL with a different scheme', { baseUrl: 'localhost:3000', apiKey: 'k' }, 'must be an absolute http'],
    ['a URL with a user name', { baseUrl: 'https://user:pass@a.example', apiKey: 'k' }, 'without a user name'],
    ['no credential', url, 'no credential'],
    ['an empty credential', { ...url, apiKey: '' }, 'no credential: set apiKey'],
    ['two credentials', { ...valid, token: 't' }, 'not both'], // MR-AUT-05: no request holds both
    ['a trusted origin with a different scheme', { ...valid, trustedOrigins: ['data:,'] }, 'trustedOrigins must be'],
    ['a maxAttempts of NaN', { ...valid, maxAttempts: Number.NaN }, 'maxAttempts must be a positive number'],
    ['a runTimeoutMs of 0', { ...valid, runTimeoutMs: 0 }, 'runTimeoutMs must be a positive number'],
    ['a limit of 0', { ...valid, limits: { requestsInFlight: 0 } }, 'requestsInFlight must be a positive number'],
    ['an unknown limit', { ...valid, limits: { concurrency: 2 } }, 'limits.concurrency is not an option'],
    ['an unknown option', { ...valid, timeout: 1 }, 'timeout is not an option; numeric options: maxAttempts, '],
    ['a key in the headers', { ...valid, headers: { 'idempotency-key': '1' } }, 'set the option idempotencyKey'],
  ];
  it.each(refused)('rejects client options with %s', (_, options, message) => {
    vi.stubEnv('MODEL_ROUTER_URL', undefined);
    vi.stubEnv('MODEL_ROUTER_API_KEY', '');
    const create = (): unknown => createModelRouter(options);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  it('accepts a client that never waits for admission', () => {
    expect(() => createModelRouter({ ...valid, maxWaitMs: 0 })).not.toThrow();
  });

  it('sends the credential to trustedOrigins', async () => {
    const elsewhere = `http://localhost:${new URL(server().url).port}`;
    const state = queueState(server(), 'COMPLETED', { status_url: `${elsewhere}/s`, response_url: `${elsewhere}/r` });
    server().script({ ...admitted(server()), body: state }, { body: state });
    const refused = await catchFailure((await submit(createClient(server()).router, id, input)).result());
    expect(refused).toMatchObject({ kind: 'local', queued: { requestId }, mayBeBilled: true });
    server().script({ ...admitted(server()), body: state }, { body: state });
    const { router } = createClient(server(), { trustedOrigins: [`${elsewhere}/any/path`] });
    await (await submit(router, id, input)).status();
    expect(server().seen[1]?.headers).toMatchObject({ host: new URL(elsewhere).host, 'x-api-key': secret });
  });

  it('an option limits the time of one attempt, even if it exceeds the longest timer', async () => {
    const never = (): Promise<Reply> => new Promise(() => undefined);
    server().script(never, { body: {} });
    await createClient(server(), { runTimeoutMs: 400 }).router.run(id, input);
    expect(server().seen).toHaveLength(2);
    const soon = (): Promise<Reply> => new Promise((resolve) => setTimeout(resolve, 50, { body: {} }));
    server().script(soon);
    await createClient(server(), { runTimeoutMs: Number.POSITIVE_INFINITY }).router.run(id, input);
    expect(server().seen).toHaveLength(1);
  });
});

describe('time', () => {
  const never = (): Promise<Reply> => new Promise(() => undefined);

  it('one attempt may take longer than ten minutes', async () => {
    const spy = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => spy.mockRestore());
    server().script({ body: {} });
    await createClient(server()).router.run(id, input);
    expect(spy.mock.calls.map(([, ms]) => ms)).toContain(11 * 60_000); // MR-LIM-02, MR-LIM-03
  });

  it.each([
    ['a run', true],
    ['a run without a key', false],
  ])('%s ends at its deadline while waiting for the response', async (_, hasKey) => {
    server().script(never);
    const options = { deadlineMs: 400, ...(hasKey ? {} : { idempotencyKey: false as const }) };
    const error = await catchFailure(createClient(server()).router.run(id, input, options));
    expect(error).toMatchObject({ kind: 'timeout', deadlineMs: 400, attempts: 1, mayBeBilled: true });
    expect('idempotencyKey' in error).toBe(hasKey);
  });

  it('accepts a deadline that is a string of digits', async () => {
    server().script(routerError(503, 'service_unavailable'));
    const options = { deadlineMs: '4000' as unknown as number, maxAttempts: 9 };
    const error = await catchFailure(createClient(server()).router.run(id, input, options));
    expect(error).toMatchObject({ kind: 'timeout', attempts: 4 }); // The waits took 0.5, 1 and 2 s.
  });

  // MR-LIM-04, MR-LIM-05, MR-LIM-06
  const waits: [name: string, replies: Reply[]][] = [
    ['a response', []],
    ['a repetition', [routerError(503, 'service_unavailable', { 'retry-after': '5' })]],
  ];
  it.each(waits)('a call ends when its signal aborts while it waits for %s', async (_, replies) => {
    const controller = new AbortController();
    const clock = manualClock();
    const sleep = clock.sleep;
    clock.sleep = async (ms, signal) => {
      controller.abort();
      await sleep(ms, signal);
    };
    server().script(...replies, () => {
      controller.abort();
      return never();
    });
    const { router } = createClient(server(), { clock });
    const error = await catchFailure(router.run(id, input, { signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted', attempts: 1, mayBeBilled: true });
    expect(error.idempotencyKey).toBeDefined();
    expect(error.message).toContain('may still run and be billed');
    expect(server().seen).toHaveLength(1);
  });

  it('leaves no timer running if the signal aborts a wait after a rejection', async () => {
    const controller = new AbortController();
    const refusal = routerError(429, 'rate_limited', { 'retry-after': '300' });
    server().script(refusal);
    const { router } = createClient(server(), { observers: { onRetry: () => controller.abort() } });
    const aborted = await catchFailure(router.run(id, input, { signal: controller.signal }));
    expect(aborted).toMatchObject({ kind: 'aborted', attempts: 1, mayBeBilled: false });
    server().script(routerError(504, 'deadline_exceeded', { 'retry-after': '5' }), refusal);
    const accepted = await catchFailure(createClient(server()).router.run(id, input, { deadlineMs: 20_000 }));
    expect(accepted).toMatchObject({ kind: 'timeout', attempts: 2, mayBeBilled: true });
  });

  it('a call ends when its signal aborts, or at the deadline, while a token is fetched', async () => {
    const token = (): Promise<string> => new Promise(() => undefined);
    const { router } = createClient(server(), { token });
    const controller = new AbortController();
    const aborted = catchFailure(readModel(router, id, { signal: controller.signal }));
    controller.abort();
    expect(await aborted).toMatchObject({ kind: 'aborted', attempts: 0 });
    const before = { signal: AbortSignal.abort() };
    expect(await catchFailure(readModel(router, id, before))).toMatchObject({ kind: 'aborted', attempts: 0 });
    expect(await catchFailure(router.run(id, input, { deadlineMs: 30 }))).toMatchObject({
      kind: 'timeout',
      attempts: 0,
      mayBeBilled: false,
    });
  });

  it('a subscription ends at its deadline, and the error has that deadline', async () => {
    server().script(admitted(server()), { body: queueState(server(), 'WAITING'), headers: { 'retry-after': '20' } });
    const { router, clock } = createClient(server());
    const error = await catchFailure(subscribe(router, id, input, { deadlineMs: 50_000 }));
    expect(clock.slept).toEqual([20_000, 20_000]); // A third wait would pass the deadline.
    expect(error).toMatchObject({ kind: 'timeout', deadlineMs: 50_000, queued: { requestId } });
    expect(error.message).toContain('not finished within 50000 ms; the next poll is due in 20000 ms.');
    expect(server().seen).toHaveLength(4);
  });
});

it('rejects a token that cannot be read before anything is sent', async () => {
  const token = async (): Promise<string> => Promise.reject(new Error('no session'));
  server().script({});
  const { router } = createClient(server(), { token });
  const failures = [await catchFailure(router.run(id, input)), await catchFailure(readModel(router, id))];
  for (const error of failures)
    expect(error).toMatchObject({ kind: 'local', attempts: 0, cause: { message: 'no session' } });
  expect(server().seen).toEqual([]);
});

it('the error mentions a token function that returns nothing', async () => {
  const { router } = createClient(server(), { token: async () => undefined as never });
  const error = await catchFailure(router.run(id, input));
  expect(error).toMatchObject({ kind: 'local', cause: { message: 'its function returned no string' } });
});

it('only remembers the secrets of the latest attempts', async () => {
  let count = 0;
  const credential = createCredential({ header: 'Authorization', secret: () => `token-<${++count}>`, scope: 'one' });
  for (let call = 0; call < 150; call += 1) await credential.read();
  const text = 'token-<150> token-<148> token-<147> token-<99>';
  expect(credential.redact(text, new Set())).toBe('[redacted] [redacted] token-<147> token-<99>');
  expect(credential.redact(text, new Set(['token-<99>']))).toBe('[redacted] [redacted] token-<147> [redacted]');
});

it('accepts a token of 4,000 characters, and never shows it in an error', async () => {
  const token = `eyJhbGciOiJSUzI1NiJ9.${'Zm9vYmFyW10oKS8uKi8'.repeat(210)}.c2lnbmF0dXJl`;
  server().script({ status: 401, body: { detail: `unknown: ${token}`, error_type: 'unauthorized' } }, { body: {} });
  const { router } = createClient(server(), { token });
  const error = await catchFailure(router.run(id, input));
  expect(error).toMatchObject({ kind: 'router', status: 401, detail: 'unknown: [redacted]' });
  expect(error.message + JSON.stringify(error)).not.toContain(token.slice(100, 200));
  await router.run(id, input);
});

it('identifies the owner of the credential even on pages without SHA-256', async () => {
  const subtle = vi.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as never);
  server().script('reset');
  const { router } = createClient(server());
  await catchFailure(router.run(id, input)).finally(() => subtle.mockRestore());
  server().script({ body: {} });
  const call = await onlyPending(router);
  expect(JSON.stringify(call)).not.toContain(secret);
  await resume(router, call);
});

describe('observers', () => {
  it('observers receive every attempt with OpenTelemetry names, and neither bodies nor credentials', async () => {
    const events: [string, object][] = [];
    const note = (name: string) => (event: object) => void events.push([name, event]);
    const observers = { onRequest: note('request'), onResponse: note('response'), onRetry: note('retry') };
    const refusal = routerError(503, 'service_unavailable', { 'retry-after': '3', 'x-service-request-id': secret });
    server().script(refusal, routerError(429, 'rate_limited', { 'retry-after': '4' }), 'reset', {
      body: { images: [] },
    });
    await createClient(server(), { observers }).router.run(id, { prompt: 'private words' });
    const call = { operation: 'run', model: id, idempotencyKey: server().seen[0]?.headers['idempotency-key'] };
    const attributes = (resend: number, more = {}): object => ({
      'http.request.method': 'POST',
      'url.full': `${server().url}/v2/models/${id}`,
      'http.request.resend_count': resend,
      ...more,
    });
    const unavailable = attributes(0, { 'http.response.status_code': 503, 'error.type': 'service_unavailable' });
    const limited = attributes(1, { 'http.response.status_code': 429, 'error.type': 'rate_limited' });
    const lost = attributes(2, { 'error.type': 'network' });
    expect(events).toMatchObject([
      ['request', { ...call, attributes: attributes(0) }],
      ['response', { ...call, attributes: unavailable, facts: { retryAfterMs: 3000, requestId: '[redacted]' } }],
      ['retry', { ...call, attributes: unavailable, waitMs: 3000, isRequested: false }],
      ['request', { attributes: attributes(1) }],
      ['response', { attributes: limited }],
      ['retry', { attributes: limited, waitMs: 4000, isRequested: true }],
      ['request', { attributes: attributes(2) }],
      ['response', { attributes: lost, facts: undefined }],
      ['retry', { attributes: lost, waitMs: 2000, isRequested: false }],
      ['request', { attributes: attributes(3) }],
      ['response', { attributes: attributes(3, { 'http.response.status_code': 200 }), durationMs: 0 }],
    ]);
    expect(events[9]?.[1]).not.toHaveProperty('attributes.error.type');
    expect(JSON.stringify(events)).not.toMatch(/private words|secret-key/);
  });

  it.each([
    ['throw', (): void => expect.unreachable('an observer')],
    ['reject', async (): Promise<void> => Promise.reject(new Error('an observer'))],
  ])('observers that %s don’t affect the call', async (_, observer) => {
    const observers = { onRequest: observer, onResponse: observer, onRetry: observer };
    server().script(
      admitted(server()),
      'reset',
      { body: queueState(server(), 'COMPLETED') },
      { body: { images: ['a'] } },
    );
    const { router } = createClient(server(), { observers });
    expect((await subscribe(router, id, input, { onStatus: observer })).data).toEqual({ images: ['a'] });
  });
});

describe('safe', () => {
  it('safe returns results, errors and rejected options as values', async () => {
    const { router } = createClient(server());
    server().script({ body: {} }, routerError(403, 'forbidden'));
    expect(await safe(router.run(id, input))).toMatchObject({ ok: true, data: {} });
    expect(await safe(router.run(id, input))).toMatchObject({ ok: false, error: { status: 403 } });
    const refused = await safe(subscribe(router, { id: 'no id' }, {}));
    expect(refused).toMatchObject({ ok: false, error: { kind: 'local' } });
  });

  it('safe(submit(…)) returns a handle that can still be iterated', async () => {
    server().script(admitted(server()), { body: queueState(server(), 'COMPLETED') });
    const handle = await safe(submit(createClient(server()).router, id, input));
    const kinds: string[] = [];
    if (handle.ok) for await (const { kind } of handle) kinds.push(kind);
    expect(kinds).toEqual(['succeeded']);
  });
});
