import type { FailureFacts } from '../http/connection.ts';
import { present } from '../http/present.ts';
import { type Body, quoteBody, toObject } from '../http/read-body.ts';
import { redactValue } from '../http/redact-value.ts';
import type { Category } from './categories.ts';
import type { EndedState } from './queue-state.ts';
import type { ResponseFacts } from './response-facts.ts';
import {
  type FieldFailure,
  type QueuedAddresses,
  RouterError,
  type RouterErrorFacts,
  type RouterOperation,
} from './router-error.ts';

/** Who calls what, for the error. */
export type CallIdentity = {
  readonly operation: RouterOperation;
  readonly model?: string | undefined;
  readonly key?: string | undefined;
  readonly queued?: QueuedAddresses | undefined;
  /** What the model's facts say about a refusal by content policy; undefined counts as possibly charged. */
  readonly chargesOnPolicyRejection?: string | undefined;
  /** Whether the router checks the input before any provider sees it; undefined counts as no. */
  readonly inputAuthored?: boolean | undefined;
  /** What the response of a run may be at its own provider, where that is known. */
  readonly outputMediaTypes?: readonly string[] | undefined;
  /** An earlier attempt may have reached a provider. */
  readonly mayHaveRun?: boolean | undefined;
  /** How often it was sent so far. */
  readonly attempts?: number;
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

/** The error of a call; one that the client itself refused where no kind is given. */
export function fail(
  call: CallIdentity,
  message: string,
  { cause, isOpen, redact = String, ...more }: FailureFacts = {},
): RouterError {
  const { operation, model, key, queued, mayHaveRun, attempts = 0 } = call;
  // A queued request goes on whatever becomes of a question about it.
  const mayBeBilled = mayHaveRun === true || queued !== undefined || (isOpen === true && isBilled(call));
  const identity = { operation, ...present({ model, key, queued }) };
  const facts = { kind: 'local', ...identity, isRetryable: false, mayBeBilled, attempts, ...more };
  const again = key === undefined ? '' : `: repeat it with the key ${key} only`;
  const advice = facts.mayBeBilled ? ` It may go on, and may still be billed${again}.` : '';
  const text = `${operation}${model === undefined ? '' : ` ${model}`}: ${message}`;
  const isUnclear = facts.isRetryable || isOpen !== undefined;
  // The message of the last attempt, which may be a part of this one, has the advice already.
  const whole = isUnclear ? `${text.replace(advice, '').replace(/\.$/, '')}.${advice}` : text;
  return new RouterError(redact(whole), facts as RouterErrorFacts, cause); // each caller gives what its kind has
}

/** What the key store does for a call. */
export function fromStore<Result>(work: Promise<Result>, call: CallIdentity): Promise<Result> {
  return work.catch((cause: unknown) => {
    throw fail(call, `the key store failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  });
}

/** A response that is no success, or a success that cannot be read or breaks a promise of the API: `broken` says which. */
export function failAnswered(
  call: CallIdentity,
  answered: Answered,
  { redact = String, broken, ...more }: FailureFacts & { readonly broken?: string | undefined },
): RouterError {
  const { status, body, category, facts, response } = answered;
  const { requestId, retryAfterSeconds } = facts;
  const { detail } = toObject(body);
  const excerpt = quoteBody(body, redact);
  // The words of a parser repeat what it stopped at, which may be a part of a secret.
  const { text: written = '', cause: parsed } = body;
  const mayBeBilled = mayCost(call, answered, broken !== undefined);
  const cause = redact(written) === written ? parsed : undefined;
  const known = { cause, ...more, redact, mayBeBilled, status, requestId, category, retryAfterSeconds, facts };
  const refuse = (text: string, kind: FailureFacts): RouterError =>
    fail(call, `${status}${requestId === undefined ? '' : ` (request ${requestId})`}${text}`, { ...known, ...kind });
  if (broken !== undefined) return refuse(`: ${broken}`, { kind: 'decode', excerpt });
  if (status === 422 && Array.isArray(detail)) {
    const fields = (redactValue(detail, redact) as unknown[]).filter(isFieldFailure);
    return refuse(`: ${describeFields(fields)}`, { kind: 'validation', fields });
  }
  if (typeof detail === 'string') {
    const text = ` ${readWord(category)}: ${detail}${addHint(call, answered)}`;
    return refuse(text, { kind: 'router', detail: redact(detail) });
  }
  const location = status < 400 && response?.headers.get('location');
  const to = location ? `, redirected to ${location}, which is not followed` : '';
  return refuse(`${to}: ${excerpt || 'no body'}`, { kind: 'opaque', excerpt });
}

/** The same of what is known without a response. */
export function failAs(
  call: CallIdentity,
  status: number,
  detail: unknown,
  { category, facts, cause }: Pick<Answered, 'category' | 'facts'> & { readonly cause?: unknown },
): RouterError {
  return failAnswered(call, { status, body: { kind: 'json', value: { detail } }, facts, category }, { cause });
}

/** A queued request that completed without a result. Whether it was billed is open, also after a cancellation. */
export function failEnded(call: CallIdentity, ended: EndedState, cause?: unknown): RouterError {
  const detail = 'the queued request ended without a result';
  return failAs({ ...call, attempts: 1 }, 200, detail, { ...ended, cause });
}

const readWord = ({ header, body, known }: Category): string => header ?? body ?? known;

/** Statuses by which the router itself refuses a call, unless the category names what came later. */
const refusals = [401, 402, 403, 404, 413, 429];
const later = /^(provider|client|cancelled|queue|deadline)/;

function mayCost(call: CallIdentity, { status, category, facts }: Answered, isSuccess: boolean): boolean {
  if (call.mayHaveRun) return true;
  if (!isSuccess && category.known === 'content_policy_violation') return call.chargesOnPolicyRejection !== 'no';
  if (!isBilled(call)) return call.queued !== undefined;
  // Only an input that the router checks itself is refused before a provider sees it (MR-STC-11, C-07).
  const isChecked = status === 422 ? call.inputAuthored === true : status === 400 && category.known === 'invalid_input';
  const isRefused = (isChecked || refusals.includes(status)) && !later.test(category.known);
  return !isRefused || facts.upstreamStatus !== undefined;
}

export const newRun = 'a new key starts a new run, which may be billed';

function addHint({ operation, key }: CallIdentity, { status, category: { known }, facts }: Answered): string {
  if (operation === 'submit' && status === 403 && known === 'not_enabled')
    return ' Either the router is not enabled for this caller, or this model cannot be queued.';
  if (status === 409 && known === 'invalid_input' && key !== undefined)
    return ` The key is one of another request, or its result is gone; ${newRun}.`;
  return facts.retryAfterSeconds === undefined ? '' : ` It asks to wait ${facts.retryAfterSeconds} s.`;
}

function isFieldFailure(value: unknown): value is FieldFailure {
  const { loc, msg, type } = Object(value) as Record<string, unknown>;
  const isText = typeof msg === 'string' && typeof type === 'string';
  return isText && Array.isArray(loc) && loc.every((step) => /string|number/.test(typeof step));
}

function describeFields(fields: readonly FieldFailure[]): string {
  const shown = fields.slice(0, 3).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  if (fields.length > 3) shown.push(`and ${fields.length - 3} more`);
  return shown.join('; ') || 'the input was refused';
}
