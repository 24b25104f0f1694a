import { redactValue } from '../http/credential.ts';
import { isObject, quoteBody, type ReadBody, toObject } from '../http/read-body.ts';
import { knownCodes, WorkflowError } from './workflow-error.ts';

/** The workflow behind a job. The answer for a job changes when its saved workflow does, so nothing is kept by job id. */
export type JobWorkflow =
  /** As saved in the editor, with its layout and nodes that only the editor knows. */
  | { readonly format: 'save'; readonly workflow: Readonly<Record<string, unknown>> }
  /** The prompt graph that ran. */
  | { readonly format: 'api'; readonly workflow: Readonly<Record<string, unknown>> }
  /** A shape of later days; `rawFormat` names it. As nothing is known of it, no workflow can be read before its format is. */
  | { readonly format: 'unknown'; readonly rawFormat: string; readonly workflow: unknown };

export type AnsweredCall = {
  readonly jobId: string;
  readonly status: number;
  readonly body: ReadBody;
  readonly retryAfterSeconds: number | undefined;
  readonly attempts: number;
};

/** Undefined when the body is no job workflow. */
export function readJobWorkflow(body: ReadBody): JobWorkflow | undefined {
  const { format, workflow } = toObject(body);
  if (!isObject(workflow) || typeof format !== 'string') return undefined;
  return format === 'save' || format === 'api'
    ? { format, workflow }
    : { format: 'unknown', rawFormat: format, workflow };
}

export function readFailure({ body, ...answered }: AnsweredCall, redact: (text: string) => string): WorkflowError {
  const { jobId, status } = answered;
  const where = `workflow of job ${jobId}: ${status}`;
  const envelope = toObject(body)['error'];
  if (!isObject(envelope) || typeof envelope['code'] !== 'string') {
    const excerpt = quoteBody(body, redact);
    const isRetryable = status === 429 || status >= 500;
    return new WorkflowError(`${where}: ${excerpt}`, { kind: 'opaque', ...answered, isRetryable, excerpt });
  }
  const code = knownCodes.find((one) => one === envelope['code']);
  const shown = redactValue(envelope, redact) as typeof envelope; // it is an object still
  const { code: rawCode, message, details, ...unknownMembers } = shown;
  return new WorkflowError(redact(`${where} ${rawCode}: ${String(message)}`), {
    kind: 'workflow',
    ...answered,
    isRetryable: code !== 'deployment_stopped' && (status === 429 || status >= 500),
    code,
    rawCode: String(rawCode),
    category: { known: code, body: String(rawCode) },
    unknownMembers,
    ...(isObject(details) ? { details } : {}),
  });
}
