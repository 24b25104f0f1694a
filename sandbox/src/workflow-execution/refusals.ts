import { type Answer, jsonAnswer, withHeaders } from '../answer.ts';

function refuse(status: number, code: string, message: string): Answer {
  return jsonAnswer(status, { error: { code, message } });
}

export const unauthorized = refuse(401, 'unauthorized', 'A valid bearer credential is needed.');
export const forbidden = refuse(403, 'forbidden', 'This account may not use the API.');
/** The same for unknown, foreign and expired jobs, to the byte (WX-RTN-01). */
export const notFound = refuse(404, 'not_found', 'There is no such job.');
export function rateLimited(waitMs: number): Answer {
  const answer = refuse(429, 'rate_limited', 'The request rate of this account is exceeded.');
  return withHeaders(answer, { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) });
}
export const upstreamError = refuse(500, 'upstream_error', 'Something went wrong. Please try again later.');

export function methodNotAllowed(allowed: readonly string[]): Answer {
  const answer = refuse(405, 'method_not_allowed', 'This path does not serve that method.');
  return withHeaders(answer, { Allow: allowed.join(', ') });
}
