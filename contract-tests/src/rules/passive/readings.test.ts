import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  packageRoot,
} from '../../../../specs/src/index.ts';
import { createContext } from '../../contract/context.ts';
import { emptyDiscovery } from '../../contract/discovery.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Target } from '../../contract/target.ts';
import { decideWholeCheck } from '../../run/engine.ts';
import { passiveRules } from './index.ts';

// If an owner's overlay selects a different reading of an open point, the gate checks by that reading.

const overlay = join(packageRoot(), 'specs', 'overlays', 'other-readings.overlay.yaml');
const ours = await buildEffectiveSpecs(defaultSpecSettings);
const theirs = await buildEffectiveSpecs({ ...defaultSpecSettings, overlays: [overlay] });

const url = 'http://target.test';
const target: Target = {
  kind: 'live',
  readings: 'required',
  router: { url, credentials: { main: 'sk-main-secret' } },
  workflow: { url, credentials: { main: 'sk-main-secret' }, jobs: {} },
};
const id = '7f2c1a52-9f3b-4c57-8d2e-1b7a55c0e6aa';
const model = '/v2/models/image-provider/still-2.1';
const queued = { request_id: id, status_url: `${url}/s`, response_url: `${url}/r`, cancel_url: `${url}/c` };
const entry = {
  id: 'Image A/still',
  provider: 'Image A',
  model: 'still',
  billing: { charges_on_policy_rejection: 'no' },
};
const refused = { detail: 'No.', error_type: 'invalid_input' };
const category = (type: string) => ({ 'X-Service-Error-Type': type });
const page = { data: [], has_more: true, next_cursor: 'c', limit: 20 };

type Answer = {
  readonly ask: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
};

function makeExchange({ ask, status, body, headers = {} }: Answer): Exchange {
  const [method = '', path = ''] = ask.split(' ');
  const usual = { 'Content-Type': 'application/json', 'X-Service-Request-Id': 'req-1' };
  return {
    step: 'ask',
    attempt: 1,
    api: path.startsWith('/api/') ? 'workflow' : 'router',
    request: { method, url: url + path, headers: [], body: undefined },
    result: {
      kind: 'response',
      status,
      headers: Object.entries({ ...usual, ...headers }),
      body: new TextEncoder().encode(JSON.stringify(body)),
    },
    timing: { startedAtMs: 0, durationMs: 1 },
  };
}

function findOutcome(name: string, answer: Answer, specs: EffectiveSpecs): string | undefined {
  const rule = passiveRules.find(({ id }) => id === `passive.${name}`);
  return rule && decideWholeCheck(rule, [makeExchange(answer)], createContext(target, specs, emptyDiscovery)).kind;
}

const passesByDefault: readonly [id: string, rule: string, answer: Answer][] = [
  [
    'OP-076',
    'header.required-ones-are-there',
    {
      ask: `POST ${model}`,
      status: 504,
      body: { detail: 'Late.', error_type: 'deadline_exceeded' },
      headers: category('deadline_exceeded'),
    },
  ],
  [
    'OP-078',
    'header.replayed',
    {
      ask: `POST ${model}`,
      status: 400,
      body: refused,
      headers: { ...category('invalid_input'), 'Idempotent-Replayed': 'true' },
    },
  ],
  [
    'OP-082',
    'header.required-ones-are-there',
    { ask: `GET ${model}/requests/${id}/status`, status: 200, body: { ...queued, status: 'COMPLETED' } },
  ],
  [
    'OP-084',
    'header.cache-control',
    {
      ask: `GET ${model}/openapi.json`,
      status: 200,
      body: {},
      headers: { ETag: '"a"', 'Cache-Control': 'max-age=60, Private,must-revalidate' },
    },
  ],
  [
    'OP-085',
    'body.error',
    { ask: `GET ${model}`, status: 404, body: { ...refused, hint: 'x' }, headers: category('invalid_input') },
  ],
  [
    'OP-086',
    'body.catalog-page',
    { ask: 'GET /v2/models', status: 200, body: { data: [], has_more: false, limit: 20 } },
  ],
  [
    'OP-087',
    'header.upstream-status',
    {
      ask: `POST ${model}`,
      status: 502,
      body: { detail: 'No.', error_type: 'provider_error' },
      headers: { ...category('provider_error'), 'X-Service-Upstream-Status': '799' },
    },
  ],
  [
    'OP-091',
    'workflow.retry-after-on-limits',
    {
      ask: 'GET /api/v2/jobs/a/workflow',
      status: 429,
      body: { error: { code: 'rate_limited', message: 'No.' } },
      headers: { 'Retry-After': '0' },
    },
  ],
];

const failsByDefault: readonly [id: string, rule: string, answer: Answer][] = [
  ['OP-073', 'body.catalog-page', { ask: 'GET /v2/models', status: 200, body: { ...page, data: [entry] } }],
  [
    'OP-079',
    'status.successes-are-listed',
    { ask: `POST ${model}/requests`, status: 200, body: { ...queued, status: 'COMPLETED' } },
  ],
  [
    'OP-081',
    'header.required-ones-are-there',
    { ask: `POST ${model}`, status: 200, body: {}, headers: { 'X-Content-Type-Options': 'nosniff' } },
  ],
  [
    'OP-088',
    'body.catalog-page',
    { ask: 'GET /v2/models', status: 200, body: page, headers: { 'Content-Type': 'text/json' } },
  ],
];

test.each(passesByDefault)(
  '%s: the rule passive.%s fails only if an overlay selects the other reading',
  (_id, rule, answer) => {
    expect([findOutcome(rule, answer, ours), findOutcome(rule, answer, theirs)]).toEqual(['passed', 'failed']);
  },
);

test.each(failsByDefault)(
  '%s: the rule passive.%s passes only if an overlay selects the other reading',
  (_id, rule, answer) => {
    expect([findOutcome(rule, answer, ours), findOutcome(rule, answer, theirs)]).toEqual(['failed', 'passed']);
  },
);
