import type { Answer, Failure, Verdict } from '../http/attempt.ts';
import { isSegment, readBaseUrl, readVariable } from '../http/base-url.ts';
import { readRetryAfter } from '../http/clock.ts';
import {
  type CallOptions,
  type ClientOptions,
  type Connection,
  connectAs,
  reads,
  type WorkOf,
  watchCalls,
} from '../http/connection.ts';
import { createCredential, type Secret } from '../http/credential.ts';
import { explainLoss } from '../http/explain-failure.ts';
import {
  addParts,
  type MiddlewareOf,
  type ObserversOf,
  type OutgoingOf,
  type PartOf,
  type RequestEventOf,
  type ResponseEventOf,
} from '../http/observers.ts';
import { perform } from '../http/perform.ts';
import { isObject, quoteBody, toObject } from '../http/read-body.ts';
import { redactValue } from '../http/redact-value.ts';
import { type SettledMethods, settled } from '../http/settled.ts';
import { fail, isWorkflowError, knownCodes, type WorkflowError } from './workflow-error.ts';

export type WorkflowExecutionOptions = ClientOptions<WorkflowObservers> & {
  /** Without `/api/v2`; `WORKFLOW_EXECUTION_URL` of the environment by default. */
  readonly baseUrl?: string | undefined;
  /**
   * Sent as `Authorization: Bearer`; some deployments need none. A function is asked before every attempt.
   * `WORKFLOW_EXECUTION_TOKEN` of the environment by default.
   */
  readonly token?: Secret | undefined;
};
type WorkflowByFormat =
  /** As saved in the editor, with its layout and nodes that only the editor knows. */
  | { readonly format: 'save'; readonly workflow: Readonly<Record<string, unknown>> }
  /** The prompt graph that ran. */
  | { readonly format: 'api'; readonly workflow: Readonly<Record<string, unknown>> }
  /** A shape of later days; `rawFormat` names it. As nothing is known of it, no workflow can be read before its format is. */
  | { readonly format: 'unknown'; readonly rawFormat: string; readonly workflow: unknown };
/** The workflow behind a job. The answer for a job changes when its saved workflow does, so nothing is kept by job id. */
export type JobWorkflow = WorkflowByFormat & {
  /** The answer as it came: `workflow` rounds integers beyond 2^53, such as seeds of 64 bits. */
  readonly text: string;
};

type CallFacts = { readonly operation: 'workflow'; readonly jobId: string };
export type WorkflowCallEvent = CallFacts & { readonly callId: string };
export type WorkflowEvent = ResponseEventOf<CallFacts>;
export type WorkflowObservers = ObserversOf<CallFacts, RequestEventOf<CallFacts>, WorkflowEvent, WorkflowError>;
/** @deprecated Use `WorkflowObservers`. */
export type WorkflowHooks = WorkflowObservers;
type Outgoing = OutgoingOf<RequestEventOf<CallFacts>>;
export type WorkflowMiddleware = MiddlewareOf<Outgoing>;
/** Without a deadline a call ends after 5 minutes. */
export type WorkflowCallOptions = CallOptions;
type Methods = {
  /** The workflow behind a job. Branch on `format`: how the job was submitted decides it. Throws a `WorkflowError`. */
  getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<JobWorkflow>;
};
export type WorkflowExecution = Methods & {
  /** Adds what sees every attempt: a middleware, or observers. The first one that was added is the outermost. */
  use(...parts: readonly PartOf<Outgoing, WorkflowObservers>[]): void;
  /** The same methods; each resolves to `{ ok: true, … }` or `{ ok: false, error }`. */
  readonly safe: SettledMethods<Methods, WorkflowError>;
};

export function createWorkflowExecution(options: WorkflowExecutionOptions = {}): WorkflowExecution {
  const { baseUrl, token, fetch, ...others } = options;
  const address = baseUrl ?? readVariable('WORKFLOW_EXECUTION_URL') ?? '';
  const secret = token ?? readVariable('WORKFLOW_EXECUTION_TOKEN');
  const connection: Connection = {
    ...connectAs('workflow-execution', { maxAttempts: 4 }, others),
    baseUrl: readBaseUrl(address, '/api/v2', 'createWorkflowExecution'),
    maxWaitMs: Number.POSITIVE_INFINITY,
    maxResponseBytes: 64 * 1024 * 1024,
    idleTimeoutMs: 60_000,
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    credential: createCredential({ header: 'Authorization', secret, scope: '' }),
    fail: (call, message, more) => fail(call as CallFacts, message, more), // every call of this client is one of a job
  };
  const watch = watchCalls(connection);
  const getJobWorkflow: Methods['getJobWorkflow'] = (jobId, call) =>
    watch({ operation: 'workflow', jobId } as const, call, read, reads);
  return { getJobWorkflow, use: addParts(connection.parts), safe: settled({ getJobWorkflow }, isWorkflowError) };
}

async function read(work: WorkOf<Connection, object>, facts: CallFacts): Promise<JobWorkflow> {
  const { jobId } = facts;
  if (!isSegment(jobId)) throw fail(facts, 'the id is empty or no id');
  const url = `${work.baseUrl}/api/v2/jobs/${encodeURIComponent(jobId)}/workflow`;
  const call = { ...facts, facts, url, attempts: 0, isAdmitted: false };
  const { redact } = work.credential;
  return perform(
    call,
    { read: (answer) => readAnswer(call, answer, redact), lose: (cause) => lose(call, cause, redact) },
    work,
  );
}

type Call = CallFacts & { readonly attempts: number };

function lose(call: Call, cause: unknown, redact: (text: string) => string): Failure {
  const { text, facts, isFinal } = explainLoss(cause, redact);
  const error = fail(call, text, { ...facts, isRetryable: !isFinal });
  return { type: facts.kind, error, next: isFinal ? undefined : { isTold: false } };
}

function readAnswer(call: Call, { response, body }: Answer, redact: (text: string) => string): Verdict<JobWorkflow> {
  const { status } = response;
  const { format, workflow } = toObject(body);
  if (status === 200 && isObject(workflow) && typeof format === 'string') {
    const { text = '' } = body;
    const isKnown = format === 'save' || format === 'api';
    return { result: isKnown ? { format, workflow, text } : { format: 'unknown', rawFormat: format, workflow, text } };
  }
  const error = failAnswered(call, { response, body }, redact);
  const seconds = readRetryAfter(response.headers);
  const next = error.isRetryable ? { isTold: status === 429 && seconds !== undefined, seconds } : undefined;
  return { type: error.kind === 'workflow' ? error.rawCode : error.kind, error, next };
}

/** The error of a response that is no workflow. */
function failAnswered(call: Call, { response, body }: Answer, redact: (text: string) => string): WorkflowError {
  const { status, headers } = response;
  const saysNothing = status > 0 && status < 300; // the redirects of browsers have the status 0
  const isRetryable = [408, 425, 429].includes(status) || status >= 500 || saysNothing;
  const facts = { redact, retryAfterSeconds: readRetryAfter(headers), status, isRetryable };
  if (status === 200) {
    // The page of a proxy or a truncated body may be a workflow the next time; another shape will not.
    const mayChange = body.kind !== 'json' && body.isFinal !== true;
    return fail(call, '200 with a body that is no workflow', { ...facts, kind: 'decode', isRetryable: mayChange });
  }
  const envelope = toObject(body)['error'];
  if (!isObject(envelope) || typeof envelope['code'] !== 'string') {
    const excerpt = quoteBody(body, redact);
    const location = headers.get('location');
    const to = location === null ? '' : `, redirected to ${location}, which is not followed`;
    return fail(call, `${status}${to}: ${excerpt || 'no body'}`, { ...facts, kind: 'opaque', excerpt });
  }
  const code = knownCodes.find((one) => one === envelope['code']);
  const shown = redactValue(envelope, redact) as typeof envelope; // it is an object still
  const { code: rawCode, message, details, ...unknownMembers } = shown;
  return fail(call, `${status} ${rawCode}: ${typeof message === 'string' ? message : ''}`, {
    ...facts,
    kind: 'workflow',
    isRetryable: code !== 'deployment_stopped' && isRetryable,
    code,
    rawCode: String(rawCode),
    category: { known: code, body: String(rawCode) },
    unknownMembers,
    ...(isObject(details) ? { details } : {}),
  });
}
