import type { Failure } from '../http/call.ts';
import { type ClientError, createErrorClass, hasBrand, type Settled, settle } from '../http/client-error.ts';

/** The codes of the API documents. The service may add more. */
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

type Every = {
  readonly jobId: string;
  /** True if the same call may succeed later. */
  readonly isRetryable: boolean;
  readonly attempts: number;
};
type Answered = Every & { readonly status: number; readonly retryAfterMs: number | undefined };

/** The members of an error, by kind. */
export type WorkflowErrorFacts =
  | ({
      readonly kind: 'workflow';
      /** Undefined for an unknown code, which is in `rawCode`. */
      readonly code: KnownCode | undefined;
      readonly rawCode: string;
      /** `code` and `rawCode`, with the names of the Model Router client. */
      readonly category: { readonly known: KnownCode | undefined; readonly body: string };
      /** Missing if the service sent none, or null. */
      readonly details?: Readonly<Record<string, unknown>>;
      /** Unknown members of the error body. */
      readonly unknownMembers: Readonly<Record<string, unknown>>;
    } & Answered)
  /** The status is an error, and the body is not one of the API: HTML, plain text, truncated or empty. */
  | ({ readonly kind: 'opaque'; readonly excerpt: string } & Answered)
  /**
   * The status is a success, but the body is not a workflow. The body is not shown, because workflows may contain
   * credentials.
   */
  | ({ readonly kind: 'decode' } & Answered)
  | ({ readonly kind: 'network' } & Every)
  | ({ readonly kind: 'timeout'; readonly deadlineMs: number } & Every)
  | ({ readonly kind: 'aborted' } & Every)
  /** The call was rejected before anything was sent. */
  | ({ readonly kind: 'local' } & Every);

/** The only error that the client throws; `kind` determines its members. */
export type WorkflowError = Error & WorkflowErrorFacts;

export const WorkflowError: ClientError<WorkflowErrorFacts> = /* @__PURE__ */ createErrorClass('WorkflowError');

/** True for an error of this client, or of another copy of it. */
export function isWorkflowError(value: unknown): value is WorkflowError {
  return hasBrand(value, 'WorkflowError');
}

/** Returns the error of a call as a value: `{ ok: true, …result }` or `{ ok: false, error }`. */
export const safe = <Result extends object>(call: Promise<Result>): Promise<Settled<Result, WorkflowError>> =>
  settle(call, isWorkflowError);

/** Creates the error of a call that ended without a decisive response. */
export function fail({ jobId }: { readonly jobId: string }, failure: Failure): WorkflowError {
  const { message, cause, attempts = 0, isRetryable = false, isOpen: _, ...kind } = failure;
  return new WorkflowError(writeMessage(jobId, message), { jobId, attempts, isRetryable, ...kind }, cause);
}

export const writeMessage = (jobId: string, message: string): string => `workflow of job ${jobId}: ${message}`;
