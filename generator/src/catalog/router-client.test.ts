import { describe, expect, test } from 'vitest';
import { parseBrand } from '../../../specs/src/index.ts';
import { nodePorts } from '../adapters/node-files.ts';
import type { HttpOutcome } from '../ports.ts';
import { computeRetryDelayMs, createRouterClient, parseRetryAfter } from './router-client.ts';

const clock = { now: () => 1_000, parseInstant: (text: string) => (text === 'later' ? 6_000 : undefined) };

function responseWith(status: number, headers: Record<string, string> = {}): HttpOutcome {
  return { kind: 'response', status, headers: new Map(Object.entries(headers)), bytes: new Uint8Array() };
}

function lost(because: 'refused' | 'reset' | 'deadline' | 'too-large'): HttpOutcome {
  return { kind: 'no-response', because, detail: '' };
}

describe('a failed GET is retried', () => {
  test.each([
    ['after 429, with the initial backoff', responseWith(429), 1, 250],
    ['a second time after 503, with a doubled backoff', responseWith(503), 2, 500],
    ['after 503, but not before Retry-After', responseWith(503, { 'retry-after': '60' }), 1, 60_000],
    ['with a backoff if Retry-After is invalid', responseWith(429, { 'retry-after': 'soon' }), 1, 250],
    ['after a connection reset', lost('reset'), 1, 250],
    ['after a request timeout', lost('deadline'), 1, 250],
  ])('retries a failed GET %s', (_, outcome, attempt, ms) => {
    expect(computeRetryDelayMs(outcome, attempt, clock)).toBe(ms);
  });
});

test.each([
  [responseWith(503), 4],
  [responseWith(307, { location: '/v2/models?moved=1' }), 6],
])(
  'limits a request to one minute, four attempts and five redirects if the response is always %j',
  async (outcome, sent) => {
    const deadlines: unknown[] = [];
    const http = async ({ deadlineMs }: { deadlineMs?: number }) => {
      deadlines.push(deadlineMs);
      return outcome;
    };
    const facts = { routerUrl: 'https://router.test', credential: undefined, brand: parseBrand('Service') };
    const client = createRouterClient(facts, { http, clock: { ...nodePorts().clock, sleep: async () => {} } });
    expect((await client.get('/v2/models', { operation: 'listModels' })).kind).toBe('failed');
    expect(deadlines).toEqual(Array.from({ length: sent }, () => 60_000));
  },
);

describe('a failed GET is not retried', () => {
  test.each([
    ['after a rejected credential', responseWith(401), 1],
    ['after status 403', responseWith(403), 1],
    ['after status 200', responseWith(200), 1],
    ['if the connection was refused', lost('refused'), 1],
    ['if the body was too large', lost('too-large'), 1],
    ['after the fourth attempt', responseWith(503), 4],
    ['if Retry-After is longer than one minute', responseWith(503, { 'retry-after': '61' }), 1],
  ])('does not retry a GET %s', (_, outcome, attempt) => {
    expect(computeRetryDelayMs(outcome, attempt, clock)).toBeUndefined();
  });
});

test.each([
  [undefined, undefined],
  ['3', 3_000],
  ['0', 0],
  ['later', 5_000],
  ['-1', undefined],
  ['1.5', undefined],
])('reads the Retry-After %j as %j ms', (value, ms) => {
  expect(parseRetryAfter(value, clock)).toBe(ms);
});

test.each([
  ['a document', 200, {}, 'credential-repeated'],
  ['a 304 for an unconditional request', 304, {}, 'credential-repeated'],
  [
    'a 304 for a conditional request, of which only the status is read',
    304,
    { 'if-none-match': '"1"' },
    'not-modified',
  ],
])('does not store or print a credential that a response header repeats: %s', async (_, status, headers, because) => {
  const credential = { kind: 'api-key', value: 'sk-of-this-test' } as const;
  const facts = { routerUrl: 'https://router.test', credential, brand: parseBrand('Service') };
  const http = async () => responseWith(status, { 'x-sk-of-this-test': '1' });
  const client = createRouterClient(facts, { http, clock: nodePorts().clock });
  const subject = { operation: 'readSchemaDocument' };
  expect(await client.get('/v2/models/a/openapi.json', subject, headers)).toMatchObject({ kind: 'failed', because });
  expect([...client.headerNames]).toEqual([]);
});
