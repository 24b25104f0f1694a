import { type Brand, defaultBrand, headerName } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';

/** A request as plain data, independent of the adapter that read it. */
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

/** Header names are case-insensitive. An empty body means that there is no body; adapters drop the body of a reply to HEAD. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Bytes;
  /**
   * Bytes to write to the connection instead of the other members, for replies that HTTP libraries refuse to send, such as a
   * 304 with a body.
   */
  readonly raw?: Uint8Array;
  /** Set for a reply of a proxy between router and caller, which gets no router headers (OP-240). */
  readonly isProxied?: true;
};

export function replyHeader({ headers }: Reply, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([one]) => one.toLowerCase() === wanted)?.[1];
}

export type App = (request: ServerRequest) => Promise<Reply>;

/** Header names with the default brand. `withBrand` replaces it with the actual brand (MR-GEN-01). */
export const requestId = 'X-Service-Request-Id';
export const errorType = 'X-Service-Error-Type';
export const upstreamStatus = 'X-Service-Upstream-Status';
export const creditsUsed = 'X-Service-Credits-Used';
export const droppedParams = 'X-Service-Router-Dropped-Params';
export const fallbackProvider = 'X-Service-Router-Fallback-Provider';

/** True if a step of a handler returned a reply that rejects the call. */
export function isReply(step: object): step is Reply {
  return 'status' in step;
}

export function jsonReply(status: number, body: object, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** Creates an error in the router's envelope, with its category also in the header (MR-ERR-01, MR-ERR-06). */
export function routerError(status: number, category: string, detail: string, headers?: Reply['headers']): Reply {
  return jsonReply(status, { detail, error_type: category }, { [errorType]: category, ...headers });
}

/** Returns a reply of a proxy between router and caller, without the API's envelope (MR-ERR-23). */
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

/** Returns `Retry-After` in whole seconds, at least one. */
export function retryAfterHeader(waitMs: number): { 'Retry-After': string } {
  return { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}

export function brandedName(name: string, brand: Brand): string {
  return name.replace(/^x-service-/i, headerName(brand, ''));
}

export function withBrand(reply: Reply, brand: Brand): Reply {
  if (brand === defaultBrand) return reply;
  const headers = Object.entries(reply.headers).map(([name, value]) => [brandedName(name, brand), value]);
  return { ...reply, headers: Object.fromEntries(headers) };
}
