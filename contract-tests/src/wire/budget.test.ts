import { expect, test } from 'vitest';
import { NotAffordable } from '../contract/endings.ts';
import type { Exchange, ScenarioRequest, WireRequest, WireResponse } from '../contract/exchange.ts';

import type { Target } from '../contract/target.ts';
import { openRunBudget } from './budget.ts';
import type { RunBudget, RunRecord } from './call.ts';

const model = { id: 'image-provider/still', input: {} };
const url = 'http://router.test/v2/models/image-provider/still';
const headers = { errorType: 'X-Service-Error-Type', upstreamStatus: 'X-Service-Upstream-Status' };

function live(runs: number): Target {
  return { kind: 'live', router: { url: 'http://router.test', credentials: {} }, budget: { runs, models: [model] } };
}

function open(runs: number): RunBudget {
  return openRunBudget(live(runs), { headers, listed: [model.id, 'other/listed'] });
}

type Call = {
  method?: string;
  to?: string;
  key?: string;
  expectsRejection?: boolean;
  api?: 'router' | 'workflow';
  ruleId?: string;
  body?: string;
  flaw?: string;
};

function reserve(
  budget: RunBudget,
  {
    method = 'POST',
    to = url,
    key,
    expectsRejection = false,
    api = 'router',
    ruleId = 'a.rule',
    body = '{}',
    flaw = ruleId,
  }: Call,
) {
  const wanted: ScenarioRequest = { api, method, to: '/' };
  const keyed = key === undefined ? [] : [['Idempotency-Key', key] as const];
  const request: WireRequest = { method, url: to, headers: keyed, body: new TextEncoder().encode(body) };
  return budget.reserve({
    ruleId,
    name: 'call',
    purpose: {},
    expectsRejection,
    flaw,
    wanted,
    request,
    isOverlapping: () => false,
  });
}

/** Returns why the call must not be sent. */
function refusalText(budget: RunBudget, call: Call): string | undefined {
  try {
    reserve(budget, call);
    return undefined;
  } catch (error) {
    return error instanceof NotAffordable ? error.message : `unexpected: ${error}`;
  }
}

/** Returns the index of the reserved run. */
function reservedIndex(reservation: number | undefined): number {
  if (reservation === undefined) throw new Error('not reserved');
  return reservation;
}

function answered(status: number, lines: Readonly<Record<string, string>> = {}): Exchange {
  const result: WireResponse = { kind: 'response', status, headers: Object.entries(lines), body: new Uint8Array() };
  const request: WireRequest = { method: 'POST', url, headers: [], body: undefined };
  return { step: 'call', attempt: 1, api: 'router', request, result, timing: { startedAtMs: 0, durationMs: 1 } };
}

const refused = (category: string, more: Readonly<Record<string, string>> = {}) => ({
  [headers.errorType]: category,
  ...more,
});

test.each<{ name: string; call: Call; want: 'reserved' | 'free' | RegExp; runs?: number }>([
  { name: 'a run', call: {}, want: 'reserved' },
  { name: 'a submission', call: { to: `${url}/requests` }, want: 'reserved' },
  {
    name: 'a run of a model that is neither configured nor listed',
    call: { to: url.replace('still', 'none') },
    want: 'reserved',
  },
  {
    name: 'a run of a listed model that is not configured',
    call: { to: 'http://router.test/v2/models/other/listed' },
    want: /conform.live.models does not list/,
  },
  { name: 'a POST to any other path', call: { to: `${url}/anything` }, want: 'reserved' },
  { name: 'a PATCH with a body', call: { method: 'PATCH' }, want: 'reserved' },
  { name: 'a read', call: { method: 'GET' }, want: 'free' },
  { name: 'a cancellation', call: { method: 'PUT', to: `${url}/requests/1/cancel` }, want: 'free' },
  { name: 'a call of the workflow API', call: { api: 'workflow' }, want: 'free' },
  { name: 'a run if the budget is 0', call: {}, runs: 0, want: /the budget is 0/ },
  {
    name: 'a call that must be rejected if the budget is 0',
    call: { expectsRejection: true },
    runs: 0,
    want: /the budget is 0/,
  },
])('the budget treats $name as $want', ({ call, want, runs = 5 }) => {
  if (want === 'free') expect(reserve(open(runs), call)).toBeUndefined();
  else if (want === 'reserved') expect(reserve(open(runs), call)).toBe(0);
  else expect(refusalText(open(runs), call)).toMatch(want);
});

test.each<{ name: string; exchange: Exchange; want: RunRecord['state'] }>([
  { name: 'a result', exchange: answered(200), want: 'spent' },
  { name: 'a handle', exchange: answered(201), want: 'spent' },
  { name: 'a 422 for an invalid input', exchange: answered(422, refused('invalid_input')), want: 'returned' },
  { name: 'a rejected credential', exchange: answered(401, refused('unauthorized')), want: 'returned' },
  { name: 'a rate limit', exchange: answered(429, refused('rate_limited')), want: 'returned' },
  { name: 'an invalid input without a category', exchange: answered(422), want: 'spent' },
  { name: 'a page for an unknown path', exchange: answered(404), want: 'returned' },
  { name: 'a rejection without a category', exchange: answered(400), want: 'spent' },
  {
    name: 'a rejection by a provider without a category',
    exchange: answered(422, { [headers.upstreamStatus]: '422' }),
    want: 'spent',
  },
  {
    name: 'a category that belongs to a different status',
    exchange: answered(422, refused('rate_limited')),
    want: 'spent',
  },
  {
    name: 'a rejection by a content policy',
    exchange: answered(400, refused('content_policy_violation')),
    want: 'spent',
  },
  {
    name: 'a rejection by a provider',
    exchange: answered(400, refused('invalid_input', { [headers.upstreamStatus]: '409' })),
    want: 'spent',
  },
  { name: 'a failure', exchange: answered(500, refused('internal_error')), want: 'spent' },
  { name: 'a timeout of the provider', exchange: answered(504, refused('provider_timeout')), want: 'spent' },
  {
    name: 'a replay without an earlier call',
    exchange: answered(200, { 'Idempotent-Replayed': 'true' }),
    want: 'spent',
  },
  {
    name: 'no response',
    exchange: { ...answered(200), result: { kind: 'no-response', because: 'timeout', detail: '' } },
    want: 'spent',
  },
])('after $name, the reserved run is $want', ({ exchange, want }) => {
  const budget = open(1);
  const reservation = reservedIndex(reserve(budget, { key: 'a-key' }));
  budget.settle(reservation, exchange);
  expect(budget.records[0]?.state).toBe(want);
  expect(refusalText(budget, { key: 'another-key' }) !== undefined).toBe(want !== 'returned');
});

test('gives back the run that was reserved for a marked replay if an earlier call with the same key was paid for', () => {
  const budget = open(2);
  for (const exchange of [answered(200), answered(200, { 'Idempotent-Replayed': 'true' })]) {
    const reservation = reservedIndex(reserve(budget, { key: 'a-key' }));
    budget.settle(reservation, exchange);
  }
  expect(budget.records.map(({ state }) => state)).toEqual(['spent', 'returned']);
});

test('never reserves more runs than the budget allows', () => {
  const budget = open(2);
  expect([1, 2, 3].map(() => refusalText(budget, {}) !== undefined)).toEqual([false, false, true]);
});

test('writes a record with its key before the call, and again after the response', () => {
  const written: (readonly [number, string | undefined, string])[] = [];
  const budget = openRunBudget(live(1), {
    headers,
    onRecord: (index, { key, state }) => written.push([index, key, state]),
  });
  const reservation = reserve(budget, { key: 'a-key' });
  expect(written).toEqual([[0, 'a-key', 'reserved']]);
  budget.settle(reservedIndex(reservation), answered(200));
  expect(written.at(-1)).toEqual([0, 'a-key', 'spent']);
});

test('stops sending calls with a flaw after the target has accepted one', () => {
  const budget = open(9);
  const reservation = reservedIndex(reserve(budget, { key: 'first', expectsRejection: true }));
  budget.settle(reservation, answered(200));
  const invalid = refusalText(budget, { expectsRejection: true });
  expect(invalid).toMatch(
    /^image-provider\/still accepted step "call" of a.rule, .* no further call with an invalid input like it is sent$/,
  );
  expect(reservedIndex(reserve(budget, { key: 'first', expectsRejection: true }))).toBe(1);
  expect(reservedIndex(reserve(budget, {}))).toBe(2);
  const other = { expectsRejection: true, ruleId: 'a.rule', flaw: 'enum', body: '{"size":"x"}' };
  budget.settle(reservedIndex(reserve(budget, other)), answered(200));
  expect(refusalText(budget, { ...other, ruleId: 'b.rule', body: '{"mode":"x"}' })).toMatch(/no further/);
  expect(refusalText(budget, { ...other, flaw: 'third', body: '{"seed":"x"}' })).toMatch(/no further/);
});

test('still sends invalid runs, and calls of unknown models, to a server that accepted invalid submissions', () => {
  const budget = open(9);
  const invalid = (to: string, body: string): Call => ({ to, expectsRejection: true, body, flaw: body });
  for (const body of ['{"size":"x"}', '{"mode":"x"}'])
    budget.settle(reservedIndex(reserve(budget, invalid(`${url}/requests`, body))), answered(201));
  expect(refusalText(budget, invalid(`${url}/requests`, '{"seed":"x"}'))).toMatch(/no further submission with/);
  expect(reservedIndex(reserve(budget, invalid(url, '{"seed":"x"}')))).toBe(2);
  expect(reservedIndex(reserve(budget, invalid(`${url.replace('still', 'none')}/requests`, '{}')))).toBe(3);
});

test('stops sending calls with a flaw on which the target failed three times', () => {
  const budget = open(9);
  const malformed = (ruleId: string): Call => ({ expectsRejection: true, ruleId, body: '[' });
  for (const ruleId of ['a.rule', 'b.rule', 'c.rule'])
    budget.settle(reservedIndex(reserve(budget, malformed(ruleId))), answered(500, refused('internal_error')));
  expect(refusalText(budget, malformed('d.rule'))).toMatch(
    /^image-provider\/still failed with 500 on step "call" of c.rule, .* no further call with a body that is not an object is sent$/,
  );
  expect(reservedIndex(reserve(budget, { expectsRejection: true }))).toBe(3);
  expect(reservedIndex(reserve(budget, {}))).toBe(4);
});

test.each([
  { name: 'a rate limit', exchange: answered(429, refused('rate_limited')), want: true },
  { name: 'a 429 without a category', exchange: answered(429), want: false },
  { name: 'a failure', exchange: answered(503, refused('service_unavailable')), want: false },
])('treats a call that ends with $name as rejected without being billed: $want', ({ exchange, want }) => {
  expect(open(1).isRejectedUnbilled(exchange)).toBe(want);
});
