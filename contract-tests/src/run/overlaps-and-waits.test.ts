import { describe, expect, test } from 'vitest';
import type { Ports } from '../contract/exchange.ts';
import { get } from '../contract/requests.ts';
import type { CallPurpose, Scenario, ScenarioContext } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import { untilCompleted } from './client.ts';
import { perform as performScenario, senderTo } from './fixtures/sender.ts';

const target: Target = { kind: 'sandbox', router: { url: 'http://router.test', credentials: { main: 'sk-main' } } };

/** A target that responds to `slow` after all other calls that were sent at the same time. */
function scripted(slow?: string): { ports: Ports; sent: string[]; passed: number[] } {
  const sent: string[] = [];
  const passed: number[] = [];
  let now = 0;
  const ports: Ports = {
    clock: {
      now: () => now,
      sleep: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    },
    hooks: {
      offered: () => Promise.resolve(['clock']),
      script: () => Promise.resolve(),
      clearScript: () => Promise.resolve(),
      pass: (ms) => {
        passed.push(ms);
        now += ms;
        return Promise.resolve();
      },
    },
    exchange: async ({ url }) => {
      const path = new URL(url).pathname;
      sent.push(path);
      if (path === slow) await new Promise((resolve) => setImmediate(resolve));
      return { kind: 'response', status: 200, headers: [], body: new Uint8Array() };
    },
  };
  return { ports, sent, passed };
}

const perform = async (run: Scenario['run'], ports: Ports) => {
  const sender = senderTo(target, ports);
  return { ...(await performScenario(run, sender, { endsAtMs: 5000 })), log: sender.log.exchanges };
};
const ask = ({ send }: ScenarioContext, name: string, purpose?: CallPurpose) =>
  send(get('router', `/${name}`), { name, ...purpose });

describe('calls that overlap', () => {
  test('sends overlapping calls concurrently, and keeps evidence and log in the order of the responses', async () => {
    const { ports, sent } = scripted('/first');
    const { evidence, log, stop } = await perform(async (server) => {
      const [first, second] = await Promise.all([ask(server, 'first'), ask(server, 'second')]);
      return { first, second };
    }, ports);
    expect(stop).toBeUndefined();
    expect(sent).toEqual(['/first', '/second']);
    expect(evidence.map((exchange) => exchange.step)).toEqual(['second', 'first']);
    expect(log).toEqual(evidence.map(({ origin }) => origin));
  });
});

describe('time that passes at the target', () => {
  test('does not count time that passes at the target against the deadline of the rule', async () => {
    const { ports, passed } = scripted();
    const { evidence, stop } = await perform(async (server) => {
      const before = await ask(server, 'before');
      await server.pass(90_000_000);
      return { before, after: await ask(server, 'after') };
    }, ports);
    expect(passed).toEqual([90_000_000]);
    expect(stop).toBeUndefined();
    expect(evidence.map((exchange) => exchange.step)).toEqual(['before', 'after']);
  });

  test('ends a scenario as setup-failed if it advances the clock of a target that has no clock hook', async () => {
    const { ports } = scripted();
    const fixed = { exchange: ports.exchange, clock: ports.clock };
    const { stop } = await perform(async ({ pass }) => pass(1), fixed);
    expect(stop).toEqual({ kind: 'setup-failed', reason: 'the clock of the target cannot be advanced' });
  });
});

describe('a wait for the end of a queued request', () => {
  const live: Target = { ...target, kind: 'live', budget: { runs: 1, models: [{ id: 'a/b', input: {} }] } };
  /** Polls a status that is IN_QUEUE, then IN_PROGRESS, and then always `last`. */
  const poll = async (last: object) => {
    const { ports } = scripted();
    const statuses = [{ status: 'IN_QUEUE' }, { status: 'IN_PROGRESS' }];
    const exchange: Ports['exchange'] = async () => {
      const text = JSON.stringify({ status_url: 'https://router.test/s', ...(statuses.shift() ?? last) });
      return { kind: 'response', status: 200, headers: [], body: new TextEncoder().encode(text) };
    };
    const status = get('router', '/v2/models/a/b/requests/1/status');
    const sender = senderTo(live, { ...ports, exchange });
    const poll: Scenario['run'] = ({ repeat, send }) => repeat(() => send(status, { name: 'end' }), untilCompleted);
    const { evidence, stop } = await performScenario(poll, sender, { endsAtMs: 60_000 });
    return { polls: evidence.length, stop, tookMs: ports.clock.now() };
  };

  test.each([
    ['a fourth status', { status: 'WITHDRAWN' }, 'has the status WITHDRAWN, which is not one of the three'],
    ['COMPLETED in other letters', { status: 'completed' }, 'has the status completed, which is not one of the three'],
    [
      'an undocumented terminal state',
      { status: 'CANCELLED' },
      'has the status CANCELLED, which is not one of the three',
    ],
    [
      'an error_type before COMPLETED',
      { status: 'IN_PROGRESS', error_type: 'cancelled' },
      'has the error_type cancelled and the status IN_PROGRESS',
    ],
    ['a response without a status', { status: undefined }, 'returned 200 without a status'],
  ])('stops waiting for a queued request soon after %s', async (_, last, because) => {
    const { polls, stop } = await poll(last);
    expect(stop).toEqual({ kind: 'setup-failed', reason: `step "end" ${because}` });
    expect(polls).toBe(14);
  });

  test('stops waiting for a queued request after the deadline of a rule, even on a live target', async () => {
    const { stop, tookMs } = await poll({ status: 'IN_PROGRESS' });
    expect(stop).toMatchObject({ kind: 'setup-failed' });
    expect(tookMs).toBeLessThan(65_000);
  });
});

describe('a read that expects a failure', () => {
  const refusal = (category: string) => ({
    kind: 'response' as const,
    status: 503,
    headers: [],
    body: new TextEncoder().encode(JSON.stringify({ error_type: category })),
  });

  test('repeats a read that expects a scripted failure if the read gets a different failure', async () => {
    const answers = ['internal_error', 'service_unavailable', 'internal_error'];
    const { ports, sent } = scripted();
    const exchange: Ports['exchange'] = async (request, deadlineMs) => {
      await ports.exchange(request, deadlineMs);
      return refusal(answers.shift() ?? 'internal_error');
    };
    const { evidence } = await perform((server) => ask(server, 'collect', { expectedFailure: 'service_unavailable' }), {
      ...ports,
      exchange,
    });
    expect(sent).toHaveLength(2);
    expect(evidence.map(({ result }) => result)).toEqual([refusal('service_unavailable')]);
  });
});
