import { type Brand, defaultBrand, headerName } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';

/** A request as plain data, the same for every adapter. */
export type ServerRequest = {
  readonly method: string;
  /** Scheme and host in the caller's URL, for example `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Path and query exactly as sent, without decoding percent-encoding or collapsing dot segments (ADR 8). */
  readonly target: string;
  /** Names are in lower case; values of a repeated name are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** `too-large` if it exceeds the body limit, even if its length was not declared (MR-RUN-48). */
  readonly body: Bytes | 'too-large';
  readonly signal: AbortSignal;
};

/** A reply as plain data. Header names are case-insensitive. An empty body is no body. Adapters omit the body of a reply to HEAD. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Bytes;
  /**
   * Bytes to write to the connection instead of the other members, for replies that HTTP libraries refuse to send, such as a
   * 304 with a body.
   */
  readonly raw?: Uint8Array;
  /** Set if a proxy between router and caller sends the reply, so that it has no headers of the router (OP-240). */
  readonly isProxied?: true;
};

export function replyHeader({ headers }: Reply, name: string): string | undefined {
  return Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}

export type App = (request: ServerRequest) => Promise<Reply>;

/** Header names with the default brand `Service`, which `withBrand` replaces (MR-GEN-01). */
export const requestId = 'X-Service-Request-Id';
export const errorType = 'X-Service-Error-Type';
export const upstreamStatus = 'X-Service-Upstream-Status';
export const creditsUsed = 'X-Service-Credits-Used';
export const droppedParams = 'X-Service-Router-Dropped-Params';
export const fallbackProvider = 'X-Service-Router-Fallback-Provider';

/** True for a reply. Functions that may reject a call return either a value or the reply to send. */
export function isReply(value: object): value is Reply {
  return 'status' in value;
}

export function jsonReply(status: number, body: object, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** Creates an error in the router's envelope, with its category also in the header (MR-ERR-01, MR-ERR-06). */
export function routerError(status: number, category: string, detail: string, headers?: Reply['headers']): Reply {
  return jsonReply(status, { detail, error_type: category }, { [errorType]: category, ...headers });
}

/** Creates a reply of a proxy between router and caller, without the API's envelope (MR-ERR-23). `form`: form of its body. */
export function proxyReply(form: string, status: number): Reply {
  const [type, body] = proxyBodies.get(form) ?? [
    'text/html',
    `<!DOCTYPE html>\n<html><head><title>${status}</title></head>\n<body><center><h1>${status}</h1></center><hr><center>proxy</center></body></html>\n`,
  ];
  return { status, headers: { 'Content-Type': type }, body, isProxied: true };
}

const proxyBodies: ReadonlyMap<string, readonly [type: string, body: string]> = new Map([
  ['truncated_json', ['application/json', '{"detail": "The upstream connection was cl']],
  ['plain_text', ['text/plain', 'upstream connect error or disconnect before headers\n']],
]);

export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** Creates a `Retry-After` header in whole seconds, at least one. */
export function retryAfterHeader(waitMs: number): { 'Retry-After': string } {
  return { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}

/** Replaces the default brand in the name of a header. */
export function brandedName(name: string, brand: Brand): string {
  return name.replace(/^x-service-/i, headerName(brand, ''));
}

/** Replaces the default brand in the names of all headers. */
export function withBrand(reply: Reply, brand: Brand): Reply {
  if (brand === defaultBrand) return reply;
  const headers = Object.entries(reply.headers).map(([name, value]) => [brandedName(name, brand), value]);
  return { ...reply, headers: Object.fromEntries(headers) };
}
