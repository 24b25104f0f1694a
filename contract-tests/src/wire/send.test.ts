import { expect, test } from 'vitest';
import type { RawHeaders, ScenarioRequest } from '../contract/exchange.ts';
import { get } from '../contract/requests.ts';
import type { CallPurpose } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import { createReportRedactor } from '../report/redact.ts';
import { callOnce, perform, post, replyInTurn, senderTo } from '../run/fixtures/sender.ts';
import { openRunBudget } from './budget.ts';
import { prepareRequest, resolveUrl } from './request.ts';

const sent = (main: string): { value: string | undefined; target: Target } => {
  const target: Target = { kind: 'live', router: { url: 'http://router.test', credentials: { main } } };
  const credentials = [{ as: 'api-key', who: 'recased' }] as const;
  const request = prepareRequest(target, { api: 'router', method: 'GET', to: '/v2/models', credentials });
  return { value: request.headers.find(([name]) => name === 'X-API-Key')?.[1], target };
};

test.each(['sk-Main-1', 'SK-MAIN-1', '123456'])(
  'never sends the credential %s itself if a rule requests a variant of it',
  (main) => {
    const { value } = sent(main);
    expect(value).toBeDefined();
    expect(value).not.toBe(main);
  },
);

test.each([
  ['an API key', 'sk-colleague', 'X-API-Key', 'sk-colleague'],
  ['a token that only looks like a JSON Web Token', 'a.b.c', 'X-API-Key', 'a.b.c'],
  ['a JSON Web Token', 'eyJhbGciOiJub25lIn0.e30.', 'Authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
] as const)('sends %s of another caller in a header that the API text allows for it', (_, colleague, name, value) => {
  const target: Target = { kind: 'live', router: { url: 'http://router.test', credentials: { main: 'a', colleague } } };
  const credentials = [{ as: 'usual', who: 'colleague' }] as const;
  const request = prepareRequest(target, { api: 'router', method: 'GET', to: '/v2/models', credentials });
  expect(request.headers).toEqual([[name, value]]);
});

test('redacts the variant of a credential in reports', () => {
  const { value, target } = sent('sk-main-secret');
  expect(createReportRedactor(target).redact(`got ${value}`)).toBe('got [redacted]');
});

const addresses: readonly { given: readonly [base: string, to: string]; want: string; rebased?: true }[] = [
  { given: ['http://h:1', '/v2/models'], want: 'http://h:1/v2/models' },
  { given: ['http://h:1/', '/v2//%2e%2e/x'], want: 'http://h:1/v2//%2e%2e/x' },
  { given: ['http://h:1/gate', '/v2/models'], want: 'http://h:1/gate/v2/models' },
  { given: ['http://h:1', 'http://h:1/v2/a?b=c'], want: 'http://h:1/v2/a?b=c' },
  { given: ['http://h:1', 'https://elsewhere/v2/a?b=c'], want: 'http://h:1/v2/a?b=c', rebased: true },
  { given: ['http://h:1/gate', 'http://inner:9/v2/a'], want: 'http://h:1/gate/v2/a', rebased: true },
  { given: ['http://h:1/gate', 'http://inner:9/gate/v2/a'], want: 'http://h:1/gate/v2/a', rebased: true },
  { given: ['http://h:1', 'http://user:word@h:1/v2/a'], want: 'http://h:1/v2/a', rebased: true },
  { given: ['http://h:1', 'file:///etc/passwd'], want: 'http://h:1/etc/passwd', rebased: true },
];

test.each(addresses)('resolves the base URL and path $given to $want', async ({ given: [url, to], want, rebased }) => {
  expect(resolveUrl(url, to)).toBe(want);
  const sender = senderTo({ kind: 'live', router: { url, credentials: { main: 'sk-main' } } }, scripted([200]).ports);
  const { evidence } = await perform(callOnce(get('router', to)), sender, { endsAtMs: 60_000 });
  expect(evidence[0]?.rebasedFrom).toBe(rebased && to);
});

test.each([`/v2/models?cursor=${'x'.repeat(9_000)}`, `http://h:1/${'x'.repeat(9_000)}`])(
  'rejects URLs of thousands of characters',
  (to) => {
    expect(() => resolveUrl('http://h:1', to)).toThrow(/^a URL of 90\d\d characters is too long to request$/);
  },
);

const credentials = { main: 'sk-main', rateLimited: 'sk-limited' };
const target: Target = { kind: 'sandbox', router: { url: 'http://router.test', credentials } };

function scripted(statuses: readonly number[], headers: RawHeaders = [], body = '{}') {
  const { ports, sent } = replyInTurn(
    statuses.map((status) => ({ status, headers: status === 200 ? [] : headers, body })),
  );
  return { ports, sent: () => sent.length, waitedMs: ports.clock.now };
}

const after = (seconds: string): RawHeaders => [['Retry-After', seconds]];
const read = get('router', '/v2/models');

test.each<{
  name: string;
  wanted?: ScenarioRequest;
  statuses: number[];
  headers?: RawHeaders;
  status: number;
  sent: number;
  waitedMs: number;
}>([
  {
    name: 'is repeated after the number of seconds in Retry-After',
    statuses: [503, 200],
    headers: after('7'),
    status: 200,
    sent: 2,
    waitedMs: 7_000,
  },
  {
    name: 'is repeated after a rate limit',
    statuses: [429, 429, 200],
    headers: after('2'),
    status: 200,
    sent: 3,
    waitedMs: 4_000,
  },
  {
    name: 'is repeated after increasing waits if there is no Retry-After',
    statuses: [503, 503, 503, 200],
    status: 200,
    sent: 4,
    waitedMs: 3_500,
  },
  {
    name: 'is not repeated immediately if Retry-After is 0',
    statuses: [503, 200],
    headers: after('0'),
    status: 200,
    sent: 2,
    waitedMs: 500,
  },
  {
    name: 'is repeated only a few times',
    statuses: [503],
    headers: after('1'),
    status: 503,
    sent: 5,
    waitedMs: 8_000,
  },
  {
    name: 'is not repeated if the wait is too long',
    statuses: [503, 200],
    headers: after('3600'),
    status: 503,
    sent: 1,
    waitedMs: 0,
  },
  { name: 'is not repeated after a different failure', statuses: [500, 200], status: 500, sent: 1, waitedMs: 0 },
  {
    name: 'is not repeated if it may start a run',
    wanted: post('/v2/models/a/b'),
    statuses: [503, 200],
    status: 503,
    sent: 1,
    waitedMs: 0,
  },
  {
    name: 'is not repeated for a caller who is always rate-limited',
    wanted: get('router', '/v2/models', { credentials: [{ as: 'usual', who: 'rateLimited' }] }),
    statuses: [429, 200],
    headers: after('1'),
    status: 429,
    sent: 1,
    waitedMs: 0,
  },
])('a rejected call $name', async ({ wanted = read, statuses, headers, status, sent, waitedMs }) => {
  const server = scripted(statuses, headers);
  const sender = senderTo(target, server.ports);
  const { log } = sender;
  const { evidence } = await perform(callOnce(wanted), sender, { endsAtMs: 60_000 });
  expect(evidence.map(({ result }) => (result.kind === 'response' ? result.status : 0))).toEqual([status]);
  expect(server.sent()).toBe(sent);
  expect(server.waitedMs()).toBe(waitedMs);
  expect(log.exchanges).toHaveLength(sent);
  expect(log.exchanges.filter(({ repeatedAfterMs }) => repeatedAfterMs !== undefined)).toHaveLength(sent - 1);
});

test.each<{ name: string; code: string; purpose?: CallPurpose; sent: number }>([
  { name: 'is repeated twice after a failure that any operation may return', code: 'upstream_error', sent: 3 },
  { name: 'is not repeated after a different failure', code: 'internal_error', sent: 1 },
  {
    name: 'is not repeated after the failure that the call expects',
    code: 'upstream_error',
    purpose: { expectedFailure: 'upstream_error' },
    sent: 1,
  },
])('a failed read of the workflow API $name', async ({ code, purpose = {}, sent: times }) => {
  const { ports, sent } = scripted([500], [], JSON.stringify({ error: { code, message: 'Failed.' } }));
  const jobs: Target = { kind: 'live', workflow: { url: 'http://jobs.test', credentials: {}, jobs: {} } };
  const ask = callOnce(get('workflow', '/api/v2/jobs/1/workflow'), purpose);
  const { stop } = await perform(ask, senderTo(jobs, ports), { endsAtMs: 60_000 });
  expect([sent(), stop]).toEqual([times, undefined]);
});

test.each([
  ['the time that is left for the rule', '20', 10_000],
  ['the maximum wait of a check', '31', 10_000_000],
])('does not repeat a call if the target requests a wait longer than %s', async (_, seconds, endsAtMs) => {
  const { ports, sent } = scripted([503, 200], after(seconds));
  const { stop } = await perform(callOnce(read), senderTo(target, ports), { endsAtMs });
  expect(sent()).toBe(1);
  const because = `the target postponed step "ask" (503) by ${seconds} s`;
  expect(stop).toEqual({ kind: 'not-applicable', because });
});

test('repeats a read four times, and waits at most two minutes per check', async () => {
  const { ports, sent, waitedMs } = scripted([503], after('30'));
  const sender = senderTo(target, ports);
  const ask = () => perform(callOnce(read), sender, { endsAtMs: 10_000_000 });
  await ask();
  expect([sent(), waitedMs()]).toEqual([5, 120_000]);
  await ask();
  expect([sent(), waitedMs()]).toEqual([6, 120_000]);
});

test.each<[string, CallPurpose, number]>([
  ['that must succeed', {}, 2],
  ['that must be rejected', { rejected: true }, 2],
])('repeats a run of a test-hook model %s after a 429', async (_, purpose, times) => {
  const category = ['X-Service-Error-Type', 'rate_limited'] as const;
  const { ports, sent } = scripted([429, 200], [...after('2'), category]);
  const live: Target = { ...target, kind: 'live', capabilities: ['outcomes'] };
  const runs = openRunBudget(live, {
    headers: { errorType: category[0], upstreamStatus: 'X-Service-Upstream-Status' },
  });
  const wanted = post('/v2/models/sandbox/outcomes');
  await perform(callOnce(wanted, purpose), senderTo(live, ports, runs), { endsAtMs: 60_000 });
  expect([sent(), runs.records]).toEqual([times, []]);
});

test('repeats an unbilled, rejected run of a live target unchanged, for one run of the budget', async () => {
  const category = ['X-Service-Error-Type', 'rate_limited'] as const;
  const { ports, sent, waitedMs } = scripted([429, 200], [...after('2'), category]);
  const budget = { runs: 1, models: [{ id: 'a/b', input: {} }] };
  const live: Target = { ...target, kind: 'live', budget };
  const headers = { errorType: category[0], upstreamStatus: 'X-Service-Upstream-Status' };
  const wanted = post('/v2/models/a/b', { headers: [['Idempotency-Key', 'a-key']] });
  const sender = senderTo(live, ports, openRunBudget(live, { headers }));
  await perform(callOnce(wanted), sender, { endsAtMs: 60_000 });
  const { log, runs } = sender;
  expect([sent(), waitedMs()]).toEqual([2, 2_000]);
  expect(new Set(log.exchanges.map(({ request }) => JSON.stringify(request.headers))).size).toBe(1);
  expect(runs?.records.map(({ state, key }) => [state, key])).toEqual([
    ['returned', 'a-key'],
    ['spent', 'a-key'],
  ]);
});
