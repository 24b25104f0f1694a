import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBearer, type WorkflowAccount } from './accounts.ts';
import { type Answer, type Headers, jsonAnswer, send } from './answers.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './hooks.ts';
import type { Job } from './jobs.ts';
import type { Quota } from './limits.ts';

// The other API: the workflow behind a job, and just enough of the job itself.

export type WorkflowWorld = {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly bugs: ReadonlySet<string>;
  readonly accounts: readonly WorkflowAccount[];
  /** Serves calls without a credential, as a self-hosted deployment does. */
  readonly openTo: WorkflowAccount | undefined;
  readonly quota: Quota;
  readonly jobs: readonly Job[];
  readonly log: (line: string) => void;
};

class Problem extends Error {
  override readonly name = 'Problem';
  readonly answer: Answer;

  constructor(status: number, code: string, message: string, headers: Headers = {}, details?: object | null) {
    super(message);
    const error = { code, message, ...(details !== undefined && { details }) };
    this.answer = jsonAnswer(status, { error, docs: 'https://docs.example/errors' }, headers);
  }
}

const notFound = () => new Problem(404, 'not_found', 'There is no such job.', {}, null);

export function serveWorkflow(world: WorkflowWorld, request: IncomingMessage, response: ServerResponse): void {
  let answer: Answer;
  try {
    answer = serve(world, request);
  } catch (error) {
    if (!(error instanceof Problem)) world.log(String(error));
    answer = error instanceof Problem ? error.answer : upstreamError().answer;
  }
  send(response, { ...answer, headers: { ...answer.headers, 'x-trace': 'wf' } });
}

const upstreamError = () => new Problem(500, 'upstream_error', 'Something went wrong. Please try again later.', {}, {});

function serve(world: WorkflowWorld, request: IncomingMessage): Answer {
  const caller = authenticate(world, request.headers.authorization);
  const seconds = world.quota.take(caller.name, caller);
  if (seconds !== undefined) {
    throw new Problem(429, 'rate_limited', 'Too many requests of this account.', { 'retry-after': seconds });
  }
  const [path = ''] = (request.url ?? '/').split('?');
  const [, id, rest] = /^\/api\/v2\/jobs\/([^/]+)(\/workflow)?$/.exec(path) ?? [];
  if (id === undefined) throw notFound();
  if (request.method !== 'GET')
    throw new Problem(405, 'method_not_allowed', 'Only GET is served here.', { allow: 'GET' });
  if (rest !== undefined) world.faults.meet('readJobWorkflow');
  const job = findJob(world, caller, id, rest !== undefined);
  if (job.damaged) throw new TypeError(`cannot read graph of ${job.id} from the store`);
  return rest === undefined ? jobAnswer(job) : workflowAnswer(world, job);
}

function authenticate(world: WorkflowWorld, authorization: string | undefined): WorkflowAccount {
  const key = readBearer(authorization);
  const caller =
    authorization === undefined ? world.openTo : world.accounts.find((one) => key !== undefined && one.apiKey === key);
  if (!caller) throw new Problem(401, 'unauthorized', 'A valid API key is needed.', { 'www-authenticate': 'Bearer' });
  if (caller.access === 'none')
    throw new Problem(403, 'forbidden', 'This account may not use the API.', {}, { account: caller.name });
  return caller;
}

function findJob(world: WorkflowWorld, caller: WorkflowAccount, encoded: string, forWorkflow: boolean): Job {
  const has = (bug: string) => forWorkflow && world.bugs.has(bug);
  const job = world.jobs.find((one) => one.id === decode(encoded));
  if (!job || job.deleted) throw notFound();
  if (job.owner !== caller.name) {
    throw has('workflow-foreign-403')
      ? new Problem(403, 'forbidden', 'The job belongs to another account.')
      : notFound();
  }
  if (job.expiresAt <= world.clock.now() && !has('workflow-after-deadline')) throw notFound();
  return job;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound();
  }
}

const jobAnswer = (job: Job): Answer =>
  jsonAnswer(200, { id: job.id, status: job.state, expires_at: new Date(job.expiresAt).toISOString() });

/** Text is put into text: a workflow that was parsed and printed again would not be the same. */
function workflowAnswer(world: WorkflowWorld, job: Job): Answer {
  const whole = `{"prompt": ${job.graph}, "extra_data": ${job.extraData}}`;
  const executed = world.bugs.has('workflow-shows-extra-data') ? whole : job.graph;
  const [format, text] = job.pinned?.readable ? ['save', job.pinned.text] : ['api', executed];
  const body = `{ "workflow":${text},\n  "format":"${format}", "etag": null }`;
  return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body };
}
