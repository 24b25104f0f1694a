import { describe, expect, it } from 'vitest';
import type { QueueState } from '../src/queue/index.ts';
import { queued, subscribe } from '../src/queue/index.ts';
import { listPending } from '../src/resume/index.ts';
import {
  admitted,
  catchFailure,
  createClient,
  id,
  input,
  queueState,
  requestId,
  serveScripts,
} from './router-under-test.ts';
import { type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();
const html = { body: '<html>502</html>', headers: { 'content-type': 'text/html' } };
const done = (): Reply => ({ body: queueState(server(), 'COMPLETED') });
const ended = (word: string): Reply => ({ body: queueState(server(), 'COMPLETED', { error_type: word }) });

describe('a request that ended without an output', () => {
  // MR-COL-22
  it('subscribe throws the rejection of the collection, with its fields', async () => {
    const detail = ['prompt', 'seed'].map((name) => ({ loc: ['body', name], msg: 'is wrong', type: 'value_error' }));
    const refusal = { status: 422, body: { detail }, headers: { 'x-service-error-type': 'invalid_input' } };
    server().script(admitted(server()), ended('invalid_input'), refusal);
    const error = await catchFailure(subscribe(createClient(server()).router, id, input));
    expect(error).toMatchObject({ kind: 'validation', status: 422, fields: detail });
    expect(server().seen).toHaveLength(3);
  });

  it('collects a request that ended without output only once if that response confirms the failure', async () => {
    server().script(admitted(server()), ended('provider_error'), routerError(502, 'provider_error'));
    const { router } = createClient(server());
    const failure = { status: 502, category: { known: 'provider_error' }, isRetryable: false };
    const billed = { mayBeBilled: true, queued: { requestId } };
    expect(await catchFailure(subscribe(router, id, input))).toMatchObject({ ...failure, ...billed });
    expect(server().seen).toHaveLength(3);
    expect(await listPending(router)).toEqual([]);
  });

  it.each([['a page', { ...html, status: 404 }] as const, ['no answer', 'reset'] as const])(
    'a request that ended without an output throws its state if the collection returns %s',
    async (_, reply) => {
      server().script(admitted(server()), ended('queue_timeout'), reply);
      const error = await catchFailure(subscribe(createClient(server()).router, id, input));
      expect(error).toMatchObject({ kind: 'router', category: { known: 'queue_timeout' }, queued: { requestId } });
      expect(error.cause).toMatchObject({ operation: 'result' });
    },
  );
});

describe('polling after admission', () => {
  const unclear: [name: string, replies: () => Reply[]][] = [
    ['a page with status 200', () => [html]],
    ['a 404 of a replica', () => [routerError(404, 'request_not_found')]],
    ['five 503', () => Array.from({ length: 5 }, () => routerError(503, 'service_unavailable'))],
    ['five lost answers', () => Array.from({ length: 5 }, () => 'reset' as const)],
    ['JSON that is not a state', () => [{ body: { ok: true } }]],
    ['a truncated body', () => [{ body: queueState(server(), 'WAITING'), truncate: true }]],
  ];
  it.each(unclear)('polling continues after %s', async (_, replies) => {
    server().script(admitted(server()), ...replies(), done(), { body: { images: [] } });
    expect((await subscribe(createClient(server()).router, id, input)).data).toEqual({ images: [] });
  });

  // MR-QUE-24
  it.each(['request_id', 'status_url', 'response_url', 'cancel_url'])(
    'takes %s from the submission if a status omits it',
    async (name) => {
      const body = { ...queueState(server(), 'COMPLETED'), [name]: undefined };
      server().script(admitted(server()), { body }, { body: { images: [] } });
      expect((await subscribe(createClient(server()).router, id, input)).data).toEqual({ images: [] });
      expect(server().seen.at(-1)?.url).toBe(`/elsewhere/${requestId}/r`);
    },
  );

  it('polling ends at the deadline, and after a persistent 404', async () => {
    const { router } = createClient(server());
    server().script(admitted(server()), html);
    expect(await catchFailure(subscribe(router, id, input, { deadlineMs: 60_000 }))).toMatchObject({ kind: 'timeout' });
    server().script(admitted(server()), routerError(404, 'request_not_found'));
    expect(await catchFailure(subscribe(router, id, input))).toMatchObject({ status: 404, attempts: 4 });
  });

  it('yields the state of the submission immediately', async () => {
    const seen: QueueState[] = [];
    const onStatus = (state: QueueState): void => {
      seen.push(state);
      if (seen.length === 1) expect(server().seen).toHaveLength(1);
    };
    server().script(admitted(server(), { queue_position: 3 }), done(), { body: {} });
    await subscribe(createClient(server()).router, id, input, { onStatus });
    expect(seen).toMatchObject([{ kind: 'pending', position: 3 }, { kind: 'succeeded' }]);
  });

  it('polls at most every pollEveryMs, and never before Retry-After', async () => {
    const { router, clock } = createClient(server());
    const waiting = (headers = {}): Reply => ({ body: queueState(server(), 'WAITING'), headers });
    server().script(
      admitted(server()),
      waiting(),
      waiting(),
      waiting({ 'retry-after': '1' }),
      waiting({ 'retry-after': '9' }),
      done(),
      { body: {} },
    );
    await subscribe(router, id, input, { pollEveryMs: 2000 });
    expect(clock.slept).toEqual([2000, 2000, 2000, 9000]);
  });
});

describe('URLs at a different origin', () => {
  const path = `/v2/models/${id}/requests/${requestId}`;
  const atOrigin = (origin: string, at = path): object => ({
    request_id: requestId,
    status: 'WAITING',
    status_url: `${origin}${at}/status`,
    response_url: `${origin}${at}`,
    cancel_url: `${origin}${at}/cancel`,
  });

  it('requests a documented path at the base URL, even if the response named a different origin', async () => {
    const router = createClient(server(), { baseUrl: `${server().url}/gateway` }).router;
    const body = atOrigin('https://router.example');
    server().script({ status: 201, body }, { body: { ...body, status: 'COMPLETED' } }, { body: { images: [] } });
    await subscribe(router, id, input);
    expect(server().seen.map(({ url }) => url)).toEqual([
      `/gateway/v2/models/${id}/requests`,
      `/gateway${path}/status`,
      `/gateway${path}`,
    ]);
  });

  it('a URL at a different origin may percent-encode other characters of its path', async () => {
    const model = 'image-provider/still:2 x';
    const at = path.replace(id, 'image-provider/still:2%20x');
    server().script({ body: atOrigin('https://router.example', at) }, { body: {} });
    const addresses = { requestId, statusUrl: `https://router.example${at}/status`, responseUrl: '', cancelUrl: '' };
    const { router } = createClient(server());
    await queued(router, { id: model }, addresses).status();
    expect(server().seen[0]?.url).toBe(`${path.replace(id, 'image-provider/still%3A2%20x')}/status`);
  });

  it.each([
    ['of a different request', path.replace(requestId, 'another'), {}],
    ['with an undocumented path', '/elsewhere', {}],
    ['of a different model', path.replace(id, 'image-provider/other'), {}],
    ['where they are to be followed', path, { addresses: 'follow' }],
  ] as const)('rejects URLs at a different origin %s', async (_, at, options) => {
    const { router } = createClient(server(), options);
    server().script({ status: 201, body: atOrigin('https://router.example', at) });
    const error = await catchFailure(subscribe(router, id, input));
    expect(error).toMatchObject({ kind: 'local', mayBeBilled: true });
    expect(error.message).toContain('https://router.example');
    expect(error.message).not.toContain('trustedOrigins');
    expect(server().seen).toHaveLength(1);
  });
});
