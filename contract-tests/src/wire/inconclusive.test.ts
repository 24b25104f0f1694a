import { expect, test } from 'vitest';
import type { CredentialUse, Exchange } from '../contract/exchange.ts';
import { explainInconclusive } from './inconclusive.ts';

const models = [{ id: 'a/b.1', input: { a: 1 }, failingInput: { a: 2 }, slowInput: { a: 3 } }];

type Call = {
  status?: number;
  error?: string;
  who?: CredentialUse['who'];
  path?: string;
  body?: string;
  key?: string;
};
function call({ status = 403, error = 'not_enabled', who, path = 'a/b.1/requests', body, key }: Call): Exchange {
  return {
    step: 'call',
    attempt: 1,
    api: 'router',
    request: {
      method: 'POST',
      url: `https://router.test/edge/v2/models/${path}`,
      headers: key === undefined ? [] : [['Idempotency-Key', key]],
      body: body === undefined ? undefined : new TextEncoder().encode(body),
    },
    result: {
      kind: 'response',
      status,
      headers: [],
      body: new TextEncoder().encode(JSON.stringify({ detail: 'No.', error_type: error })),
    },
    timing: { startedAtMs: 0, durationMs: 0 },
    ...(who === undefined ? {} : { credentials: [{ as: 'usual', who }] }),
  };
}

const accepted = call({ status: 201 });
const refused = call({ status: 413, error: 'invalid_input' });

test.each<{ name: string; last: Exchange; before?: Exchange[]; want: boolean }>([
  { name: 'of a caller whose calls were never accepted', last: call({}), want: true },
  {
    name: 'of a caller without access',
    last: call({ error: 'forbidden', who: 'solo' }),
    before: [accepted],
    want: true,
  },
  { name: 'of a caller whose other calls were rejected, too', last: call({}), before: [refused], want: true },
  { name: 'of a caller whose earlier call was accepted', last: call({}), before: [accepted], want: false },
  {
    name: 'after an accepted run of a different model',
    last: call({}),
    before: [call({ status: 200, path: 'a/b.1' })],
    want: true,
  },
  {
    name: 'of a caller without credits, if main is rejected as well',
    last: call({ who: 'noCredits' }),
    before: [call({})],
    want: true,
  },
  {
    name: 'of a caller without credits, if main is accepted',
    last: call({ who: 'noCredits' }),
    before: [accepted],
    want: false,
  },
  { name: 'of a caller without credits, before main has called', last: call({ who: 'noCredits' }), want: false },
  { name: 'of a caller who must be rejected', last: call({ who: 'notEnabled' }), want: false },
  { name: 'of a model that is not configured', last: call({ path: 'a/other' }), want: false },
  { name: 'with a different category', last: call({ error: 'insufficient_credits' }), want: false },
])('the 403 $name is inconclusive about the operation: $want', ({ last, before = [], want }) => {
  const log = [...before, last];
  expect(explainInconclusive({ expectsRejection: false }, last, models, log) !== undefined).toBe(want);
});

const outage = { status: 502, error: 'provider_error', body: '{"a":1}', key: 'k' };
const done = call({ status: 200, key: 'k' });

test.each<{ name: string; last: Exchange; before?: Exchange[]; expectsRejection?: true; want: boolean }>([
  { name: 'of a provider', last: call(outage), want: true },
  { name: 'at the deadline of a run', last: call({ ...outage, status: 504, error: 'deadline_exceeded' }), want: true },
  { name: 'of a call whose key has a result', last: call(outage), before: [done], want: false },
  { name: 'after a result with a different key', last: call({ ...outage, key: 'other' }), before: [done], want: true },
  {
    name: 'at the deadline of a slow run',
    last: call({ ...outage, body: '{"a":3}', status: 504, error: 'deadline_exceeded' }),
    want: true,
  },
  { name: 'of the provider of a slow run', last: call({ ...outage, body: '{"a":3}' }), want: false },
  { name: 'that the input must cause', last: call({ ...outage, body: '{"a":2}' }), want: false },
  { name: 'instead of a rejection', last: call(outage), expectsRejection: true, want: false },
  {
    name: 'that rejects the configured input',
    last: call({ status: 422, error: 'invalid_input', body: '{"a":1}' }),
    want: false,
  },
  {
    name: 'that rejects an input derived from the configured one',
    last: call({ status: 422, error: 'invalid_input', body: '{"a":9}' }),
    want: true,
  },
  {
    name: 'that rejects a derived input, as it must',
    last: call({ status: 422, error: 'invalid_input', body: '{"a":9}' }),
    expectsRejection: true,
    want: false,
  },
  { name: 'of the router itself', last: call({ ...outage, status: 500, error: 'internal_error' }), want: false },
])(
  'the failure $name is inconclusive about the call: $want',
  ({ last, before = [], expectsRejection = false, want }) => {
    const log = [...before, last];
    expect(explainInconclusive({ expectsRejection }, last, models, log) !== undefined).toBe(want);
  },
);
