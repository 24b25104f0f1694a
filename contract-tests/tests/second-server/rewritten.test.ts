import { describe, expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../../specs/src/index.ts';
import type { WireRequest, WireResponse } from '../../src/contract/probe.ts';
import { httpPorts, runConformance, type Target } from '../../src/index.ts';
import { liveTarget } from './live-target.ts';
import { startServer } from './start.ts';

// The second server with some of its responses replaced: no rule may pass on what it has not seen.

type Rewrite = (request: WireRequest, jobs: Readonly<Record<string, string>>) => Partial<Answer> | undefined;
type Answer = { readonly status: number; readonly body: unknown; readonly errorType: string };

const specs = await buildEffectiveSpecs();

type Adapt = (own: Target) => Target;

async function check(rules: readonly string[], rewrite: Rewrite, adapt: Adapt = (own) => own) {
  const server = await startServer();
  try {
    const target = adapt(liveTarget(server, 60));
    const ports = httpPorts(target);
    const replaced = new Set<string>();
    const exchange: typeof ports.exchange = async (request, deadlineMs) => {
      const response = await ports.exchange(request, deadlineMs);
      const answer = rewrite(request, server.jobs);
      if (answer === undefined || response.kind === 'no-response') return response;
      replaced.add(`${request.method} ${request.url}`);
      return replace(response, answer);
    };
    const report = await runConformance({ target, specs, rules, evidence: 'all' }, { ...ports, exchange });
    return { replaced, results: report.results };
  } finally {
    await server.close();
  }
}

function replace(response: WireResponse, { status = response.status, body, errorType }: Partial<Answer>): WireResponse {
  // A refusal is no replay.
  const kept = response.headers
    .filter(([name]) => status < 400 || !/^idempotent-/i.test(name))
    .filter(([name]) => !/^(?:content-|x-service-error)/i.test(name));
  const headers = [
    ...kept,
    ['Content-Type', 'application/json'] as const,
    ...(errorType === undefined ? [] : [['X-Service-Error-Type', errorType] as const]),
  ];
  return { ...response, status, headers, body: new TextEncoder().encode(JSON.stringify(body)) };
}

const isOutcome = (results: Awaited<ReturnType<typeof check>>['results'], ruleId: string) =>
  results.find((one) => one.ruleId === ruleId)?.outcome.kind;

describe('the workflow of a job', () => {
  const prompt = { format: 'api', workflow: { '1': { class_type: 'Other', inputs: {} } } };
  const canvas = { format: 'save', workflow: { nodes: [{ id: 1, type: 'Other', pos: [0, 0] }], links: [] } };
  test.concurrent.each([
    { name: 'save', job: 'saved', body: prompt, fails: ['workflow.job.pinned-gives-save'] },
    { name: 'api', job: 'submitted', body: canvas, fails: ['workflow.job.submitted-gives-api'] },
    {
      name: 'api',
      job: 'submitted',
      body: { format: 'api', workflow: { '1': { class_type: 'Other' } } },
      fails: ['workflow.verbatim.api'],
    },
    {
      name: 'unreadable',
      job: 'unreadableVersion',
      body: canvas,
      fails: ['workflow.unreadable.falls-back-to-api'],
    },
    { name: 'deleted', job: 'deletedWorkflow', body: prompt, fails: ['workflow.verbatim.deleted'] },
  ])('$job in another form fails $fails', async ({ name, job, body, fails }) => {
    const isMeant = ({ url }: WireRequest, jobs: Readonly<Record<string, string>>) =>
      url.includes(`/jobs/${encodeURIComponent(jobs[job] ?? '')}/workflow`);
    const { results } = await check(
      ['workflow.job.*', 'workflow.verbatim.*', 'workflow.*.falls-back-*'],
      (request, jobs) => (isMeant(request, jobs) ? { body } : undefined),
    );
    for (const ruleId of fails) expect(isOutcome(results, ruleId), ruleId).toBe('failed');
    expect(isOutcome(results, `workflow.verbatim.${name}`)).not.toBe('passed');
  });

  test.concurrent('that is never served passes none of the rules about its graph', async () => {
    const { results } = await check(['workflow.verbatim.*'], ({ url }) =>
      url.includes('/jobs/') ? { status: 404, body: { error: { code: 'not_found', message: 'No.' } } } : undefined,
    );
    expect(results.map(({ outcome }) => outcome.kind)).not.toContain('passed');
  });
});

test.concurrent('a key whose linked result answers 409 shows no replay', async () => {
  const seen = new Set<string | undefined>();
  const { results } = await check(['run.retry.is-*', 'run.retry.repeats-*'], ({ headers, method, url }) => {
    const key = headers.find(([name]) => name === 'Idempotency-Key')?.[1];
    const isAgain = method === 'POST' && !url.endsWith('/requests') && key !== undefined && seen.has(key);
    seen.add(key);
    return isAgain
      ? { status: 409, errorType: 'invalid_input', body: { detail: 'Not replayable.', error_type: 'invalid_input' } }
      : undefined;
  });
  for (const rule of ['is-answered-again', 'is-marked-replayed', 'repeats-the-result', 'is-replayed-each-time'])
    expect(isOutcome(results, `run.retry.${rule}`), rule).toBe('not-applicable');
});

test.concurrent.each([
  { name: 'a day, also on a replay', hours: 24, isRenewed: false, failed: [] },
  { name: 'a week', hours: 168, isRenewed: false, failed: ['trace.links.are-valid-no-longer-than-stated'] },
  { name: 'a day from each replay', hours: 24, isRenewed: true, failed: ['run.retry.renews-no-links'] },
])('links of a model that no other rule runs: $name fails $failed', async ({ hours, isRenewed, failed }) => {
  const model = { id: 'video-provider/clip-2', input: { scene: 'a harbour' }, linkHours: 24 };
  const adapt: Adapt = ({ budget, ...own }) => ({
    ...own,
    budget: { runs: 60, models: [...(budget?.models ?? []).filter(({ id }) => id !== model.id), model] },
  });
  let signedAt: number | undefined;
  const { results } = await check(
    ['run.retry.renews-no-links', 'trace.links.*'],
    ({ method, url }) => {
      if (method !== 'POST' || !url.endsWith('/clip-2')) return undefined;
      if (isRenewed || signedAt === undefined) signedAt = Date.now();
      const expires = Math.round(signedAt / 1_000) + hours * 3_600;
      return { body: { clip: { url: `https://storage.example/a.mp4?Expires=${expires}&Signature=s`, seconds: 4 } } };
    },
    adapt,
  );
  expect(results.filter(({ outcome }) => outcome.kind === 'failed').map(({ ruleId }) => ruleId)).toEqual(failed);
  expect(results.some(({ outcome }) => outcome.kind === 'passed')).toBe(true);
});

test.concurrent.each([
  { every: Number.POSITIVE_INFINITY, kind: 'passed' },
  { every: 4, kind: 'failed' },
])('spend that each $every. run keeps: $kind', async ({ every, kind }) => {
  const server = await startServer();
  const { workflow: _, ...target } = liveTarget(server, 60);
  const ports = httpPorts(target);
  let runs = 0;
  const exchange: typeof ports.exchange = async (request, deadlineMs) => {
    const response = await ports.exchange(request, deadlineMs);
    if (response.kind === 'no-response') return response;
    const read = (name: string) => response.headers.find(([one]) => one.toLowerCase() === name)?.[1];
    const isRun = request.method === 'POST' && response.status === 200 && !request.url.endsWith('/requests');
    if (isRun && read('idempotent-replayed') === undefined) runs += 1;
    const kept = 4 * Math.floor(runs / every);
    const current = Number(read('x-committed-spend-current')) + kept;
    const changed: Readonly<Record<string, number>> = {
      'x-committed-spend-current': current,
      'x-committed-spend-remaining': Math.max(0, Number(read('x-committed-spend-limit')) - current),
    };
    const headers = response.headers.map(([name, value]) => [name, `${changed[name.toLowerCase()] ?? value}`] as const);
    return { ...response, headers };
  };
  const rules = ['run.*', 'status.*', 'cancel.*', 'trace.spend.*'];
  const { results } = await runConformance({ target, specs, rules }, { ...ports, exchange });
  await server.close();
  expect(isOutcome(results, 'trace.spend.is-free-when-calls-have-ended')).toBe(kind);
});

/** Rules that a failure of the operation may satisfy: they are about refusals, or about statuses that it is not. */
const aboutRefusals =
  /^(?:errors|authentication|bodies|passive|trace)\.|is-refused|not-found|is-called-invalid|releases-the-key|crosses/;

test.concurrent.each([
  {
    operation: 'run',
    is: ({ method, url }: WireRequest) => method === 'POST' && !url.endsWith('/requests'),
    rules: ['run.*', 'limits.run-key.*', 'collect.result.*'],
  },
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
  'a $operation that always fails passes no rule that needs its success',
  async ({ is, rules }) => {
    const failure = { status: 500, errorType: 'internal_error', body: { detail: 'No.', error_type: 'internal_error' } };
    const { results, replaced } = await check(rules, (request) => (is(request) ? failure : undefined));
    const passed = results.filter(({ outcome, evidence, ruleId }) => {
      const calls = evidence.map(({ request }) => `${request.method} ${request.url}`);
      return outcome.kind === 'passed' && calls.some((call) => replaced.has(call)) && !aboutRefusals.test(ruleId);
    });
    expect(passed.map(({ ruleId }) => ruleId)).toEqual([]);
  },
  60_000,
);
