import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  packageRoot,
} from '../../../../specs/src/index.ts';
import { createContext } from '../../contract/context.ts';
import { emptyDiscovery } from '../../contract/discovery.ts';
import type { Exchange, RawHeaders } from '../../contract/exchange.ts';
import type { Outcome } from '../../contract/finding.ts';
import type { Rule } from '../../contract/rule.ts';
import type { Target } from '../../contract/target.ts';
import { decidePassiveRule, listPassiveEvidence } from '../../run/engine.ts';
import { passiveRules } from '../index.ts';

const specs = buildEffectiveSpecs(defaultSpecSettings);

const url = 'http://target.test/base';
const target: Target = {
  kind: 'live',
  readings: 'required',
  router: { url, credentials: { main: 'sk-main-secret' } },
  workflow: { url, credentials: { main: 'sk-main-secret' }, jobs: {} },
};

type Given = {
  readonly ask: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sent?: RawHeaders;
  readonly atMs?: number;
};

let asked = 0;

function exchange({ ask, status = 200, body, headers = {}, sent = [], atMs = 0 }: Given): Exchange {
  const [method = '', path = ''] = ask.split(' ');
  asked += 1;
  const usual = { 'Content-Type': 'application/json', 'X-Service-Request-Id': `id-${asked}` };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    step: 'ask',
    attempt: 1,
    api: path.startsWith('/api/') ? 'workflow' : 'router',
    request: { method, url: url + path, headers: sent, body: undefined },
    result: {
      kind: 'response',
      status,
      headers: Object.entries({ ...usual, ...headers }),
      body: new TextEncoder().encode(body === undefined ? '' : text),
    },
    timing: { startedAtMs: atMs, durationMs: 1 },
  };
}

function decide(rule: Rule, given: readonly Given[], by: EffectiveSpecs = specs): Outcome {
  const context = createContext(target, by, emptyDiscovery);
  return decidePassiveRule(rule, listPassiveEvidence(given.map(exchange), context), new Map(), context);
}

function findRule(id: string): Rule {
  const rule = passiveRules.find((one) => one.id === id);
  return rule ?? expect.unreachable(`no rule ${id}`);
}

/** Returns the pointers in the findings of a rule. */
function findingPointers(id: string, ...given: readonly Given[]): readonly string[] {
  const outcome = decide(findRule(id), given);
  return outcome.kind === 'failed' ? [...new Set(outcome.findings.map(({ at }) => at.pointer ?? ''))] : [];
}

/** Returns the ids of the rules that fail for these exchanges. */
function listFailedRules(...given: readonly Given[]): readonly string[] {
  const outcomes = passiveRules.map((rule) => ({ id: rule.id, outcome: decide(rule, given) }));
  for (const { outcome } of outcomes) if (outcome.kind === 'errored') throw new Error(outcome.message);
  return outcomes.filter(({ outcome }) => outcome.kind === 'failed').map(({ id }) => id);
}

test('a body with a wrong member is not also reported as having the wrong form', () => {
  const pointers = (body: object) =>
    findingPointers('passive.workflow.body', { ask: 'GET /api/v2/jobs/j/workflow', body });
  expect(pointers({ workflow: {}, format: 'ui' })).toEqual(['/format']);
  expect(pointers({ workflow: '{}', format: 'save' })).toEqual(['/workflow']);
});

const model = '/v2/models/image-provider/still';
const first = '00000000-0000-4000-8000-000000000001';
const second = '00000000-0000-4000-8000-000000000002';
const urls = (id: string) => ({
  status_url: `${url}${model}/requests/${id}/status`,
  response_url: `${url}${model}/requests/${id}`,
  cancel_url: `${url}${model}/requests/${id}/cancel`,
});
const waiting = { 'Retry-After': '1' };
const shown = (status: string, more: object = {}, id = first) => ({ request_id: id, status, ...urls(id), ...more });
const poll = (body: unknown, more: Partial<Given> = {}): Given => ({
  ask: `GET ${model}/requests/${first}/status`,
  headers: waiting,
  body,
  ...more,
});
const error = (errorType: string, more: Partial<Given> = {}): Given => ({
  ask: 'GET /v2/models',
  status: 500,
  body: { detail: 'It failed.', error_type: errorType },
  ...more,
  headers: { 'X-Service-Error-Type': errorType, ...more.headers },
});
const job = (more: Partial<Given>): Given => ({ ask: 'GET /api/v2/jobs/one/workflow', ...more });
const jobError = (code: string, status: number, message = 'It failed.'): Given =>
  job({ status, body: { error: { code, message } } });
const spend = (limit: number, current: number, remaining: number) => ({
  'X-Committed-Spend-Limit': `${limit}`,
  'X-Committed-Spend-Current': `${current}`,
  'X-Committed-Spend-Remaining': `${remaining}`,
});
const result = { 'X-Content-Type-Options': 'nosniff', ...spend(100, 0, 100) };
const page = { data: [], has_more: false, limit: 20 };

// contract-tests/tests/fault-matrix.test.ts shows that each rule can fail; these are violations that no fault causes.
describe('a violation fails only the rule about it', () => {
  test.each<{ name: string; given: readonly Given[]; want: string | readonly string[] }>([
    {
      name: 'the status of a different request',
      given: [poll(shown('IN_QUEUE')), poll(shown('IN_QUEUE', urls(second), second))],
      want: 'trace.handle.urls-lead-to-its-own-request',
    },
    {
      name: 'a dropped-params header that is not a list',
      given: [
        { ask: 'POST /v2/models/a/b', body: {}, headers: { ...result, 'X-Service-Router-Dropped-Params': 'seed' } },
      ],
      want: 'passive.header.dropped-params',
    },
    {
      name: 'a credential in a response, hidden by an escape',
      given: [
        {
          ask: 'GET /v2/models',
          body: '{"data":[],"has_more":false,"limit":20,"you":"sk-main\\u002dsecret"}',
          sent: [['X-API-Key', 'sk-main-secret']],
        },
      ],
      want: 'passive.secret.router-credential-is-not-echoed',
    },
    {
      name: 'an unexpected failure with an undocumented code',
      given: [jobError('internal', 500)],
      want: 'passive.workflow.code-and-status-agree',
    },
    {
      name: 'an error with the code of a different status',
      given: [jobError('forbidden', 401)],
      want: 'passive.workflow.code-and-status-agree',
    },
    {
      name: 'a trace in the details of a missing job',
      given: [
        job({ status: 404, body: { error: { code: 'not_found', message: 'Gone.', details: { at: 'jobs.py:12' } } } }),
      ],
      want: 'passive.workflow.error-tells-nothing-inner',
    },
    {
      name: 'a stack trace for an unknown path',
      given: [{ ask: 'GET /v2/no-such-path', status: 404, body: 'panic: no route' }],
      want: 'passive.error.tells-nothing-inner',
    },
    {
      name: 'a stack frame in a header of an error',
      given: [error('invalid_input', { status: 400, headers: { 'X-Debug': 'at run (run.js:1:2)' } })],
      want: 'passive.error.tells-nothing-inner',
    },
  ])('only the related rule fails for $name', ({ given, want }) => {
    expect(listFailedRules(...given)).toEqual([want].flat());
  });
});

describe('accepts what the documents leave open', () => {
  test.each<{ name: string; given: readonly Given[] }>([
    {
      name: 'a node input with the name extra_data',
      given: [job({ body: { format: 'api', workflow: { '1': { class_type: 'Post', inputs: { extra_data: 'x' } } } } })],
    },
    { name: 'an unknown category', given: [error('queue_backlog_full', { status: 429 })] },
    { name: 'an unlisted error status', given: [error('invalid_input', { status: 418 })] },
    { name: 'an unknown error code', given: [jobError('too_early', 425)] },
    {
      name: 'undocumented status names',
      given: [poll(shown('WAITING')), poll(shown('RUNNING'), { atMs: 5 }), poll(shown('COMPLETED'), { atMs: 9 })],
    },
    {
      name: 'unknown members and headers',
      given: [{ ask: 'GET /v2/models', body: { ...page, total: 3 }, headers: { 'X-Other': 'x' } }],
    },
    {
      name: 'an error whose request_id is not the id of the request',
      given: [
        poll(shown('IN_QUEUE')),
        poll(
          { detail: 'It failed.', error_type: 'internal_error', request_id: second },
          { status: 500, headers: { 'X-Service-Error-Type': 'internal_error' } },
        ),
      ],
    },
    {
      name: 'a queue position that grows',
      given: [
        poll(shown('IN_QUEUE', { queue_position: 1 })),
        poll(shown('IN_QUEUE', { queue_position: 4 }), { atMs: 5 }),
      ],
    },
    {
      name: 'spend above a cap that was lowered',
      given: [{ ask: 'POST /v2/models/a/b', body: {}, headers: { ...result, ...spend(100, 140, 0) } }],
    },
    {
      name: 'a response to an undocumented request',
      given: [{ ask: 'GET /__assets/one.png', body: 'bytes', headers: { 'X-Service-Request-Id': '' } }],
    },
    {
      name: 'a dropped-params header that is encoded as JSON twice',
      given: [
        {
          ask: 'POST /v2/models/a/b',
          body: {},
          headers: { ...result, 'X-Service-Router-Dropped-Params': '"[\\"seed was dropped.\\"]"' },
        },
      ],
    },
  ])('no rule fails for $name', ({ given }) => {
    expect(listFailedRules(...given)).toEqual([]);
  });
});

test('reports at most three findings of each kind for a thousand equal failures', () => {
  const given = Array.from({ length: 1000 }, () => ({ ask: 'GET /v2/models', body: {} }));
  const outcome = decide(findRule('passive.body.catalog-page'), given);
  if (outcome.kind !== 'failed') throw new Error(`the outcome is ${outcome.kind}`);
  expect(outcome.findings).toHaveLength(9);
  expect(outcome.findings.filter(({ actual }) => actual.includes('and in 997 more responses'))).toHaveLength(3);
  expect(outcome.evidence).toHaveLength(3);
});

test('findings about a forbidden member point only to that member', () => {
  const early = shown('IN_QUEUE', { error_type: null });
  const submitted: Given = { ask: `POST ${model}/requests`, status: 201, body: early };
  expect(findingPointers('passive.body.handle', submitted)).toEqual(['/error_type']);
  expect(findingPointers('passive.body.status', poll(early))).toEqual(['/error_type']);
});

describe('an overlay that selects a different reading of an open point', () => {
  const overlay = join(packageRoot(), 'specs', 'overlays', 'other-readings.overlay.yaml');
  const theirs = buildEffectiveSpecs({ ...defaultSpecSettings, overlays: [overlay] });
  const outcomes = (id: string, given: Given): readonly string[] => {
    const rule = findRule(`passive.${id}`);
    return [decide(rule, [given]).kind, decide(rule, [given], theirs).kind];
  };
  const ask = `POST ${model}`;
  const more = { ...page, has_more: true, next_cursor: 'c' };
  const hint = { detail: 'No.', error_type: 'invalid_input', hint: 'x' };
  const limited = { error: { code: 'rate_limited', message: 'No.' } };
  const entry = { id: 'A B/c', provider: 'A B', model: 'c', billing: { charges_on_policy_rejection: 'no' } };
  const cacheControl = { ETag: '"a"', 'Cache-Control': 'max-age=60, Private,must-revalidate' };

  test.each<[id: string, rule: string, given: Given]>([
    ['OP-076', 'header.required-ones-are-there', error('deadline_exceeded', { ask, status: 504 })],
    [
      'OP-078',
      'header.replayed',
      error('invalid_input', { ask, status: 400, headers: { 'Idempotent-Replayed': 'true' } }),
    ],
    ['OP-082', 'header.required-ones-are-there', poll(shown('COMPLETED'), { headers: {} })],
    ['OP-084', 'header.cache-control', { ask: `GET ${model}/openapi.json`, body: {}, headers: cacheControl }],
    ['OP-085', 'body.error', error('invalid_input', { ask: `GET ${model}`, status: 404, body: hint })],
    ['OP-086', 'body.catalog-page', { ask: 'GET /v2/models', body: page }],
    [
      'OP-087',
      'header.upstream-status',
      error('provider_error', { ask, status: 502, headers: { 'X-Service-Upstream-Status': '799' } }),
    ],
    ['OP-091', 'workflow.retry-after-on-limits', job({ status: 429, body: limited, headers: { 'Retry-After': '0' } })],
  ])('%s: the rule passive.%s fails only if an overlay selects the other reading', (_, rule, given) => {
    expect(outcomes(rule, given)).toEqual(['passed', 'failed']);
  });

  test.each<[id: string, rule: string, given: Given]>([
    ['OP-073', 'body.catalog-page', { ask: 'GET /v2/models', body: { ...more, data: [entry] } }],
    ['OP-079', 'status.successes-are-listed', { ask: `${ask}/requests`, body: shown('COMPLETED') }],
    ['OP-081', 'header.required-ones-are-there', { ask, body: {}, headers: { 'X-Content-Type-Options': 'nosniff' } }],
    ['OP-088', 'body.catalog-page', { ask: 'GET /v2/models', body: more, headers: { 'Content-Type': 'text/json' } }],
  ])('%s: the rule passive.%s passes only if an overlay selects the other reading', (_, rule, given) => {
    expect(outcomes(rule, given)).toEqual(['failed', 'passed']);
  });
});
