import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { submit, subscribe } from '../src/queue/index.ts';
import { forget, listPending, resume } from '../src/resume/index.ts';
import { createMemoryKeyStore, type KeyStore } from '../src/router/key-store.ts';
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
  serveScripts,
} from './router-under-test.ts';
import { manualClock, type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();
const keys = (): unknown[] => server().seen.map(({ headers }) => headers['idempotency-key']);
const hourMs = 3_600_000;
const openMemory = () => createMemoryKeyStore({ clock: manualClock() });

describe('a key', () => {
  it.each([1, 255])('sends a key of %i characters unchanged', async (length) => {
    server().script({ body: {} }); // MR-RUN-04, MR-SUB-04
    const result = await createClient(server()).router.run(id, input, { idempotencyKey: 'k'.repeat(length) });
    expect(keys()).toEqual(['k'.repeat(length)]);
    expect(result.idempotencyKey).toBe('k'.repeat(length));
  });

  it('a key is a UUID even if the platform has no randomUUID', async () => {
    const { randomUUID } = crypto;
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    onTestFinished(() => void Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true }));
    server().script({ body: {} });
    await createClient(server()).router.run(id, input);
    expect(keys()[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('rejects a stored key after a restart if the client uses a token function, and suggests credentialScope', async () => {
    const keyStore = openMemory();
    const token = (): string => 'token-of-this-minute';
    server().script({ body: {} });
    const restart = (more: object) => createClient(server(), { keyStore, token, ...more }).router;
    const options = { idempotencyKey: 'job-1' };
    await restart({}).run(id, input, options);
    const { message } = await catchFailure(restart({}).run(id, input, options));
    expect(message).toContain(
      'the key job-1 belongs to a different credential; set credentialScope if both have the same owner',
    );
    await restart({ credentialScope: 'team' }).run(id, input, { idempotencyKey: 'job-2' });
    await restart({ credentialScope: 'team' }).run(id, input, { idempotencyKey: 'job-2' });
    expect(keys()).toEqual(['job-1', 'job-2', 'job-2']);
  });

  it('stores the key and everything a retry needs before sending anything', async () => {
    const store = openMemory();
    const { router, clock } = createClient(server(), { keyStore: store });
    const begun: unknown[] = [];
    const { begin } = store;
    store.begin = (call) => {
      begun.push({ call, sent: server().seen.length });
      return begin(call);
    };
    const firstSentAt = clock.now();
    server().script('reset', { body: {} });
    await router.run(id, input, { modelProvider: 'other' });
    // MR-IDM-37, MR-IDM-38
    const url = `${server().url}/v2/models/${id}?model_provider=other`;
    const call = { operation: 'run', model: id, url, body: JSON.stringify(input), firstSentAt };
    expect(begun).toMatchObject([
      {
        sent: 0,
        call: { ...call, idempotencyKey: keys()[0], isExplicit: false, owner: expect.stringMatching(/^[0-9a-f]{32}$/) },
      },
    ]);
    expect(JSON.stringify(begun)).not.toContain('secret-key-1');
    expect(server().seen.map(({ body }) => body)).toEqual([JSON.stringify(input), JSON.stringify(input)]);
  });
});

describe('a call without an outcome', () => {
  it('a call without an outcome stays in the store if its retry is rejected', async () => {
    for (const status of [400, 401, 402, 403, 404, 413, 422]) {
      const { router } = createClient(server());
      server().script('reset', routerError(status, 'internal_error'), { body: {} });
      const { idempotencyKey } = await catchFailure(router.run(id, input));
      await router.run(id, input, { idempotencyKey });
      expect(new Set(keys()).size).toBe(1);
    }
  });

  it("a call without an outcome stays in the store if a later process's retry is rejected", async () => {
    const keyStore = openMemory();
    server().script('reset');
    const options = { idempotencyKey: 'order-1' };
    await catchFailure(createClient(server(), { keyStore }).router.run(id, input, options));
    server().script(routerError(401, 'unauthorized'), { body: {} });
    const { router } = createClient(server(), { keyStore });
    expect(await catchFailure(router.run(id, input, options))).toMatchObject({ status: 401, mayBeBilled: true });
    await router.run(id, input, options);
    expect(keys()).toEqual(['order-1', 'order-1']); // MR-IDM-21, MR-IDM-35
  });

  const known: [name: string, replies: Reply[]][] = [
    ['a rejection of the only attempt', [routerError(422, 'invalid_input')]],
    ['a replayed failure', ['reset', routerError(400, 'invalid_input', { 'idempotent-replayed': 'true' })]],
    ['a rejection because the key was used', ['reset', routerError(409, 'invalid_input')]],
  ];
  it.each(known)('a call leaves the store after %s', async (_, replies) => {
    const { router } = createClient(server());
    server().script(...replies);
    await catchFailure(router.run(id, input));
    expect(await listPending(router)).toEqual([]);
  });

  it('a used key is an error, and is not replaced with a new key', async () => {
    server().script(routerError(409, 'invalid_input'));
    const error = await catchFailure(createClient(server()).router.run(id, input));
    expect(error.message).toContain('a new key starts a new run, which may be billed'); // MR-IDM-18, MR-IDM-19, MR-IDM-32
    expect(server().seen).toHaveLength(1);
  });

  it('does not store a call that was never sent', async () => {
    const { router, clock } = createClient(server());
    server().script({});
    const unsent = { attempts: 0, mayBeBilled: false };
    const aborted = await catchFailure(router.run(id, input, { signal: AbortSignal.abort() }));
    expect(aborted).toMatchObject({ kind: 'aborted', ...unsent });
    const late = await catchFailure(router.run(id, input, { deadlineMs: 0 }));
    expect(late).toMatchObject({ kind: 'timeout', ...unsent });
    expect([server().seen, await listPending(router), clock.slept]).toEqual([[], [], []]);
  });
});

describe('two calls with one key', () => {
  const twin = { idempotencyKey: 'job-1', maxAttempts: 1 };
  /** Starts a call that the limit keeps from being sent, and a second one with its key. */
  async function startTwins() {
    const busy = Promise.withResolvers<Reply>();
    const { router, clock } = createClient(server(), { limits: { requestsInFlight: 1 } });
    server().script(() => busy.promise, 'reset');
    const other = router.run(id, { prompt: 'other' });
    await expect.poll(() => server().seen.length).toBe(1);
    const stop = new AbortController();
    const first = catchFailure(router.run(id, input, { ...twin, signal: stop.signal }));
    const second = safe(router.run(id, input, twin));
    return { router, clock, stop, first, second, busy, other };
  }

  it('keeps a sent call in the store even if the call that first recorded its key was never sent', async () => {
    const { router, clock, stop, first, second, busy, other } = await startTwins();
    stop.abort();
    expect(await first).toMatchObject({ kind: 'aborted', attempts: 0 });
    busy.resolve({ body: {} });
    await other;
    expect(await second).toMatchObject({ ok: false, error: { kind: 'network', mayBeBilled: true } });
    expect(await onlyPending(router)).toMatchObject({ idempotencyKey: 'job-1' });
    clock.advance(25 * hourMs);
    expect((await catchFailure(router.run(id, input, twin))).message).toContain('the key job-1 is 24 hours old');
    expect(keys().slice(1)).toEqual(['job-1']);
  });

  it('keeps a sent call in the store even if the call that first recorded its key was rejected', async () => {
    const { router, first, second, busy, other } = await startTwins();
    server().script(routerError(401, 'unauthorized'), 'reset');
    busy.resolve({ body: {} });
    await other;
    expect(await first).toMatchObject({ status: 401 });
    expect(await second).toMatchObject({ ok: false, error: { kind: 'network' } });
    expect(await onlyPending(router)).toMatchObject({ idempotencyKey: 'job-1' });
  });
});

describe('resume', () => {
  async function leftBehind(keyStore: KeyStore, options = {}) {
    server().script('reset');
    const { router, clock } = createClient(server(), { keyStore, ...options });
    await catchFailure(router.run(id, input, { modelProvider: 'other' }));
    const call = await onlyPending(router);
    if (call.damaged !== undefined) return expect.unreachable('the call is damaged');
    return { router, clock, call };
  }

  // MR-IDM-03
  it('resume sends the stored call with its key, query and bytes', async () => {
    const { router, call } = await leftBehind(openMemory());
    const first = server().seen[0];
    server().script({ body: { images: [] }, headers: { 'idempotent-replayed': 'true' } });
    expect(await resume(router, { ...call, url: 'https://elsewhere.example', body: '{}' })).toMatchObject({
      data: { images: [] },
      replayed: true,
      mayBeUnconverted: true,
    });
    expect(server().seen).toMatchObject([{ method: 'POST', url: first?.url, body: first?.body }]);
    expect(keys()).toEqual([call.idempotencyKey]);
    expect(await listPending(router)).toEqual([]);
  });

  it.each([
    [{}, false],
    [{ modelProvider: 'other' }, true],
    [{ modelProvider: 'other', strictMode: true }, false],
    [{ fallbackProvider: 'any' }, false],
  ])('a resumed run with %o may have an unconverted output: %s', async (options, mayBeUnconverted) => {
    const { router } = createClient(server());
    server().script('reset');
    await catchFailure(router.run({ id }, input, options));
    server().script({ body: {} });
    expect(await resume(router, await onlyPending(router))).toMatchObject({ mayBeUnconverted });
  });

  it('resume sends no credential to an origin that is not the client’s', async () => {
    const keyStore = openMemory();
    const { call, clock } = await leftBehind(keyStore, { credentialScope: 'workspace-1' });
    server().script({});
    const elsewhere = createModelRouter({
      baseUrl: 'https://elsewhere.example',
      apiKey: 'k',
      credentialScope: 'workspace-1',
      keyStore,
      clock,
    });
    const error = await catchFailure(resume(elsewhere, call));
    expect(error).toMatchObject({ kind: 'local' });
    expect(error.message).toContain('trustedOrigins');
    expect(server().seen).toEqual([]);
  });

  it('rejects resuming a call whose key is older than 24 hours, and removes the call', async () => {
    const { router, clock, call } = await leftBehind(openMemory());
    server().script({});
    clock.advance(24 * hourMs);
    const error = await catchFailure(resume(router, call));
    expect(error).toMatchObject({ kind: 'local', mayBeBilled: true });
    expect(error.message).toMatch(/can no longer be fetched.*a new key starts a new run, which may be billed/);
    expect([server().seen, await listPending(router)]).toEqual([[], []]);
  });

  it('does not suggest a retry if the idempotency key expired during the call', async () => {
    const { router, clock } = createClient(server());
    server().script(() => {
      clock.advance(25 * hourMs);
      return routerError(503, 'service_unavailable');
    });
    const error = await catchFailure(router.run(id, input, { idempotencyKey: 'job-1', deadlineMs: 100 * hourMs }));
    expect(error).toMatchObject({ kind: 'local', attempts: 1, mayBeBilled: true });
    expect(error.message).toMatch(/which may be billed\. forget\(router, 'job-1'\) frees the key$/);
  });

  it('sends no key that was first sent in the future, because its age is unknown', async () => {
    const { router, clock, call } = await leftBehind(openMemory());
    server().script({ body: {} });
    clock.advance(-hourMs); // The clock was wrong, and has been corrected.
    const error = await catchFailure(resume(router, call));
    expect(error).toMatchObject({ kind: 'local', mayBeBilled: true });
    expect(error.message).toContain('was first sent 60 minutes in the future');
    expect(server().seen).toEqual([]);
    clock.advance(hourMs - 240_000); // Clocks of two machines may differ by minutes.
    expect(await resume(router, call)).toMatchObject({ data: {} });
  });

  it('resume rejects a finished call without the input, and returns the result again with it', async () => {
    const { router } = createClient(server());
    server().script({ body: {} });
    await router.run(id, input, { idempotencyKey: 'job-1' });
    const { message } = await catchFailure(resume(router, { idempotencyKey: 'job-1' }));
    expect(message).toContain('the call is over, and its caller got the result');
    expect(await resume(router, { idempotencyKey: 'job-1' }, { input })).toMatchObject({ data: {} });
  });

  it('collects a queued request of an earlier process from its stored URLs', async () => {
    const keyStore = openMemory();
    server().script(admitted(server()), routerError(503, 'service_unavailable'));
    await catchFailure(subscribe(createClient(server(), { keyStore }).router, id, input));
    const { router } = createClient(server(), { keyStore });
    const call = await onlyPending(router);
    const queued = { requestId, responseUrl: expect.stringContaining('/elsewhere/') };
    expect(call).toMatchObject({ operation: 'submit', queued });
    server().script(routerError(503, 'service_unavailable'), { body: { images: ['a'] } });
    expect(await resume(router, call)).toMatchObject({ data: { images: ['a'] } });
    expect(server().seen.map(({ url }) => url)).toEqual([`/elsewhere/${requestId}/r`, `/elsewhere/${requestId}/r`]);
    expect(await listPending(router)).toEqual([]);
  });

  it('repeats a submission with the same key if it may not have been admitted', async () => {
    const keyStore = openMemory();
    server().script('reset');
    const { router } = createClient(server(), { keyStore });
    await catchFailure(submit(router, id, input));
    const call = await onlyPending(router);
    server().script({ ...admitted(server()), headers: { 'idempotent-replayed': 'true' } }, { body: { images: [] } });
    await resume(router, call);
    expect(keys()).toEqual([call.idempotencyKey, undefined]);
  });

  it('only one of two callers resumes a call', async () => {
    const { router, call } = await leftBehind(openMemory());
    server().script({ body: {} });
    const both = await Promise.all([safe(resume(router, call)), safe(resume(router, call))]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(server().seen).toHaveLength(1);
  });
});

describe('a queued call in the store', () => {
  const ends: [name: string, replies: () => Reply[], left: number][] = [
    ['a result', () => [{ body: queueState(server(), 'COMPLETED') }, { body: {} }], 0],
    ['an end without one', () => [{ body: queueState(server(), 'COMPLETED', { error_type: 'cancelled' }) }], 0],
    [
      'a rejected collection',
      () => [{ body: queueState(server(), 'COMPLETED') }, routerError(410, 'queue_timeout')],
      0,
    ],
    ['a broken collection', () => [{ body: queueState(server(), 'COMPLETED') }, 'reset'], 1],
    ['a rejected credential', () => [{ body: queueState(server(), 'COMPLETED') }, routerError(401, 'unauthorized')], 1],
  ];
  it.each(ends)('a queued call is kept in the store or removed from it after %s', async (_, replies, left) => {
    const { router } = createClient(server());
    server().script(admitted(server()), ...replies());
    await safe(subscribe(router, id, input));
    expect(await listPending(router)).toHaveLength(left);
  });
});

describe('a key store that fails', () => {
  const broken = async (): Promise<never> => {
    throw new Error('the disk is full');
  };
  const failing = (names: (keyof KeyStore)[]): KeyStore => ({
    ...openMemory(),
    ...Object.fromEntries(names.map((name) => [name, broken])),
  });

  it('a key store that fails before anything is sent stops the call', async () => {
    server().script({});
    const { router } = createClient(server(), { keyStore: failing(['begin', 'pending', 'take']) });
    expect(await catchFailure(router.run(id, input))).toMatchObject({
      kind: 'local',
      cause: { message: 'the disk is full' },
    });
    expect(await safe(listPending(router))).toMatchObject({ ok: false, error: { kind: 'local' } });
    expect(server().seen).toEqual([]);
  });

  it('a call ends with the signal and at the deadline while its key store hangs, and leaves no record', async () => {
    server().script({});
    const store = openMemory();
    const { begin } = store;
    const late: (() => void)[] = [];
    const discarded: string[] = [];
    store.discard = async (key) => void discarded.push(key);
    store.begin = (call) => new Promise((resolve) => late.push(() => resolve(begin(call))));
    const { router } = createClient(server(), { keyStore: store });
    const controller = new AbortController();
    const aborted = catchFailure(router.run(id, input, { signal: controller.signal }));
    const timeout = catchFailure(router.run(id, input, { deadlineMs: 300 }));
    await expect.poll(() => late.length).toBe(2);
    controller.abort();
    expect(await aborted).toMatchObject({ kind: 'aborted', attempts: 0, mayBeBilled: false });
    expect(await timeout).toMatchObject({ kind: 'timeout', attempts: 0, mayBeBilled: false });
    for (const one of late) one();
    await expect.poll(() => discarded.length).toBe(2);
    expect(server().seen).toEqual([]);
  });

  it.each(['a deadline', 'a signal', 'none'])(
    'resume and listPending end if the key store hangs; limit: %s',
    async (limit) => {
      if (limit === 'none') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const hang = (): Promise<never> => new Promise(() => undefined);
      const keyStore = { ...openMemory(), take: hang, pending: hang, finish: hang, forget: hang };
      const { router } = createClient(server(), { keyStore });
      const signal = AbortSignal.timeout(50);
      const options = { 'a deadline': { deadlineMs: 50 }, 'a signal': { signal }, none: {} }[limit];
      const resumed = catchFailure(resume(router, { idempotencyKey: 'k1' }, options));
      const others =
        limit === 'none' ? [listPending(router), forget(router, 'k1')].map((one) => catchFailure(one)) : [];
      if (limit === 'none') await vi.advanceTimersByTimeAsync(60_000);
      const kind = limit === 'a signal' ? 'aborted' : 'timeout';
      expect(await resumed).toMatchObject({ kind, attempts: 0, mayBeBilled: true, idempotencyKey: 'k1' });
      for (const error of await Promise.all(others)) expect(error.message).toContain('the key store did not respond');
    },
  );

  it('an aborted call ends soon although its key store hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stop = new AbortController();
    server().script(() => {
      stop.abort();
      return 'reset';
    });
    const hanging = Promise.withResolvers<void>();
    const release = (): Promise<never> => new Promise(() => hanging.resolve());
    const keyStore = { ...openMemory(), release };
    const aborted = catchFailure(createClient(server(), { keyStore }).router.run(id, input, { signal: stop.signal }));
    await hanging.promise;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await aborted).toMatchObject({ kind: 'aborted', mayBeBilled: true });
  });

  it('if the key store never responds, the call fails after a minute with an error about the key store', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<void>();
    const begin = (): Promise<never> => new Promise(() => asked.resolve());
    const keyStore = { ...openMemory(), begin };
    const hung = catchFailure(createClient(server(), { keyStore }).router.run(id, input));
    await asked.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await hung).toMatchObject({ kind: 'timeout', deadlineMs: 60_000, attempts: 0, mayBeBilled: false });
    expect((await hung).message).toMatch(/not sent within 60000 ms; the key store did not respond/);
  });

  const changes = ['finish', 'discard', 'release', 'admit'] as const;
  const atOnce = (): never => {
    throw new Error('the disk is full');
  };
  it.each([
    ['rejects', failing([...changes])],
    ['throws', { ...openMemory(), ...Object.fromEntries(changes.map((name) => [name, atOnce])) }],
  ])('returns a result even if the key store fails after the response: %s', async (_, keyStore) => {
    const { router } = createClient(server(), { keyStore });
    server().script({ body: { images: [] } });
    expect((await router.run(id, input)).data).toEqual({ images: [] });
    expect((await router.run(id, input, { settle: 'manual' })).data).toEqual({ images: [] });
    server().script(admitted(server()), { body: { images: [] } });
    expect((await (await submit(router, id, input)).result()).data).toEqual({ images: [] });
    server().script(routerError(400, 'invalid_input'));
    expect(await catchFailure(router.run(id, input))).toMatchObject({ kind: 'router', status: 400 });
  });
});
