import { describe, expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import type { Exchanger, WireRequest, WireResponse } from '../src/contract/exchange.ts';
import { exitCodeOf, type Target } from '../src/index.ts';
import { type Change, runGate } from './second-server/gate-run.ts';
import { jobs } from './second-server/workflow.ts';

// Checks the second server with some responses replaced, as if it had a bug or a proxy in front of it.

type Send = Parameters<Change>[1];

const specs = buildEffectiveSpecs();

async function check(setting: { rules: readonly string[]; change: Change; adapt?: (own: Target) => Target }) {
  const run = await runGate(specs, { runs: 60, ...setting });
  const { results } = run.report;
  const outcomes = new Map(results.map(({ ruleId, outcome }) => [ruleId, outcome]));
  return { ...run, outcomes, list: (kind: string) => results.filter(({ outcome }) => outcome.kind === kind) };
}

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Returns the response of the server with a different body, and optionally a different status and error category. */
async function replaced(send: Send, body: unknown, status?: number, errorType?: string): ReturnType<Exchanger> {
  const response = await send();
  if (response.kind === 'no-response') return response;
  const isKept = ([name]: readonly [string, string]) => !/^(?:content-|idempotent-|x-service-error)/i.test(name);
  const type = errorType === undefined ? [] : [['X-Service-Error-Type', errorType] as const];
  const headers = [...response.headers.filter(isKept), ['Content-Type', 'application/json'] as const, ...type];
  return { ...response, status: status ?? response.status, headers, body: encode(body) };
}

const isRun = ({ method, url }: WireRequest): boolean => method === 'POST' && !url.endsWith('/requests');

describe('the workflow of a job', () => {
  test.concurrent('a workflow with the wrong format or contents fails the rules about its job', async () => {
    const prompt = { format: 'api', workflow: { '1': { class_type: 'Other', inputs: {} } } };
    const canvas = { format: 'save', workflow: { nodes: [{ id: 1, type: 'Other', pos: [0, 0] }], links: [] } };
    const withoutInputs = { format: 'api', workflow: { '1': { class_type: 'Other' } } };
    const wrong = { saved: prompt, submitted: withoutInputs, unreadableVersion: canvas, deletedWorkflow: prompt };
    const bodies = Object.entries(wrong).map(([name, body]) => {
      const { id } = jobs[name as keyof typeof wrong];
      return [`/jobs/${encodeURIComponent(id)}/workflow`, body] as const;
    });
    const change: Change = ({ url }, send) => {
      const [, body] = bodies.find(([path]) => url.includes(path)) ?? [];
      return body === undefined ? send() : replaced(send, body);
    };
    const rules = ['workflow.job.*', 'workflow.verbatim.*', 'workflow.*.falls-back-*'];
    const { failed, list } = await check({ rules, change });
    const fails = ['job.pinned-gives-save', 'verbatim.api', 'unreadable.falls-back-to-api', 'verbatim.deleted'];
    expect(failed).toEqual(expect.arrayContaining(fails.map((rule) => `workflow.${rule}`)));
    expect(list('passed').filter(({ ruleId }) => ruleId.startsWith('workflow.verbatim.'))).toEqual([]);
  });

  test.concurrent('no rule about workflow graphs passes if the target never serves the workflow', async () => {
    const none = { error: { code: 'not_found', message: 'No.' } };
    const change: Change = ({ url }, send) => (url.includes('/jobs/') ? replaced(send, none, 404) : send());
    const { list } = await check({ rules: ['workflow.verbatim.*'], change });
    expect(list('passed')).toEqual([]);
  });
});

test.concurrent('the rule about revoked credentials fails if reads accept one, even if runs reject the malformed body first', async () => {
  const revoked = 'sk-revoked-credential';
  const schema = { type: 'object' }; // No object is invalid, so the gate sends a malformed body.
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'Any result', content } };
  const post = { 'x-service-input-schema-authored': true, requestBody: { content }, responses };
  const document = { openapi: '3.1.0', info: { title: 'Any', version: '1' }, paths: { '/any': { post } } };
  const change: Change = ({ method, url, headers }, send) => {
    if (headers.some(([, value]) => value.includes(revoked))) {
      const body = { detail: 'Malformed.', error_type: 'invalid_input' };
      return method === 'POST' ? replaced(send, body, 400, 'invalid_input') : replaced(send, {}, 200);
    }
    return url.endsWith('/openapi.json') ? replaced(send, document) : send();
  };
  const { outcomes } = await check({
    rules: ['authentication.revoked.is-refused'],
    change,
    adapt: ({ router, ...own }) =>
      router === undefined ? own : { ...own, router: { ...router, credentials: { ...router.credentials, revoked } } },
  });
  expect(outcomes.get('authentication.revoked.is-refused')).toMatchObject({ kind: 'failed' });
});

test.concurrent('rules about replays are not applicable if the server answers each retry with a conflict', async () => {
  const seen = new Set<string>();
  const body = { detail: 'Not replayable.', error_type: 'invalid_input' };
  const change: Change = (request, send) => {
    const key = request.headers.find(([name]) => name === 'Idempotency-Key')?.[1];
    const isAgain = isRun(request) && key !== undefined && seen.has(key);
    if (key !== undefined) seen.add(key);
    return isAgain ? replaced(send, body, 409, 'invalid_input') : send();
  };
  const { outcomes } = await check({ rules: ['run.retry.is-*', 'run.retry.repeats-*'], change });
  for (const rule of ['is-answered-again', 'is-marked-replayed', 'repeats-the-result'])
    expect(outcomes.get(`run.retry.${rule}`)?.kind, rule).toBe('not-applicable');
});

test.concurrent.each([
  { name: 'each run releases its spend', every: Number.POSITIVE_INFINITY, kind: 'passed' },
  { name: 'each second run keeps its spend', every: 2, kind: 'failed' },
])('the rule that spend is released when calls have ended is $kind if $name', async ({ every, kind }) => {
  let runs = 0;
  const change: Change = async (request, send) => {
    const response = await send();
    if (response.kind === 'no-response') return response;
    const received = new Map(response.headers.map(([name, value]) => [name.toLowerCase(), value]));
    if (isRun(request) && response.status === 200 && !received.has('idempotent-replayed')) runs += 1;
    const current = Number(received.get('x-committed-spend-current')) + 4 * Math.floor(runs / every);
    const left = Math.max(0, Number(received.get('x-committed-spend-limit')) - current);
    const changed: Readonly<Record<string, number>> = {
      'x-committed-spend-current': current,
      'x-committed-spend-remaining': left,
    };
    const headers = response.headers.map(([name, value]) => [name, `${changed[name.toLowerCase()] ?? value}`] as const);
    return { ...response, headers };
  };
  const { outcomes } = await check({ rules: ['run.*', 'status.*', 'cancel.*', 'trace.spend.*'], change });
  expect(outcomes.get('trace.spend.is-free-when-calls-have-ended')?.kind).toBe(kind);
});

/** Rules that may pass if the operation fails, because they are about rejected calls or about a different status. */
const aboutRefusals =
  /^(?:errors|authentication|bodies|passive|trace)\.|is-refused|not-found|is-called-invalid|releases-the-key|crosses/;

test.concurrent.each([
  { operation: 'run', is: isRun, rules: ['run.*', 'limits.run-key.*', 'collect.result.*'] },
  {
    operation: 'submission',
    is: ({ method, url }: WireRequest) => method === 'POST' && url.endsWith('/requests'),
    rules: ['submit.*', 'limits.submit-key.*'],
  },
  {
    operation: 'detail',
    is: ({ method, url }: WireRequest) => method === 'GET' && /\/v2\/models\/[^/?]+\/[^/?]+$/.test(url),
    rules: ['model.*'],
  },
])(
  'if every $operation call fails, no rule that needs a successful one passes',
  async ({ is, rules }) => {
    const calls = new Set<string>();
    const body = { detail: 'No.', error_type: 'internal_error' };
    const change: Change = (request, send) => {
      if (!is(request)) return send();
      calls.add(`${request.method} ${request.url}`);
      return replaced(send, body, 500, 'internal_error');
    };
    const { list } = await check({ rules, change });
    const passed = list('passed').filter(
      ({ evidence, ruleId }) =>
        !aboutRefusals.test(ruleId) && evidence.some(({ request }) => calls.has(`${request.method} ${request.url}`)),
    );
    expect(passed.map(({ ruleId }) => ruleId)).toEqual([]);
  },
  60_000,
);

describe('a proxy in front of the service', () => {
  const withoutWorkflow = ({ workflow: _, ...target }: Target): Target => ({
    ...target,
    budget: { ...target.budget, runs: 40, models: target.budget?.models ?? [] },
  });

  function page(status: number, title: string): WireResponse {
    const text = `<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1></body></html>`;
    const headers = [['content-type', 'text/html'] as const, ['server', 'proxy'] as const];
    return { kind: 'response', status, headers, body: new TextEncoder().encode(text) };
  }

  /** Answers each call whose number is a multiple of `every` with 503, like a router with a failing dependency. */
  function refusing(every: number): Change {
    let calls = 0;
    const body = { detail: 'A dependency is unavailable.', error_type: 'service_unavailable' };
    return async (_, send) => {
      calls += 1;
      if (calls % every !== 0) return send();
      const headers = {
        'content-type': 'application/json',
        'x-service-request-id': crypto.randomUUID(),
        'x-service-error-type': 'service_unavailable',
      };
      return { kind: 'response', status: 503, headers: Object.entries(headers), body: encode(body) };
    };
  }

  test.concurrent('if a router returns 503 for every eighth call, no rule fails and most rules are still decided', async () => {
    const rules = ['catalog.limit.*', 'run.*', 'limits.ids.malformed-are-rejected.run', 'passive.*', 'trace.*'];
    const [healthy, { report, failed, dispatched }] = await Promise.all([
      check({ rules, change: (_, send) => send(), adapt: withoutWorkflow }),
      check({ rules, change: refusing(8), adapt: withoutWorkflow }),
    ]);
    expect(failed).toEqual([]);
    expect(report.transient.length).toBeGreaterThan(3);
    expect(report.counts.passed).toBeGreaterThan(healthy.report.counts.passed * 0.9);
    expect(report.budget?.used).toBeLessThanOrEqual(40);
    expect(dispatched).toBeLessThanOrEqual(report.budget?.used ?? 0);
  }, 120_000);

  test.concurrent('no rule fails because a proxy returns an error page for a large body', async () => {
    const change: Change = async ({ body }, send) =>
      (body?.length ?? 0) > 20_000 ? page(413, 'Request Entity Too Large') : send();
    const rules = ['outcomes.*.body-above-the-ceiling', 'passive.*'];
    const { failed, outcomes } = await check({ rules, change, adapt: withoutWorkflow });
    expect(failed).toEqual([]);
    expect(outcomes.get('outcomes.run.body-above-the-ceiling')).toMatchObject({
      kind: 'not-applicable',
      because: expect.stringMatching(/got a 413 from something in front of the router$/),
    });
  }, 60_000);

  test.concurrent.each([
    { prefix: '', fails: [] },
    { prefix: 'W/', fails: ['schema-document.compressed.is-revalidated', 'passive.header.entity-tag'] },
  ])(
    'a proxy that compresses documents and changes entity tags to $prefix"…" fails the rules $fails',
    async ({ prefix, fails }) => {
      const change: Change = async (request, send) => {
        const response = await send();
        const isWanted = request.headers.some(([name]) => name.toLowerCase() === 'accept-encoding');
        if (response.kind === 'no-response' || response.status !== 200 || !isWanted) return response;
        const headers = response.headers.map(
          ([name, value]) => [name, name.toLowerCase() === 'etag' ? prefix + value : value] as const,
        );
        return { ...response, headers: [...headers, ['content-encoding', 'gzip']] };
      };
      const rules = ['schema-document.*', 'passive.*', 'trace.entity-tag.*'];
      expect((await check({ rules, change, adapt: withoutWorkflow })).failed).toEqual(fails);
    },
  );

  test.concurrent('a check ends with exit code 3 if only the proxy in front of the service still responds', async () => {
    let calls = 0;
    const change: Change = async (_, send) => {
      calls += 1;
      return calls > 30 ? page(502, 'Bad Gateway') : send();
    };
    const rules = ['catalog.*', 'model.*', 'status.*', 'passive.*'];
    const { report, failed } = await check({ rules, change, adapt: withoutWorkflow });
    expect(exitCodeOf(report)).toBe(3);
    expect(failed).toEqual([]);
    expect(report.reachability).toMatchObject({
      kind: 'unreachable',
      because: expect.stringContaining('returned 502'),
    });
  }, 60_000);
});
