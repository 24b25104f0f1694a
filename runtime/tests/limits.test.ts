import { expect, it } from 'vitest';
import { readModelSchema } from '../src/catalog/index.ts';
import { createLimits } from '../src/router/limits.ts';
import { catchFailure, createClient, id, serveScripts } from './router-under-test.ts';
import { manualClock, type Reply, routerError, steppedClock } from './scripted-server.ts';

const server = serveScripts();
const spend = (remaining: number): Record<string, string> => ({
  'x-committed-spend-limit': '1000',
  'x-committed-spend-current': String(1000 - remaining),
  'x-committed-spend-remaining': String(remaining),
});

/** Creates replies that wait until they are released, and counts the waiting replies. */
function heldReplies(reply: Reply = { body: {} }) {
  const open: (() => void)[] = [];
  let most = 0;
  const step = (): Promise<Reply> =>
    new Promise((resolve) => {
      open.push(() => resolve(reply));
      most = Math.max(most, open.length);
    });
  const settle = (): Promise<void> => new Promise((later) => setTimeout(later, 30));
  return {
    step,
    waiting: () => open.length,
    most: () => most,
    /** Resolves shortly after this many replies wait, so that an additional one would be noticed. */
    async reach(count: number) {
      while (open.length < count) await settle();
      await settle();
    },
    async letGo(replies: number) {
      for (let left = replies; left > 0; ) {
        await settle();
        const one = open.shift();
        one?.();
        if (one !== undefined) left -= 1;
      }
    },
  };
}
const runs = (router: ReturnType<typeof createClient>['router'], count: number): Promise<unknown[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => router.run(id, { prompt: `${index}` })));

it('a configured limit applies to billed calls in flight, but not to reads', async () => {
  const held = heldReplies();
  const { router } = createClient(server(), { limits: { requestsInFlight: 2 } });
  server().script(held.step);
  const work = runs(router, 5);
  await held.reach(2);
  expect(held.waiting()).toBe(2);
  const read = readModelSchema(router, id);
  await held.reach(3);
  await held.letGo(6);
  await Promise.all([work, read]);
  expect(held.most()).toBe(3);
});

// MR-IDM-14, MR-CTG-13, MR-LIM-08
it('sends calls one at a time for a while after a 429 concurrency_limit_exceeded, even without a configured limit', async () => {
  const held = heldReplies();
  const clock = steppedClock();
  const { router } = createClient(server(), { clock });
  server().script(routerError(429, 'concurrency_limit_exceeded'), { body: {} }, held.step);
  const first = router.run(id, { prompt: 'first' });
  await clock.reach(1);
  clock.advance(1000);
  await first;
  const work = runs(router, 4);
  await held.letGo(4);
  await work;
  expect(held.most()).toBe(1);
  clock.advance(60_000);
  const later = runs(router, 4);
  await held.reach(4);
  await held.letGo(4);
  await later;
  expect(held.most()).toBe(4);
});

// MR-CTG-19, MR-LIM-09
it('after a 429 rate_limited, sends nothing until the quota is renewed', async () => {
  const { router, clock } = createClient(server());
  server().script(routerError(429, 'rate_limited', { 'retry-after': '20' }), { body: {} });
  const refused = catchFailure(router.run(id, { prompt: 'first' }, { idempotencyKey: false }));
  expect(await refused).toMatchObject({ category: { known: 'rate_limited' } });
  expect(await catchFailure(router.run(id, { prompt: 'soon' }, { deadlineMs: 5000 }))).toMatchObject({
    kind: 'timeout',
    attempts: 0,
  });
  expect(server().seen).toHaveLength(1);
  await router.run(id, { prompt: 'second' });
  expect(clock.slept).toEqual([20_000]);
});

// MR-RUN-35, MR-RUN-36, MR-RUN-37, MR-HDR-30, MR-LIM-10
it('sends calls one at a time while little committed spend is left', async () => {
  const held = heldReplies({ body: {}, headers: spend(900) });
  const { router } = createClient(server(), { limits: { minimumRemainingCents: 200 } });
  server().script({ body: {}, headers: spend(100) }, held.step);
  await router.run(id, { prompt: 'first' });
  const work = runs(router, 3);
  await held.reach(1);
  expect(held.waiting()).toBe(1);
  await held.letGo(1);
  await held.reach(2);
  await held.letGo(2);
  await work;
});

// MR-IDM-15, MR-HDR-17, MR-HDR-19, MR-HDR-20
it('reports the committed spend of a 429', async () => {
  server().script(routerError(429, 'concurrency_limit_exceeded', { 'retry-after': '1', ...spend(0) }));
  const error = await catchFailure(createClient(server()).router.run(id, { prompt: 'a' }, { idempotencyKey: false }));
  const committedSpend = { limitCents: 1000, currentCents: 1000, remainingCents: 0 };
  expect(error).toMatchObject({ retryAfterMs: 1000, facts: { committedSpend } });
});

it('a single wrong header stops other calls for at most five minutes', async () => {
  const { router, clock } = createClient(server());
  server().script(routerError(429, 'rate_limited', { 'retry-after': '999999' }), { body: {} });
  await catchFailure(router.run(id, { prompt: 'first' }, { idempotencyKey: false }));
  await router.run(id, { prompt: 'second' });
  expect(clock.slept).toEqual([300_000]);
});

it('does not lose a slot if a call stops waiting just as it gets the slot', async () => {
  const clock = manualClock();
  const limits = createLimits({ requestsInFlight: 1 }, clock);
  const time = { clock, signal: undefined, endsAt: Number.POSITIVE_INFINITY };
  const release = await limits.acquire(time);
  const controller = new AbortController();
  const second = limits.acquire({ ...time, signal: controller.signal }).catch(() => 'gave up');
  controller.abort();
  release();
  expect(await second).toBe('gave up');
  const third = await limits.acquire(time);
  third();
});

// A pause may end while the limiter reads the clock.
it.each(Array.from({ length: 12 }, (_, index) => index / 10))(
  'starts a call whose pause ends while it is checked, %s ms early',
  async (early) => {
    let elapsed = 0;
    const pass = (ms: number): number => {
      elapsed += ms;
      return elapsed;
    };
    const sleep = async (ms: number): Promise<void> => void pass(Math.max(0.1, ms - early));
    const clock = { ...manualClock(), elapsed: () => pass(0.1), sleep };
    const limits = createLimits({}, clock);
    const acquire = () => limits.acquire({ clock, signal: undefined, endsAt: 100_000 });
    const late = new Promise((resolve) => setTimeout(resolve, 500, 'never'));
    limits.update(429, 'rate_limited', { replayed: false, retryAfterMs: 300 });
    expect(await Promise.race([Promise.all([acquire(), acquire()]), late])).not.toBe('never');
  },
);
