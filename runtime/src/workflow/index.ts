import { isSegment, readBaseUrl, readVariable } from '../http/base-url.ts';
import {
  type Call,
  type CallOptions,
  type Client,
  type ClientOptions,
  type Failure,
  performCall,
  readClientOptions,
  readDeadlineMs,
} from '../http/call.ts';
import { type ClientError, createErrorClass, hasBrand, type Settled, settle } from '../http/client-error.ts';
import { readRetryAfterMs } from '../http/clock.ts';
import { createCredential, type Secret } from '../http/credential.ts';
import {
  addParts,
  type MiddlewareOf,
  type ObserversOf,
  type OutgoingOf,
  type PartOf,
  type RequestEventOf,
  type ResponseEventOf,
} from '../http/observers.ts';
import { describeUnexpected, isObject, quoteBody, toObject } from '../http/read-body.ts';
import { redactJson } from '../http/redactor.ts';
import { type Decision, type ReceivedResponse, send } from '../http/send.ts';

export type { Settled } from '../http/client-error.ts';

/** The error codes that the API documents. The service may add more. */
export const knownCodes = [
  'invalid_workflow',
  'workflow_format_ui',
  'missing_asset',
  'hash_mismatch',
  'blob_not_found',
  'idempotency_key_reuse',
  'queue_full',
  'insufficient_credits',
  'not_found',
  'unauthorized',
  'forbidden',
  'deployment_not_ready',
  'deployment_stopped',
  'rate_limited',
  'upstream_error',
] as const;
export type KnownCode = (typeof knownCodes)[number];

type CommonFacts = {
  readonly jobId: string;
  /** True if the same call may succeed later. */
  readonly isRetryable: boolean;
  readonly attempts: number;
};
type WithAnswer = CommonFacts & { readonly status: number; readonly retryAfterMs: number | undefined };

export type WorkflowErrorFacts =
  | ({
      readonly kind: 'workflow';
      /** Undefined if the code is unknown; `rawCode` always has it. */
      readonly code: KnownCode | undefined;
      readonly rawCode: string;
      /** `code` and `rawCode`, under the names that the Model Router client uses. */
      readonly category: { readonly known: KnownCode | undefined; readonly body: string };
      /** Missing if the service sent none, or null. */
      readonly details?: Readonly<Record<string, unknown>>;
      /** Unknown members of the error body. */
      readonly unknownMembers: Readonly<Record<string, unknown>>;
    } & WithAnswer)
  /** The status is an error, but the body is not from the API: HTML, plain text, truncated or empty. */
  | ({ readonly kind: 'opaque'; readonly excerpt: string } & WithAnswer)
  /** A success whose body is not a workflow. The body is not shown, because workflows may contain credentials. */
  | ({ readonly kind: 'decode' } & WithAnswer)
  | ({ readonly kind: 'network' } & CommonFacts)
  | ({ readonly kind: 'timeout'; readonly deadlineMs: number } & CommonFacts)
  | ({ readonly kind: 'aborted' } & CommonFacts)
  /** The call was rejected before anything was sent. */
  | ({ readonly kind: 'local' } & CommonFacts);

/** The only error that the client throws; `kind` determines its members. */
export type WorkflowError = Error & WorkflowErrorFacts;

export const WorkflowError: ClientError<WorkflowErrorFacts> = /* @__PURE__ */ createErrorClass('WorkflowError');

/** True for an error of this client, or of another copy of its package. */
export function isWorkflowError(value: unknown): value is WorkflowError {
  return hasBrand(value, 'WorkflowError');
}

/** Returns the error of a call as a value: `{ ok: true, …result }` or `{ ok: false, error }`. */
export const safe = <Result extends object>(call: Promise<Result>): Promise<Settled<Result, WorkflowError>> =>
  settle(call, isWorkflowError);

export type WorkflowExecutionOptions = ClientOptions<WorkflowObservers> & {
  /** Base URL without `/api/v2`. Default: the variable `WORKFLOW_EXECUTION_URL`. */
  readonly baseUrl?: string | undefined;
  /** Bearer token. A function is called for each call and after a 401. Default: variable `WORKFLOW_EXECUTION_TOKEN`. */
  readonly token?: Secret | undefined;
};
type WorkflowByFormat =
  /** Workflow of the editor, with its layout and nodes that only the editor uses. */
  | { readonly format: 'save'; readonly workflow: Readonly<Record<string, unknown>> }
  /** Prompt graph that ran. */
  | { readonly format: 'api'; readonly workflow: Readonly<Record<string, unknown>> }
  /** Format that this client doesn't support. */
  | { readonly format: 'unknown'; readonly rawFormat: string; readonly workflow: unknown };
/** Workflow of a job. It changes with the saved workflow, so the client doesn't cache it. */
export type JobWorkflow = WorkflowByFormat & {
  /** Text of the response, because `workflow` rounds integers beyond 2^53, such as 64-bit seeds. */
  readonly text: string;
};

type CallFacts = { readonly operation: 'workflow'; readonly jobId: string };
export type WorkflowCallEvent = CallFacts & { readonly callId: string };
export type WorkflowEvent = ResponseEventOf<CallFacts>;
export type WorkflowObservers = ObserversOf<CallFacts, RequestEventOf<CallFacts>, WorkflowEvent, WorkflowError>;
type Outgoing = OutgoingOf<RequestEventOf<CallFacts>>;
export type WorkflowMiddleware = MiddlewareOf<Outgoing>;
export type WorkflowPart = PartOf<Outgoing, WorkflowObservers>;
/** Default deadline: 2 minutes. */
export type WorkflowCallOptions = CallOptions;
export type WorkflowExecution = {
  /** Reads the workflow of a job. Its `format` depends on how the job was submitted. Rejects with a `WorkflowError`. */
  getJobWorkflow(jobId: string, options?: WorkflowCallOptions): Promise<JobWorkflow>;
  /** Adds middleware or observers for every attempt. The first middleware is the outermost. */
  use(...parts: readonly WorkflowPart[]): void;
};

export function createWorkflowExecution(options: WorkflowExecutionOptions = {}): WorkflowExecution {
  const { baseUrl, token, ...others } = options;
  const givenUrl = baseUrl ?? readVariable('WORKFLOW_EXECUTION_URL');
  if (givenUrl === undefined)
    throw new TypeError('createWorkflowExecution: no base URL: set baseUrl or WORKFLOW_EXECUTION_URL');
  const secret = token ?? readVariable('WORKFLOW_EXECUTION_TOKEN');
  if (secret === '') throw new TypeError('createWorkflowExecution: token is empty; omit it if none is needed');
  const client: Client<CallFacts> = {
    ...readClientOptions('workflow-execution', { maxAttempts: 4 }, others),
    baseUrl: readBaseUrl(givenUrl, '/api/v2', 'createWorkflowExecution: baseUrl'),
    maxWaitMs: Infinity,
    maxResponseBytes: 64 * 1024 * 1024,
    credential: createCredential({ header: 'Authorization', secret }),
    fail,
  };
  const getJobWorkflow: WorkflowExecution['getJobWorkflow'] = (jobId, given) => {
    const identity = { operation: 'workflow', jobId } as const;
    return performCall(client, identity, { defaultMs: readDeadlineMs }, given, async (call) => {
      if (!isSegment(jobId)) throw fail(identity, { kind: 'local', message: 'the job id cannot be used in a path' });
      const url = `${client.baseUrl}/api/v2/jobs/${encodeURIComponent(jobId)}/workflow`;
      return await send(call, {
        identity,
        facts: identity,
        repetition: 'read',
        url,
        decide: (answer, { attempts }) => decideOnAnswer(jobId, answer, attempts, call),
      });
    });
  };
  return { getJobWorkflow, use: addParts(client.parts) };
}

function decideOnAnswer(
  jobId: string,
  { response, body }: ReceivedResponse,
  attempts: number,
  { redact }: Call<Client<CallFacts>>,
): Decision<JobWorkflow> {
  const { status, headers } = response;
  const { format, workflow } = toObject(body);
  if (status === 200 && isObject(workflow) && typeof format === 'string') {
    const { text = '' } = body;
    const isKnown = format === 'save' || format === 'api';
    return { result: isKnown ? { format, workflow, text } : { format: 'unknown', rawFormat: format, workflow, text } };
  }
  const ms = readRetryAfterMs(headers);
  const isUnclear = status > 0 && status < 300; // A redirect hidden by a browser has the status 0.
  const isRetryable = [408, 425, 429].includes(status) || status >= 500 || isUnclear;
  const every = { jobId, attempts, status, isRetryable, retryAfterMs: ms };
  const create = (message: string, facts: WorkflowErrorFacts): Decision<JobWorkflow> => {
    const error = new WorkflowError(redact(writeMessage(jobId, message)), facts);
    const next = facts.isRetryable ? { isRequested: status === 429 && ms !== undefined, ms } : undefined;
    return { type: facts.kind === 'workflow' ? facts.rawCode : facts.kind, error, next };
  };
  // A retry may help if the body is incomplete or a proxy page.
  const mayChange = body.kind !== 'json' && body.isFinal !== true;
  if (status === 200)
    return create('200 with a body that is not a workflow', { ...every, kind: 'decode', isRetryable: mayChange });
  const envelope = toObject({ kind: body.kind, value: redactJson(body, redact) })['error'];
  if (!isObject(envelope) || typeof envelope['code'] !== 'string') {
    const excerpt = quoteBody(body, redact);
    return create(`${status}${describeUnexpected(response, excerpt)}`, { ...every, kind: 'opaque', excerpt });
  }
  const { code, message, details, ...unknownMembers } = envelope;
  const rawCode = String(code);
  const known = knownCodes.find((one) => one === rawCode);
  return create(`${status} ${rawCode}: ${typeof message === 'string' ? message : ''}`, {
    ...every,
    kind: 'workflow',
    isRetryable: known !== 'deployment_stopped' && isRetryable,
    code: known,
    rawCode,
    category: { known, body: rawCode },
    unknownMembers,
    ...(isObject(details) ? { details } : {}),
  });
}

function fail({ jobId }: { readonly jobId: string }, failure: Failure): WorkflowError {
  const { message, cause, attempts = 0, isRetryable = false, mayHaveRun: _, ...kind } = failure;
  return new WorkflowError(writeMessage(jobId, message), { jobId, attempts, isRetryable, ...kind }, cause);
}

const writeMessage = (jobId: string, message: string): string => `workflow of job ${jobId}: ${message}`;
