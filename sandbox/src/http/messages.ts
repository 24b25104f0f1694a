import { type Brand, defaultBrand, headerName, type JsonValue } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';

/** A call as plain data, whichever adapter read it. */
export type ServerRequest = {
  readonly method: string;
  /** Scheme and host by which the caller addressed the sandbox, for example `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Path and query exactly as sent: no percent-encoding resolved, no dot segment collapsed (ADR 8). */
  readonly target: string;
  /** Names in lower case; the values of a repeated name joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** `too-large` when it exceeds the body limit, however it was announced (MR-RUN-48). */
  readonly body: Bytes | 'too-large';
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
};

/** Header names are compared without regard to case; an empty body means none, and adapters drop the body of a reply to HEAD. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Bytes;
  /** Bytes for the connection in place of the reply, for what no HTTP library sends: a 304 with a body, a wrong length, a cut. */
  readonly raw?: RawReply;
  /** Sent by a proxy between router and caller, so no header of the router's is added (OP-240). */
  readonly isProxied?: true;
};

export type RawReply = {
  readonly bytes: string | Uint8Array;
  readonly then: 'keep' | 'close' | 'cut' | 'stall';
};

/** A header by its name, in any case. */
export function replyHeader({ headers }: Reply, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([one]) => one.toLowerCase() === wanted)?.[1];
}

export type App = (request: ServerRequest) => Promise<Reply>;

/** Headers of the service, by the word that the documents print; `withBrand` puts the brand in its place (MR-GEN-01). */
export const requestId = 'X-Service-Request-Id';
export const errorType = 'X-Service-Error-Type';
export const upstreamStatus = 'X-Service-Upstream-Status';
export const creditsUsed = 'X-Service-Credits-Used';
export const droppedParams = 'X-Service-Router-Dropped-Params';
export const fallbackProvider = 'X-Service-Router-Fallback-Provider';

/** True if a step of a handler returned a reply that rejects the call instead of its value. */
export function isReply(step: object): step is Reply {
  return 'status' in step;
}

export function jsonReply(status: number, body: JsonValue, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** An error in the router's envelope, its category mirrored in the header (MR-ERR-01, MR-ERR-06). */
export function routerError(status: number, category: string, detail: string, headers?: Reply['headers']): Reply {
  return jsonReply(status, { detail, error_type: category }, { [errorType]: category, ...headers });
}

export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** `Retry-After` in whole seconds, at least one. */
export function retryAfter(waitMs: number): { 'Retry-After': string } {
  return { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}

/** The name under which a header is sent. */
export function brandedName(name: string, brand: Brand): string {
  return name.replace(/^x-service-/i, headerName(brand, ''));
}

export function withBrand(reply: Reply, brand: Brand): Reply {
  if (brand === defaultBrand) return reply;
  const headers = Object.entries(reply.headers).map(([name, value]) => [brandedName(name, brand), value]);
  return { ...reply, headers: Object.fromEntries(headers) };
}
