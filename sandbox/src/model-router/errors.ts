import { jsonReply, type Reply, routerError, withHeaders, withServiceHeaders } from '../http/handler.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';

export const unauthorized = routerError({
  status: 401,
  errorType: 'unauthorized',
  detail: 'A valid API key or bearer token is needed.',
});
export const forbidden = routerError({
  status: 403,
  errorType: 'forbidden',
  detail: 'This credential has no access to the operation.',
});
export const routerNotEnabled = routerError({
  status: 403,
  errorType: 'not_enabled',
  detail: 'The router is not enabled for this caller.',
});
export const queueNotEnabled = routerError({
  status: 403,
  errorType: 'not_enabled',
  detail: 'This model returns bytes and cannot be queued; run it synchronously.',
});
export const modelNotFound = routerError({
  status: 404,
  errorType: 'model_not_found',
  detail: 'No model with this id can be run.',
});
export const requestNotFound = routerError({
  status: 404,
  errorType: 'request_not_found',
  detail: 'No request of this caller under this model has that id.',
});
/** Unlisted paths and methods: NS-29. */
export const pathNotFound = routerError({
  status: 404,
  errorType: 'model_not_found',
  detail: 'Nothing is served at this path.',
});
/** The category of a body above the ceiling is not documented: NS-23. */
export const bodyTooLarge = routerError({
  status: 413,
  errorType: 'invalid_input',
  detail: 'The request body is too large.',
});
export const keyConflict = routerError({
  status: 409,
  errorType: 'invalid_input',
  detail: 'The Idempotency-Key was first used for a different request.',
});
export const spendCapReached = routerError({
  status: 429,
  errorType: 'concurrency_limit_exceeded',
  detail: 'The cap on committed spend leaves no room for another call.',
});
export const tooManyInFlight = routerError({
  status: 429,
  errorType: 'concurrency_limit_exceeded',
  detail: 'The workspace has as many calls in flight as it may have.',
});
/** For the log alone: the caller has disconnected. */
export const clientDisconnected = routerError({
  status: 499,
  errorType: 'client_disconnected',
  detail: 'The caller closed the connection before there was a result.',
});
export const internalError = routerError({
  status: 500,
  errorType: 'internal_error',
  detail: 'The router could not complete the request.',
});
/** Transient, for an unknown time, so no wait is named. */
export const serviceUnavailable = routerError({
  status: 503,
  errorType: 'service_unavailable',
  detail: 'The router is temporarily unavailable.',
});

export function invalidInput(detail: string): Reply {
  return routerError({ status: 400, errorType: 'invalid_input', detail });
}

export function methodNotAllowed(allowed: readonly string[]): Reply {
  const detail = 'This path does not serve that method.';
  return withHeaders(routerError({ status: 405, errorType: 'invalid_input', detail }), { Allow: allowed.join(', ') });
}

/** 402 is listed for submission alone, so a synchronous run answers 400 (NS-19). */
export function insufficientCredits(operation: 'run' | 'submit'): Reply {
  const detail = 'The workspace lacks the credits for this model.';
  return routerError({ status: operation === 'run' ? 400 : 402, errorType: 'insufficient_credits', detail });
}

/** `Retry-After` in whole seconds, at least one. */
export function retryAfter(waitMs: number): { 'Retry-After': string } {
  return { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}

export function keyStillRunning(waitMs: number): Reply {
  const detail = 'The first call with this Idempotency-Key is still running.';
  const reply = routerError({ status: 409, errorType: 'concurrency_limit_exceeded', detail });
  return withHeaders(reply, retryAfter(Math.min(waitMs, longestHintMs)));
}

/** The record outlives its use: waiting does not help, and another key starts another call (MR-IDM-17). */
export const keySpent = routerError({
  status: 409,
  errorType: 'invalid_input',
  detail: 'The call with this Idempotency-Key has ended and its response cannot be replayed.',
});

export function rateLimited(waitMs: number): Reply {
  const detail = 'The request quota of this window is used up.';
  return withHeaders(routerError({ status: 429, errorType: 'rate_limited', detail }), retryAfter(waitMs));
}

/** `collectableInMs` is the hint that the accepted work can be collected with the same key (MR-IDM-07). */
export function deadlineExceeded(collectableInMs: number | undefined): Reply {
  const detail = 'The router stopped waiting for the provider.';
  const reply = routerError({ status: 504, errorType: 'deadline_exceeded', detail });
  if (collectableInMs === undefined) return reply;
  const hinted = withHeaders(reply, retryAfter(Math.min(collectableInMs, longestHintMs)));
  return withServiceHeaders(hinted, { 'Upstream-Status': '202' }); // so far the provider has accepted the work
}

const longestHintMs = 60_000;

/** Collecting a queued request that ended without a response of its provider (NS-40). */
export function requestFailed(errorType: string): Reply {
  return routerError({ status: 410, errorType, detail: failureDetails.get(errorType) ?? 'The request failed.' });
}

const failureDetails = new Map([
  ['cancelled', 'The request was cancelled before it produced a result.'],
  ['queue_timeout', 'The request waited in the queue for too long.'],
  ['internal_error', 'The router could not complete the request.'],
  ['service_unavailable', 'The service was temporarily unavailable.'],
]);

/** A cancellation has been asked for and is about to take effect (NS-38). */
export const beingCancelled = routerError({
  status: 409,
  errorType: 'invalid_input',
  detail: 'The request is being cancelled.',
});

/** A 422 names its category in the header alone (MR-ERR-22). */
export function validationFailed(entries: readonly ValidationEntry[]): Reply {
  return withServiceHeaders(jsonReply(422, { detail: [...entries] }), { 'Error-Type': 'invalid_input' });
}
