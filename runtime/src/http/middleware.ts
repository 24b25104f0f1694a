import type { Transport, TransportOptions } from './send.ts';

/** One attempt on its way to the service, with what is known of its call. */
export type OutgoingOf<Facts> = TransportOptions & Facts & { readonly url: string };
/** May change the request, answer in place of the service, or look at the response. The credential is among the headers. */
export type MiddlewareOf<Facts> = (
  request: OutgoingOf<Facts>,
  next: (request: OutgoingOf<Facts>) => Promise<Response>,
) => Promise<Response>;
/** What `use` takes: a middleware, or observers that may come with one. */
export type PartOf<Facts, Observers> =
  | MiddlewareOf<Facts>
  | (Observers & { readonly middleware?: MiddlewareOf<Facts> | undefined });

/** The `fetch` of one attempt: through every middleware in order. */
export function passThrough<Facts extends object>(
  facts: Facts,
  { fetch, middleware }: { fetch: Transport; middleware: readonly MiddlewareOf<Facts>[] },
): Transport {
  const next =
    (index: number) =>
    ({ url, ...init }: OutgoingOf<Facts>): Promise<Response> => {
      const request = { url, ...init } as OutgoingOf<Facts>; // the same again
      return middleware[index]?.(request, next(index + 1)) ?? fetch(url, request);
    };
  return middleware.length === 0 ? fetch : (url, init) => next(0)({ ...init, ...facts, url });
}

/** The method `use` of a client. */
export function takeParts<Facts, Observers extends object>(to: {
  readonly observers: Observers[];
  readonly middleware: MiddlewareOf<Facts>[];
}): (...parts: readonly PartOf<Facts, Observers>[]) => void {
  return (...parts) => {
    for (const part of parts) {
      const { middleware } = typeof part === 'function' ? { middleware: part } : part;
      if (middleware !== undefined) to.middleware.push(middleware);
      if (typeof part === 'object') to.observers.push(part);
    }
  };
}
