import type { App } from './messages.ts';

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
    const isHead = method === 'HEAD';
    const bytes = typeof reply.body === 'string' ? new TextEncoder().encode(reply.body) : reply.body;
    const isEmpty = isHead || bytes.length === 0 || statusesWithoutBody.includes(reply.status);
    const length = isHead ? { 'Content-Length': String(bytes.length) } : {};
    // Ignores `raw`, which can only be written to a connection.
    return new Response(isEmpty ? null : bytes, { status: reply.status, headers: { ...reply.headers, ...length } });
  };
}

const statusesWithoutBody: readonly number[] = [204, 205, 304];
