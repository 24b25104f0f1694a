import { describe, expect, it } from 'vitest';
import { readModel } from '../src/catalog/index.ts';
import { queued, submit } from '../src/queue/index.ts';
import { catchFailure, createClient, id, input, queueState, requestId, serveScripts } from './router-under-test.ts';
import { type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();

/** `never`: sent once. `counted`: at most four attempts. `waits`: repeated as long as the server requests it. */
type Repeats = 'never' | 'counted' | 'waits';
const calls = { never: 1, counted: 4, waits: 10 } as const;

type Row = readonly [
  status: number,
  category: string,
  retryAfter: number | undefined,
  billed: Repeats,
  read: Repeats,
  collect: Repeats,
  cancel: Repeats,
];
const rows: readonly Row[] = [
  [409, 'concurrency_limit_exceeded', 7, 'waits', 'never', 'never', 'never'],
  [409, 'concurrency_limit_exceeded', undefined, 'waits', 'never', 'never', 'never'],
  [409, 'invalid_input', 7, 'never', 'never', 'never', 'never'],
  [409, 'cancelled', 7, 'never', 'never', 'never', 'never'],
  [409, 'later_category', 7, 'waits', 'never', 'waits', 'never'],
  [429, 'rate_limited', 7, 'waits', 'waits', 'waits', 'waits'],
  [429, 'rate_limited', undefined, 'waits', 'waits', 'waits', 'waits'],
  [429, 'concurrency_limit_exceeded', 7, 'waits', 'waits', 'waits', 'waits'],
  [429, 'concurrency_limit_exceeded', undefined, 'waits', 'waits', 'waits', 'waits'],
  [429, 'later_category', 7, 'waits', 'waits', 'waits', 'waits'],
  [429, 'later_category', undefined, 'counted', 'counted', 'counted', 'counted'],
  [504, 'deadline_exceeded', 7, 'waits', 'waits', 'waits', 'waits'],
  [504, 'deadline_exceeded', undefined, 'counted', 'counted', 'counted', 'counted'],
  [504, 'provider_timeout', 7, 'counted', 'counted', 'counted', 'counted'],
  [504, 'queue_timeout', 7, 'counted', 'never', 'never', 'counted'],
  [504, 'later_category', 7, 'counted', 'counted', 'counted', 'counted'],
  [408, 'internal_error', 7, 'counted', 'counted', 'counted', 'counted'],
  [425, 'internal_error', 7, 'counted', 'counted', 'counted', 'counted'],
  [404, 'internal_error', 7, 'never', 'never', 'counted', 'never'],
  [503, 'service_unavailable', 7, 'counted', 'counted', 'counted', 'counted'],
  [503, 'service_unavailable', undefined, 'counted', 'counted', 'counted', 'counted'],
  [502, 'provider_error', undefined, 'counted', 'counted', 'counted', 'counted'],
  [502, 'content_policy_violation', undefined, 'counted', 'never', 'never', 'counted'],
  [500, 'internal_error', 7, 'counted', 'counted', 'counted', 'counted'],
  ...([400, 401, 402, 403, 410, 413, 422, 307] as const).map(
    (status) => [status, 'internal_error', 7, 'never', 'never', 'never', 'never'] as const,
  ),
];

const addresses = () => {
  const at = `${server().url}/elsewhere`;
  return { requestId, statusUrl: `${at}/s`, responseUrl: `${at}/r`, cancelUrl: `${at}/c` };
};
const deadlineMs = 600_000;
const operations = {
  run: { send: (router) => router.run(id, input), column: 3, end: { body: { images: [] } } },
  submit: { send: (router) => submit(router, id, input), column: 3, end: { status: 201, body: {} } },
  'read of a model': {
    send: (router) => readModel(router, id, { deadlineMs }),
    column: 4,
    end: { body: { id, billing: { charges_on_policy_rejection: 'no' } } },
  },
  'read of a status': { send: (router) => queued(router, id, addresses()).status({ deadlineMs }), column: 4, end: {} },
  collection: { send: (router) => queued(router, id, addresses()).result(), column: 5, end: { body: {} } },
  cancellation: {
    send: (router) => queued(router, id, addresses()).cancel({ deadlineMs }),
    column: 6,
    end: { status: 202, body: { request_id: requestId, status: 'CANCELLATION_REQUESTED' } },
  },
} satisfies Record<
  string,
  {
    send: (router: ReturnType<typeof createClient>['router']) => Promise<unknown>;
    column: 3 | 4 | 5 | 6;
    end: Exclude<Reply, string>;
  }
>;

// MR-IDM-06, MR-IDM-08, MR-IDM-09, MR-IDM-12, MR-IDM-14, MR-IDM-18, MR-IDM-21, MR-IDM-22, MR-IDM-31, MR-RUN-61, MR-STC-18,
// MR-STC-20, MR-COL-22, MR-CAT-57, MR-CAT-58, MR-ERR-07, MR-CTG-13, MR-CTG-16, MR-CTG-18, MR-CTG-19, MR-HDR-16, MR-LIM-11: by status and
// category, row by row
describe.each(Object.entries(operations))('%s', (name, { send, column, end }) => {
  const isQueue = name === 'submit' || name === 'read of a status';
  it.each(rows.map((row) => [row[0], row[1], row[2], row[column], row] as const))(
    'repeats a call as documented after %i %s with Retry-After %s: %s',
    async (status, category, retryAfter, repeats) => {
      const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
      const refusal = routerError(status, category, headers);
      const last = isQueue ? { ...end, body: queueState(server(), 'COMPLETED') } : end;
      server().script(...Array.from({ length: 9 }, () => refusal), last);
      const { router, clock } = createClient(server());
      const work = send(router);
      if (repeats === 'waits') await work;
      else expect(await catchFailure(work)).toMatchObject({ status, isRetryable: repeats === 'counted' });
      expect(server().seen).toHaveLength(calls[repeats]);
      if (retryAfter !== undefined) expect(new Set(clock.slept)).toEqual(new Set(repeats === 'never' ? [] : [7000]));
      expect(new Set(server().seen.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1);
    },
  );

  it('sends a request at most four times after lost responses, with growing waits', async () => {
    server().script('reset');
    const { router, clock } = createClient(server());
    expect(await catchFailure(send(router))).toMatchObject({ kind: 'network', attempts: 4, isRetryable: true });
    expect(clock.slept).toEqual([500, 1000, 2000]);
  });
});

it('jitter subtracts up to half of a wait', async () => {
  server().script('reset');
  const { router, clock } = createClient(server());
  clock.random = () => 0.5;
  await catchFailure(readModel(router, id));
  expect(clock.slept).toEqual([375, 750, 1500]);
});

it('backs off for at most half a minute', async () => {
  server().script(...Array.from({ length: 9 }, () => routerError(429, 'rate_limited')), { body: {} });
  const { router, clock } = createClient(server());
  await router.run(id, input);
  expect(clock.slept).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

it.each(['0', 'Thu, 01 Jan 1970 00:00:00 GMT'])('backs off if the server requests no wait: %s', async (past) => {
  const busy = routerError(429, 'rate_limited', { 'retry-after': past });
  server().script(busy, busy, busy, { body: {} });
  const { router, clock } = createClient(server());
  await router.run(id, input);
  expect(clock.slept).toEqual([500, 1000, 2000]);
});

it('does not send a request to the target of a redirect, which the error contains', async () => {
  const location = `${server().url}/other`;
  server().script({ status: 307, headers: { location } }, { body: {} });
  const error = await catchFailure(createClient(server()).router.run(id, input));
  expect(error).toMatchObject({ kind: 'opaque', status: 307 });
  expect(error.message).toContain(`redirected to ${location}, which is not followed`);
  expect(server().seen).toHaveLength(1);
});

it('repeats a run beyond maxAttempts until the key is 24 hours old', async () => {
  server().script(routerError(409, 'concurrency_limit_exceeded', { 'retry-after': '3600' }));
  const { router } = createClient(server());
  const error = await catchFailure(router.run(id, input, { deadlineMs: 100 * 3_600_000 }));
  expect(error).toMatchObject({ kind: 'local', mayBeBilled: true, attempts: 24 });
  expect(error.message).toContain('is 24 hours old');
  expect(server().seen).toHaveLength(24);
});
