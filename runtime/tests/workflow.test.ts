import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createWorkflowExecution,
  isWorkflowError,
  safe,
  type WorkflowError,
  type WorkflowExecutionOptions,
} from '../src/workflow/index.ts';
import { catchFailure, serveScripts } from './router-under-test.ts';
import { manualClock, type Reply } from './scripted-server.ts';

const server = serveScripts();
afterEach(() => vi.unstubAllEnvs());

function client(options: Partial<WorkflowExecutionOptions> = {}) {
  const clock = manualClock();
  return { clock, api: createWorkflowExecution({ baseUrl: `${server().url}/`, token: 'token-1', clock, ...options }) };
}
const failure = (work: Promise<unknown>) => catchFailure<WorkflowError>(work);
const envelope = (status: number, code: string, seconds?: number, more: object = {}): Reply => ({
  status,
  body: { error: { code, message: 'It failed.', ...more } },
  headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
});
const workflow = { nodes: [{ id: 1, type: 'later' }], layout: null, '': { deep: ['kept'] } };

describe('a workflow', () => {
  const formats: [format: string, want: object][] = [
    ['save', { format: 'save' }],
    ['api', { format: 'api' }],
    ['later', { format: 'unknown', rawFormat: 'later' }],
  ];
  // WX-JWF-01, WX-JWF-02, WX-JWF-03, WX-JWF-04, WX-JWF-05, WX-JWF-06, WX-JWF-08, WX-JWF-09, WX-JWF-10, WX-JWF-21, WX-JWF-22,
  // WX-AUT-01, WX-VER-03
  it.each(formats)(
    'returns a workflow of the format %s unchanged, with its format and exact text',
    async (format, want) => {
      // A double cannot represent this integer.
      const text = `{"format":"${format}","workflow":{"seed":18446744073709551615,"layout":null,"":{"deep":["kept"]}},"more":1}`;
      server().script({ body: text, headers: { 'content-type': 'application/json' } });
      const { workflow: parsed } = JSON.parse(text);
      expect(await client().api.getJobWorkflow('job/1')).toEqual({ ...want, workflow: parsed, text });
      expect(server().seen).toMatchObject([
        { method: 'GET', url: '/api/v2/jobs/job%2F1/workflow', body: '', headers: { authorization: 'Bearer token-1' } },
      ]);
      expect(server().seen[0]?.headers).not.toHaveProperty('content-type');
    },
  );

  it('the type of a workflow requires a check of its format', async () => {
    server().script({ body: { format: 'save', workflow } });
    const job = await client().api.getJobWorkflow('1');
    // @ts-expect-error the shape of a workflow depends on its format
    const early = () => job.workflow['nodes'];
    expect(job.format === 'save' ? job.workflow['nodes'] : undefined).toEqual(early());
  });

  // WX-JWF-26, WX-JWF-29, WX-JWF-32, WX-VER-05
  it('requests a workflow each time, because its format may change', async () => {
    server().script({ body: { format: 'save', workflow } }, { body: { format: 'api', workflow: {} } });
    const { api } = client();
    const formats = [await api.getJobWorkflow('1'), await api.getJobWorkflow('1')].map(({ format }) => format);
    expect(formats).toEqual(['save', 'api']);
  });

  const others: [name: string, body: unknown][] = [
    ['no format', { workflow }],
    ['a format that is not a string', { workflow, format: 1 }],
    ['no workflow', { format: 'api' }],
    ['a workflow that is a list', { format: 'api', workflow: [] }],
    ['null', null],
  ];
  it.each(others)('a body with %s is not a workflow', async (_, body) => {
    server().script({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    const error = await failure(client().api.getJobWorkflow('1'));
    expect(error).toMatchObject({ kind: 'decode', status: 200, attempts: 1 });
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain('later'); // WX-JWF-20
  });
});

describe('the credential', () => {
  // WX-AUT-02, WX-AUT-04, WX-AUT-06
  it('the credential of the workflow client is a bearer token or none, never the router’s', async () => {
    for (const name of ['MODEL_ROUTER_URL', 'MODEL_ROUTER_API_KEY', 'MODEL_ROUTER_TOKEN'])
      vi.stubEnv(name, server().url);
    server().script({ body: { format: 'api', workflow: {} } });
    const options = { baseUrl: server().url, clock: manualClock() };
    await createWorkflowExecution(options).getJobWorkflow('1');
    expect(server().seen[0]?.headers).not.toHaveProperty('authorization');
    expect(server().seen[0]?.headers).not.toHaveProperty('x-api-key');
    expect(() => createWorkflowExecution({} as WorkflowExecutionOptions)).toThrow(TypeError);
  });

  it('the workflow client reads its token once for all attempts, and redacts it', async () => {
    let count = 0;
    const token = (): string => `token-of-${++count}`;
    const echo = envelope(403, 'forbidden', undefined, {
      message: 'token-of-1',
      details: { a: ['token-of-1'] },
      more: 'token-of-1',
    });
    server().script(envelope(500, 'upstream_error'), echo);
    const error = await failure(client({ token }).api.getJobWorkflow('1'));
    expect(server().seen.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer token-of-1',
      'Bearer token-of-1',
    ]);
    expect(JSON.stringify({ ...error, message: error.message })).not.toMatch(/token-of-\d/);
    expect(error).toMatchObject({ kind: 'workflow', details: { a: ['[redacted]'] } });
  });
});

// WX-GEN-01, WX-GEN-14, WX-GEN-15, WX-GEN-16, WX-VER-01
it.each(['http://127.0.0.1:8188', 'https://label-1.staging.example/base/'])(
  'the workflow client works at %s',
  async (baseUrl) => {
    const asked: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      asked.push(url);
      return Response.json({ format: 'api', workflow: {} });
    };
    await createWorkflowExecution({ baseUrl, fetch }).getJobWorkflow('1');
    expect(asked).toEqual([`${baseUrl.replace(/\/$/, '')}/api/v2/jobs/1/workflow`]);
  },
);

describe('a code', () => {
  const codes: [id: string, code: string, status: number][] = [
    ['WX-COD-01', 'invalid_workflow', 422],
    ['WX-COD-02', 'workflow_format_ui', 422],
    ['WX-COD-03', 'missing_asset', 422],
    ['WX-COD-04', 'hash_mismatch', 409],
    ['WX-COD-05', 'blob_not_found', 404],
    ['WX-COD-06', 'idempotency_key_reuse', 422],
    ['WX-COD-07', 'queue_full', 429],
    ['WX-COD-08', 'insufficient_credits', 402],
    ['WX-COD-09, WX-OPE-03', 'not_found', 404],
    ['WX-COD-10, WX-OPE-01', 'unauthorized', 401],
    ['WX-COD-11, WX-OPE-02', 'forbidden', 403],
    ['WX-COD-12', 'deployment_not_ready', 429],
    ['WX-COD-13, WX-COD-19, WX-COD-20', 'deployment_stopped', 422],
    ['WX-COD-14, WX-OPE-04, WX-OPE-07, WX-OPE-08', 'rate_limited', 429],
    ['WX-COD-15, WX-COD-24, WX-OPE-05', 'upstream_error', 500],
  ];
  // WX-ERR-01, WX-ERR-02, WX-ERR-03, WX-ERR-04, WX-ERR-05, WX-ERR-06, WX-COD-27
  it.each(codes)('throws an error with the code %s: %s with %i, including its details', async (_, code, status) => {
    server().script(envelope(status, code, undefined, { details: { node: [1] }, hint: 'x' }));
    expect(await failure(client().api.getJobWorkflow('1'))).toMatchObject({
      kind: 'workflow',
      code,
      rawCode: code,
      status,
      details: { node: [1] },
      unknownMembers: { hint: 'x' },
      message: expect.stringContaining('It failed.'),
      attempts: status === 429 || status === 500 ? 4 : 1,
    });
  });

  it('keeps an unknown code of the workflow API, and omits null details', async () => {
    server().script(envelope(418, 'later_code', undefined, { details: null }));
    const error = await failure(client().api.getJobWorkflow('1'));
    expect(error).toMatchObject({ kind: 'workflow', code: undefined, rawCode: 'later_code', isRetryable: false });
    expect(error).not.toHaveProperty('details');
  });

  it.each([7, null, { toString: 1, valueOf: 1 }])(
    'reads the code of a workflow error whose message is %j instead of a string',
    async (message) => {
      server().script({ status: 404, body: { error: { code: 'not_found', message, details: null } } });
      expect(await failure(client().api.getJobWorkflow('1'))).toMatchObject({ kind: 'workflow', code: 'not_found' });
    },
  );

  it('the code deployment_stopped is not retryable with any status', async () => {
    server().script(envelope(429, 'deployment_stopped', 1));
    expect(await failure(client().api.getJobWorkflow('1'))).toMatchObject({ isRetryable: false, attempts: 1 });
  });
});

// WX-COD-18, WX-COD-25, WX-COD-26
it.each(['rate_limited', 'queue_full', 'deployment_not_ready', 'later_code'])(
  'the workflow client waits as requested after 429 %s',
  async (code) => {
    server().script(...Array.from({ length: 6 }, () => envelope(429, code, 4)), {
      body: { format: 'api', workflow: {} },
    });
    const { clock, api } = client();
    await api.getJobWorkflow('1');
    expect(clock.slept).toEqual(Array.from({ length: 6 }, () => 4000));
  },
);

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };
const router = { detail: 'Slow down.', error_type: 'rate_limited' };
const cut: Reply = { status: 404, body: '{"err', headers: json, truncate: true };
const bounded: [name: string, reply: Reply, want: object, calls: number][] = [
  ['HTML', { status: 502, body: '<html>', headers: html }, { kind: 'opaque', status: 502, excerpt: '<html>' }, 4],
  ['truncated JSON of an error', { status: 404, body: '{"error":', headers: json }, { kind: 'opaque', status: 404 }, 1],
  ['an error that breaks off', cut, { kind: 'opaque', status: 404 }, 1],
  ['an error without a body', { status: 403, body: '' }, { kind: 'opaque', status: 403, excerpt: '' }, 1],
  ['an error of the Model Router', { status: 400, body: router }, { kind: 'opaque', status: 400 }, 1],
  ['a reset', 'reset', { kind: 'network' }, 4],
  ['a truncated 200', { body: '{"format":', headers: json }, { kind: 'decode', status: 200 }, 4],
  ['a 200 that breaks off', { body: { format: 'api' }, truncate: true }, { kind: 'decode', status: 200 }, 4],
  ['HTML with 200', { body: '<html>', headers: html }, { kind: 'decode', status: 200 }, 4],
  ['408', { status: 408, body: '' }, { kind: 'opaque', status: 408 }, 4],
  ['425', { status: 425, body: '' }, { kind: 'opaque', status: 425 }, 4],
  ['204', { status: 204, body: '' }, { kind: 'opaque', status: 204 }, 4],
  ['a redirect', { status: 302, body: '', headers: { location: '/elsewhere' } }, { kind: 'opaque', status: 302 }, 1],
];
it.each(bounded)('a workflow call ends after %s', async (_, reply, want, calls) => {
  server().script(reply);
  expect(await failure(client().api.getJobWorkflow('1'))).toMatchObject({ ...want, attempts: calls });
  expect(server().seen).toHaveLength(calls);
});

it('a workflow call ends at the deadline, and when its signal aborts', async () => {
  server().script(envelope(429, 'rate_limited', 60));
  const timeout = await failure(client().api.getJobWorkflow('1', { deadlineMs: 90_000 }));
  expect(timeout).toMatchObject({ kind: 'timeout', deadlineMs: 90_000, attempts: 2, cause: { status: 429 } });
  const aborted = await failure(client().api.getJobWorkflow('1', { signal: AbortSignal.abort() }));
  expect(aborted).toMatchObject({ kind: 'aborted', attempts: 0 });
});

it.each(['', '.', '..'])('rejects the job id "%s"', async (id) => {
  server().script({});
  expect((await failure(client().api.getJobWorkflow(id))).kind).toBe('local');
  expect(server().seen).toEqual([]);
});

describe('the workflow client behaves like the router client', () => {
  it('safe returns errors of the workflow client as values with a category, and isWorkflowError recognises them', async () => {
    server().script(envelope(404, 'not_found'));
    const outcome = await safe(client().api.getJobWorkflow('1'));
    if (outcome.ok) expect.unreachable('it is rejected');
    else expect(outcome.error).toMatchObject({ category: { known: 'not_found', body: 'not_found' } });
    expect(isWorkflowError(outcome.ok ? undefined : outcome.error)).toBe(true);
    expect(isWorkflowError(new Error('other'))).toBe(false);
    server().script({ body: { format: 'api', workflow } });
    expect(await safe(client().api.getJobWorkflow('1'))).toMatchObject({ ok: true, format: 'api', workflow });
  });

  it('the workflow client reads its own environment variables', async () => {
    vi.stubEnv('WORKFLOW_EXECUTION_URL', undefined);
    expect(() => createWorkflowExecution()).toThrow('no base URL: set baseUrl or WORKFLOW_EXECUTION_URL');
    vi.stubEnv('WORKFLOW_EXECUTION_URL', server().url);
    vi.stubEnv('WORKFLOW_EXECUTION_TOKEN', 'token-of-env');
    server().script({ body: { format: 'api', workflow } });
    await createWorkflowExecution().getJobWorkflow('1');
    expect(server().seen[0]?.headers['authorization']).toBe('Bearer token-of-env');
  });

  it('the workflow client has observers of a call and of its attempts, and middleware', async () => {
    const events: string[] = [];
    const note = (name: string) => (event: { callId: string; jobId: string }) =>
      void events.push(`${name} ${event.callId} of job ${event.jobId}`);
    const observers = { onStart: note('start'), onRequest: note('request'), onEnd: note('end') };
    const { api } = client({ observers });
    api.use(async (request, next) =>
      next({ ...request, headers: { ...request.headers, 'x-attempt': `${request.attempt}` } }),
    );
    server().script(envelope(500, 'upstream_error'), { body: { format: 'api', workflow } });
    await api.getJobWorkflow('1');
    expect(events.map((event) => event.split(' ')[0])).toEqual(['start', 'request', 'request', 'end']);
    expect(new Set(events.map((event) => event.split(' ')[1])).size).toBe(1);
    for (const event of events) expect(event).toContain('of job 1');
    expect(server().seen.map(({ headers }) => headers['x-attempt'])).toEqual(['1', '2']);
  });

  it('the workflow client rejects unknown options and invalid URLs', async () => {
    const error = await failure(client().api.getJobWorkflow('1', { timeout: 1 } as object));
    expect(error).toMatchObject({ kind: 'local', attempts: 0 });
    expect(() => client({ baseUrl: `${server().url}/api/v2` })).toThrow(`use ${server().url}`);
    expect(() => client({ apiKey: 'k' } as object)).toThrow('apiKey is not an option');
    expect(() => client({ maxAttempts: Number.NaN })).toThrow('maxAttempts must be a positive number');
  });
});
