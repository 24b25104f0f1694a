import type { App } from './faults/decorator.ts';

/** Called as the global `fetch` is, so that whatever client takes one can be handed the sandbox. */
export type ClientFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Rejects where `fetch` does: a request that cannot be made or was sent before is never served, nor is one that was called off. */
export function clientFetch(serve: App): ClientFetch {
  return async (input, init) => {
    const request = init === undefined && input instanceof Request ? input : new Request(input, init);
    if (request.bodyUsed) throw new TypeError('the body of this request has been read already');
    request.signal.throwIfAborted();
    const response = await serve(request);
    request.signal.throwIfAborted();
    return response;
  };
}
