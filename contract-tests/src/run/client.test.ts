import { expect, test } from 'vitest';
import type { Ports } from '../contract/exchange.ts';
import { rule } from '../contract/rule.ts';
import { type Answer, type Scenario, scenario } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import { openRunBudget } from '../wire/budget.ts';
import { perform, type Reply, replyInTurn, senderTo } from './fixtures/sender.ts';

const router = { url: 'http://router.test', credentials: { main: 'sk-main' } };
const sandbox: Target = { kind: 'sandbox', router };
const live: Target = { kind: 'live', router, budget: { runs: 3, models: [{ id: 'a/b', input: {} }] } };
const model = { path: '/v2/models/a/b', input: {} };

const answering = (...replies: readonly Reply[]) => replyInTurn(replies);

const run = (given: Scenario['run'], target: Target, ports: Ports) =>
  perform(given, senderTo(target, ports), { endsAtMs: 60_000 });
const openBudget = () =>
  openRunBudget(live, { headers: { errorType: 'X-Service-Error-Type', upstreamStatus: 'X-Service-Upstream-Status' } });

test('names responses after the members of the object that a scenario returns, also in lists and for repeated calls', async () => {
  const { ports } = answering({ status: 200 });
  const { evidence } = await run(
    async (server) => {
      const ended = await server.repeat(() => server.listModels(), {
        until: ({ attempts }) => attempts.length === 2,
        atMost: 3,
        everyMs: 1,
      });
      const pages = [await server.listModels(), await server.listModels('', { name: 'last' })];
      await server.listModels();
      return { ended, inside: { pages }, same: pages[0] };
    },
    sandbox,
    ports,
  );
  expect(evidence.map(({ step, attempt }) => `${step}, ${attempt}`)).toEqual([
    'ended, 1',
    'ended, 2',
    'inside pages 1, 1',
    'inside pages last, 1',
    'list 4, 1',
  ]);
});

test('a call that the scenario has not awaited yet is sent before a wait that follows it', async () => {
  const { ports, sent } = answering({ status: 200 });
  await run(
    async ({ run, after }) => {
      const first = run(model);
      const again = after(150, () => run(model));
      return { first: await first, again: await again };
    },
    sandbox,
    ports,
  );
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 150]);
});

test('records a call that the scenario does not await, and ignores its failure', async () => {
  const { ports } = answering('silence', { status: 200 });
  const { evidence, stop } = await run(
    async ({ run, listModels }) => {
      void run(model).catch(() => undefined);
      return { list: await listModels() };
    },
    sandbox,
    ports,
  );
  expect([evidence.length, stop]).toEqual([2, undefined]);
});

test.each([
  ['no response', 'silence' as const, { kind: 'unanswered' }],
  [
    'a different status',
    { status: 404 },
    { kind: 'setup-failed', reason: 'step "submit" returned 404, but needed 201' },
  ],
])('a precondition that gets %s ends the scenario', async (name, reply, want) => {
  const { ports } = answering(reply);
  const { stop } = await run(
    async ({ submit, must }) => ({
      request: name === 'no response' ? await submit(model) : await must(submit(model), 201),
    }),
    sandbox,
    ports,
  );
  expect(stop).toMatchObject(want);
});

test('shares a run of a live target between scenarios with different keys, and pays for it once', async () => {
  const { ports, sent } = answering({ status: 200 });
  const budget = openBudget();
  const sender = senderTo(live, ports, budget);
  const shared: Scenario['run'] = async ({ run, newKey }) => {
    const first = await run(model, { key: newKey(), share: 'plain' });
    return { first, key: first.key };
  };
  for (const _ of [1, 2, 3, 4]) expect((await perform(shared, sender, { endsAtMs: 60_000 })).stop).toBeUndefined();
  expect([sent.length, budget.records.length]).toEqual([1, 1]);
});

test('a scenario can continue without a call that the budget does not allow', async () => {
  const { ports, sent } = answering({ status: 200 });
  const found: (Answer | undefined)[] = [];
  await perform(
    async ({ run, ifPossible }) => {
      for (let index = 0; index < 5; index += 1) found.push(await ifPossible(() => run(model)));
      return {};
    },
    senderTo(live, ports, openBudget()),
    { endsAtMs: 60_000 },
  );
  expect([found.filter((one) => one !== undefined).length, sent.length]).toEqual([3, 3]);
});

test('stops sending calls that must be rejected after the target accepted one of them', async () => {
  const { ports, sent } = answering({ status: 200 });
  const { evidence, stop } = await perform(
    async ({ run, sendRejectedCalls }) => ({
      rejected: await sendRejectedCalls(['{"a":1}', '{"a":2}'], (text) =>
        run({ ...model, input: JSON.parse(text) }, { rejected: 'maximum' }),
      ),
    }),
    senderTo(live, ports, openBudget()),
    { endsAtMs: 60_000 },
  );
  expect([sent.length, stop, evidence.map(({ step }) => step)]).toEqual([1, undefined, ['rejected 1']]);
});

test('a misspelt response name does not compile', () => {
  const listed = scenario({}, async ({ listModels }) => ({ list: await listModels() }));
  const statement = { sentence: 'It lists.', requirements: ['MR-CAT-17'] };
  // @ts-expect-error: the scenario returns `list`
  expect(rule('a.one', listed, { ...statement, check: ({ lits }) => (lits ? [] : []) }).family).toBe('a');
});
