import type { App, Reply, ServerRequest } from './messages.ts';

/** Signature of the global `fetch`, for clients that accept a custom one. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Turns the app into a `fetch` function. Like `fetch`, it rejects if a request is invalid, aborted or was already sent. */
export function toFetch(app: App): Fetch {
  return async (input, init) => {
    const request = init === undefined && input instanceof Request ? input : new Request(input, init);
    if (request.bodyUsed) throw new TypeError('the body of this request has already been read');
    request.signal.throwIfAborted();
    const reply = await app(await toServerRequest(request));
    request.signal.throwIfAborted();
    return toResponse(reply, request.method);
  };
}

async function toServerRequest(request: Request): Promise<ServerRequest> {
  const url = new URL(request.url);
  return {
    method: request.method,
    origin: url.origin,
    target: `${url.pathname}${url.search}`,
    headers: Object.fromEntries(request.headers),
    body: new Uint8Array(await request.arrayBuffer()),
    signal: request.signal,
  };
}

const statusesWithoutBody: readonly number[] = [204, 205, 304];

/** Converts a reply. Ignores `raw`, which needs a connection. */
function toResponse({ status, headers, body }: Reply, method: string): Response {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const isHead = method === 'HEAD';
  const isEmpty = bytes.length === 0 || isHead || statusesWithoutBody.includes(status);
  const length = isHead ? { 'Content-Length': String(bytes.length) } : {};
  return new Response(isEmpty ? null : bytes, { status, headers: { ...headers, ...length } });
}
