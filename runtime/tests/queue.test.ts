import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelRouterFor, type ModelRouterOptions } from '../src/router/create-router.ts';
import type { QueueState } from '../src/router/queue-state.ts';
import type { RouterError } from '../src/router/router-error.ts';
import { manualClock, type Reply, routerError, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const createModelRouter = createModelRouterFor<{
  'video-provider/clip': { input: { prompt: string }; output: { url: string } };
}>({ brand: 'Service', apiKeyHeader: 'X-API-Key' });
const id = 'video-provider/clip';
const input = { prompt: 'a harbour' };
const requestId = '0f9a1b2c-3d4e-4f50-8a6b-7c8d9e0f1a2b';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

function client(options: Partial<ModelRouterOptions> = {}) {
  const clock = manualClock();
  return { clock, router: createModelRouter({ baseUrl: server.url, apiKey: 'secret-key-1', clock, ...options }) };
}
function state(status: string, more: object = {}, origin = server.url): object {
  const at = `${origin}/elsewhere/${requestId}`;
  return {
    request_id: requestId,
    status,
    status_url: `${at}/s`,
    response_url: `${at}/r`,
    cancel_url: `${at}/c`,
    ...more,
  };
}
const admitted = (): Reply => ({ status: 201, body: state('WAITING', { queue_position: 3 }) });
const pending = (seconds: number, status = 'WAITING', code = 200): Reply => ({
  status: code,
  body: state(status, { queue_position: 1 }),
  headers: { 'retry-after': String(seconds) },
});
async function failureOf(work: Promise<unknown>): Promise<RouterError> {
  return work.then(
    () => expect.unreachable('it resolved'),
    (error: RouterError) => error,
  );
}
const paths = (): string[] => server.seen.map(({ method, url }) => `${method} ${url.replace(requestId, 'ID')}`);

describe('submit', () => {
  it('follows the addresses of the handle and waits as told', async () => {
    server.script(
      admitted(),
      pending(5),
      pending(2, 'SOMETHING_NEW'),
      { body: state('COMPLETED') },
      pending(4, 'WAITING', 202),
      { body: { url: 'x' } },
    );
    const { clock, router } = client();
    const handle = await router.submit(id, input);
    const seen: QueueState[] = [];
    for await (const one of handle) seen.push(one);
    expect(seen.map(({ kind, status }) => [kind, status])).toEqual([
      ['pending', 'WAITING'],
      ['pending', 'SOMETHING_NEW'],
      ['succeeded', 'COMPLETED'],
    ]);
    expect((await handle.result()).data).toEqual({ url: 'x' });
    expect(clock.slept).toEqual([5000, 2000, 4000]);
    expect(paths()).toEqual([
      'POST /v2/models/video-provider/clip/requests',
      'GET /elsewhere/ID/s',
      'GET /elsewhere/ID/s',
      'GET /elsewhere/ID/s',
      'GET /elsewhere/ID/r',
      'GET /elsewhere/ID/r',
    ]);
  });

  it('names both causes of a submission that is not enabled', async () => {
    server.script(routerError(403, 'not_enabled'));
    expect((await failureOf(client().router.submit(id, input))).message).toMatch(
      /not enabled for this caller, or this model cannot be queued/,
    );
  });

  it('keeps the addresses in the key store until the result is collected', async () => {
    const { router } = client();
    server.script(admitted());
    const handle = await router.submit(id, input);
    server.script({ body: { url: 'x' } });
    await handle.result();
    expect(await router.pending()).toEqual([]);
  });

  it('yields a request that ended as a state and throws it from subscribe', async () => {
    const ended: Reply = { body: state('COMPLETED', { error_type: 'cancelled' }) };
    server.script(admitted(), ended);
    const { router } = client();
    expect(await (await router.submit(id, input)).status()).toMatchObject({
      kind: 'ended',
      category: { known: 'cancelled' },
    });
    server.script(admitted(), ended);
    const error = await failureOf(router.subscribe(id, input));
    expect(error).toMatchObject({
      kind: 'router',
      category: { known: 'cancelled' },
      mayBeBilled: true,
      queued: { requestId },
    });
    expect(paths()).toHaveLength(2);
  });

  const collected: [name: string, reply: () => Reply][] = [
    ['a pending 202', () => pending(1, 'WAITING', 202)],
    ['504 with a hint', () => routerError(504, 'deadline_exceeded', { 'retry-after': '3' })],
    ['503', () => routerError(503, 'service_unavailable')],
    ['a reset', () => 'reset'],
  ];
  it.each(collected)('collects again after %s', async (_, reply) => {
    server.script(admitted(), reply(), { body: { url: 'x' } });
    expect((await (await client().router.submit(id, input)).result()).data).toEqual({ url: 'x' });
  });

  it('sends no credential to an origin that nobody named', async () => {
    server.script({ status: 201, body: state('WAITING', {}, 'https://elsewhere.example') });
    const handle = await client().router.submit(id, input);
    const error = await failureOf(handle.status());
    expect(error).toMatchObject({ kind: 'local' });
    expect(error.message).toContain('https://elsewhere.example');
    expect(server.seen).toHaveLength(1);
  });
});

describe('cancel', () => {
  const outcomes: [code: number, status: string, outcome: string][] = [
    [202, 'CANCELLATION_REQUESTED', 'requested'],
    [409, 'ALREADY_COMPLETED', 'already-completed'],
  ];
  it.each(outcomes)('returns %i %s as a value', async (status, word, outcome) => {
    server.script(admitted(), { status, body: { request_id: requestId, status: word } });
    const handle = await client().router.submit(id, input);
    expect(await handle.cancel()).toEqual({ outcome, status: word });
    expect(paths()[1]).toBe('PUT /elsewhere/ID/c');
  });

  it('throws a conflict that is no cancel response', async () => {
    server.script(admitted(), routerError(409, 'invalid_input'));
    expect(await failureOf((await client().router.submit(id, input)).cancel())).toMatchObject({
      kind: 'router',
      status: 409,
    });
  });

  it.each([true, false])('is sent when a subscription is aborted only if asked (%s)', async (cancelOnAbort) => {
    const controller = new AbortController();
    server.script(admitted(), pending(1), {
      status: 202,
      body: { request_id: requestId, status: 'CANCELLATION_REQUESTED' },
    });
    const onStatus = (): void => controller.abort();
    const error = await failureOf(
      client().router.subscribe(id, input, { signal: controller.signal, onStatus, cancelOnAbort }),
    );
    expect(error).toMatchObject({ kind: 'aborted', mayBeBilled: true });
    expect(paths().includes('PUT /elsewhere/ID/c')).toBe(cancelOnAbort);
  });
});

describe('queued', () => {
  it('reads a request by its id where no address was kept', async () => {
    server.script({ body: state('COMPLETED') });
    await client().router.queued(id, requestId).status();
    expect(paths()).toEqual(['GET /v2/models/video-provider/clip/requests/ID/status']);
  });
});
