import { describe, expect, it } from 'vitest';
import { readModel } from '../src/catalog/index.ts';
import { subscribe } from '../src/queue/index.ts';
import { forget, listPending, resume } from '../src/resume/index.ts';
import { createMemoryKeyStore } from '../src/router/key-store.ts';
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
  serveScripts,
} from './router-under-test.ts';
import { manualClock, type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();
const keys = (): unknown[] => server().seen.map(({ headers }) => headers['idempotency-key']);
const images = (name: string): Reply => ({ body: { images: [name] } });
const options = { idempotencyKey: 'order-1' };
const hourMs = 3_600_000;

describe('a result of another caller', () => {
  it('does not give a run that one user aborted to another user with an equal input', async () => {
    const { router } = createClient(server());
    const ofAda = new AbortController();
    server().script(() => {
      ofAda.abort();
      return new Promise(() => undefined);
    }, images('of Bob'));
    const { idempotencyKey } = await catchFailure(router.run(id, input, { signal: ofAda.signal }));
    const { data } = await router.run(id, input);
    expect(data).toEqual({ images: ['of Bob'] });
    expect(new Set(keys()).size).toBe(2);
    expect(await listPending(router)).toMatchObject([{ idempotencyKey }]);
  });
});

describe('an explicit key', () => {
  it('repeats an explicit key within 24 hours after its result, and starts no other run', async () => {
    const { router } = createClient(server());
    server().script(images('first'), { ...(images('first') as object), headers: { 'idempotent-replayed': 'true' } });
    await router.run(id, input, options);
    expect(await listPending(router)).toEqual([]);
    expect(await router.run(id, input, options)).toMatchObject({ replayed: true });
    expect(keys()).toEqual(['order-1', 'order-1']);
    const error = await catchFailure(router.run(id, { prompt: 'another' }, options));
    expect(error).toMatchObject({ kind: 'local', attempts: 0 });
    expect(server().seen).toHaveLength(2);
  });

  it.each([24, 47])(
    'rejects an explicit key %i hours later with an explanation, until it is removed',
    async (hours) => {
      const { router, clock } = createClient(server());
      server().script(images('first'));
      await router.run(id, input, options);
      clock.advance(hours * hourMs);
      for (let times = 0; times < 2; times += 1) {
        const error = await catchFailure(router.run(id, input, options));
        expect(error).toMatchObject({ kind: 'local', idempotencyKey: 'order-1', mayBeBilled: true });
        expect(error.message).toMatch(/is 24 hours old.*forget\(router, 'order-1'\)/);
      }
      expect(server().seen).toHaveLength(1);
      await forget(router, 'order-1');
      await router.run(id, input, options);
      expect(server().seen).toHaveLength(2);
    },
  );

  it('a repeated subscription collects its queued request again', async () => {
    const { router } = createClient(server());
    const done = (): Reply => ({ body: queueState(server(), 'COMPLETED') });
    server().script(admitted(server()), done(), images('a'), admitted(server()), done(), images('a'));
    await subscribe(router, id, input, options);
    expect((await subscribe(router, id, input, options)).data).toEqual({ images: ['a'] });
    expect(keys().filter((key) => key !== undefined)).toEqual(['order-1', 'order-1']);
    expect(await listPending(router)).toEqual([]);
  });

  it('a different request with an explicit key does not affect the running call with that key', async () => {
    const { router } = createClient(server());
    const answer = Promise.withResolvers<Reply>();
    server().script(() => answer.promise);
    const running = router.run(id, input, options);
    await expect.poll(() => server().seen.length).toBe(1);
    expect(await catchFailure(router.run(id, { prompt: 'another' }, options))).toMatchObject({ kind: 'local' });
    expect(await listPending(router)).toEqual([]);
    expect((await catchFailure(resume(router, options))).message).toContain('another process is working on it');
    answer.resolve(images('a'));
    expect((await running).data).toEqual({ images: ['a'] });
  });

  it('never sends the key of a caller again 24 hours after its first use, even if the machine was suspended', async () => {
    const { router, clock } = createClient(server());
    server().script(() => {
      clock.advance(25 * hourMs);
      return 'reset';
    }, images('second bill'));
    const elapsed = { ...clock, elapsed: () => 0 }; // The elapsed time stands still, as on a machine that is suspended.
    const sleepy = createModelRouter({ baseUrl: server().url, apiKey: 'key', clock: elapsed });
    const error = await catchFailure(sleepy.run(id, input));
    expect(error).toMatchObject({ kind: 'local', attempts: 1, mayBeBilled: true });
    expect(error.message).toContain('is 24 hours old');
    expect(server().seen).toHaveLength(1);
    expect(await listPending(router)).toEqual([]);
  });
});

describe('pending', () => {
  it('reports which calls belong to this client', async () => {
    const keyStore = createMemoryKeyStore({ clock: manualClock() });
    server().script('reset');
    await catchFailure(createClient(server(), { keyStore }).router.run(id, input));
    const isOwn = async (more: object): Promise<boolean> =>
      (await onlyPending(createClient(server(), { keyStore, ...more }).router)).isOwn;
    expect(await isOwn({})).toBe(true);
    expect(await isOwn({ apiKey: 'secret-key-2' })).toBe(false);
    expect(await isOwn({ token: () => 'secret-key-1' })).toBe(false);
    expect(await isOwn({ baseUrl: 'https://elsewhere.example' })).toBe(false);
    expect(await isOwn({ baseUrl: 'https://elsewhere.example', trustedOrigins: [server().url] })).toBe(true);
  });

  const clients: [name: string, first: object, second: object, isResumed: boolean][] = [
    ['the same scope', { credentialScope: 'a' }, { credentialScope: 'a', token: () => 'token-2' }, true],
    ['another scope', { credentialScope: 'a' }, { credentialScope: 'b' }, false],
    ['tokens of a function', { token: () => 'token-1' }, { token: () => 'token-1' }, false],
  ];
  it.each(clients)('lists calls that a client with %s may resume', async (_, first, second, isResumed) => {
    const keyStore = createMemoryKeyStore({ clock: manualClock() });
    server().script('reset');
    await catchFailure(createClient(server(), { keyStore, ...first }).router.run(id, input));
    const { router } = createClient(server(), { keyStore, ...second });
    const call = await onlyPending(router);
    server().script(images('a'));
    expect([call.isOwn, (await safe(resume(router, call))).ok]).toEqual([isResumed, isResumed]);
    expect(server().seen).toHaveLength(isResumed ? 1 : 0);
  });

  it('lists a call whose body was dropped; it can be resumed with the same input', async () => {
    const keyStore = createMemoryKeyStore({ clock: manualClock() });
    const { router } = createClient(server(), { keyStore });
    server().script('reset');
    const { idempotencyKey } = await catchFailure(router.run(id, input));
    const large = { prompt: 'x'.repeat(16 * 1024 * 1024) };
    const { idempotencyKey: other } = await catchFailure(router.run(id, large, { maxAttempts: 1 }));
    await forget(router, other ?? '');
    const call = await onlyPending(router);
    expect(call).toMatchObject({ idempotencyKey, needsInput: true, isOwn: true });
    server().script(images('a'));
    expect((await catchFailure(resume(router, call))).message).toContain('pass it as the option input');
    const refused = await catchFailure(resume(router, call, { input: { prompt: 'another' } }));
    expect(refused.message).toContain('differs from that of the stored call');
    expect((await resume(router, call, { input })).data).toEqual({ images: ['a'] });
    expect(keys().at(-1)).toBe(idempotencyKey);
  });
});

describe('deadlines without an option', () => {
  it.each([
    ['a run', 20, (router: ReturnType<typeof createModelRouter>) => router.run(id, input)],
    ['a read', 2, (router: ReturnType<typeof createModelRouter>) => readModel(router, id)],
  ] as const)('the default deadline of %s is %i minutes', async (_, minutes, send) => {
    server().script(routerError(429, 'rate_limited', { 'retry-after': '20' }));
    const { router, clock } = createClient(server(), { maxWaitMs: 100 * hourMs });
    const start = clock.now();
    const error = await catchFailure(send(router));
    expect(error).toMatchObject({ kind: 'timeout', deadlineMs: minutes * 60_000 });
    expect(clock.now() - start).toBeLessThanOrEqual(minutes * 60_000);
  });
});
