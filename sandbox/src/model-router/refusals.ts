import { type Answer, jsonAnswer, withHeaders, withServiceHeaders } from '../answer.ts';

type Reason = { status: number; errorType: string; detail: string };

/** The router's envelope, its category mirrored in the header (MR-ERR-01, MR-ERR-06). */
export function refuse({ status, errorType, detail }: Reason): Answer {
  return withServiceHeaders(jsonAnswer(status, { detail, error_type: errorType }), { 'Error-Type': errorType });
}

export const unauthorized = refuse({
  status: 401,
  errorType: 'unauthorized',
  detail: 'A valid API key or bearer token is needed.',
});
export const forbidden = refuse({
  status: 403,
  errorType: 'forbidden',
  detail: 'This credential has no access to the operation.',
});
export const routerNotEnabled = refuse({
  status: 403,
  errorType: 'not_enabled',
  detail: 'The router is not enabled for this caller.',
});
export const queueNotEnabled = refuse({
  status: 403,
  errorType: 'not_enabled',
  detail: 'This model returns bytes and cannot be queued; run it synchronously.',
});
export const modelNotFound = refuse({
  status: 404,
  errorType: 'model_not_found',
  detail: 'No model with this id can be run.',
});
export const requestNotFound = refuse({
  status: 404,
  errorType: 'request_not_found',
  detail: 'No request of this caller under this model has that id.',
});
/** Unlisted paths and methods: NS-29. */
export const pathNotFound = refuse({
  status: 404,
  errorType: 'model_not_found',
  detail: 'Nothing is served at this path.',
});
/** The category of a body above the ceiling is not documented: NS-23. */
export const bodyTooLarge = refuse({
  status: 413,
  errorType: 'invalid_input',
  detail: 'The request body is too large.',
});
export const keyConflict = refuse({
  status: 409,
  errorType: 'invalid_input',
  detail: 'The Idempotency-Key was first used for a different request.',
});
export const keyStillRunning = withHeaders(
  refuse({
    status: 409,
    errorType: 'concurrency_limit_exceeded',
    detail: 'The first call with this Idempotency-Key is still running.',
  }),
  { 'Retry-After': '1' },
);
export const rateLimited = withHeaders(
  refuse({ status: 429, errorType: 'rate_limited', detail: 'The request quota of this window is used up.' }),
  { 'Retry-After': '30' },
);
export const spendCapReached = refuse({
  status: 429,
  errorType: 'concurrency_limit_exceeded',
  detail: 'The cap on committed spend leaves no room for another call.',
});
export const requestCancelled = refuse({
  status: 410,
  errorType: 'cancelled',
  detail: 'The request was cancelled before it produced a result.',
});
export const internalError = refuse({
  status: 500,
  errorType: 'internal_error',
  detail: 'The router could not complete the request.',
});
/** Transient; how long is not known, so no wait is named. */
export const serviceUnavailable = refuse({
  status: 503,
  errorType: 'service_unavailable',
  detail: 'The router is temporarily unavailable.',
});

export function invalidInput(detail: string): Answer {
  return refuse({ status: 400, errorType: 'invalid_input', detail });
}

export function methodNotAllowed(allowed: readonly string[]): Answer {
  const detail = 'This path does not serve that method.';
  return withHeaders(refuse({ status: 405, errorType: 'invalid_input', detail }), { Allow: allowed.join(', ') });
}

/** 402 is listed for submission alone, so a synchronous run answers 400 (NS-19). */
export function insufficientCredits(operation: 'run' | 'submit'): Answer {
  const detail = 'The workspace lacks the credits for this model.';
  return refuse({ status: operation === 'run' ? 400 : 402, errorType: 'insufficient_credits', detail });
}

/** The provider itself turned the input down (C-32). */
export function providerRefusedInput(upstreamStatus: number): Answer {
  const detail = 'The alternate provider cannot run this input: fields that it needs are missing after conversion.';
  return withServiceHeaders(invalidInput(detail), { 'Upstream-Status': String(upstreamStatus) });
}
