import { systemClock, withDeadline } from '../http/clock.ts';
import { type Access, type Secret, toHex } from '../http/credential.ts';
import { removeTimeouts } from '../http/patient-fetch.ts';
import { readBytes } from '../http/read-body.ts';
import { connect } from '../router/connection.ts';

/** Operations by method and by path after `/v2/models`; `*` matches any segment. */
const operations = [
  ['listModels', 'GET'],
  ['readModel', 'GET', '*', '*'],
  ['runModel', 'POST', '*', '*'],
  ['readModelSchema', 'GET', '*', '*', 'openapi.json'],
  ['submitRequest', 'POST', '*', '*', 'requests'],
  ['collectRequest', 'GET', '*', '*', 'requests', '*'],
  ['readRequestStatus', 'GET', '*', '*', 'requests', '*', 'status'],
  ['cancelRequest', 'PUT', '*', '*', 'requests', '*', 'cancel'],
] as const;
export type ProxyOperation = (typeof operations)[number][0];

export type ProxyCall = {
  readonly operation: ProxyOperation;
  /** True for `runModel` and `submitRequest`, which start a billed run. */
  readonly startsRun: boolean;
  /** `provider/model`; undefined for `listModels`. */
  readonly model: string | undefined;
  /** Id of the queued request; undefined for other calls. */
  readonly requestId: string | undefined;
  readonly user: string;
  readonly request: Request;
};

export type ProxyOptions = {
  /** Models that pages may call, as ids or generated models. `'all'` also allows listing the catalog. */
  readonly models: 'all' | readonly (string | { readonly id: string })[];
  /** Returns the id of the signed-in user. Return undefined or null to respond with a 401 if no user is signed in. */
  readonly findUser: (request: Request) => string | null | undefined | Promise<string | null | undefined>;
  /** Called before each call is sent. Return true to send it, false to respond with a 403, or a `Response`, for example a 429. */
  readonly authorize?: (call: ProxyCall) => boolean | Response | Promise<boolean | Response>;
  /** Base URL of the router. Default: the variable `MODEL_ROUTER_URL`. */
  readonly baseUrl?: string;
  /** API key of the server. Default: the variable `MODEL_ROUTER_API_KEY`, unless `token` is set. */
  readonly apiKey?: Secret;
  /** Bearer token of the server, in place of an API key. Default: the variable `MODEL_ROUTER_TOKEN`, if there is no key. */
  readonly token?: Secret;
  /** Header that carries the API key. Default: `X-API-Key`. */
  readonly apiKeyHeader?: string;
  /** Path in front of `/v2` that the page uses for this handler, for example `/api`. Default: none. */
  readonly basePath?: string;
  /** Maximum size of a request body in bytes; a larger one gets a 413. Default: 10 MiB. */
  readonly maxRequestBytes?: number;
  /** Milliseconds until the router must start to respond. Default: 11 minutes, because it may hold a run for ten. */
  readonly timeoutMs?: number;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: FetchFunction;
};

export type ProxyHandler = (request: Request) => Promise<Response>;

type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

const forwardedHeaders = ['accept', 'content-encoding', 'content-type', 'if-none-match'];
const returnedHeaders =
  /^(?:content-type|content-disposition|etag|cache-control|retry-after|idempotent-replayed|x-.+)$/;

/**
 * Creates a handler that forwards the calls of a page with the server's own credential, not the page's. Idempotency keys
 * are bound to the user. If the page disconnects, its run continues, and the same key collects it.
 */
export function createModelRouterProxy(options: ProxyOptions): ProxyHandler {
  const { models, findUser, authorize, basePath = '', apiKeyHeader = 'X-API-Key' } = options;
  const { maxRequestBytes = 10 * 1024 * 1024, timeoutMs = 660_000 } = options;
  const { baseUrl: routerUrl, apiKey, token } = options;
  const name = 'createModelRouterProxy';
  const { baseUrl, credential } = connect({ baseUrl: routerUrl, apiKey, token }, { brand: '', apiKeyHeader }, name);
  if (typeof findUser !== 'function') throw new TypeError(`${name}: findUser must be a function`);
  if (models !== 'all' && !Array.isArray(models))
    throw new TypeError(`${name}: models must be a list of models, or 'all'`);
  const allowed = models === 'all' ? undefined : models.map((one) => (typeof one === 'string' ? one : one.id));
  const send: FetchFunction = options.fetch ?? ((url, init) => globalThis.fetch(url, { ...init, ...removeTimeouts() }));

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const route = findRoute(request.method, pathname, basePath);
    if (route === undefined) return createErrorResponse(404, 'not an operation of the Model Router API');
    const { operation, segments } = route;
    const user = await findUser(request);
    if (user === undefined || user === null || user === '') return createErrorResponse(401, 'sign in first');
    // Keys are bound to the id, so users whose ids were converted to the same text would share runs.
    if (typeof user !== 'string') throw new TypeError(`${name}: findUser must return a string or undefined`);
    const [provider, model, , requestId] = segments;
    const id = provider === undefined ? undefined : `${provider}/${model}`;
    if (allowed !== undefined && id === undefined)
      return createErrorResponse(403, "the catalog is only served with models: 'all'");
    if (allowed !== undefined && !allowed.some((one) => one === id))
      return createErrorResponse(403, 'this model is not allowed');
    const startsRun = operation === 'runModel' || operation === 'submitRequest';
    const decision = authorize ? await authorize({ operation, startsRun, model: id, requestId, user, request }) : true;
    if (decision instanceof Response) return decision;
    if (decision !== true) return createErrorResponse(403, 'this call is not allowed');

    // The page may disconnect while it sends the body.
    const body = await readBytes(request, maxRequestBytes).catch(() => null);
    if (body === null) return createErrorResponse(400, 'the body is incomplete');
    if (body === undefined) return createErrorResponse(413, `the body is larger than ${maxRequestBytes} bytes`);
    const forwarded = forwardedHeaders.map((name): [string, string | null] => [name, request.headers.get(name)]);
    const key = request.headers.get('idempotency-key');
    if (key !== null) forwarded.push(['idempotency-key', await bindKey(user, key)]);
    const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
    const forward = (access: Access): Promise<Response | undefined> => {
      const headers = new Headers(access.headers);
      for (const [header, value] of forwarded) if (value) headers.set(header, value);
      return sendWithin(timeoutMs, request.signal, (signal) =>
        send(`${baseUrl}/v2/models${path}${search}`, {
          method: request.method,
          headers,
          body: body.length === 0 ? null : body.slice(), // A copy has the buffer type that `fetch` accepts.
          signal,
          redirect: 'manual',
        }),
      ).catch(() => undefined);
    };
    const access = await credential.read();
    let response = await forward(access);
    if (response?.status === 401) {
      // The router rejects this server's credential, not that of the page. A function may return a renewed one.
      void response.body?.cancel();
      const renewed = await credential.read();
      if (renewed.secret !== access.secret) response = await forward(renewed);
      if (response?.status === 401) return createErrorResponse(502, "the router rejected this server's credential");
    }
    if (response === undefined)
      return createErrorResponse(502, 'the router could not be reached, or did not answer in time');
    const isRedirect = response.status >= 300 && response.status < 400 && response.status !== 304;
    if (isRedirect || response.type === 'opaqueredirect')
      return createErrorResponse(502, 'the router answered with a redirect');
    const returned = [...response.headers].filter(([header]) => returnedHeaders.test(header));
    return new Response(response.body, { status: response.status, headers: returned });
  };
}

function findRoute(
  method: string,
  pathname: string,
  basePath: string,
): { operation: ProxyOperation; segments: readonly string[] } | undefined {
  const prefix = `${basePath.replace(/\/+$/, '')}/v2/models`;
  if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return undefined;
  let segments: string[];
  try {
    segments = pathname.slice(prefix.length).split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
  // The router may interpret an empty or dot segment, a separator or a control character differently.
  if (segments.some((segment) => /^\.{0,2}$|[/\\\p{Cc}]/u.test(segment))) return undefined;
  const row = operations.find(
    ([, wanted, ...path]: readonly [string, string, ...string[]]) =>
      method === wanted &&
      path.length === segments.length &&
      path.every((part, index) => part === '*' || part === segments[index]),
  );
  return row && { operation: row[0], segments };
}

/**
 * Sends a request. The page can abort it at any time; the timeout ends only the wait for the response. Some edge runtimes
 * have no `AbortSignal.any`, and `AbortSignal.timeout` would keep each request in memory until the timeout.
 */
function sendWithin(
  timeoutMs: number,
  pageSignal: AbortSignal,
  request: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  pageSignal.addEventListener('abort', abort);
  if (pageSignal.aborted) abort();
  const time = { clock: systemClock, signal: pageSignal, endsAt: Infinity, isIdle: true };
  return withDeadline(request(controller.signal), time, timeoutMs).catch((error) => {
    abort();
    throw error;
  });
}

/** Hashes user and key with their lengths, so that `bob` with `smith.K` differs from `bob.smith` with `K`. */
async function bindKey(user: string, key: string): Promise<string> {
  const text = new TextEncoder();
  const parts = [user, key].map((part) => `${text.encode(part).length}:${part}`);
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', text.encode(parts.join('')))));
}

function createErrorResponse(status: number, detail: string): Response {
  // The categories that the router itself uses for these statuses.
  const categories: Record<number, string> = { 400: 'invalid_input', 401: 'unauthorized', 403: 'forbidden' };
  return Response.json({ detail, error_type: categories[status === 413 ? 400 : status] }, { status });
}
