import { describe, expect, it, vi } from 'vitest';
import { readRetryAfterMs, systemClock } from '../src/http/clock.ts';
import { subscribe } from '../src/queue/index.ts';
import { createLimits } from '../src/router/limits.ts';
import { admitted, catchFailure, createClient, id, input, queueState, serveScripts } from './router-under-test.ts';
import { type Reply, routerError, steppedClock } from './scripted-server.ts';

const server = serveScripts();
const never = (): Promise<Reply> => new Promise(() => undefined);
const open = { clock: systemClock, signal: new AbortController().signal, endsAt: Number.POSITIVE_INFINITY };

describe('the limiter', () => {
  it.each([
    [{}, 30_000],
    [{ retryAfterMs: 2000 }, 2000],
  ])(
    'the limiter delays calls after a 429 concurrency_limit_exceeded, even during a long call: %o',
    async (wait, ms) => {
      const clock = steppedClock();
      const limits = createLimits({}, clock);
      limits.update(429, 'concurrency_limit_exceeded', { replayed: false, ...wait });
      await limits.acquire(open); // This call does not end.
      let entered = 0;
      const waiting = [limits.acquire(open), limits.acquire(open)].map((one) => one.then(() => (entered += 1)));
      clock.advance(ms - 1);
      await Promise.resolve();
      expect(entered).toBe(0);
      clock.advance(1);
      await Promise.all(waiting);
      await limits.acquire(open);
    },
  );

  it('the error mentions the limiter if the limiter delayed the call', async () => {
    const { router } = createClient(server(), { limits: { requestsInFlight: 1 }, clock: systemClock });
    server().script(never);
    const controller = new AbortController();
    const first = catchFailure(router.run(id, { prompt: 'first' }, { signal: controller.signal }));
    await vi.waitFor(() => expect(server().seen).toHaveLength(1));
    const held = await catchFailure(router.run(id, input, { deadlineMs: 20 }));
    expect(held).toMatchObject({ kind: 'timeout', deadlineMs: 20, attempts: 0, mayBeBilled: false });
    expect(held.message).toContain(
      'not sent within 20 ms; delayed by the limiter of this client (limits.requestsInFlight is 1)',
    );
    const bounded = await catchFailure(router.run(id, input, { maxWaitMs: 30 }));
    expect(bounded).toMatchObject({ kind: 'timeout', deadlineMs: 30, attempts: 0, mayBeBilled: false });
    const other = new AbortController();
    const aborted = catchFailure(router.run(id, input, { signal: other.signal }));
    other.abort();
    expect(await aborted).toMatchObject({ kind: 'aborted', attempts: 0, mayBeBilled: false });
    controller.abort();
    await first;
    expect(server().seen).toHaveLength(1);
  });

  // MR-LIM-09
  it('the limiter also delays waiting calls until the quota is renewed, and then starts them one by one', async () => {
    const clock = steppedClock();
    const limits = createLimits({ requestsInFlight: 1 }, clock);
    const leave = await limits.acquire(open);
    const started: number[] = [];
    const waiting = [1, 2, 3].map(() =>
      limits.acquire(open).then((done) => {
        started.push(clock.now());
        done();
      }),
    );
    limits.update(429, 'rate_limited', { replayed: false, retryAfterMs: 10_000 });
    leave();
    await clock.reach(1);
    clock.advance(9999);
    await Promise.resolve();
    expect(started).toEqual([]);
    for (let ms = 0; ms < 200; ms += 1) {
      clock.advance(1);
      await new Promise((later) => setImmediate(later));
    }
    await Promise.all(waiting);
    expect(started).toEqual([10_000, 10_050, 10_100]);
  });

  it('the limiter stops its timer when no calls are waiting', async () => {
    const clock = steppedClock();
    const sleep = vi.spyOn(clock, 'sleep');
    const limits = createLimits({}, clock);
    limits.update(429, 'rate_limited', { replayed: false, retryAfterMs: 60_000 });
    const controller = new AbortController();
    const held = limits.acquire({ ...open, signal: controller.signal }).catch(() => 'aborted');
    controller.abort();
    expect(await held).toBe('aborted');
    expect(sleep.mock.calls[0]?.[1]?.aborted).toBe(true);
  });
});

describe('Retry-After', () => {
  it.each([
    ['7', 7],
    ['1.5', 1.5],
    ['Mon, 23 Nov 2026 12:00:30 GMT', 30],
    ['Mon, 23 Nov 2026 11:00:00 GMT', 0],
    ['Some day GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['', undefined],
  ])('interprets Retry-After "%s" as %s seconds', (text, seconds) => {
    const headers = new Headers({ 'retry-after': text, date: 'Mon, 23 Nov 2026 12:00:00 GMT' });
    expect(readRetryAfterMs(headers)).toBe(seconds && seconds * 1000);
  });

  it('compares a Retry-After date with the local clock if the response has no Date', () => {
    const headers = new Headers({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
    expect(readRetryAfterMs(headers)).toBeGreaterThan(55_000);
  });

  const long = [
    ['two hours', '7200'],
    ['31 years', '999999999'],
  ];
  it.each(long)('a run fails immediately with the rejection if Retry-After is %s', async (_, seconds) => {
    const { router, clock } = createClient(server());
    server().script(routerError(429, 'rate_limited', { 'retry-after': seconds }));
    const error = await catchFailure(router.run(id, input));
    expect(error).toMatchObject({ kind: 'router', status: 429, attempts: 1, isRetryable: true, mayBeBilled: false });
    expect(error).toMatchObject({ retryAfterMs: Number(seconds) * 1000 });
    expect(clock.slept).toEqual([]);
  });

  it('before admission, a run waits for Retry-After at most ten minutes in total, or the maxWaitMs of the call', async () => {
    const { router, clock } = createClient(server());
    server().script(routerError(429, 'rate_limited', { 'retry-after': '100' }));
    expect(await catchFailure(router.run(id, input))).toMatchObject({ status: 429, attempts: 7 });
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(600_000);
    server().script(routerError(429, 'rate_limited', { 'retry-after': '100' }));
    const patient = createClient(server()).router.run(id, input, { maxWaitMs: 250_000 });
    expect(await catchFailure(patient)).toMatchObject({ status: 429, attempts: 3 });
  });

  it.each([
    [409, 'concurrency_limit_exceeded'],
    [504, 'deadline_exceeded'],
  ])('waits for Retry-After have no limit if %i %s shows that the run continues', async (status, category) => {
    const { router, clock } = createClient(server());
    const goesOn = routerError(status, category, { 'retry-after': '400' });
    const refused = routerError(429, 'rate_limited', { 'retry-after': '400' });
    server().script(goesOn, goesOn, refused, goesOn, { body: { images: [] } });
    await router.run(id, input, { deadlineMs: 3_600_000 });
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(1_600_000);
  });

  it('waits for Retry-After have no limit while a queued request is polled', async () => {
    const waiting = { body: queueState(server(), 'WAITING'), headers: { 'retry-after': '500' } };
    const refused = routerError(429, 'rate_limited', { 'retry-after': '500' });
    const completed = { body: queueState(server(), 'COMPLETED') };
    server().script(admitted(server()), waiting, refused, refused, waiting, completed, refused, { body: {} });
    await subscribe(createClient(server()).router, id, input);
  });
});

describe('repetitions', () => {
  it('many calls to a dead server share one retry budget', async () => {
    let sent = 0;
    const fetch = async (): Promise<Response> => {
      sent += 1;
      return Response.json({ detail: 'It is down.', error_type: 'service_unavailable' }, { status: 503 });
    };
    const { router } = createClient(server(), { fetch });
    const calls = Array.from({ length: 300 }, (_, index) => catchFailure(router.run(id, { prompt: `${index}` })));
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ status: 503, isRetryable: true });
    expect(sent).toBe(335);
  });

  it('retried polls of an admitted request do not use the retry budget', async () => {
    const { router } = createClient(server());
    server().script(routerError(503, 'service_unavailable'));
    for (let spent = 0; spent < 34; spent += 1) await catchFailure(router.run(id, { prompt: `${spent}` }));
    expect(await catchFailure(router.run(id, input))).toMatchObject({ attempts: 1 });
    server().script(admitted(server()), ...Array.from({ length: 9 }, (): Reply => 'reset'), {
      body: queueState(server(), 'COMPLETED'),
    });
    await subscribe(router, id, { prompt: 'queued' });
  });

  it('successful calls add to the retry budget', async () => {
    const { router } = createClient(server());
    server().script(routerError(503, 'service_unavailable'));
    for (let spent = 0; spent < 34; spent += 1) await catchFailure(router.run(id, { prompt: `${spent}` }));
    server().script({ body: {} });
    for (let earned = 0; earned < 5; earned += 1) await router.run(id, { prompt: 'earned' });
    server().script(routerError(503, 'service_unavailable'), { body: {} });
    await router.run(id, { prompt: 'repeated' });
  });
});

describe('a wall clock that is set while a call goes on', () => {
  it.each([3_600_000, -3_600_000])(
    'a change of the wall clock by %i ms neither ends nor extends a call',
    async (ms) => {
      let offset = 0;
      const clock = { ...systemClock, now: () => Date.now() + offset };
      const { router } = createClient(server(), { clock });
      server().script(
        () => {
          offset = ms;
          return routerError(429, 'rate_limited', { 'retry-after': '0.1' });
        },
        { body: { images: [] } },
      );
      expect((await router.run(id, input, { deadlineMs: 5000 })).data).toEqual({ images: [] });
      server().script(never);
      const startedAt = performance.now();
      expect(await catchFailure(router.run(id, input, { deadlineMs: 100 }))).toMatchObject({
        kind: 'timeout',
      });
      expect(performance.now() - startedAt).toBeLessThan(2000);
    },
  );
});
