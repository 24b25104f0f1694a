import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorkflowExecution, type WorkflowExecutionOptions } from '../src/workflow/create-workflow-execution.ts';
import { knownCodes, type WorkflowError } from '../src/workflow/workflow-error.ts';
import { manualClock, type Reply, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

function client(options: Partial<WorkflowExecutionOptions> = {}) {
  const clock = manualClock();
  return { clock, api: createWorkflowExecution({ baseUrl: `${server.url}/`, token: 'token-1', clock, ...options }) };
}
const failure = (work: Promise<unknown>): Promise<WorkflowError> =>
  work.then(
    () => expect.unreachable('it resolved'),
    (error: WorkflowError) => error,
  );
const envelope = (status: number, code: string, seconds?: number, more: object = {}): Reply => ({
  status,
  body: { error: { code, message: 'It failed.', ...more } },
  headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
});

const formats: [format: string, want: object][] = [
  ['save', { format: 'save' }],
  ['api', { format: 'api' }],
  ['later', { format: 'unknown', rawFormat: 'later' }],
];
it.each(formats)('returns a workflow of the format %s', async (format, want) => {
  server.script({ body: { format, workflow: { nodes: [] }, more: 1 } });
  expect(await client().api.getJobWorkflow('job/1')).toEqual({ ...want, workflow: { nodes: [] } });
  expect(server.seen[0]).toMatchObject({
    url: '/api/v2/jobs/job%2F1/workflow',
    headers: { authorization: 'Bearer token-1' },
  });
  expect(server.seen[0]?.headers['x-api-key']).toBeUndefined();
});

it('sends no credential where none is given', async () => {
  server.script({ body: { format: 'api', workflow: {} } });
  const clock = manualClock();
  await createWorkflowExecution({ baseUrl: server.url, clock }).getJobWorkflow('1');
  expect(server.seen[0]?.headers['authorization']).toBeUndefined();
});

it.each(knownCodes)('throws the code %s with its details', async (code) => {
  server.script(envelope(404, code, undefined, { details: { node: [1] }, hint: 'x' }));
  expect(await failure(client().api.getJobWorkflow('1'))).toMatchObject({
    kind: 'workflow',
    code,
    rawCode: code,
    status: 404,
    details: { node: [1] },
    unknownMembers: { hint: 'x' },
  });
});

it('keeps an unknown code and takes null details as absent', async () => {
  server.script(envelope(418, 'later_code', undefined, { details: null }));
  const error = await failure(client().api.getJobWorkflow('1'));
  expect(error).toMatchObject({ kind: 'workflow', code: undefined, rawCode: 'later_code' });
  expect(error).not.toHaveProperty('details');
});

it.each(['rate_limited', 'queue_full', 'deployment_not_ready', 'later_code'])(
  'waits as told after 429 %s',
  async (code) => {
    server.script(...Array.from({ length: 6 }, () => envelope(429, code, 4)), {
      body: { format: 'api', workflow: {} },
    });
    const { clock, api } = client();
    await api.getJobWorkflow('1');
    expect(clock.slept).toEqual(Array.from({ length: 6 }, () => 4000));
  },
);

const bounded: [name: string, reply: Reply, kind: string, calls: number][] = [
  ['upstream_error', envelope(500, 'upstream_error'), 'workflow', 4],
  ['HTML', { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }, 'opaque', 4],
  ['a reset', 'reset', 'network', 4],
  ['a truncated 200', { body: '{"format":', headers: { 'content-type': 'application/json' } }, 'decode', 4],
  ['another 200', { body: { format: 1 } }, 'decode', 1],
  ['deployment_stopped', envelope(422, 'deployment_stopped', 1), 'workflow', 1],
  ['not_found', envelope(404, 'not_found'), 'workflow', 1],
];
it.each(bounded)('ends after %s', async (_, reply, kind, calls) => {
  server.script(reply);
  expect(await failure(client().api.getJobWorkflow('1'))).toMatchObject({ kind, attempts: calls });
  expect(server.seen).toHaveLength(calls);
});

it('ends at the deadline and with the signal', async () => {
  server.script(envelope(429, 'rate_limited', 60));
  expect(await failure(client().api.getJobWorkflow('1', { deadlineMs: 90_000 }))).toMatchObject({
    kind: 'timeout',
    attempts: 2,
  });
  expect(await failure(client().api.getJobWorkflow('1', { signal: AbortSignal.abort() }))).toMatchObject({
    kind: 'aborted',
  });
});

it.each(['', '.', '..'])('refuses the id "%s"', async (id) => {
  server.script({});
  expect((await failure(client().api.getJobWorkflow(id))).kind).toBe('local');
  expect(server.seen).toEqual([]);
});

it('shows hooks neither bodies nor credentials', async () => {
  const events: unknown[] = [];
  const note = (event: unknown): void => {
    events.push(event);
  };
  server.script(envelope(500, 'upstream_error'), { body: { format: 'api', workflow: { key: 'secret-of-a-node' } } });
  await client({ hooks: { onResponse: note, onRetry: note } }).api.getJobWorkflow('1');
  expect(events).toHaveLength(3);
  expect(JSON.stringify(events)).not.toMatch(/secret-of-a-node|token-1/);
});
