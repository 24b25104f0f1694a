import { type Brand, headerName } from '../../specs/src/index.ts';
import { toResponse, withHeaders, withServiceHeaders } from './answer.ts';
import { newId } from './digest.ts';
import { refuse } from './model-router/refusals.ts';

const reasons = new Map([
  [400, 'The request is no well-formed HTTP.'],
  [408, 'The request took too long to arrive.'],
  [413, 'The request body is too large.'],
  [431, 'The request headers are too large.'],
]);

/** What never became a request is refused in the router's envelope: which API it was meant for cannot be known. */
export function wireRefusal(status: number, brand: Brand): Response {
  const detail = reasons.get(status) ?? 'The request cannot be served.';
  const refusal = withHeaders(refuse({ status, errorType: 'invalid_input', detail }), { Connection: 'close' });
  return toResponse(withServiceHeaders(refusal, { 'Request-Id': newId() }), (suffix) => headerName(brand, suffix));
}

/** The same as text for a socket whose parser has given up; the connection ends with it. */
export async function rawWireRefusal(status: number, brand: Brand): Promise<string> {
  const response = wireRefusal(status, brand);
  const body = await response.text();
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${phrases.get(status) ?? 'Bad Request'}`, ...lines];
  return `${[...head, `content-length: ${new TextEncoder().encode(body).length}`].join('\r\n')}\r\n\r\n${body}`;
}

const phrases = new Map([
  [408, 'Request Timeout'],
  [413, 'Payload Too Large'],
  [431, 'Request Header Fields Too Large'],
]);
