import { describe, expect, test } from 'vitest';
import type { Exchange, RawHeaders, ScenarioRequest, WireRequest } from '../contract/exchange.ts';
import { get } from '../contract/requests.ts';
import type { Scenario, ScenarioContext } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import {
  callOnce,
  perform as performScenario,
  post,
  type Reply,
  replyInTurn,
  senderTo,
} from '../run/fixtures/sender.ts';
import { openRunBudget } from './budget.ts';
import type { RunRecord } from './call.ts';
import { isProxyPage } from './proxy-pages.ts';
import { sendOwnCall } from './send.ts';

const router = { url: 'http://router.test', credentials: { main: 'sk-main' } };
const outage = { status: 503, body: { detail: 'Try again.', error_type: 'service_unavailable' } };
const success = { status: 200, body: {} };
const replay = { ...success, headers: [['Idempotent-Replayed', 'true']] as RawHeaders };

/** A live target with a budget. */
function flaky(replies: readonly Reply[], runs = 20) {
  const live: Target = { kind: 'live', router, budget: { runs, models: [{ id: 'a/b', input: {} }] } };
  const events: string[] = [];
  const { ports, sent } = replyInTurn(replies, ({ method }) => events.push(`sent ${method}`));
  const headers = { errorType: 'X-Service-Error-Type', upstreamStatus: 'X-Service-Upstream-Status' };
  const onRecord = (_: number, { state }: RunRecord) => void events.push(state);
  const budget = openRunBudget(live, { headers, onRecord });
  const sender = senderTo(live, ports, budget);
  const perform = (run: Scenario['run']) => performScenario(run, sender, { endsAtMs: 60_000 });
  return { perform, sent, events, budget, sender };
}

const keys = (requests: readonly WireRequest[]) =>
  requests.map(({ headers }) => headers.find(([name]) => name === 'Idempotency-Key')?.[1]);
const keyed = (key: string): Partial<ScenarioRequest> => ({ headers: [['Idempotency-Key', key]] });
const statuses = (evidence: readonly Exchange[]) =>
  evidence.map(({ result }) => (result.kind === 'response' ? result.status : 0));

describe('a call during an outage', () => {
  test('repeats a call after an outage with the same key, and reserves a run each time', async () => {
    const { perform, sent, events } = flaky([outage, outage, success]);
    const { evidence } = await perform(callOnce(post('/v2/models/a/b', keyed('k'))));
    expect(statuses(evidence)).toEqual([200]);
    expect(keys(sent)).toEqual(['k', 'k', 'k']);
    expect(events).toEqual(Array(3).fill(['reserved', 'sent POST', 'spent']).flat());
  });

  test.each([
    ['has no key', async (server: ScenarioContext) => ({ run: await server.send(post('/v2/models/a/b')) })],
    [
      'is sent in parallel with another call',
      async (server: ScenarioContext) => ({
        both: await Promise.all([server.send(post('/v2/models/a/b', keyed('a'))), server.send(post('/v2/models/a/b'))]),
      }),
    ],
  ])('leaves a rule undecided if a run that fails during an outage %s', async (_, run) => {
    const { perform, sent } = flaky([outage, success]);
    const { stop } = await perform(run);
    expect(stop).toMatchObject({ kind: 'not-applicable', because: expect.stringMatching(/^outage: POST/) });
    expect(new Set(keys(sent)).size).toBe(sent.length);
  });

  test('leaves a rule undecided if the response to a retry may be a replay of the first attempt', async () => {
    const { perform, sent } = flaky([outage, replay]);
    const { stop } = await perform(callOnce(post('/v2/models/a/b', keyed('k'))));
    expect(stop).toMatchObject({ kind: 'not-applicable', because: expect.stringContaining('got a replay') });
    expect(sent).toHaveLength(2);
  });

  test('adds a key to a call that must be rejected, so that it can be retried', async () => {
    const { perform, sent } = flaky([outage, { status: 422, body: {} }]);
    await perform(callOnce(post('/v2/models/a/b'), { rejected: true }));
    expect(keys(sent)).toEqual([expect.any(String), keys(sent)[0]]);
  });

  test.each([
    ['a cancellation', { api: 'router', method: 'PUT', to: '/v2/models/a/b/requests/1/cancel' } as const],
    ['a read', get('router', '/v2/models')],
  ])('repeats %s after an outage without using the budget', async (_, request) => {
    const { perform, sent, budget } = flaky([outage, success], 0);
    expect(statuses((await perform(callOnce(request))).evidence)).toEqual([200]);
    expect([sent.length, budget.records.length]).toEqual([2, 0]);
  });

  test('makes a rule not applicable if an outage uses up the budget', async () => {
    const { perform, sent } = flaky([outage], 2);
    const { stop } = await perform(callOnce(post('/v2/models/a/b', keyed('k'))));
    expect(sent).toHaveLength(2);
    expect(stop).toMatchObject({
      kind: 'not-applicable',
      because: expect.stringMatching(/^outage: .*budget of 2 is used up$/),
    });
  });

  test('logs a call of the engine once if its outage uses up the budget', async () => {
    const { sender, sent } = flaky([outage], 1);
    await sendOwnCall(post('/v2/models/a/b', keyed('k')), sender, { endsAtMs: 60_000 });
    expect(sent).toHaveLength(1);
    expect(sender.log.exchanges).toHaveLength(1);
  });

  test.each([
    ['a run with a key', () => post('/v2/models/a/b', keyed('k'))],
    ['a read', () => get('router', '/v2/models')],
  ])('reports a lasting outage of %s once, and makes later rules not applicable', async (_, request) => {
    const { perform, sent } = flaky([outage]);
    const call = callOnce(request());
    expect(statuses((await perform(call)).evidence)).toEqual([503]);
    expect(sent).toHaveLength(5);
    expect((await perform(call)).stop).toMatchObject({ kind: 'not-applicable' });
    expect(sent).toHaveLength(6);
  });
});

const page = '<html><h1>502 Bad Gateway</h1></html>';
test.each<{ name: string; status: number; headers?: RawHeaders; body?: string; want: boolean }>([
  { name: 'a proxy page', status: 502, want: true },
  { name: 'an empty body', status: 504, body: '', want: true },
  {
    name: 'text and the request id of the proxy',
    status: 413,
    headers: [['X-Request-Id', '1']],
    body: 'too large',
    want: true,
  },
  { name: 'a header of the router', status: 502, headers: [['x-service-request-id', '1']], want: false },
  {
    name: 'a header of a different brand',
    status: 502,
    headers: [['X-Acme-Error-Type', 'provider_error']],
    want: false,
  },
  { name: 'a spend header', status: 503, headers: [['X-Committed-Spend-Limit', '1']], want: false },
  { name: 'JSON', status: 503, body: '{"message":"no healthy upstream"}', want: false },
  { name: 'a status that proxies do not generate', status: 404, want: false },
  { name: 'a status of the service itself', status: 500, want: false },
])(
  'a $status with $name comes from a proxy in front of the service: $want',
  ({ status, headers = [], body = page, want }) => {
    const result = { kind: 'response', status, headers, body: new TextEncoder().encode(body) } as const;
    const request = { method: 'GET', url: 'http://router.test/v2/models', headers: [], body: undefined };
    const timing = { startedAtMs: 0, durationMs: 0 };
    expect(isProxyPage({ step: 'call', attempt: 1, api: 'router', request, result, timing })).toBe(want);
  },
);
