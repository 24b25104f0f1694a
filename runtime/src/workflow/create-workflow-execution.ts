import { nameAgent, readBaseUrl, readVariable } from '../http/base-url.ts';
import { type Clock, DeadlinePassed, readElapsed, readRetryAfter, systemClock, waitMs, within } from '../http/clock.ts';
import { type Credential, createCredential, redactCause, type Secret } from '../http/credential.ts';
import { type MiddlewareOf, type PartOf, passThrough, takeParts } from '../http/middleware.ts';
import { notifyAll } from '../http/notify.ts';
import { randomKey } from '../http/random-key.ts';
import { type Sent, send, type Transport } from '../http/send.ts';
import { type Settled, settled } from '../http/settled.ts';
import { type JobWorkflow, readFailure, readJobWorkflow } from './read-answer.ts';
import { isWorkflowError, WorkflowError, type WorkflowErrorFacts } from './workflow-error.ts';

export type WorkflowExecutionOptions = {
  /** Without `/api/v2`; `WORKFLOW_EXECUTION_URL` of the environment by default. */
  readonly baseUrl?: string | undefined;
  /**
   * Sent as `Authorization: Bearer`; some deployments need none. A function is asked before every attempt.
   * `WORKFLOW_EXECUTION_TOKEN` of the environment by default.
   */
  readonly token?: Secret | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the platform's `fetch`, and is called as that is: with an address and options. */
  readonly fetch?: Transport | undefined;
  /** How often a call is sent while it fails; 4 by default. Waits that the service asks for do not count. */
  readonly maxAttempts?: number | undefined;
  readonly observers?: WorkflowObservers | undefined;
  /** @deprecated Use `observers`. */
  readonly hooks?: WorkflowObservers | undefined;
  /** Replaces time and chance in tests. */
  readonly clock?: Clock | undefined;
};
/** Names follow the semantic conventions of OpenTelemetry. Bodies and credentials are never part of an event. */
export type WorkflowObservers = { readonly [Name in keyof Events]?: ((event: Events[Name]) => void) | undefined };
type Events = {
  onStart: WorkflowCallEvent;
  onEnd: WorkflowCallEvent & {
    readonly durationMs: number /** Absent after a success. */;
    readonly error?: WorkflowError;
  };
  onRequest: WorkflowEvent;
  onResponse: WorkflowEvent;
  onRetry: WorkflowEvent & {
    readonly waitMs: number;
    /** Why it was not the last attempt, such as `500 upstream_error` or `network`. */
    readonly reason: string;
  };
};
/** @deprecated Use `WorkflowObservers`. */
export type WorkflowHooks = WorkflowObservers;
export type WorkflowCallEvent = { readonly callId: string; readonly operation: 'workflow'; readonly jobId: string };
export type WorkflowEvent = WorkflowCallEvent & {
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly attributes: {
    readonly 'http.request.method': 'GET';
    readonly 'url.full': string;
    readonly 'http.request.resend_count': number;
    /** Absent when no response arrived, and before it does. */
    readonly 'http.response.status_code'?: number;
  };
};
type AttemptFacts = Omit<WorkflowEvent, 'attributes'>;
export type WorkflowMiddleware = MiddlewareOf<AttemptFacts>;
export type WorkflowCallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** For the whole call with all its waits, in milliseconds; 5 minutes by default. */
  readonly deadlineMs?: number | undefined;
};
type Methods = {
  /** The workflow behind a job. Branch on `format`: how the job was submitted decides it. Throws a `WorkflowError`. */
  getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<JobWorkflow>;
};
export type WorkflowExecution = Methods & {
  /** Adds what sees every attempt: a middleware, or observers. The first one that was added is the outermost. */
  use(...parts: readonly PartOf<AttemptFacts, WorkflowObservers>[]): void;
  /** The same methods; each resolves to `{ ok: true, … }` or `{ ok: false, error }`. */
  readonly safe: {
    getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<Settled<JobWorkflow, WorkflowError>>;
  };
};

type Connection = {
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Transport;
  readonly maxAttempts: number;
  readonly clock: Clock;
  readonly observers: WorkflowObservers[];
  readonly middleware: WorkflowMiddleware[];
};

const attemptTimeoutMs = 60_000;
const maxResponseBytes = 64 * 1024 * 1024;

export function createWorkflowExecution(options: WorkflowExecutionOptions = {}): WorkflowExecution {
  const address = options.baseUrl ?? readVariable('WORKFLOW_EXECUTION_URL') ?? '';
  const checked = readBaseUrl(address, '/api/v2');
  if ('mistake' in checked) throw new TypeError(`createWorkflowExecution: ${checked.mistake}`);
  const secret = options.token ?? readVariable('WORKFLOW_EXECUTION_TOKEN');
  const { headers = {}, maxAttempts = 4, clock = systemClock } = options;
  const connection: Connection = {
    baseUrl: checked.baseUrl,
    headers: { ...nameAgent('workflow-execution'), ...headers },
    maxAttempts,
    clock,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    credential: createCredential(secret === undefined ? undefined : { header: 'Authorization', secret, scope: '' }),
    observers: [options.observers ?? options.hooks ?? {}],
    middleware: [],
  };
  const methods: Methods = { getJobWorkflow: (jobId, call = {}) => watchCall(jobId, call, connection) };
  return { ...methods, use: takeParts(connection), safe: settled(methods, isWorkflowError) };
}

/** A call with an id of its own, whose start and end observers see. */
async function watchCall(jobId: string, options: WorkflowCallOptions, connection: Connection): Promise<JobWorkflow> {
  const { observers, clock } = connection;
  const unknown = Object.keys(options).find((name) => name !== 'signal' && name !== 'deadlineMs');
  if (unknown !== undefined) throw localFailure(jobId, `${unknown} is no option; there are signal, deadlineMs`);
  const event = { callId: randomKey(), operation: 'workflow', jobId } as const;
  const startedAt = readElapsed(clock);
  const end = (outcome: { error?: WorkflowError }): void =>
    notifyAll<Events, 'onEnd'>(observers, 'onEnd', {
      ...event,
      durationMs: readElapsed(clock) - startedAt,
      ...outcome,
    });
  notifyAll<Events, 'onStart'>(observers, 'onStart', event);
  try {
    const workflow = await getJobWorkflow(event, options, connection);
    end({});
    return workflow;
  } catch (error) {
    end({ error: error as WorkflowError }); // nothing else is thrown
    throw error;
  }
}

async function getJobWorkflow(
  call: WorkflowCallEvent,
  options: WorkflowCallOptions,
  connection: Connection,
): Promise<JobWorkflow> {
  const { clock, maxAttempts, observers, headers } = connection;
  const { jobId } = call;
  const { signal = new AbortController().signal, deadlineMs = 5 * 60_000 } = options;
  const endsAt = readElapsed(clock) + deadlineMs;
  const url = jobUrl(jobId, connection);
  let attempts = 0;
  try {
    for (let counted = 0; ; ) {
      const credential = await readCredential(jobId, { signal, ms: endsAt - readElapsed(clock) }, connection);
      attempts += 1;
      const facts = { ...call, attempt: attempts };
      const request = describeAttempt(facts, url);
      notifyAll<Events, 'onRequest'>(observers, 'onRequest', request);
      const timeoutMs = Math.max(1, Math.min(attemptTimeoutMs, endsAt - readElapsed(clock)));
      const fetch = passThrough(facts, connection);
      const sending = { fetch, headers, maxBytes: maxResponseBytes, signal, timeoutMs };
      const sent = await send({ method: 'GET', url, headers: credential }, sending);
      const event = describeAttempt(facts, url, sent);
      notifyAll<Events, 'onResponse'>(observers, 'onResponse', event);
      const outcome = read(jobId, { sent, attempts }, connection);
      if (outcome.kind === 'workflow') return outcome.value;
      const { error, retryAfterSeconds: seconds, isTold } = outcome;
      if (!isTold) counted += 1;
      if (!error.isRetryable || counted >= maxAttempts) throw error;
      const wait = waitMs(seconds, attempts, clock);
      if (readElapsed(clock) + wait >= endsAt) throw new DeadlinePassed('', { cause: error });
      notifyAll<Events, 'onRetry'>(observers, 'onRetry', { ...event, waitMs: wait, reason: nameReason(error) });
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

/** Of words that hold no body. */
function nameReason(error: WorkflowError): string {
  return 'status' in error ? `${error.status} ${error.kind === 'workflow' ? error.rawCode : error.kind}` : error.kind;
}

function describeAttempt(facts: AttemptFacts, url: string, sent?: Sent): WorkflowEvent {
  const status = sent?.kind === 'answered' ? { 'http.response.status_code': sent.response.status } : {};
  const resent = facts.attempt - 1;
  return {
    ...facts,
    attributes: { 'http.request.method': 'GET', 'url.full': url, 'http.request.resend_count': resent, ...status },
  };
}
