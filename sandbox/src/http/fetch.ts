import type { App, Reply } from './messages.ts';

/** Signature of the global `fetch`, for clients that accept a custom one. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Turns the app into a `fetch` function. Like `fetch`, it rejects if a request is invalid, aborted or was already sent. */
export function toFetch(app: App): Fetch {
  return async (input, init) => {
    const request = init === undefined && input instanceof Request ? input : new Request(input, init);
    if (request.bodyUsed) throw new TypeError('the body of this request has already been read');
    request.signal.throwIfAborted();
    const { method, signal } = request;
    const { origin, pathname, search } = new URL(request.url);
    const headers = Object.fromEntries(request.headers);
    const body = new Uint8Array(await request.arrayBuffer());
    const reply = await app({ method, origin, target: `${pathname}${search}`, headers, body, signal });
    signal.throwIfAborted();
    return toResponse(reply, method);
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
