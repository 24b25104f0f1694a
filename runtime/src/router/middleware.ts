import type { Transport } from '../http/send.ts';
import type { Connection } from './connection.ts';
import type { RequestEvent, RouterObservers } from './observers.ts';

/** One attempt on its way to the service. */
export type OutgoingRequest = Parameters<Transport>[1] &
  Pick<RequestEvent, 'callId' | 'attempt' | 'operation' | 'model'> & {
    readonly url: string;
  };
/** May change the request, answer in place of the service, or look at the response. The credential is among the headers. */
export type Middleware = (
  request: OutgoingRequest,
  next: (request: OutgoingRequest) => Promise<Response>,
) => Promise<Response>;
/** What `use` takes: a middleware, or observers that may come with one. */
export type RouterPart = Middleware | (RouterObservers & { readonly middleware?: Middleware });

/** The `fetch` of one attempt: through every middleware in order. */
export function passThrough(
  { callId, attempt, operation, model }: RequestEvent,
  { fetch, middleware }: Connection,
): Transport {
  const facts = { callId, attempt, operation, model };
  const next =
    (index: number) =>
    ({ url, ...init }: OutgoingRequest): Promise<Response> =>
      middleware[index]?.({ ...init, url }, next(index + 1)) ?? fetch(url, init);
  return middleware.length === 0 ? fetch : (url, init) => next(0)({ ...init, ...facts, url });
}
