import { describe, expect, it } from 'vitest';
import { type QueueState, queued, submit, subscribe } from '../src/queue/index.ts';
import { listPending } from '../src/resume/index.ts';
import { isRouterError } from '../src/router/router-error.ts';
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
const state = (status: string, more: object = {}): object => queueState(server(), status, more);
const waiting = (seconds: number, status = 'WAITING', code = 200): Reply => ({
  status: code,
  body: state(status, { queue_position: 1 }),
  headers: { 'retry-after': String(seconds) },
});
const paths = (): string[] => server().seen.map(({ method, url }) => `${method} ${url.replace(requestId, 'ID')}`);

describe('submit', () => {
  // MR-SUB-01, MR-SUB-03, MR-SUB-05, MR-SUB-06, MR-IDM-55
  it('a submission posts the same bytes as a run, with a key', async () => {
    const { router } = createClient(server());
    server().script({});
    await router.run(id, input);
    const run = server().seen[0];
    server().script(admitted(server()));
    await submit(router, { id }, input);
    expect(server().seen[0]).toMatchObject({ url: `${run?.url}/requests`, body: run?.body });
    expect(server().seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  // MR-SUB-12, MR-QUE-28
  it.each([200, 201])('reports whether the request had been admitted before (%i)', async (status) => {
    const replayed = { 'idempotent-replayed': 'true' };
    server().script(admitted(server()), { ...(admitted(server()) as object), status, headers: replayed });
    const { router } = createClient(server());
    const handles = [await submit(router, id, input), await submit(router, id, input)];
    expect(handles.map((handle) => [handle.requestId, handle.replayed])).toEqual([
      [requestId, false],
      [requestId, true],
    ]);
  });

  // MR-QUE-01, MR-QUE-03, MR-QUE-18, MR-QUE-19, MR-QUE-21, MR-QUE-22, MR-QUE-24, MR-QUE-25, MR-QUE-29
  it.each(['request_id', 'status'])('rejects a submission response without %s', async (name) => {
    const body = { ...state('WAITING'), [name]: undefined };
    server().script({ status: 201, body });
    const { router } = createClient(server());
    const error = await catchFailure(submit(router, id, input));
    expect(error).toMatchObject({ kind: 'decode', status: 201, mayBeBilled: true });
    expect(await listPending(router)).toHaveLength(1);
  });

  // MR-QUE-24
  it.each(['status_url', 'response_url', 'cancel_url'])(
    'uses the documented URL for %s if the body has none',
    async (name) => {
      server().script({ status: 201, body: { ...state('WAITING'), [name]: undefined } });
      const { addresses } = await submit(createClient(server()).router, id, input);
      const known = Object.entries(state('WAITING')).filter(([one]) => one !== name);
      const built = Object.values(addresses).filter((address) => !known.some(([, value]) => value === address));
      expect(built).toEqual([expect.stringContaining(`${server().url}/v2/models/${id}/requests/${requestId}`)]);
    },
  );

  it('rejects a status response without a status', async () => {
    server().script(admitted(server()), { body: { ...state('WAITING'), status: undefined } });
    const handle = await submit(createClient(server()).router, id, input);
    expect(await catchFailure(handle.status())).toMatchObject({ kind: 'decode', queued: { requestId } });
  });

  // MR-QUE-04, MR-QUE-05, MR-QUE-06, MR-QUE-31, MR-QUE-32, MR-QUE-33, MR-STA-12, MR-EVT-01, MR-EVT-02, MR-VER-02
  const orders: [name: string, words: string[]][] = [
    ['at once', ['COMPLETED']],
    ['after several polls with the same status', ['A', 'A', 'A', 'COMPLETED']],
    ['after unknown statuses in any order', ['B', 'A', 'B', 'LATER', 'COMPLETED']],
  ];
  it.each(orders)('polls until COMPLETED, which arrives %s', async (_, words) => {
    server().script(...words.map((word) => ({ body: state(word) })), { body: { url: 'x' } });
    const handle = queued(createClient(server()).router, id, requestId);
    const seen: string[] = [];
    for await (const { kind, status } of handle) seen.push(`${kind} ${status}`);
    expect(seen).toEqual(words.map((word) => `${word === 'COMPLETED' ? 'succeeded' : 'pending'} ${word}`));
    expect((await handle.result()).data).toEqual({ url: 'x' });
  });

  // MR-QUE-07, MR-QUE-09, MR-QUE-10
  it.each([
    [0, { position: 0 }],
    [7, { position: 7 }],
    [undefined, {}],
    ['first', {}],
  ])('reads the queue position %s from a status response', async (queue_position, want) => {
    server().script({ body: state('WAITING', { queue_position }) });
    const read = await queued(createClient(server()).router, id, requestId).status();
    expect('position' in read ? { position: read.position } : {}).toEqual(want);
  });

  // MR-QUE-11, MR-QUE-15, MR-QUE-16, MR-QUE-17, MR-CTG-20, MR-CTG-21, MR-CTG-22, MR-CTG-23, MR-LIM-12
  const ends: [errorType: unknown, want: object][] = [
    [undefined, { kind: 'succeeded' }],
    [null, { kind: 'succeeded' }],
    ['cancelled', { kind: 'ended', category: { known: 'cancelled' } }],
    ['queue_timeout', { kind: 'ended', category: { known: 'queue_timeout' } }],
    ['later_end', { kind: 'ended', category: { known: 'internal_error', body: 'later_end' } }],
  ];
  it.each(ends)('interprets COMPLETED with the error type %s', async (error_type, want) => {
    const completed = { body: state('COMPLETED', error_type === undefined ? {} : { error_type }) };
    server().script(completed);
    const { router } = createClient(server());
    const handle = queued(router, id, requestId);
    const seen: QueueState[] = [];
    for await (const one of handle) seen.push(one);
    expect(seen).toMatchObject([want]);
    if (seen[0]?.kind !== 'ended') return;
    server().script({ ...completed, status: 202 });
    expect(await catchFailure(handle.result())).toMatchObject({
      kind: 'router',
      isRetryable: false,
      mayBeBilled: true,
    });
    expect(server().seen).toHaveLength(1);
  });

  // MR-COL-23
  it("result({ as: 'stream' }) polls until the request is complete, then streams the output", async () => {
    server().script(waiting(1, 'WAITING', 202), {
      body: Buffer.from('clip'),
      headers: { 'content-type': 'video/mp4' },
    });
    const { data, mediaType } = await queued(createClient(server()).router, id, requestId).result({ as: 'stream' });
    expect([await new Response(data as never).text(), mediaType]).toEqual(['clip', 'video/mp4']);
  });

  it('backs off if the server requests no wait', async () => {
    server().script({ body: state('A') }, { body: state('A') }, { body: state('A') }, { body: state('COMPLETED') });
    const { clock, router } = createClient(server());
    for await (const _ of queued(router, id, requestId));
    expect(clock.slept).toEqual([500, 1000, 2000]);
  });

  it('collects from the URL in the latest status', async () => {
    const moved = { response_url: `${server().url}/moved/r` };
    server().script(admitted(server()), waiting(1), { body: state('COMPLETED', moved) }, { body: { url: 'x' } });
    expect((await subscribe(createClient(server()).router, id, input)).data).toEqual({ url: 'x' });
    expect(paths().at(-1)).toBe('GET /moved/r');
  });

  it('follows changed URLs, and checks their origin like that of the first URL', async () => {
    const moved = { status_url: `${server().url}/moved/s`, response_url: 'https://elsewhere.example/r' };
    server().script({ body: state('A', moved) }, { ...(waiting(1, 'A', 202) as object), body: state('A', moved) });
    const handle = queued(createClient(server()).router, id, requestId);
    const states = handle.states()[Symbol.asyncIterator]();
    await states.next();
    server().script({ body: state('COMPLETED') });
    await states.next();
    expect(paths()).toEqual(['GET /moved/s']);
    server().script({ ...(waiting(1, 'A', 202) as object), body: state('A', moved) });
    expect(await catchFailure(handle.result())).toMatchObject({ kind: 'local' });
    expect(server().seen).toHaveLength(1);
  });

  // MR-LIM-07, MR-QUE-20, MR-QUE-23, MR-QUE-27, MR-QUE-34, MR-STA-14, MR-COL-09, MR-COL-10
  it('uses the URLs in the handle, and waits as long as the server asks', async () => {
    server().script(
      admitted(server()),
      waiting(5),
      waiting(2, 'SOMETHING_NEW'),
      { body: state('COMPLETED') },
      waiting(4, 'WAITING', 202),
      { body: { url: 'x' } },
    );
    const { clock, router } = createClient(server());
    const handle = await submit(router, id, input);
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
      'POST /v2/models/image-provider/still/requests',
      'GET /elsewhere/ID/s',
      'GET /elsewhere/ID/s',
      'GET /elsewhere/ID/s',
      'GET /elsewhere/ID/r',
      'GET /elsewhere/ID/r',
    ]);
  });

  it('the error for a submission that is not enabled mentions both possible causes', async () => {
    server().script(routerError(403, 'not_enabled'));
    expect((await catchFailure(submit(createClient(server()).router, id, input))).message).toMatch(
      /not enabled for this caller, or this model cannot be queued/,
    );
  });
});

describe('cancel', () => {
  const outcomes: [code: number, status: string, outcome: string][] = [
    [202, 'CANCELLATION_REQUESTED', 'requested'],
    [409, 'ALREADY_COMPLETED', 'already-completed'],
  ];
  // MR-QUE-26, MR-CAN-02, MR-CAN-05, MR-CAN-08, MR-CAN-09, MR-CAN-10, MR-CAN-11, MR-CAN-12, MR-CAN-14
  it.each(outcomes)('cancel returns %i %s as a value', async (status, word, outcome) => {
    server().script(admitted(server()), { status, body: { request_id: requestId, status: word } });
    const handle = await submit(createClient(server()).router, id, input);
    expect(await handle.cancel()).toEqual({ outcome, status: word });
    expect(paths()[1]).toBe('PUT /elsewhere/ID/c');
    expect(server().seen[1]?.body).toBe('');
    expect(server().seen[1]?.headers).not.toHaveProperty('content-type');
  });

  const odd = [{ status: 'failed' }, { status: { toString: 1, valueOf: 1 } }, { message: 'No.' }, []];
  it.each([
    ...[{}, { status: 1 }, []].map((body) => [202, body, 'decode'] as const),
    ...odd.map((body) => [409, body, 'opaque'] as const),
    [409, { detail: 'No.', error_type: 'invalid_input' }, 'router'] as const,
  ])('rejects the cancellation response %i %j', async (status, body, kind) => {
    server().script(admitted(server()), { status, body });
    const handle = await submit(createClient(server()).router, id, input);
    expect(await catchFailure(handle.cancel())).toMatchObject({ kind, status });
  });

  it('aborting subscribe() does not cancel the request, and the error contains the URLs for cancelling it', async () => {
    const controller = new AbortController();
    const cancelled = { status: 202, body: { request_id: requestId, status: 'CANCELLATION_REQUESTED' } };
    server().script(admitted(server()), waiting(1), cancelled);
    const onStatus = ({ facts }: QueueState): void => {
      if (facts.retryAfterMs === 1000) controller.abort(); // during the wait between two polls
    };
    const { router } = createClient(server());
    const error = await catchFailure(subscribe(router, id, input, { signal: controller.signal, onStatus }));
    const idempotencyKey = expect.any(String);
    expect(error).toMatchObject({ kind: 'aborted', mayBeBilled: true, queued: { requestId }, idempotencyKey });
    expect(paths()).toHaveLength(2);
    expect(await queued(router, id, error.queued ?? '').cancel()).toMatchObject({ outcome: 'requested' });
    expect(paths()).toContain('PUT /elsewhere/ID/c');
  });
});

describe('queued', () => {
  // MR-COL-01, MR-COL-02, MR-COL-03, MR-CAN-01, MR-STA-01
  it('collects and cancels a request by its id, and uses its URLs once a response contains them', async () => {
    server().script({ body: {} }, { status: 202, body: { request_id: requestId, status: 'CANCELLATION_REQUESTED' } });
    const handle = queued(createClient(server()).router, id, requestId);
    await handle.result();
    await handle.cancel();
    const path = '/v2/models/image-provider/still/requests/ID';
    expect(paths()).toEqual([`GET ${path}`, `PUT ${path}/cancel`]);
    server().script(waiting(1), { body: state('COMPLETED') });
    for await (const _ of handle);
    expect(paths()).toEqual([`GET ${path}/status`, 'GET /elsewhere/ID/s']);
  });

  it.each(['', '.', '..', 'a/b', '../x'])('the request id "%s" cannot change the path of a request', async (one) => {
    server().script({ body: state('COMPLETED') });
    const { router } = createClient(server());
    const read = async () => await queued(router, id, one).status();
    await read().catch((error: unknown) => expect(isRouterError(error)).toBe(true));
    for (const path of paths())
      expect(path).toMatch(/^GET \/v2\/models\/image-provider\/still\/requests\/[^/]+\/status$/);
  });
});
