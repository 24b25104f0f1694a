import type { RouterAccount } from '../http/authentication.ts';
import {
  creditsUsed,
  droppedParams,
  errorType,
  fallbackProvider,
  jsonReply,
  type Reply,
  retryAfterHeader,
  routerError,
  upstreamStatus,
  withHeaders,
} from '../http/messages.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';
import type { FailureName, ProviderResponse } from '../provider/provider-response.ts';

/** Errors of the router with fixed texts. Undocumented: the category for unknown paths (OP-029) and for too large bodies (OP-023). */
export const routerErrors = createFixedErrors({
  unauthorized: [401, 'unauthorized', 'A valid API key or bearer token is needed.'],
  noAccess: [403, 'forbidden', 'This credential has no access to the operation.'],
  noModelAccess: [403, 'forbidden', 'This credential has no access to the model.'],
  notEnabled: [403, 'not_enabled', 'The router is not enabled for this caller.'],
  queueNotEnabled: [403, 'not_enabled', 'This model returns bytes and cannot be queued; run it synchronously.'],
  modelNotFound: [404, 'model_not_found', 'No model with this id can be run.'],
  requestNotFound: [404, 'request_not_found', 'No request of this caller under this model has that id.'],
  pathNotFound: [404, 'model_not_found', 'There is nothing at this path.'],
  bodyTooLarge: [413, 'invalid_input', 'The request body is too large.'],
  keyConflict: [409, 'invalid_input', 'The Idempotency-Key was first used for a different request.'],
  /** The key cannot be used again: waiting doesn't help, but a different key starts a new call (MR-IDM-17). */
  keySpent: [409, 'invalid_input', 'The call with this Idempotency-Key has ended and its response cannot be replayed.'],
  /** A cancellation was requested and has not taken effect yet (OP-038). */
  beingCancelled: [409, 'invalid_input', 'The request is being cancelled.'],
  spendCapReached: [429, 'concurrency_limit_exceeded', 'The cap on committed spend leaves no room for another call.'],
  tooManyInFlight: [429, 'concurrency_limit_exceeded', 'The workspace has reached its limit of calls in flight.'],
  /** Not sent, because the caller has disconnected; only the log shows it. */
  clientDisconnected: [499, 'client_disconnected', 'The caller closed the connection before there was a result.'],
  internalError: [500, 'internal_error', 'The router could not complete the request.'],
  /** The documents have no such limit. Results expire after a day, which makes room for new ones. */
  stateFull: [
    503,
    'service_unavailable',
    'The sandbox has reached its storage limit: clear it with POST /__sandbox/reset.',
  ],
  /** Has no `Retry-After`, because the router does not know when it will be available. */
  serviceUnavailable: [503, 'service_unavailable', 'The router is temporarily unavailable.'],
});

type ErrorRow = readonly [status: number, category: string, detail: string];

function createFixedErrors<Name extends string>(rows: Readonly<Record<Name, ErrorRow>>): Readonly<Record<Name, Reply>> {
  const replies = Object.entries<ErrorRow>(rows).map(([name, row]) => [name, routerError(...row)]);
  return Object.fromEntries(replies);
}

/** The error that every call of an account gets, by the access of the account. */
export const accessErrors: Readonly<Record<RouterAccount['access'], Reply | undefined>> = {
  granted: undefined,
  denied: routerErrors.noAccess,
  'not-enabled': routerErrors.notEnabled,
};

export function invalidInput(detail: string): Reply {
  return routerError(400, 'invalid_input', detail);
}

export function methodNotAllowed(allowed: readonly string[]): Reply {
  return routerError(405, 'invalid_input', 'This path does not serve that method.', { Allow: allowed.join(', ') });
}

/** A submission returns 402. The documents list no 402 for a synchronous run, which returns 400 instead (OP-019). */
export function insufficientCredits(operation: 'run' | 'submit'): Reply {
  const detail = 'The workspace does not have enough credits for this model.';
  return routerError(operation === 'run' ? 400 : 402, 'insufficient_credits', detail);
}

export function keyStillRunning(waitMs: number): Reply {
  const detail = 'The first call with this Idempotency-Key is still running.';
  return routerError(409, 'concurrency_limit_exceeded', detail, retryAfterHeader(Math.min(waitMs, maxHintMs)));
}

export function rateLimited(waitMs: number): Reply {
  return routerError(429, 'rate_limited', 'The request quota for this window is used up.', retryAfterHeader(waitMs));
}

/** `collectableInMs`: time after which a call with the same key gets the result; undefined if the result is lost (MR-IDM-07). */
export function deadlineExceeded(collectableInMs: number | undefined): Reply {
  const detail = 'The router stopped waiting for the provider.';
  if (collectableInMs === undefined) return routerError(504, 'deadline_exceeded', detail);
  const hint = retryAfterHeader(Math.min(collectableInMs, maxHintMs));
  // The provider has accepted the work: 202.
  return routerError(504, 'deadline_exceeded', detail, { ...hint, [upstreamStatus]: '202' });
}

const maxHintMs = 60_000;

/** Returns the reply for a queued request that failed at request level; undefined for any other category. */
export function requestFailed(category: string): Reply | undefined {
  const detail = failureDetails.get(category);
  return detail === undefined ? undefined : routerError(410, category, detail);
}

/** Categories of requests that failed at request level, without a reply from their model (OP-040). */
const failureDetails: ReadonlyMap<string, string> = new Map([
  ['cancelled', 'The request was cancelled before it produced a result.'],
  ['queue_timeout', 'The request waited in the queue for too long.'],
  ['internal_error', 'The router could not complete the request.'],
  ['service_unavailable', 'The service was temporarily unavailable.'],
]);

/** A 422 has its category only in the header (MR-ERR-22). */
export function validationFailed(entries: readonly ValidationEntry[]): Reply {
  return jsonReply(422, { detail: [...entries] }, { [errorType]: 'invalid_input' });
}

const failureReplies: Readonly<Record<Exclude<FailureName, 'refused_input'>, Reply>> = {
  refused_request: routerError(400, 'invalid_input', 'The provider rejected the request.'),
  // Its status is undocumented (OP-018).
  content_policy_violation: routerError(
    400,
    'content_policy_violation',
    'The provider rejected the request because of its content policy.',
  ),
  provider_error: routerError(502, 'provider_error', 'The provider reported a failure.'),
  uninterpretable: routerError(502, 'provider_error', 'The provider’s response could not be converted to a result.'),
  provider_timeout: routerError(504, 'provider_timeout', 'The provider did not respond within its deadline.'),
  internal_error: routerErrors.internalError,
  service_unavailable: routerErrors.serviceUnavailable,
};

/** Converts a provider's response to a reply. A run and a collect get the same bytes (MR-COL-06). */
export function toReply(response: ProviderResponse): Reply {
  const { kind, upstreamStatus: status } = response;
  if (kind === 'result') {
    const { bytes, mediaType, dropped, isFallback, servedBy, creditsUsed: credits } = response;
    const headers = {
      'Content-Type': mediaType,
      'X-Content-Type-Options': 'nosniff',
      ...(dropped.length === 0 ? {} : { [droppedParams]: droppedParamsHeader(dropped) }),
      ...(isFallback ? { [fallbackProvider]: servedBy } : {}),
      ...(credits === undefined ? {} : { [creditsUsed]: String(credits) }),
    };
    return { status: 200, headers, body: bytes };
  }
  const { message, entries = [] } = response;
  const described = message === undefined ? undefined : routerError(502, 'provider_error', message);
  const reply = kind === 'refused_input' ? validationFailed(entries) : (described ?? failureReplies[kind]);
  return status === undefined ? reply : withHeaders(reply, { [upstreamStatus]: String(status) });
}

const maxSentences = 64;
const maxSentenceBytes = 300;
const maxHeaderLength = 4096;

/**
 * Prints the sentences about dropped fields as an ASCII JSON array that fits into one header. If some are omitted, the last sentence
 * states how many (OP-025).
 */
export function droppedParamsHeader(dropped: readonly string[]): string {
  const sentences = dropped.map((sentence) => {
    const bytes = new TextEncoder().encode(sentence);
    if (bytes.length <= maxSentenceBytes) return sentence;
    // With `stream`, the decoder omits the last character if it is truncated.
    return new TextDecoder().decode(bytes.subarray(0, maxSentenceBytes), { stream: true });
  });
  const maxKept = sentences.length > maxSentences ? maxSentences - 1 : sentences.length;
  for (let kept = maxKept; kept >= 0; kept -= 1) {
    const omitted = sentences.length - kept;
    const more = omitted === 0 ? [] : [`${omitted} more fields were dropped.`];
    const text = JSON.stringify([...sentences.slice(0, kept), ...more]).replace(
      /[\u007f-\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (text.length <= maxHeaderLength) return text;
  }
  return '[]';
}
