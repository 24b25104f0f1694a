import type { JsonValue } from '../../specs/src/index.ts';
import type { Bytes } from './digest.ts';

/** Headers that carry the brand; handlers name them by their suffix alone (MR-GEN-01). */
export type ServiceHeader =
  | 'Request-Id'
  | 'Error-Type'
  | 'Upstream-Status'
  | 'Router-Dropped-Params'
  | 'Router-Fallback-Provider'
  | 'Credits-Used';

/** What a handler answers, as data, so that it can be recorded and replayed. */
export type Answer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  serviceHeaders: Readonly<Partial<Record<ServiceHeader, string>>>;
  body: string | Bytes | undefined;
  /** Sent by something between router and caller, so that nothing of the router's is added (C-40). */
  isForeign?: true;
};

/** A step of a handler: go on with a value, or stop with the answer that refuses it. */
export type Step<T> = { kind: 'go'; value: T } | { kind: 'stop'; answer: Answer };

export function go<T>(value: T): Step<T> {
  return { kind: 'go', value };
}

export function stop(answer: Answer): { kind: 'stop'; answer: Answer } {
  return { kind: 'stop', answer };
}

export function jsonAnswer(status: number, body: JsonValue, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    serviceHeaders: {},
    body: JSON.stringify(body),
  };
}

export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

export function withServiceHeaders(answer: Answer, headers: Answer['serviceHeaders']): Answer {
  return { ...answer, serviceHeaders: { ...answer.serviceHeaders, ...headers } };
}

export type HeaderNames = (suffix: ServiceHeader) => string;

export function toResponse(answer: Answer, nameOf: HeaderNames): Response {
  return new Response(answer.body ?? null, { status: answer.status, headers: headersOf(answer, nameOf) });
}

export function headersOf(answer: Answer, nameOf: HeaderNames): Record<string, string> {
  const headers: Record<string, string> = { ...answer.headers };
  for (const [suffix, value] of Object.entries(answer.serviceHeaders)) {
    // Object.entries forgets the key type of the record it was given.
    headers[nameOf(suffix as ServiceHeader)] = value;
  }
  return headers;
}
