import { readBaseUrl, readVariable } from '../http/base-url.ts';
import type { Secret } from '../http/credential.ts';
import { createPatientFetch } from '../http/patient-fetch.ts';

export type ProxyOperation =
  | 'listModels'
  | 'readModel'
  | 'readModelSchema'
  | 'runModel'
  | 'submitRequest'
  | 'collectRequest'
  | 'readRequestStatus'
  | 'cancelRequest';

/** One call of a page, before it is sent to the router. */
export type ProxyCall = {
  readonly operation: ProxyOperation;
  /** True for `runModel` and `submitRequest`, which start a run that is billed. */
  readonly startsRun: boolean;
  /** `provider/model`; undefined for `listModels`. */
  readonly model: string | undefined;
  /** Id of the queued request; undefined for calls that don't name one. */
  readonly requestId: string | undefined;
  /** The user that `findUser` returned. */
  readonly user: string;
  readonly request: Request;
};

export type ProxyOptions = {
  /** Models that pages may call, as ids or generated models. `'all'` also allows listing the catalog. */
  readonly models: 'all' | readonly (string | { readonly id: string })[];
  /** Returns an id of the signed-in user, or undefined when nobody is signed in: the page then gets a 401. */
  readonly findUser: (request: Request) => string | undefined | Promise<string | undefined>;
  /**
   * Called before each call is sent. Return false to answer 403, or a `Response` to answer it yourself, for example with
   * a 429 for a user who has reached a limit.
   */
  readonly authorize?: (call: ProxyCall) => boolean | Response | Promise<boolean | Response>;
  /** Address of the router. Default: the variable `MODEL_ROUTER_URL`. */
  readonly baseUrl?: string;
  /** API key of the server. Default: the variable `MODEL_ROUTER_API_KEY`, unless `token` is set. */
  readonly apiKey?: Secret;
  /** Bearer token of the server, in place of an API key. */
  readonly token?: Secret;
  /** Header that carries the API key. Default: `X-API-Key`. */
  readonly apiKeyHeader?: string;
  /** Path in front of `/v2` under which the page reaches this handler, for example `/api`. Default: none. */
  readonly basePath?: string;
  /** Largest request body in bytes. Default: 10 MiB. A larger one is answered with 413. */
  readonly maxRequestBytes?: number;
  /** Time in milliseconds that the router has to answer. Default: 11 minutes, since it may hold a run for ten. */
  readonly timeoutMs?: number;
  /** A `fetch` to use in place of the platform's. */
  readonly fetch?: Send;
};

/** `Request → Response`, as Next.js, Hono, Deno, Bun and service workers call handlers. */
export type ProxyHandler = (request: Request) => Promise<Response>;

type Send = (url: string, init: RequestInit) => Promise<Response>;

type Route = { readonly operation: ProxyOperation; readonly segments: readonly string[] };

/** The operations by method and by path behind `/v2/models`; `*` is any segment. */
const operations: readonly { operation: ProxyOperation; method: string; path: readonly string[] }[] = [
  { operation: 'listModels', method: 'GET', path: [] },
  { operation: 'readModel', method: 'GET', path: ['*', '*'] },
  { operation: 'runModel', method: 'POST', path: ['*', '*'] },
  { operation: 'readModelSchema', method: 'GET', path: ['*', '*', 'openapi.json'] },
  { operation: 'submitRequest', method: 'POST', path: ['*', '*', 'requests'] },
  { operation: 'collectRequest', method: 'GET', path: ['*', '*', 'requests', '*'] },
  { operation: 'readRequestStatus', method: 'GET', path: ['*', '*', 'requests', '*', 'status'] },
  { operation: 'cancelRequest', method: 'PUT', path: ['*', '*', 'requests', '*', 'cancel'] },
];

const forwardedHeaders = ['accept', 'content-encoding', 'content-type', 'if-none-match'];
const returnedHeaders =
  /^(?:content-type|content-disposition|etag|cache-control|retry-after|idempotent-replayed|x-.+)$/;

/**
 * Creates a handler that forwards the calls of a page to the router with the server's own credential.
 *
 * Only operations of the Model Router API on the allowed models are forwarded. Credentials and cookies of the page are
 * not. Idempotency keys are bound to the user, so one user's key never finds the run of another. A page that
 * disconnects ends the waiting of this handler, not the run: the same key collects the result.
 *
 * Throws a `TypeError` for options that cannot work.
 */
export function createModelRouterProxy(options: ProxyOptions): ProxyHandler {
  const { findUser, authorize, basePath = '', maxRequestBytes = 10 * 1024 * 1024, timeoutMs = 660_000 } = options;
  const name = 'createModelRouterProxy';
  const baseUrl = readBaseUrl(options.baseUrl ?? readVariable('MODEL_ROUTER_URL') ?? '', '/v2', name);
  if (!(options.token ?? options.apiKey ?? readVariable('MODEL_ROUTER_API_KEY')))
    throw new TypeError(`${name}: set apiKey, token or the variable MODEL_ROUTER_API_KEY`);
  if (typeof findUser !== 'function') throw new TypeError(`${name}: findUser must be a function`);
  if (options.models !== 'all' && !Array.isArray(options.models))
    throw new TypeError(`${name}: models must be a list of models, or 'all'`);
  const allowed =
    options.models === 'all'
      ? undefined
      : new Set(options.models.map((one) => (typeof one === 'string' ? one : one.id)));
  const send = options.fetch ?? createPatientFetch();

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const route = findRoute(request.method, pathname, basePath);
    if (route === undefined) return refuse(404, 'not an operation of the Model Router API');
    const user = await findUser(request);
    if (user === undefined || user === '') return refuse(401, 'sign in first');
    const [provider, model, , requestId] = route.segments;
    const id = provider === undefined ? undefined : `${provider}/${model}`;
    if (allowed !== undefined && (id === undefined || !allowed.has(id)))
      return refuse(403, 'this model is not allowed');
    const startsRun = route.operation === 'runModel' || route.operation === 'submitRequest';
    const decision = await authorize?.({ operation: route.operation, startsRun, model: id, requestId, user, request });
    if (decision instanceof Response) return decision;
    if (decision === false) return refuse(403, 'this call is not allowed');

    const body = await readBody(request, maxRequestBytes);
    if (body === 'too-large') return refuse(413, `the body is larger than ${maxRequestBytes} bytes`);
    const path = route.segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
    const response = await send(`${baseUrl}/v2/models${path}${search}`, {
      method: request.method,
      headers: await buildHeaders(request, user, options),
      body,
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
      redirect: 'manual',
    }).catch(() => undefined);
    if (response === undefined) return refuse(502, 'the router could not be reached, or did not answer in time');
    const isRedirect = response.status >= 300 && response.status < 400 && response.status !== 304;
    if (isRedirect || response.type === 'opaqueredirect') return refuse(502, 'the router answered with a redirect');
    const headers = [...response.headers].filter(([header]) => returnedHeaders.test(header));
    return new Response(response.body, { status: response.status, headers });
  };
}

/** The credential of the server, and what the router needs of the page's own headers. */
async function buildHeaders(request: Request, user: string, options: ProxyOptions): Promise<Headers> {
  const { token, apiKey = readVariable('MODEL_ROUTER_API_KEY') ?? '', apiKeyHeader = 'X-API-Key' } = options;
  const secret = token ?? apiKey;
  const value = (typeof secret === 'function' ? await secret() : secret).trim();
  const headers = new Headers(token === undefined ? { [apiKeyHeader]: value } : { Authorization: `Bearer ${value}` });
  for (const header of forwardedHeaders) {
    const given = request.headers.get(header);
    if (given !== null) headers.set(header, given);
  }
  const key = request.headers.get('idempotency-key');
  if (key !== null) headers.set('idempotency-key', await bindKey(user, key));
  return headers;
}

/** The operation of a path, with its decoded segments behind `/v2/models`. */
function findRoute(method: string, pathname: string, basePath: string): Route | undefined {
  const prefix = `${basePath.replace(/\/+$/, '')}/v2/models`;
  if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return undefined;
  const segments = decodeSegments(pathname.slice(prefix.length).split('/').slice(1));
  const found = operations.find(
    ({ method: wanted, path }) =>
      method === wanted &&
      path.length === segments?.length &&
      path.every((part, index) => part === '*' || part === segments[index]),
  );
  return segments && found && { operation: found.operation, segments };
}

/** Undefined if a segment is empty, malformed, a dot segment, or contains a separator or a control character. */
function decodeSegments(encoded: readonly string[]): string[] | undefined {
  try {
    const segments = encoded.map(decodeURIComponent);
    return segments.every((segment) => !/^\.{0,2}$|[/\\\p{Cc}]/u.test(segment)) ? segments : undefined;
  } catch {
    return undefined;
  }
}

async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null | 'too-large'> {
  if (request.body === null) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > maxBytes) {
      await reader.cancel();
      return 'too-large';
    }
    parts.push(part.value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/**
 * The key that the router sees: a SHA-256 over user and key of the page, in hex. Both are prefixed with their length, so
 * `bob` with the key `smith.K` differs from `bob.smith` with `K`.
 */
async function bindKey(user: string, key: string): Promise<string> {
  const text = new TextEncoder();
  const parts = [user, key].map((part) => `${text.encode(part).length}:${part}`);
  const digest = await crypto.subtle.digest('SHA-256', text.encode(parts.join('')));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function refuse(status: number, detail: string): Response {
  return Response.json({ detail }, { status });
}
