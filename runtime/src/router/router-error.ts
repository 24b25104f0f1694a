import type { ValidationFailure } from '../descriptor.ts';
import type { Failure } from '../http/call.ts';
import { type ClientError, createErrorClass, hasBrand, type Settled, settle } from '../http/client-error.ts';
import { omitUndefined } from '../http/omit-undefined.ts';
import { type Body, describeUnexpected, quoteBody, toObject } from '../http/read-body.ts';
import { type Redactor, redactCause, redactJson } from '../http/redactor.ts';
import type { ErrorCategory, QueuedAddresses, ResponseFacts } from './response-facts.ts';

export type RouterOperation =
  | 'run'
  | 'submit'
  | 'subscribe'
  | 'resume'
  | 'status'
  | 'result'
  | 'cancel'
  | 'listModels'
  | 'readModel'
  | 'readModelSchema'
  | 'listPending'
  | 'forget';

export type FieldFailure = ValidationFailure & { readonly input?: unknown };

type CommonFacts = {
  readonly operation: RouterOperation;
  /** Missing if the call is not about one model. */
  readonly model?: string;
  /** True if the same call with the same key may succeed. */
  readonly isRetryable: boolean;
  /** True if the call may be billed although it failed. */
  readonly mayBeBilled: boolean;
  /** Key of a billed call, for resuming or repeating it. */
  readonly idempotencyKey?: string;
  readonly queued?: QueuedAddresses;
  /** Number of times that the call was sent. */
  readonly attempts: number;
  /** Status of the response, including that of a stream that ended early. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
};
type WithAnswer = CommonFacts & {
  readonly status: number;
  /** Undefined if a proxy responded instead of the router. */
  readonly requestId: string | undefined;
  readonly category: ErrorCategory;
  readonly retryAfterMs: number | undefined;
  readonly facts: ResponseFacts;
  /** The body if it is JSON, including undocumented members such as `upstream_detail`. Credentials are redacted. */
  readonly body?: unknown;
};

export type RouterErrorFacts =
  /** The router answered with an error. `detail` is safe to show; branch on `category`. */
  | ({ readonly kind: 'router'; readonly detail: string } & WithAnswer)
  /** Fields of the input were rejected. */
  | ({ readonly kind: 'validation'; readonly fields: readonly FieldFailure[] } & WithAnswer)
  /** The status is an error, but the body is not from the router: HTML, plain text, truncated or empty. */
  | ({ readonly kind: 'opaque'; readonly excerpt: string } & WithAnswer)
  /** The status is a success, but the body is unreadable or incomplete. `bytes`: the bytes that arrived. */
  | ({ readonly kind: 'decode'; readonly excerpt: string; readonly bytes?: Uint8Array } & WithAnswer)
  /** No response. */
  | ({ readonly kind: 'network' } & CommonFacts)
  /** The deadline of the call passed. */
  | ({ readonly kind: 'timeout'; readonly deadlineMs: number } & CommonFacts)
  /** The caller's signal was aborted. A run may continue. */
  | ({ readonly kind: 'aborted' } & CommonFacts)
  /** The client rejected the call; `attempts` is 0 if nothing was sent before. */
  | ({ readonly kind: 'local' } & CommonFacts);

/** The only error that the client throws; `kind` determines its members. */
export type RouterError = Error & RouterErrorFacts;

export const RouterError: ClientError<RouterErrorFacts> = /* @__PURE__ */ createErrorClass('RouterError');

/** True for an error of this client, or of another copy of its package. */
export function isRouterError(value: unknown): value is RouterError {
  return hasBrand(value, 'RouterError');
}

/** Returns `{ ok: true, …result }` or `{ ok: false, error }`. Rejects for errors that are not of this client. */
export const safe = <Result extends object>(call: Promise<Result>): Promise<Settled<Result, RouterError>> =>
  settle(call, isRouterError);

/** A failing field: an entry of a 422, or a failure of a validator. */
export type RefusedField = { readonly loc: readonly (string | number)[]; readonly msg: string };

/** Returns messages by path, such as `layers[0].kind`, from `fields` of an error or `detail` of a validator. */
export function fieldErrors(detail: readonly RefusedField[]): { [path: string]: string[] } {
  const messages = new Map<string, string[]>();
  for (const { loc, msg } of detail) {
    let path = '';
    for (const step of loc) {
      if (typeof step === 'number') path += `[${step}]`;
      else if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step)) path += `[${JSON.stringify(step)}]`;
      else path += path === '' ? step : `.${step}`;
    }
    messages.set(path, [...(messages.get(path) ?? []), msg]);
  }
  // Safe for a member named `__proto__`.
  return Object.fromEntries(messages);
}

export type CallIdentity = {
  readonly operation: RouterOperation;
  readonly model?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly queued?: QueuedAddresses | undefined;
  /** From the model's facts; undefined means possibly charged. */
  readonly chargesOnPolicyRejection?: string | undefined;
  /** True if the router checks the input before it calls a provider. */
  readonly inputAuthored?: boolean | undefined;
  /** True if an earlier call with this key may have reached a provider. */
  readonly mayHaveRun?: boolean | undefined;
};
export type AnswerFacts = {
  readonly status: number;
  readonly body: Body;
  readonly facts: ResponseFacts;
  readonly category: ErrorCategory;
  readonly response?: Response;
};

export const isBilled = ({ operation }: CallIdentity): boolean => operation === 'run' || operation === 'submit';

export function createError(identity: CallIdentity, failure: Failure): RouterError {
  const { message, cause, attempts = 0, isRetryable = false, mayHaveRun = false, ...kind } = failure;
  // A queued request continues even if a call about it fails.
  const mayBeBilled = identity.mayHaveRun === true || identity.queued !== undefined || mayHaveRun;
  const isUnclear = isRetryable || mayHaveRun || kind.kind !== 'local';
  const text = writeMessage(identity, message, isUnclear, mayBeBilled);
  return new RouterError(text, { ...describeCall(identity), isRetryable, mayBeBilled, attempts, ...kind }, cause);
}

export const createLocalError = (identity: CallIdentity, message: string, cause?: unknown): RouterError =>
  createError(identity, { kind: 'local', message, cause });

const describeCall = ({ operation, model, idempotencyKey, queued }: CallIdentity) => ({
  operation,
  ...omitUndefined({ model, idempotencyKey, queued }),
});

function writeMessage(
  { operation, model, idempotencyKey: key }: CallIdentity,
  message: string,
  isUnclear: boolean,
  mayBeBilled: boolean,
): string {
  const text = `${operation}${model === undefined ? '' : ` ${model}`}: ${message}`;
  if (!isUnclear) return text;
  const again = key === undefined ? '' : `: only repeat it with the key ${key}`;
  const advice = mayBeBilled ? ` It may still run and be billed${again}.` : '';
  // The message may already contain the last attempt's message with the advice.
  return `${text.replace(advice, '').replace(/\.$/, '')}.${advice}`;
}

/**
 * True if the outcome of the earlier call with this key is final: the response replays its failure, or is a 409 invalid_input,
 * because the result is gone or the key belongs to a different request.
 */
export const hasKnownOutcome = ({
  status,
  category,
  facts,
}: Pick<AnswerFacts, 'status' | 'category' | 'facts'>): boolean =>
  facts.replayed || (status === 409 && category.known === 'invalid_input');

/** Creates the error of an unsuccessful response, or of a success that is unreadable or violates the API. */
export function createErrorOfAnswer(
  identity: CallIdentity,
  answered: AnswerFacts,
  options: {
    readonly redact: Redactor;
    readonly attempts: number;
    readonly isRetryable?: boolean;
    /** Why the body of a successful response can't be used. */
    readonly broken?: string | undefined;
    readonly cause?: unknown;
  },
): RouterError {
  const { status, body, category, facts, response } = answered;
  const { redact, attempts, isRetryable = false, broken } = options;
  const { requestId, retryAfterMs } = facts;
  // The message of a JSON parser quotes the text, which may contain part of a secret.
  const { text: bodyText = '' } = body;
  const cause = options.cause ?? (redact(bodyText) === bodyText ? redactCause(body.cause, redact) : undefined);
  const shownBody = body.kind === 'json' ? { body: redactJson(body, redact) } : {};
  const { detail } = toObject({ kind: body.kind, value: shownBody.body });
  const excerpt = quoteBody(body, redact);
  const mayBeBilled = mayBeCharged(identity, answered, broken !== undefined);
  let text = response ? describeUnexpected(response, excerpt) : '';
  let kindFacts: { readonly kind: string; readonly [name: string]: unknown } = { kind: 'opaque', excerpt };
  if (broken !== undefined) {
    text = `: ${broken}`;
    kindFacts = { kind: 'decode', excerpt };
  } else if (status === 422 && Array.isArray(detail)) {
    const fields = detail.filter(isFieldFailure);
    const texts = fields.slice(0, 3).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    if (fields.length > 3) texts.push(`and ${fields.length - 3} more`);
    text = `: ${texts.join('; ') || 'the input was rejected'}`;
    kindFacts = { kind: 'validation', fields };
  } else if (typeof detail === 'string') {
    text = ` ${category.header ?? category.body ?? category.known}: ${detail}${writeHint(identity, answered)}`;
    kindFacts = { kind: 'router', detail };
  }
  const message = `${status}${requestId === undefined ? '' : ` (request ${requestId})`}${text}`;
  const every = { isRetryable, mayBeBilled, attempts, status, requestId, category, retryAfterMs, facts };
  const isRejection = kindFacts.kind === 'router' || kindFacts.kind === 'validation';
  const isUnclear = isRetryable || ((identity.mayHaveRun || !isRejection) && !hasKnownOutcome(answered));
  const error = new RouterError(
    redact(writeMessage(identity, message, isUnclear, mayBeBilled)),
    { ...describeCall(identity), ...every, ...shownBody, ...kindFacts } as RouterErrorFacts, // The members depend on `kind`.
    cause,
  );
  // Not enumerable, so that logging the error doesn't show it.
  return broken === undefined ? error : Object.defineProperty(error, 'bytes', { value: body.bytes });
}

function mayBeCharged(identity: CallIdentity, { status, category, facts }: AnswerFacts, isSuccess: boolean): boolean {
  if (identity.mayHaveRun) return true;
  if (!isSuccess && category.known === 'content_policy_violation') return identity.chargesOnPolicyRejection !== 'no';
  if (!isBilled(identity)) return identity.queued !== undefined;
  // Only an input that the router itself checks is rejected before a provider sees it (MR-STC-11, OP-207).
  const isChecked =
    status === 422
      ? identity.inputAuthored === true
      : status === 400 && /^(invalid_input|insufficient_credits)$/.test(category.known);
  // With these statuses, the router itself rejects a call, unless the category belongs to a later stage.
  const isRefused =
    (isChecked || [401, 402, 403, 404, 413, 429].includes(status)) &&
    !/^(provider|client|cancelled|queue|deadline)/.test(category.known);
  return !isRefused || facts.upstreamStatus !== undefined;
}

export const newRunWarning = 'a new key starts a new run, which may be billed';

function writeHint(
  { operation, idempotencyKey }: CallIdentity,
  { status, category: { known }, facts: { retryAfterMs } }: AnswerFacts,
): string {
  if (operation === 'submit' && status === 403 && known === 'not_enabled')
    return ' The router is not enabled for this caller, or this model cannot be queued.';
  if (status === 409 && known === 'invalid_input' && idempotencyKey !== undefined)
    return ` The key belongs to another request, or its result is gone; ${newRunWarning}.`;
  return retryAfterMs === undefined ? '' : ` Retry after ${retryAfterMs / 1000} s.`;
}

function isFieldFailure(value: unknown): value is FieldFailure {
  const { loc, msg, type }: { [name: string]: unknown } = Object(value);
  const isText = typeof msg === 'string' && typeof type === 'string';
  return isText && Array.isArray(loc) && loc.every((step) => typeof step === 'string' || typeof step === 'number');
}
