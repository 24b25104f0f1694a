import { type Clock, DeadlinePassed, readElapsed, readRetryAfter, systemClock, waitMs, within } from '../http/clock.ts';
import { type Credential, createCredential, redactCause, type Secret } from '../http/credential.ts';
import { notify } from '../http/notify.ts';
import { readOrigin, type Sent, send, type Transport } from '../http/send.ts';
import { type JobWorkflow, readFailure, readJobWorkflow } from './read-answer.ts';
import { WorkflowError, type WorkflowErrorFacts } from './workflow-error.ts';

export type WorkflowExecutionOptions = {
  /** Without `/api/v2`. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`; some deployments need none. A function is asked before every attempt. */
  readonly token?: Secret;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Transport;
  /** How often a call is sent while it fails; 4 by default. Waits that the service asks for do not count. */
  readonly maxAttempts?: number;
  readonly observers?: WorkflowObservers;
  /** @deprecated Use `observers`. */
  readonly hooks?: WorkflowObservers;
  /** Replaces time and chance in tests. */
  readonly clock?: Clock;
};
/** Names follow the semantic conventions of OpenTelemetry. Bodies and credentials are never part of an event. */
export type WorkflowObservers = {
  readonly onResponse?: (event: WorkflowEvent) => void;
  readonly onRetry?: (event: WorkflowEvent & { readonly waitMs: number }) => void;
};
/** @deprecated Use `WorkflowObservers`. */
export type WorkflowHooks = WorkflowObservers;
export type WorkflowEvent = {
  readonly jobId: string;
  readonly attributes: {
    readonly 'http.request.method': 'GET';
    readonly 'url.full': string;
    readonly 'http.request.resend_count': number;
    /** Absent when no response arrived. */
    readonly 'http.response.status_code'?: number;
  };
};
export type WorkflowCallOptions = {
  readonly signal?: AbortSignal;
  /** For the whole call with all its waits, in milliseconds; 5 minutes by default. */
  readonly deadlineMs?: number;
};
export type WorkflowExecution = {
  /** The workflow behind a job. Branch on `format`: how the job was submitted decides it. Throws a `WorkflowError`. */
  getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<JobWorkflow>;
};

type Connection = Required<Omit<WorkflowExecutionOptions, 'token' | 'fetch' | 'hooks'>> & {
  readonly credential: Credential;
  readonly fetch: Transport;
};

const attemptTimeoutMs = 60_000;
const maxResponseBytes = 64 * 1024 * 1024;

export function createWorkflowExecution(options: WorkflowExecutionOptions): WorkflowExecution {
  if (readOrigin(options.baseUrl) === undefined)
    throw new TypeError('createWorkflowExecution: baseUrl is no absolute URL of http or https without a user name');
  const { token } = options;
  const connection = {
    headers: {},
    maxAttempts: 4,
    clock: systemClock,
    ...options,
    observers: options.observers ?? options.hooks ?? {},
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    credential: createCredential(
      token === undefined ? undefined : { header: 'Authorization', secret: token, scope: '' },
    ),
  };
  return { getJobWorkflow: (jobId, call = {}) => getJobWorkflow(jobId, call, connection) };
}

async function getJobWorkflow(
  jobId: string,
  options: WorkflowCallOptions,
  connection: Connection,
): Promise<JobWorkflow> {
  const { clock, maxAttempts, observers, fetch, headers } = connection;
  const sending = { fetch, headers, maxBytes: maxResponseBytes };
  const { signal = new AbortController().signal, deadlineMs = 5 * 60_000 } = options;
  const endsAt = readElapsed(clock) + deadlineMs;
  const url = jobUrl(jobId, connection);
  let attempts = 0;
  try {
    for (let counted = 0; ; ) {
      const credential = await readCredential(jobId, { signal, ms: endsAt - readElapsed(clock) }, connection);
      attempts += 1;
      const timeoutMs = Math.max(1, Math.min(attemptTimeoutMs, endsAt - readElapsed(clock)));
      const sent = await send({ method: 'GET', url, headers: credential }, { ...sending, signal, timeoutMs });
      const event = describeAttempt(jobId, { url, sent, attempts });
      void notify(observers.onResponse, event);
      const outcome = read(jobId, { sent, attempts }, connection);
      if (outcome.kind === 'workflow') return outcome.value;
      const { error, retryAfterSeconds: seconds, isTold } = outcome;
      if (!isTold) counted += 1;
      if (!error.isRetryable || counted >= maxAttempts) throw error;
      const wait = waitMs(seconds, attempts, clock);
      if (readElapsed(clock) + wait >= endsAt) throw new DeadlinePassed('', { cause: error });
      void notify(observers.onRetry, { ...event, waitMs: wait });
      await clock.sleep(wait, signal);
    }
  } catch (error) {
    throw explainEnd(error, jobId, { signal, attempts, deadlineMs });
  }
}

/** What a call throws where a wait of it ended with `error`. */
function explainEnd(
  error: unknown,
  jobId: string,
  { signal, attempts, deadlineMs }: { signal: AbortSignal; attempts: number; deadlineMs: number },
): unknown {
  const every = { jobId, attempts, isRetryable: true };
  if (signal.aborted) return failure({ kind: 'aborted', ...every }, 'aborted', error);
  if (!(error instanceof DeadlinePassed)) return error;
  return failure({ kind: 'timeout', deadlineMs, ...every }, `not read within ${deadlineMs} ms`, error.cause);
}

async function readCredential(
  jobId: string,
  time: { readonly signal: AbortSignal; readonly ms: number },
  { credential }: Connection,
): Promise<Readonly<Record<string, string>>> {
  if (time.ms <= 0) throw new DeadlinePassed();
  const current = credential.current().catch((cause: unknown) => {
    throw localFailure(jobId, 'the token cannot be read', cause);
  });
  return (await within(current, time)).headers;
}

type Outcome =
  | { readonly kind: 'workflow'; readonly value: JobWorkflow }
  | {
      readonly kind: 'failure';
      readonly error: WorkflowError;
      readonly retryAfterSeconds?: number | undefined;
      /** The service said when to come back, which uses up no attempt. */
      readonly isTold?: boolean;
    };

function read(
  jobId: string,
  { sent, attempts }: { sent: Sent; attempts: number },
  { credential }: Connection,
): Outcome {
  const every = { jobId, attempts, isRetryable: true };
  if (sent.kind === 'unsendable') throw localFailure(jobId, 'a header or the token is not one that can be sent');
  if (sent.kind === 'lost' || sent.body.kind === 'stream') {
    const cause = sent.kind === 'lost' ? redactCause(sent.cause, credential.redact) : undefined;
    return { kind: 'failure', error: failure({ kind: 'network', ...every }, 'no response', cause) };
  }
  const { response, body } = sent;
  const { status } = response;
  const retryAfterSeconds = readRetryAfter(response.headers);
  if (status !== 200) {
    const error = readFailure({ jobId, status, body, retryAfterSeconds, attempts }, credential.redact);
    return { kind: 'failure', error, retryAfterSeconds, isTold: status === 429 && retryAfterSeconds !== undefined };
  }
  const value = readJobWorkflow(body);
  if (value !== undefined) return { kind: 'workflow', value };
  // A truncated body may be whole the next time; another shape will not.
  const isRetryable = body.kind === 'malformed' || body.kind === 'empty';
  const facts = { kind: 'decode', ...every, isRetryable, status, retryAfterSeconds } as const;
  return { kind: 'failure', error: failure(facts, '200 with a body that is no workflow') };
}

function jobUrl(jobId: string, { baseUrl }: Connection): string {
  // A URL drops `.` and `..`, so such an id would reach another path.
  if (jobId !== '' && jobId !== '.' && jobId !== '..' && jobId.isWellFormed())
    return `${baseUrl}/api/v2/jobs/${encodeURIComponent(jobId)}/workflow`;
  throw localFailure(jobId, 'the id is empty or no id');
}

function failure(facts: WorkflowErrorFacts, message: string, cause?: unknown): WorkflowError {
  return new WorkflowError(`workflow of job ${facts.jobId}: ${message}`, facts, cause);
}

function localFailure(jobId: string, message: string, cause?: unknown): WorkflowError {
  const facts = { kind: 'local', jobId, attempts: 0, isRetryable: false } as const;
  return failure(facts, message, cause);
}

function describeAttempt(
  jobId: string,
  { url, sent, attempts }: { url: string; sent: Sent; attempts: number },
): WorkflowEvent {
  const status = sent.kind === 'answered' ? { 'http.response.status_code': sent.response.status } : {};
  return {
    jobId,
    attributes: { 'http.request.method': 'GET', 'url.full': url, 'http.request.resend_count': attempts - 1, ...status },
  };
}
