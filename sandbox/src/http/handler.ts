import type { JsonValue } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
import type { ServerReply, ServerRequest } from './messages.ts';

/** One authenticated request of an operation, as its handler sees it. */
export type Call<Account> = {
  request: ServerRequest;
  /** The path as sent. */
  path: string;
  /** The query with its question mark, or an empty string. */
  query: string;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>>;
  account: Account;
};

/** Headers that carry the brand; handlers name them by their suffix alone (MR-GEN-01). */
export type ServiceHeader =
  | 'Request-Id'
  | 'Error-Type'
  | 'Upstream-Status'
  | 'Router-Dropped-Params'
  | 'Router-Fallback-Provider'
  | 'Credits-Used';

/** The reply of a handler, as data, so that it can be recorded and replayed. */
export type Reply = {
  status: number;
  headers: Readonly<Record<string, string>>;
  serviceHeaders: Readonly<Partial<Record<ServiceHeader, string>>>;
  /** Empty for none. */
  body: string | Bytes;
  /** Sent by a proxy between router and caller, so no header of the router's is added (C-40). */
  isProxied?: true;
};

/** Whether a step of a handler ended with the reply that refuses the call, and not with its value. */
export function isReply(step: object): step is Reply {
  return 'serviceHeaders' in step;
}

export function jsonReply(status: number, body: JsonValue, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    serviceHeaders: {},
    body: JSON.stringify(body),
  };
}

/** An error in the router's envelope, its category mirrored in the header (MR-ERR-01, MR-ERR-06). */
export function routerError(status: number, errorType: string, detail: string): Reply {
  return withServiceHeaders(jsonReply(status, { detail, error_type: errorType }), { 'Error-Type': errorType });
}

export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

export function withServiceHeaders(reply: Reply, headers: Reply['serviceHeaders']): Reply {
  return { ...reply, serviceHeaders: { ...reply.serviceHeaders, ...headers } };
}

/** `Retry-After` in whole seconds, at least one. */
export function retryAfter(waitMs: number): { 'Retry-After': string } {
  return { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}

/** `nameHeader` gives the full name of a header that carries the brand. */
export function toServerReply(reply: Reply, nameHeader: (suffix: string) => string): ServerReply {
  const headers: Record<string, string> = { ...reply.headers };
  for (const [suffix, value] of Object.entries(reply.serviceHeaders)) headers[nameHeader(suffix)] = value;
  return { status: reply.status, headers, body: reply.body };
}
