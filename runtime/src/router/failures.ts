import type { Failure } from '../http/call.ts';
import { present } from '../http/present.ts';
import { type Body, quoteBody, toObject } from '../http/read-body.ts';
import { type Redactor, redactCause, redactJson } from '../http/redactor.ts';
import type { Category, QueuedAddresses, ResponseFacts } from './response-facts.ts';
import { type FieldFailure, RouterError, type RouterOperation } from './router-error.ts';

/** The call that an error is about. */
export type CallIdentity = {
  readonly operation: RouterOperation;
  readonly model?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly queued?: QueuedAddresses | undefined;
  /** From the model's facts; undefined counts as possibly charged. */
  readonly chargesOnPolicyRejection?: string | undefined;
  /** True where the router checks the input before any provider sees it; undefined counts as no. */
  readonly inputAuthored?: boolean | undefined;
  /** An earlier call may have reached a provider with this key. */
  readonly mayHaveRun?: boolean | undefined;
};
/** A response, as far as an error shows it. */
export type Answered = {
  readonly status: number;
  readonly body: Body;
  readonly facts: ResponseFacts;
  readonly category: Category;
  readonly response?: Response;
};

export const isBilled = ({ operation }: CallIdentity): boolean => operation === 'run' || operation === 'submit';

/** The error of a call that no answer decided. */
export function fail(identity: CallIdentity, failure: Failure): RouterError {
  const { message, cause, attempts = 0, isRetryable = false, isOpen = false, ...kind } = failure;
  // A queued request goes on whatever becomes of a question about it.
  const mayBeBilled = identity.mayHaveRun === true || identity.queued !== undefined || (isOpen && isBilled(identity));
  const isUnclear = isRetryable || isOpen || kind.kind !== 'local';
  const text = writeMessage(identity, message, isUnclear, mayBeBilled);
  return new RouterError(text, { ...describe(identity), isRetryable, mayBeBilled, attempts, ...kind }, cause);
}

/** The error of what the client refuses itself. */
export const refuse = (identity: CallIdentity, message: string, cause?: unknown): RouterError =>
  fail(identity, { kind: 'local', message, cause });

const describe = ({ operation, model, idempotencyKey, queued }: CallIdentity) => ({
  operation,
  ...present({ model, idempotencyKey, queued }),
});

function writeMessage(
  { operation, model, idempotencyKey: key }: CallIdentity,
  message: string,
  isUnclear: boolean,
  mayBeBilled: boolean,
): string {
  const text = `${operation}${model === undefined ? '' : ` ${model}`}: ${message}`;
  if (!isUnclear) return text;
  const again = key === undefined ? '' : `: repeat it with the key ${key} only`;
  const advice = mayBeBilled ? ` It may go on, and may still be billed${again}.` : '';
  // The message of the last attempt, which may be a part of this one, has the advice already.
  return `${text.replace(advice, '').replace(/\.$/, '')}.${advice}`;
}

/** Turns an error of the key store into one of the client. */
export async function fromStore<Result>(work: Promise<Result>, identity: CallIdentity): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    throw refuse(identity, `the key store failed: ${cause instanceof Error ? cause.message : cause}`, cause);
  }
}

export type AnsweredOptions = {
  readonly redact: Redactor;
  readonly attempts: number;
  readonly isRetryable?: boolean;
  /** An earlier attempt may have reached a provider. */
  readonly mayHaveRun?: boolean;
  /** What is wrong with a success. */
  readonly broken?: string | undefined;
  readonly cause?: unknown;
};

/** The error of a response that is not a success, or of a success that cannot be read or breaks a promise of the API. */
export function failAnswered(identity: CallIdentity, answered: Answered, options: AnsweredOptions): RouterError {
  const { status, body, category, facts, response } = answered;
  const { redact, attempts, isRetryable = false, mayHaveRun = false, broken } = options;
  const { requestId, retryAfterMs } = facts;
  // The words of a parser repeat what it stopped at, which may be a part of a secret.
  const { text: written = '' } = body;
  const cause = options.cause ?? (redact(written) === written ? redactCause(body.cause, redact) : undefined);
  const shown = body.kind === 'json' ? redactJson(body, redact) : undefined;
  const { detail } = toObject({ kind: 'json', value: shown });
  const excerpt = quoteBody(body, redact);
  const mayBeBilled = mayHaveRun || mayCost(identity, answered, broken !== undefined);
  const every = {
    ...describe(identity),
    ...{ isRetryable, mayBeBilled, attempts, status, requestId, category, retryAfterMs, facts },
    ...(body.kind === 'json' ? { body: shown } : {}),
  };
  const write = (text: string): string => {
    const head = `${status}${requestId === undefined ? '' : ` (request ${requestId})`}`;
    return redact(writeMessage(identity, head + text, isRetryable, mayBeBilled));
  };
  if (broken !== undefined) {
    const error = new RouterError(write(`: ${broken}`), { ...every, kind: 'decode', excerpt }, cause);
    return Object.defineProperty(error, 'bytes', { value: body.bytes });
  }
  if (status === 422 && Array.isArray(detail)) {
    const fields = detail.filter(isFieldFailure);
    const texts = fields.slice(0, 3).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    if (fields.length > 3) texts.push(`and ${fields.length - 3} more`);
    const text = `: ${texts.join('; ') || 'the input was refused'}`;
    return new RouterError(write(text), { ...every, kind: 'validation', fields }, cause);
  }
  if (typeof detail === 'string') {
    const word = category.header ?? category.body ?? category.known;
    const text = ` ${word}: ${detail}${addHint(identity, answered)}`;
    return new RouterError(write(text), { ...every, kind: 'router', detail }, cause);
  }
  const location = status < 400 && response?.headers.get('location');
  const to = location ? `, redirected to ${location}, which is not followed` : '';
  // A page has no other way to see one: its browser shows neither the status nor the target.
  const hidden = status === 0 ? 'a redirect, which the browser hides: the session may have ended' : '';
  return new RouterError(
    write(`${to}: ${hidden || excerpt || 'no body'}`),
    { ...every, kind: 'opaque', excerpt },
    cause,
  );
}

function mayCost(identity: CallIdentity, { status, category, facts }: Answered, isSuccess: boolean): boolean {
  if (identity.mayHaveRun) return true;
  if (!isSuccess && category.known === 'content_policy_violation') return identity.chargesOnPolicyRejection !== 'no';
  if (!isBilled(identity)) return identity.queued !== undefined;
  // Only an input that the router checks itself is refused before a provider sees it (MR-STC-11, OP-207).
  const isChecked =
    status === 422 ? identity.inputAuthored === true : status === 400 && category.known === 'invalid_input';
  // The router itself refuses a call by these statuses, unless the category names what came later.
  const isRefused =
    (isChecked || [401, 402, 403, 404, 413, 429].includes(status)) &&
    !/^(provider|client|cancelled|queue|deadline)/.test(category.known);
  return !isRefused || facts.upstreamStatus !== undefined;
}

export const newRun = 'a new key starts a new run, which may be billed';

function addHint(
  { operation, idempotencyKey }: CallIdentity,
  { status, category: { known }, facts: { retryAfterMs } }: Answered,
): string {
  if (operation === 'submit' && status === 403 && known === 'not_enabled')
    return ' Either the router is not enabled for this caller, or this model cannot be queued.';
  if (status === 409 && known === 'invalid_input' && idempotencyKey !== undefined)
    return ` The key is one of another request, or its result is gone; ${newRun}.`;
  return retryAfterMs === undefined ? '' : ` It asks to wait ${retryAfterMs / 1000} s.`;
}

function isFieldFailure(value: unknown): value is FieldFailure {
  const { loc, msg, type }: { [name: string]: unknown } = Object(value);
  const isText = typeof msg === 'string' && typeof type === 'string';
  return isText && Array.isArray(loc) && loc.every((step) => typeof step === 'string' || typeof step === 'number');
}
